"""Roles as colours of bones, and the colours before."""

import json
from typing import Any

import bpy

from .scene import pose_of

PROPERTY = "rebone_colours"
# Normal colours by part of the body; selected and active are lighter.
TRUNK, LEFT, RIGHT, FINGERS, UNSURE = (
    (0.85, 0.65, 0.15),
    (0.20, 0.45, 0.85),
    (0.80, 0.25, 0.25),
    (0.30, 0.65, 0.45),
    (0.90, 0.15, 0.80),
)
FINGER_NAMES = ("Thumb", "Index", "Middle", "Ring", "Little")


def of_role(role: str, is_accepted: bool) -> tuple[float, float, float]:
    """Colour of a role; one that is not sure has a colour of its own."""
    if not is_accepted:
        return UNSURE
    if role.endswith(FINGER_NAMES):
        return FINGERS
    return LEFT if role.startswith("left") else RIGHT if role.startswith("right") else TRUNK


def lighter(colour: tuple[float, float, float], part: float) -> tuple[float, float, float]:
    first, second, third = (value + part * (1.0 - value) for value in colour)
    return first, second, third


def show(armature: bpy.types.Object, colour_of: dict[str, tuple[float, float, float]]) -> None:
    """Colours bones. What they had before is kept with the object."""
    restore(armature)
    kept = {}
    for name, colour in colour_of.items():
        # A colour of the pose is before that of the bone, and rigs with controls have one.
        own: Any = pose_of(armature)[name].color
        kept[name] = [own.palette, *(list(value) for value in (own.custom.normal, own.custom.select, own.custom.active))]
        own.palette = "CUSTOM"
        own.custom.normal, own.custom.select, own.custom.active = colour, lighter(colour, 0.4), lighter(colour, 0.7)
    armature[PROPERTY] = json.dumps(kept)


def restore(armature: bpy.types.Object) -> None:
    """Gives bones the colours that they had."""
    kept = armature.get(PROPERTY)
    if not isinstance(kept, str):
        return
    for name, (palette, normal, select, active) in json.loads(kept).items():
        bone = pose_of(armature).get(name)
        if bone is not None:
            own: Any = bone.color
            own.custom.normal, own.custom.select, own.custom.active = normal, select, active
            own.palette = palette
    del armature[PROPERTY]
