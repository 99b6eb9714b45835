"""Rig cards of armatures: what is known of a rig, kept with it.

The card is a custom property of the object and a text block to read and correct, to which another property points: a new name
changes nothing. An edit of the text block counts.
"""

import bpy
import numpy as np

from . import maths
from .maths import Array
from .skeleton import Skeleton

PROPERTY = "rebone_card"
TEXT_PROPERTY = "rebone_card_text"
# Bones of a pose that turn less than this, degrees, are as at rest.
MIN_TURN_DEGREES = 0.01


def text_of(armature: bpy.types.Object) -> bpy.types.Text | None:
    """Text block of an armature's card."""
    block = armature.get(TEXT_PROPERTY)
    return block if isinstance(block, bpy.types.Text) else None


def text_name(armature: bpy.types.Object) -> str:
    """Name of the text block of an armature's card, or of the one that it would get."""
    block = text_of(armature)
    return f"{armature.name}.rebone.toml" if block is None else block.name


def read(armature: bpy.types.Object) -> str:
    """Card of an armature: its text block, or what the object keeps."""
    block = text_of(armature)
    if block is not None:
        return str(block.as_string())
    return str(armature.get(PROPERTY, ""))


def write(armature: bpy.types.Object, text: str) -> None:
    """Keeps a card with an armature, and shows it as a text block; of an empty card nothing stays."""
    block = text_of(armature)
    # A copy of an object points to the text block of the first one.
    if any(own != armature and own.get(TEXT_PROPERTY) == block for own in bpy.data.objects if block is not None):
        armature.pop(TEXT_PROPERTY, None)
        block = None
    if not text:
        armature.pop(PROPERTY, None)
        armature.pop(TEXT_PROPERTY, None)
        if block is not None:
            bpy.data.texts.remove(block)
        return
    armature[PROPERTY] = text
    block = block or bpy.data.texts.new(text_name(armature))
    armature[TEXT_PROPERTY] = block
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
