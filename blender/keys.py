"""Keys for solved poses: on the bones themselves, or on the controls of a rig."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import bpy
import numpy as np

from . import bases, maths
from .actions import Curve
from .bases import Basis
from .controls import Controls
from .maths import Array
from .scene import bones_of, pose_of
from .skeleton import Poses, Skeleton, local, rest_local

# A joint that turns less than this from its rest pose, radians, does not move; a value that changes less is one key.
MIN_TURN = 1e-5
MIN_CHANGE = 1e-6
# A joint that shifts less against its parent, as a part of the armature's height, has no keys of its location.
MIN_SHIFT = 1e-5


@dataclass(frozen=True)
class Keyed:
    """Bones with keys: location and rotation, each where there are some."""

    bone: str
    location: Array | None
    rotation: Array | None


def of_bones(
    armature: bpy.types.Object, skeleton: Skeleton, poses: Poses, body: Collection[str] | None
) -> tuple[list[Keyed], list[str]]:
    """Keys on the bones themselves: those of the body, those that move, and those above them; those that move alone where no
    body is given.

    Gives also which of them constraints act on.
    """
    wanted = turned_joints(skeleton, poses) if body is None else moved_joints(skeleton, poses, body)
    shifts = shifted_joints(skeleton, poses)
    matrices = bases.matrices(poses.positions, poses.rotations)
    keyed = []
    for joint, name in enumerate(skeleton.bones):
        if name is None or joint not in wanted:
            continue
        parent = int(skeleton.parents[joint])
        has_parent = parent >= 0 and skeleton.bones[parent] is not None
        basis = bases.of_bone(bones_of(armature)[name], matrices[:, joint], matrices[:, parent] if has_parent else None)
        location = basis.location if joint in shifts else rest_location(armature, name)
        keyed.append(Keyed(name, location if skeleton.moves[joint] else None, basis.rotation))
    under = constrained(armature)
    return keyed, [own.bone for own in keyed if own.bone in under]


def rest_location(armature: bpy.types.Object, name: str) -> Array | None:
    """Location (1, 3) of a bone that does not move, where it is elsewhere now; else it needs no key."""
    return np.zeros((1, 3)) if np.any(np.array(pose_of(armature)[name].location)) else None


def constrained(armature: bpy.types.Object) -> dict[str, list[bpy.types.Constraint]]:
    """Constraints that act on each bone. IK acts on a chain of bones; 0 of them means all up to the root."""
    result: dict[str, list[bpy.types.Constraint]] = {}
    for bone in pose_of(armature):
        for own in bone.constraints:
            if own.mute or own.influence == 0.0:
                continue
            chain = [bone, *bone.parent_recursive]
            count = own.chain_count if isinstance(own, bpy.types.KinematicConstraint) else 1
            for link in chain[: count or len(chain)]:
                result.setdefault(link.name, []).append(own)
    return result


def constraint_curves(armature: bpy.types.Object, bones: Collection[str], frames: Array) -> list[Curve]:
    """One key for each constraint that acts on bones: no influence."""
    under = constrained(armature)
    paths = sorted({own.path_from_id("influence") for bone in bones for own in under[bone]})
    return [Curve(path, 0, "Constraints", frames[:1], np.zeros(1)) for path in paths]


def turned_joints(skeleton: Skeleton, poses: Poses) -> set[int]:
    """Joints that turn or shift against their parents."""
    turns = maths.angles_between(local(skeleton, poses)[1], rest_local(skeleton)[1])
    return set(np.flatnonzero(np.max(turns, axis=0, initial=0.0) > MIN_TURN).tolist()) | shifted_joints(skeleton, poses)


def moved_joints(skeleton: Skeleton, poses: Poses, body: Collection[str]) -> set[int]:
    """Joints of the body and those that turn or shift, with all that are above them."""
    wanted = {joint for joint, name in enumerate(skeleton.bones) if name in body} | turned_joints(skeleton, poses)
    for joint in sorted(wanted, reverse=True):
        parent = int(skeleton.parents[joint])
        while parent >= 0:
            wanted.add(parent)
            parent = int(skeleton.parents[parent])
    return wanted


def shifted_joints(skeleton: Skeleton, poses: Poses) -> set[int]:
    """Joints that shift against their parents."""
    far = np.linalg.norm(local(skeleton, poses)[0] - rest_local(skeleton)[0], axis=-1)
    return set(np.flatnonzero((np.max(far, axis=0, initial=0.0) > MIN_SHIFT * skeleton.size) & skeleton.moves).tolist())


class ControlPoses:
    """Poses of the controls of a rig, from those of its deform bones.

    A turn is that since the rest pose, in the space of the object. A control takes the turn of its deform bone, the carrier that
    of the root. Another bone turns as the one above it, or where constraints act as the control that `Controls` names.
    """

    def __init__(
        self, armature: bpy.types.Object, skeleton: Skeleton, poses: Poses, controls: Controls, *, is_whole: bool = True
    ) -> None:
        """`is_whole` says that controls get keys whose bones do not move, too."""
        self.armature = armature
        self.bones = bones_of(armature)
        self.controls = controls
        self.joints = {name: k for k, name in enumerate(skeleton.bones)}
        self.turns = maths.multiply(poses.rotations, maths.inverse(skeleton.rotations))
        self.positions = poses.positions
        self.moving = set(range(len(skeleton.bones))) if is_whole else turned_joints(skeleton, poses)
        self.root = self.joints[next(name for name, above in controls.parents.items() if above is None and name in self.driven)]
        self.known: dict[str, Array] = {}
        self.carried: dict[str, Array] = {}

    @property
    def driven(self) -> set[str]:
        return set(self.controls.driven.values())

    def turn(self, name: str) -> Array:
        """Turn of a bone (frames, 4)."""
        if name not in self.known:
            self.known[name] = self.find_turn(name)
        return self.known[name]

    def find_turn(self, name: str) -> Array:
        if name in self.controls.driven:
            return self.turns[:, self.joints[self.controls.driven[name]]]
        if name == self.controls.carrier:
            return self.turns[:, self.root]
        helper = self.controls.helpers.get(name)
        if helper is not None and helper != name:
            return self.turn(helper)
        parent = self.bones[name].parent
        if parent is not None and self.bones[name].use_inherit_rotation:
            return self.turn(parent.name)
        return np.broadcast_to(np.array([0.0, 0.0, 0.0, 1.0]), (len(self.turns), 4))

    def carry(self, name: str, point: Array) -> Array:
        """Positions of a point (3) of the rest pose that goes with a bone, with the carrier at its rest location (frames, 3)."""
        if name not in self.carried:
            self.carried[name] = self.place(name)
        head = np.array(self.bones[name].head_local, dtype=np.float64)
        return self.carried[name] + maths.rotate(self.turn(name), np.broadcast_to(point - head, (len(self.turns), 3)))

    def place(self, name: str) -> Array:
        """Positions of the head of a bone."""
        head = np.array(self.bones[name].head_local, dtype=np.float64)
        helper = self.controls.helpers.get(name)
        parent = self.bones[name].parent
        above = None if parent is None else parent.name
        above = helper if helper is not None and name not in self.controls.driven else above
        if above is None or above == name or name == self.controls.carrier:
            return np.broadcast_to(head, (len(self.turns), 3))
        return self.carry(above, head)

    def keyed(self) -> list[Keyed]:
        """Keys of all controls: turns, the location of the carrier, and rest for those that must not move."""
        names = [name for name, bone in self.controls.driven.items() if self.joints[bone] in self.moving]
        if self.controls.carrier is not None and self.root in self.moving and self.controls.carrier not in names:
            names.append(self.controls.carrier)
        result = [
            Keyed(name, self.location(name) if name == self.controls.carrier else None, self.basis(name).rotation)
            for name in bases.pose_order(self.bones, names)
        ]
        still = np.array([[0.0, 0.0, 0.0, 1.0]])
        return result + [Keyed(name, rest_location(self.armature, name), still) for name in self.controls.still]

    def matrix(self, name: str, positions: Array | None = None) -> Array:
        """Pose matrices of a bone (frames, 4, 4), for its turn alone where no positions are given."""
        rest = maths.from_matrices(np.array(self.bones[name].matrix_local, dtype=np.float64))
        places = np.zeros((len(self.turns), 3)) if positions is None else positions
        return bases.matrices(places, maths.multiply(self.turn(name), np.broadcast_to(rest, (len(self.turns), 4))))

    def basis(self, name: str, shift: Array | None = None) -> Basis:
        """Basis of a control; with `shift` (frames, 3) in the space of the object, where it moves from its place."""
        bone = self.bones[name]
        place = self.place(name)
        parent = None
        if bone.parent is not None:
            head = np.array(bone.parent.head_local, dtype=np.float64)
            parent = self.matrix(bone.parent.name, self.carry(bone.parent.name, head))
        return bases.of_bone(bone, self.matrix(name, place if shift is None else place + shift), parent)

    def location(self, name: str) -> Array:
        """Location of the carrier, so that the root joint is where it was solved."""
        control = next(own for own, bone in self.controls.driven.items() if self.joints[bone] == self.root)
        joint = self.bones[self.controls.driven[control]]
        predicted = self.carry(control, np.array(joint.head_local, dtype=np.float64))
        return self.basis(name, self.positions[:, self.root] - predicted).location


def curves(armature: bpy.types.Object, keyed: Iterable[Keyed], frames: Array) -> list[Curve]:
    """Curves of keyed bones in the rotation mode of each. A number that does not change has one key."""
    result: list[Curve] = []
    for own in keyed:
        bone = pose_of(armature)[own.bone]
        path = bone.path_from_id()
        if own.location is not None:
            result += channels(f"{path}.location", own.bone, own.location, frames)
        if own.rotation is not None:
            name, values = bases.rotation_values(bone.rotation_mode, own.rotation)
            result += channels(f"{path}.{name}", own.bone, values, frames)
    return result


def channels(path: str, group: str, values: Array, frames: Array) -> list[Curve]:
    """Curves of the columns of `values` (frames, n). A quaternion is kept whole: all columns or one key each."""
    is_still = bool(np.max(np.ptp(values, axis=0), initial=0.0) < MIN_CHANGE)
    count = 1 if is_still or len(values) == 1 else len(frames)
    return [Curve(path, k, group, frames[:count], values[:count, k]) for k in range(values.shape[1])]


def switch_curves(controls: Controls, frames: Array) -> list[Curve]:
    """One key for each custom property that has to have a value."""
    return [
        Curve(f'pose.bones["{bpy.utils.escape_identifier(own.bone)}"]["{bpy.utils.escape_identifier(own.key)}"]', 0,
              own.bone, frames[:1], np.array([own.value]))
        for own in controls.switches
    ]  # fmt: skip


def undriven(armature: bpy.types.Object, own: list[Curve]) -> tuple[list[Curve], list[str]]:
    """Curves without those of properties that have a driver, and the paths of these."""
    animation = armature.animation_data
    driven = {(driver.data_path, driver.array_index) for driver in animation.drivers} if animation is not None else set()
    return (
        [curve for curve in own if (curve.data_path, curve.index) not in driven],
        sorted({curve.data_path for curve in own if (curve.data_path, curve.index) in driven}),
    )
