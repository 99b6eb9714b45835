"""Rig cards of armatures: what is known of a rig, kept with it.

The card is a custom property of the object and a text block to read and correct. An edit of the text block counts.
"""

import bpy
import numpy as np

from . import maths
from .maths import Array
from .skeleton import Skeleton

PROPERTY = "rebone_card"
# Bones of a pose that turn less than this, degrees, are as at rest.
MIN_TURN_DEGREES = 0.01


def text_name(armature: bpy.types.Object) -> str:
    return f"{armature.name}.rebone.toml"


def read(armature: bpy.types.Object) -> str:
    """Card of an armature: its text block, or what the object keeps."""
    block = bpy.data.texts.get(text_name(armature))
    if block is not None:
        return str(block.as_string())
    return str(armature.get(PROPERTY, ""))


def write(armature: bpy.types.Object, text: str) -> None:
    """Keeps a card with an armature, and shows it as a text block; of an empty card nothing stays."""
    block = bpy.data.texts.get(text_name(armature))
    if not text:
        armature.pop(PROPERTY, None)
        if block is not None:
            bpy.data.texts.remove(block)
        return
    armature[PROPERTY] = text
    block = block or bpy.data.texts.new(text_name(armature))
    block.clear()
    block.write(text)


def turns_since_rest(own: Skeleton, rest: Array, pose: Array) -> dict[str, tuple[float, float, float]]:
    """Turns of joints since the rest pose, in degrees about their own axes, by the names of their bones.

    `rest` and `pose` (joints, 4) are rotations against the parents.
    """
    between = maths.continuous(
        np.stack([np.tile([0.0, 0.0, 0.0, 1.0], (len(rest), 1)), maths.multiply(maths.inverse(rest), pose)])
    )[1]
    sine = np.linalg.norm(between[:, :3], axis=-1, keepdims=True)
    vectors = np.degrees(2.0 * np.arctan2(sine, between[:, 3:]) * between[:, :3] / np.maximum(sine, 1e-300))
    return {
        name: (float(turn[0]), float(turn[1]), float(turn[2]))
        for name, turn in zip(own.bones, vectors, strict=True)
        if name is not None and np.linalg.norm(turn) > MIN_TURN_DEGREES
    }
