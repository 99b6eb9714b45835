"""Roles as colours of bones, and the colours before."""

import json
from typing import Any

import bpy

from .palette import LEFT, RIGHT, TRUNK, UNSURE
from .scene import pose_of

PROPERTY = "rebone_colours"


def of_role(role: str, is_accepted: bool) -> tuple[float, float, float]:
    """Colour of a role by its side; one that is not sure has a colour of its own."""
    if not is_accepted:
        return UNSURE
    return LEFT if role.startswith("left") else RIGHT if role.startswith("right") else TRUNK


def lighter(colour: tuple[float, float, float], part: float) -> tuple[float, float, float]:
    first, second, third = (value + part * (1.0 - value) for value in colour)
    return first, second, third


def show(armature: bpy.types.Object, colour_of: dict[str, tuple[float, float, float]]) -> None:
    """Colours bones; selected and active ones are lighter. Their former colours are kept with the object."""
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
