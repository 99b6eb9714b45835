"""Actions: the only file that knows how Blender keeps F-curves.

Up to 4.3 an action has F-curves of its own. From 4.4 on they are in the channelbag of a slot, and 5.0 leaves no others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from .maths import Array
from .scene import pose_of

HAS_SLOTS = bpy.app.version >= (4, 4, 0)
# Custom property of an action: the name of the clip that it was made of. Blender shortens and numbers the action's own name.
CLIP_PROPERTY = "rebone_clip"
# Custom property of an action: frames of the scene from one key to the next, at the rate that the scene had.
STEP_PROPERTY = "rebone_step"
# Steps are one frame within this part: rates of files are rounded.
MAX_STEP_ERROR = 1e-4
# Value of the enumeration `Keyframe.interpolation`.
LINEAR = 1


@dataclass(frozen=True)
class Curve:
    """Keys of one number: `values` at `frames`, in the group `group`."""

    data_path: str
    index: int
    group: str
    frames: Array
    values: Array


@dataclass(frozen=True)
class Assignment:
    """Action and slot of an object, to set them again."""

    action: bpy.types.Action | None
    slot: "bpy.types.ActionSlot | None"


def create(owner: bpy.types.Object, name: str, curves: Iterable[Curve], step: float = 1.0) -> bpy.types.Action:
    """A new action of a clip with a key each `step` frames, a fake user and a slot of the owner's name. The owner's own action
    stays."""
    action = bpy.data.actions.new(name)
    action[CLIP_PROPERTY] = name
    action[STEP_PROPERTY] = step
    action.use_fake_user = True
    bag = new_channels(action, owner.name)
    groups: dict[str, bpy.types.ActionGroup] = {}
    for curve in curves:
        if curve.group not in groups:
            groups[curve.group] = bag.groups.new(curve.group)
        fcurve = bag.fcurves.new(curve.data_path, index=curve.index)
        fcurve.group = groups[curve.group]
        fill(fcurve, curve)
    return action


def new_channels(action: bpy.types.Action, slot_name: str) -> "bpy.types.Action | bpy.types.ActionChannelbag":
    """Owner of `fcurves` and `groups` of a new action."""
    if not HAS_SLOTS:
        return action
    slot = action.slots.new(id_type="OBJECT", name=slot_name)
    strip: Any = action.layers.new("rebone").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def fill(fcurve: bpy.types.FCurve, curve: Curve) -> None:
    """Sets all keys of a new curve at once."""
    points = fcurve.keyframe_points
    points.add(len(curve.frames))
    keys = np.empty((len(curve.frames), 2), dtype=np.float32)
    keys[:, 0], keys[:, 1] = curve.frames, curve.values
    points.foreach_set("co", keys.ravel())
    points.foreach_set("interpolation", np.full(len(keys), LINEAR, dtype=np.int32))
    fcurve.update()


def fcurves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All F-curves of an action."""
    if not HAS_SLOTS:
        return list(action.fcurves)
    strips: list[Any] = [strip for layer in action.layers for strip in layer.strips]
    bags = (bag for strip in strips for bag in strip.channelbags)
    return [fcurve for bag in bags for fcurve in bag.fcurves]


def assigned(owner: bpy.types.Object) -> Assignment:
    """Action and slot that an object uses now."""
    animation = owner.animation_data
    if animation is None:
        return Assignment(None, None)
    return Assignment(animation.action, animation.action_slot if HAS_SLOTS else None)


def assign(owner: bpy.types.Object, assignment: Assignment) -> None:
    """Makes an object use an action. `None` takes the action away and leaves NLA and drivers."""
    animation = owner.animation_data
    if animation is None:
        if assignment.action is None:
            return
        animation = owner.animation_data_create()
        assert animation is not None
    animation.action = assignment.action
    if HAS_SLOTS and assignment.action is not None:
        slot = assignment.slot
        if slot is None and assignment.action.slots:
            slot = assignment.action.slots[0]
        animation.action_slot = slot


def use(owner: bpy.types.Object, action: bpy.types.Action) -> None:
    """Makes an object use a new action. The action before gets a fake user, or it would be lost when the file is saved."""
    before = assigned(owner).action
    if before is not None and before.users <= 1 and not before.use_fake_user:
        before.use_fake_user = True
    assign(owner, Assignment(action, None))


def is_moved(owner: bpy.types.Object) -> bool:
    """Returns whether an armature can move: it has an action, NLA tracks, drivers, constraints, or a parent."""
    animation = owner.animation_data
    if animation is not None and (animation.action is not None or len(animation.nla_tracks) or len(animation.drivers)):
        return True
    return owner.parent is not None or bool(owner.constraints) or any(bone.constraints for bone in pose_of(owner))


def clip_name(owner: bpy.types.Object) -> str:
    """Name of the clip that the action of an object was made of; that of the action where none is known, or of the object."""
    action = assigned(owner).action
    return owner.name if action is None else str(action.get(CLIP_PROPERTY, action.name))


def step_of(action: bpy.types.Action) -> float:
    """Frames of the scene from one key of an action to the next; one where rebone did not make it."""
    step = float(action.get(STEP_PROPERTY, 1.0))
    return step if step > MAX_STEP_ERROR and abs(step - 1.0) > MAX_STEP_ERROR else 1.0


def key_step(owner: bpy.types.Object) -> float:
    """Frames of the scene from one key of an object's action to the next."""
    action = assigned(owner).action
    return 1.0 if action is None else step_of(action)


def dump(action: bpy.types.Action) -> list[tuple[str, int, list[float]]]:
    """All keys of an action, to compare."""
    result = []
    for fcurve in fcurves(action):
        flat = np.empty(2 * len(fcurve.keyframe_points), dtype=np.float32)
        fcurve.keyframe_points.foreach_get("co", flat)
        result.append((fcurve.data_path, fcurve.array_index, flat.tolist()))
    return result


def frame_range(owner: bpy.types.Object, fallback: Sequence[int]) -> tuple[int, int]:
    """First and last frame of an object's action, or `fallback`."""
    action = assigned(owner).action
    if action is None or not fcurves(action):
        return fallback[0], fallback[1]
    start, end = float(action.frame_range[0]), float(action.frame_range[1])
    return int(np.floor(start)), int(np.ceil(end))
