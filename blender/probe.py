"""Moves each control of a rig a little and looks what follows: which bone goes along rigidly with which control."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix, Quaternion

from . import actions, maths, scene
from .maths import Array
from .scene import pose_of
from .skeleton import bone_matrices

# Turn of a probe in the control's own axes, radians: across the bone, as rigs share turns about the bone among several.
PROBE_AXIS = (0.8, 0.0, 0.6)
PROBE_ANGLE = 0.2
# A bone follows rigidly where its turn differs by less, radians; it moves at all where it turns or shifts by more.
MAX_DIFFERENCE = 2e-3
MIN_TURN = 1e-4
MIN_SHIFT = 1e-4

CHANNELS = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}
# Helpers of rigs, never animated by hand: Rigify's mechanisms and copies of the metarig, widgets.
HELPER = re.compile(r"^(MCH|ORG|DEF|WGT|VIS)[-_]", re.IGNORECASE)
FK_SWITCH = re.compile(r"(ik[_ ]?fk|fk[_ ]?ik)", re.IGNORECASE)
FOLLOW = re.compile(r"follow", re.IGNORECASE)


@dataclass(frozen=True)
class Switch:
    """A custom property of a pose bone, and the value that the result needs."""

    bone: str
    key: str
    value: float


@dataclass(frozen=True)
class Responses:
    """Bones that moved with each control.

    `follows` (controls, bones): the bone turns as the control does. `moved` (controls, bones): it moves at all. `fixed`
    (controls, bones): it moves as if it were fixed to the control. `start` (bones, 4, 4): pose matrices with controls at rest.
    """

    bones: tuple[str, ...]
    controls: tuple[str, ...]
    follows: npt.NDArray[np.bool_]
    fixed: npt.NDArray[np.bool_]
    moved: npt.NDArray[np.bool_]
    start: Array


def is_bound(bone: bpy.types.PoseBone) -> bool:
    """Returns whether a constraint acts on a bone."""
    return any(not own.mute and own.influence > 0.0 for own in bone.constraints)


def candidates(armature: bpy.types.Object) -> list[str]:
    """Bones that may be controls: with a custom shape, or where no bone has one, all that no name says to be helpers."""
    pose = pose_of(armature)
    shaped = [bone.name for bone in pose if bone.custom_shape is not None]
    names = shaped or [bone.name for bone in pose if not bone.bone.use_deform]
    return [name for name in names if not HELPER.match(name)]


def switches(armature: bpy.types.Object, fk_value: float) -> list[Switch]:
    """Properties that switch limbs to FK, with `fk_value`, and those that let parts follow others, off."""
    found = []
    for bone in pose_of(armature):
        for key, value in bone.items():
            if isinstance(value, int | float) and FK_SWITCH.search(key):
                found.append(Switch(bone.name, key, fk_value))
            elif isinstance(value, int | float) and FOLLOW.search(key):
                found.append(Switch(bone.name, key, 0.0))
    return found


@contextmanager
def at_rest(armature: bpy.types.Object, values: Sequence[Switch]) -> Iterator[None]:
    """All bones without a pose and without animation, with switches set; afterwards everything is as before."""
    pose = pose_of(armature)
    kept = {name: np.empty(size * len(pose), dtype=np.float32) for name, size in CHANNELS.items()}
    for name, flat in kept.items():
        pose.foreach_get(name, flat)
    properties = [(own, pose[own.bone][own.key]) for own in values]
    assignment = actions.assigned(armature)
    animation = armature.animation_data
    nla = animation.use_nla if animation is not None else False
    try:
        actions.assign(armature, actions.Assignment(None, None))
        if animation is not None:
            animation.use_nla = False
        for bone in pose:
            bone.matrix_basis = Matrix.Identity(4)
        set_switches(armature, values)
        yield
    finally:
        for own, value in properties:
            pose[own.bone][own.key] = value
        for name, flat in kept.items():
            pose.foreach_set(name, flat)
        if animation is not None:
            animation.use_nla = nla
        actions.assign(armature, assignment)
        armature.update_tag()
        scene.update()


def set_switches(armature: bpy.types.Object, values: Sequence[Switch]) -> None:
    """Sets custom properties, each in its own type."""
    for own in values:
        bone = pose_of(armature)[own.bone]
        bone[own.key] = type(bone[own.key])(own.value)
    armature.update_tag()
    scene.update()


def evaluated(armature: bpy.types.Object, own: bpy.types.Scene) -> Array:
    """Pose matrices of all bones as they are now in a scene."""
    own.view_layers[0].update()
    return bone_matrices(armature, scene.depsgraph_of(own))


def responses(armature: bpy.types.Object, values: Sequence[Switch]) -> Responses:
    """Moves each candidate and looks at all bones. Takes an update of the scene a control."""
    names = tuple(pose_of(armature).keys())
    controls = candidates(armature)
    rows = np.zeros((3, len(controls), len(names)), dtype=bool)
    with at_rest(armature, values), scene.alone(armature) as own:
        start = evaluated(armature, own)
        size = float(np.max(np.ptp(start[:, :3, 3], axis=0)))
        turn = Quaternion(PROBE_AXIS, PROBE_ANGLE).to_matrix().to_4x4()
        for row, name in enumerate(controls):
            bone = pose_of(armature)[name]
            bone.matrix_basis = turn
            rows[:, row] = compare(start, evaluated(armature, own), names.index(name), size)
            bone.matrix_basis = Matrix.Identity(4)
    return Responses(names, tuple(controls), rows[0], rows[1], rows[2], start)


def compare(start: Array, moved: Array, control: int, size: float) -> tuple[npt.NDArray[np.bool_], ...]:
    """Which bones follow the control's turn, which are as if fixed to it, and which move at all."""
    before, after = maths.from_matrices(start), maths.from_matrices(moved)
    turns = maths.multiply(after, maths.inverse(before))
    own = np.broadcast_to(turns[control], turns.shape)
    carried = moved[control] @ np.linalg.inv(start[control]) @ start
    follows = maths.angles_between(own, turns) < MAX_DIFFERENCE
    apart = np.linalg.norm((carried - moved)[:, :3, 3], axis=-1)
    shifts = np.linalg.norm((moved - start)[:, :3, 3], axis=-1) > MIN_SHIFT * size
    return follows, follows & (apart < MIN_SHIFT * size), shifts | (maths.angles_between(before, after) > MIN_TURN)
