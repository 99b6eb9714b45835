"""Rigs with controls: which control carries which deform bone, and keys of the controls for a pose of the deform bones.

Deform bones of such rigs follow controls by constraints. Keys go on the controls alone. What follows what is found by moving
each control a little (`probe`), not by names, once a rig.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

import bpy
import numpy as np

from . import probe
from .maths import Array
from .probe import Responses, Switch
from .scene import bones_of, pose_of

# Part of the deform bones that constraints act on, from which on a rig has controls.
MIN_BOUND_SHARE = 0.3
# Part of the body's deform bones that need a control of their own; else the switches may have the other sense.
MIN_DRIVEN_SHARE = 0.6
# A rest position is the same within this part of the rig's height, a direction within these radians.
SAME_PLACE = 1e-3
SAME_DIRECTION = 0.02
# Custom property of the armature's object that keeps what was found.
PROPERTY = "rebone_controls"
# Raised where what is kept changes, or how it is found.
VERSION = 2


@dataclass(frozen=True)
class Controls:
    """Controls of a rig as they were found.

    `parents` has the deform bone that a deform bone hangs on. `driven` has the deform bone whose turn a control takes. `merged`
    has deform bones that bend with another one, by the control of that one, and the other one: both are one joint. `carrier`
    moves the whole body. No control turns the bones of the body in `unreached`. `still` are controls that have to be at rest.
    `helpers` has the control with which a constrained bone turns.
    """

    parents: dict[str, str | None]
    driven: dict[str, str]
    merged: dict[str, str]
    carrier: str | None
    unreached: list[str]
    still: list[str]
    helpers: dict[str, str | None]
    switches: list[Switch]


def has_controls(armature: bpy.types.Object) -> bool:
    """Returns whether deform bones follow controls: constraints act on a part of them or on bones above them, and the root is
    not a bone that nothing moves. IK of arms and legs alone makes no rig with controls."""
    deform = [bone for bone in pose_of(armature) if bone.bone.use_deform]
    bound = [bone for bone in deform if any(probe.is_bound(own) for own in [bone, *bone.parent_recursive])]
    if not deform or len(deform) == len(pose_of(armature)) or len(bound) < MIN_BOUND_SHARE * len(deform):
        return False
    return not has_free_root(deform) and not was_plain(armature)


def has_free_root(deform: Collection[bpy.types.PoseBone]) -> bool:
    """Returns whether most deform bones hang on one that follows no control: no constraint, no bone above, no custom shape."""
    free = [bone for bone in deform if bone.parent is None and not probe.is_bound(bone) and bone.custom_shape is None]
    return any(2 * sum(root in own.parent_recursive for own in deform) > len(deform) for root in free)


def was_plain(armature: bpy.types.Object) -> bool:
    """Returns whether a search found no controls, and the bones are the same."""
    try:
        stored = json.loads(str(armature.get(PROPERTY, "")))
        return bool(
            stored["version"] == VERSION and stored["found"] is None and stored["bones"][0] == list(bones_of(armature).keys())
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def find(armature: bpy.types.Object, body: Collection[str]) -> Controls | None:
    """Controls of the deform bones `body`: those that were found before, where the bones are the same. None where no control
    moves the root, few bones have one of their own, or each is its own."""
    bones = [list(bones_of(armature).keys()), sorted(body)]
    kept = restored(armature.get(PROPERTY), bones)
    if kept is not None:
        return kept
    found = search(armature, body)
    driven = set(found.driven.values())
    has_root = any(found.parents[bone] is None for bone in driven)
    # Bones of a plain rig may have shapes, and be their own controls.
    is_own = all(control == bone for control, bone in found.driven.items())
    is_rig = has_root and not is_own and len(driven) >= MIN_BOUND_SHARE * len(body)
    armature[PROPERTY] = json.dumps({"version": VERSION, "bones": bones, "found": asdict(found) if is_rig else None})
    return found if is_rig else None


def restored(text: object, bones: list[list[str]]) -> Controls | None:
    """Controls that were kept, where they are of these bones and of this version of the extension."""
    if not isinstance(text, str):
        return None
    try:
        stored = json.loads(text)
        if stored["version"] != VERSION or stored["bones"] != bones:
            return None
        switches = [Switch(**own) for own in stored["found"].pop("switches")]
        return Controls(**stored["found"], switches=switches)
    except (ValueError, KeyError, TypeError):
        return None


def search(armature: bpy.types.Object, body: Collection[str]) -> Controls:
    """Moves all controls with the limbs switched to FK, and the other way round where few deform bones follow then."""
    parents = deform_parents(armature)
    best: Controls | None = None
    for fk_value in (1.0, 0.0):
        switches = probe.switches(armature, fk_value)
        found = assigned(armature, probe.responses(armature, switches), parents, body, switches)
        if best is None or len(found.driven) > len(best.driven):
            best = found
        if len(best.driven) >= MIN_DRIVEN_SHARE * len(body) or not switches:
            break
    assert best is not None
    return best


def deform_parents(armature: bpy.types.Object) -> dict[str, str | None]:
    """The deform bone on which each deform bone hangs: an ancestor, or one that lies exactly in an ancestor at rest."""
    bones = bones_of(armature)
    deform = [bone for bone in bones if bone.use_deform]
    places = np.array([ends_of(bone) for bone in deform])
    size = float(np.max(np.ptp(np.array([ends_of(bone) for bone in bones])[:, :3], axis=0)))

    def twin(ancestor: bpy.types.Bone, own: bpy.types.Bone) -> str | None:
        near = np.flatnonzero(np.max(np.abs(places - ends_of(ancestor)), axis=1) < SAME_PLACE * size)
        return next((deform[k].name for k in near if deform[k] != own), None)

    result: dict[str, str | None] = {}
    for bone in deform:
        above = (ancestor.name if ancestor.use_deform else twin(ancestor, bone) for ancestor in bone.parent_recursive)
        result[bone.name] = next((name for name in above if name is not None and not is_below(result, name, bone.name)), None)
    return result


def ends_of(bone: bpy.types.Bone) -> Array:
    """Head and tail of a bone at rest (6)."""
    return np.concatenate([np.array(bone.head_local), np.array(bone.tail_local)])


def is_below(parents: Mapping[str, str | None], name: str | None, top: str) -> bool:
    """Returns whether a bone hangs on `top` as far as parents are known."""
    while name is not None:
        if name == top:
            return True
        name = parents.get(name)
    return False


def assigned(
    armature: bpy.types.Object,
    seen: Responses,
    parents: dict[str, str | None],
    body: Collection[str],
    switches: list[Switch],
) -> Controls:
    """Gives controls to deform bones of the body by what was seen."""
    index = {name: k for k, name in enumerate(seen.bones)}
    control_of: dict[str, int] = {}
    for bone, parent in parents.items():
        found = control_for(seen, index[bone], None if parent is None else index[parent]) if bone in body else None
        if found is not None:
            control_of[bone] = found
    root = next((bone for bone in control_of if parents[bone] is None), "")
    carrier = carrier_of(seen, [index[bone] for bone in control_of], control_of.get(root))
    driven: dict[str, str] = {}
    merged: dict[str, str] = {}
    for bone, control in control_of.items():
        name = seen.controls[control]
        if name not in driven or is_twist(armature, driven[name], bone, parents):
            driven[name] = bone
        elif is_below(parents, bone, driven[name]):
            merged[bone] = driven[name]
    return Controls(
        parents=parents,
        driven=driven,
        merged=merged,
        carrier=carrier,
        unreached=[bone for bone in body if bone not in control_of],
        still=still_controls(seen, driven, carrier),
        helpers=helpers_of(armature, seen, {*driven, carrier}),
        switches=switches,
    )


def still_controls(seen: Responses, driven: Mapping[str, str], carrier: str | None) -> list[str]:
    """Other controls that move a driven bone, but for those that carry the carrier: where these are the character stands."""
    index = {name: k for k, name in enumerate(seen.bones)}
    bones = [index[bone] for bone in driven.values()]
    moves = seen.moved[:, bones].any(axis=1)
    if carrier is not None:
        moves &= ~seen.moved[:, index[carrier]]
    return [name for name, own in zip(seen.controls, moves, strict=True) if own and name not in driven]


def control_for(seen: Responses, bone: int, parent: int | None) -> int | None:
    """The control whose turn a deform bone takes.

    Of those as which the deform bone above does not turn one that stands where the bone stands, and of these the one that moves
    most: a control of the chain and not the tweak that sits on it. Where all turn that bone too (a chain from the top
    down), or there is none above, the control that moves least.
    """
    sizes = seen.moved.sum(axis=1)
    rows = np.flatnonzero(seen.follows[:, bone] & seen.moved[:, bone])
    if parent is not None:
        free = rows[~(seen.follows[rows, parent] & seen.moved[rows, parent])]
        if len(free):
            index = {name: k for k, name in enumerate(seen.bones)}
            heads = seen.start[[index[seen.controls[row]] for row in free], :3, 3]
            size = float(np.max(np.ptp(seen.start[:, :3, 3], axis=0)))
            away = np.linalg.norm(heads - seen.start[bone, :3, 3], axis=1) > SAME_PLACE * size
            return int(free[np.lexsort((-sizes[free], away))[0]])
    return int(rows[np.argmin(sizes[rows])]) if len(rows) else None


def carrier_of(seen: Responses, bones: list[int], root: int | None) -> str | None:
    """The control to which all driven bones are fixed, the one that moves least; else that of the root."""
    sizes = seen.moved.sum(axis=1)
    rows = np.flatnonzero(seen.fixed[:, bones].all(axis=1)) if bones else np.array([], dtype=np.int64)
    if len(rows):
        return seen.controls[int(rows[np.argmin(sizes[rows])])]
    return None if root is None else seen.controls[root]


def is_twist(armature: bpy.types.Object, above: str, below: str, parents: Mapping[str, str | None]) -> bool:
    """Returns whether a bone goes on in the line of the one above: then the lower one has all of the limb's turn."""
    if parents.get(below) != above:
        return False
    first, second = bones_of(armature)[above], bones_of(armature)[below]
    along = np.array(first.tail_local - first.head_local), np.array(second.tail_local - second.head_local)
    cosine = float(np.dot(*along) / max(np.linalg.norm(along[0]) * np.linalg.norm(along[1]), 1e-12))
    gap = (second.head_local - first.tail_local).length
    return cosine > np.cos(SAME_DIRECTION) and gap < 0.01 * first.length


def helpers_of(armature: bpy.types.Object, seen: Responses, keyed: set[str | None]) -> dict[str, str | None]:
    """For each bone with constraints the control as which it turns: of those that are keyed the one that moves least."""
    sizes = seen.moved.sum(axis=1)
    is_keyed = np.array([name in keyed for name in seen.controls])
    result: dict[str, str | None] = {}
    for column, name in enumerate(seen.bones):
        if probe.is_bound(pose_of(armature)[name]):
            rows = np.flatnonzero(seen.follows[:, column] & seen.moved[:, column])
            rows = rows[is_keyed[rows]] if is_keyed[rows].any() else rows
            result[name] = seen.controls[int(rows[np.argmin(sizes[rows])])] if len(rows) else None
    return result
