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
# Custom property of an action: first and last frame of the source that it was made of, where not of all of them, and 1
# where they are a cycle. Of a file they are counted from 0, of an armature they are those of the scene.
SPAN_PROPERTY = "rebone_span"
# Custom property of an action: the regions of the body that it moves, where not all.
ONLY_PROPERTY = "rebone_only"
# Custom property of an action: name of the object that it was made for, which slots have from 4.4 on.
OWNER_PROPERTY = "rebone_object"
# Custom property of an action in place: the way of the body over the floor at each key (frames, 3), in the space of the object.
TRAVEL_PROPERTY = "rebone_travel"
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


def create(
    owner: bpy.types.Object, name: str, curves: Iterable[Curve], step: float = 1.0, over: bpy.types.Action | None = None
) -> bpy.types.Action:
    """An action of a clip with a key each `step` frames, a fake user and a slot of the owner's name: a new one, or `over` with
    other keys. The owner's own action stays."""
    action = bpy.data.actions.new(name) if over is None else over
    for key in (SPAN_PROPERTY, ONLY_PROPERTY, TRAVEL_PROPERTY):
        action.pop(key, None)
    action[CLIP_PROPERTY] = name
    action[STEP_PROPERTY] = step
    action[OWNER_PROPERTY] = owner.name
    action.use_fake_user = True
    bag = new_channels(action, owner.name) if over is None else cleared(action, owner)
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


def cleared(action: bpy.types.Action, owner: bpy.types.Object) -> "bpy.types.Action | bpy.types.ActionChannelbag":
    """Owner of `fcurves` and `groups` of an object in an action, without any."""
    bag: Any = action
    if HAS_SLOTS:
        strip: Any = action.layers[0].strips[0]
        bag = strip.channelbag(slot_of(action, owner), ensure=True)
    for collection in (bag.fcurves, bag.groups):
        for own in list(collection):
            collection.remove(own)
    return bag


def slot_of(action: bpy.types.Action, owner: bpy.types.Object) -> "bpy.types.ActionSlot | None":
    """Slot of an action that is the object's: the one that it uses, else that of its name, else the first."""
    if not HAS_SLOTS or not action.slots:
        return None
    used = assigned(owner)
    if used.action == action and used.slot is not None:
        return used.slot
    return next((slot for slot in action.slots if slot.name_display == owner.name), action.slots[0])


def of_clip(owner: bpy.types.Object, name: str) -> bpy.types.Action | None:
    """The action of a clip that an object has: that which it uses, else the last one with a slot of its name."""
    used = assigned(owner).action
    ours = [own for own in bpy.data.actions if own.get(CLIP_PROPERTY) == name and own.library is None]
    if HAS_SLOTS:
        ours = [own for own in ours if own == used or any(slot.name_display == owner.name for slot in own.slots)]
        ours = [own for own in ours if own.layers and own.layers[0].strips]
    else:
        ours = [own for own in ours if own == used or own.get(OWNER_PROPERTY) == owner.name]
    return used if used in ours else ours[-1] if ours else None


def add_strip(owner: bpy.types.Object, action: bpy.types.Action) -> None:
    """Puts an action on an NLA track of its own, where it is on none."""
    animation = owner.animation_data
    keys = key_range(owner)
    assert animation is not None
    if keys is None or any(strip.action == action for track in animation.nla_tracks for strip in track.strips):
        return
    track = animation.nla_tracks.new()
    track.name = action.name
    strip: Any = track.strips.new(action.name, int(np.floor(keys[0])), action)
    if HAS_SLOTS:
        strip.action_slot = slot_of(action, owner)


def fill(fcurve: bpy.types.FCurve, curve: Curve) -> None:
    """Sets all keys of a new curve at once."""
    points = fcurve.keyframe_points
    points.add(len(curve.frames))
    keys = np.empty((len(curve.frames), 2), dtype=np.float32)
    keys[:, 0], keys[:, 1] = curve.frames, curve.values
    points.foreach_set("co", keys.ravel())
    points.foreach_set("interpolation", np.full(len(keys), LINEAR, dtype=np.int32))
    fcurve.update()


def fcurves(action: bpy.types.Action, slot: "bpy.types.ActionSlot | None" = None) -> list[bpy.types.FCurve]:
    """F-curves of an action: all, or those of a slot."""
    if not HAS_SLOTS:
        return list(action.fcurves)
    strips: list[Any] = [strip for layer in action.layers for strip in layer.strips]
    bags = (bag for strip in strips for bag in strip.channelbags if slot is None or bag.slot_handle == slot.handle)
    return [fcurve for bag in bags for fcurve in bag.fcurves]


def key_range(owner: bpy.types.Object) -> tuple[float, float] | None:
    """First and last frame of the slot of an object's action: as stated for the action, else those of its keys."""
    own = assigned(owner)
    if own.action is None:
        return None
    curves = [curve for curve in fcurves(own.action, own.slot) if len(curve.keyframe_points)]
    ranges = np.array([tuple(curve.range()) for curve in curves])  # type: ignore[arg-type]
    if not len(ranges):
        return None
    if own.action.use_frame_range:
        return float(own.action.frame_range[0]), float(own.action.frame_range[1])
    return float(ranges[:, 0].min()), float(ranges[:, 1].max())


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
    assign(owner, Assignment(action, slot_of(action, owner)))


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


def span_of(owner: bpy.types.Object) -> tuple[tuple[int, int] | None, bool]:
    """First and last frame of the source that an object's action was made of, None where of all, and if they are a cycle."""
    action = assigned(owner).action
    stored = None if action is None else action.get(SPAN_PROPERTY)
    return (None, False) if stored is None else ((int(stored[0]), int(stored[1])), bool(stored[2]))


def is_ours(owner: bpy.types.Object) -> bool:
    """Returns whether rebone made the action of an object."""
    action = assigned(owner).action
    return action is not None and action.get(CLIP_PROPERTY) is not None


def regions_of(owner: bpy.types.Object) -> list[str]:
    """Regions of the body that an object's action moves; empty where it moves all."""
    action = assigned(owner).action
    return [] if action is None else str(action.get(ONLY_PROPERTY, "")).replace(",", " ").split()


def travel_at(owner: bpy.types.Object, frames: Sequence[float]) -> Array:
    """Way of the body over the floor (frames, 3) that the action of an object leaves out; zero where it leaves out none."""
    action, keys = assigned(owner).action, key_range(owner)
    stored = None if action is None else action.get(TRAVEL_PROPERTY)
    if action is None or stored is None or keys is None:
        return np.zeros((len(frames), 3))
    travel = np.array(stored, dtype=np.float64).reshape(-1, 3)
    rows = np.round((np.array(frames) - keys[0]) / step_of(action)).astype(int)
    return travel[np.clip(rows, 0, len(travel) - 1)]


def acts(owner: bpy.types.Object) -> bool:
    """Returns whether more than an action moves the bones of an armature: constraints, drivers, or NLA tracks."""
    animation = owner.animation_data
    if animation is not None and (len(animation.nla_tracks) or len(animation.drivers)):
        return True
    return any(not own.mute and own.influence > 0.0 for bone in pose_of(owner) for own in bone.constraints)


def dump(action: bpy.types.Action) -> list[tuple[str, int, list[float]]]:
    """All keys of an action, to compare."""
    result = []
    for fcurve in fcurves(action):
        flat = np.empty(2 * len(fcurve.keyframe_points), dtype=np.float32)
        fcurve.keyframe_points.foreach_get("co", flat)
        result.append((fcurve.data_path, fcurve.array_index, flat.tolist()))
    return result


def frame_range(owner: bpy.types.Object, fallback: Sequence[int]) -> tuple[int, int]:
    """First and last frame of the slot of an object's action, or `fallback`."""
    own = key_range(owner)
    return (fallback[0], fallback[1]) if own is None else (int(np.floor(own[0])), int(np.ceil(own[1])))
