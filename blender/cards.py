"""Rig cards of armatures: what is known of a rig, kept with it.

The card is a custom property of the object and a text block to read and correct. An edit of the text block counts.
"""

import json
import re

import bpy
import numpy as np

from . import maths
from .maths import Array
from .skeleton import Skeleton

PROPERTY = "rebone_card"
# Bones of a pose that turn less than this, degrees, are as at rest.
MIN_TURN_DEGREES = 0.01

TABLE = re.compile(r"^\s*\[(?P<name>[^\[\]]+)\]")


def text_name(armature: bpy.types.Object) -> str:
    return f"{armature.name}.rebone.toml"


def read(armature: bpy.types.Object) -> str:
    """Card of an armature: its text block, or what the object keeps."""
    block = bpy.data.texts.get(text_name(armature))
    if block is not None:
        return str(block.as_string())
    return str(armature.get(PROPERTY, ""))


def write(armature: bpy.types.Object, text: str) -> None:
    """Keeps a card with an armature, and shows it as a text block."""
    armature[PROPERTY] = text
    block = bpy.data.texts.get(text_name(armature)) or bpy.data.texts.new(text_name(armature))
    block.clear()
    block.write(text)


def joint(name: str) -> str:
    """Name of a bone as a quoted string of TOML."""
    return json.dumps(name, ensure_ascii=False)


def set_line(text: str, table: str, key: str, value: str) -> str:
    """Sets `key = value` in a table of a card, in place of the line that is there. Other lines stay as they are."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if named_table(line) == table), None)
    if start is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{table}]", f"{key} = {value}"]) + "\n"
    end = next((k for k in range(start + 1, len(lines)) if TABLE.match(lines[k])), len(lines))
    own = next((k for k in range(start + 1, end) if line_key(lines[k]) == key), None)
    if own is not None:
        lines[own] = f"{key} = {value}"
    else:
        while end > start + 1 and not lines[end - 1].strip():
            end -= 1
        lines.insert(end, f"{key} = {value}")
    return "\n".join(lines) + "\n"


def without_tables(text: str, tables: set[str], keys: set[str]) -> str:
    """A card without some tables, and without some keys of the top."""
    kept, current = [], ""
    for line in text.splitlines():
        current = named_table(line) or current
        if current not in tables and not (current == "" and line_key(line) in keys):
            kept.append(line)
    return "\n".join(kept).strip() + "\n" if any(line.strip() for line in kept) else ""


def named_table(line: str) -> str | None:
    found = TABLE.match(line)
    return None if found is None else found["name"].strip()


def line_key(line: str) -> str | None:
    key, sign, _ = line.partition("=")
    return key.strip() if sign and not line.lstrip().startswith("#") else None


def set_role(text: str, role: str, bones: list[str], *, is_list: bool) -> str:
    """States which bones play a role; none says that no bone plays it."""
    if bones and not is_list:
        return set_line(text, "roles", role, joint(bones[0]))
    return set_line(text, "roles", role, f"[{', '.join(joint(name) for name in bones)}]")


def set_pose(text: str, turns: dict[str, tuple[float, float, float]]) -> str:
    """States the calibration pose, in place of one that the card states."""
    text = without_tables(text, {"pose"}, {"pose_from", "confidence"})
    if not turns:
        return f'pose_from = "rest"\n{text}'
    for name, turn in turns.items():
        text = set_line(text, "pose", joint(name), f"[{', '.join(f'{angle:.4f}' for angle in turn)}]")
    return text


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
