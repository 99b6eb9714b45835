"""Mirrored motions: left and right change sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, Ints, inverse, multiply, rotate

if TYPE_CHECKING:
    from ._anatomy import Anatomy
    from ._motion import Motion

#: Reflection across the plane of up and ahead, in inner axes: of vectors, and of the vector part of quaternions.
_VECTOR = np.array([-1.0, 1.0, 1.0])
_QUATERNION = np.array([1.0, -1.0, -1.0, 1.0])


def counterparts(anatomy: Anatomy) -> Ints:
    """(J,) index of the joint on the other side, of a joint in the middle its own; -1 where there is none.

    Joints without a role pair with the joint without a role that is nearest to their reflection in the T pose.
    """
    roles: dict[str, list[int]] = {}
    for joint in anatomy.summary["joints"]:
        if joint["role"] is not None:
            roles.setdefault(joint["role"]["name"], []).append(int(joint["index"]))
    places, parents = anatomy.t_pose, anatomy._parents
    found = np.full(len(parents), -1, dtype=np.int32)

    def pair(joints: list[int], others: list[int]) -> None:
        """Takes the nearest for each, of those at one place the one with the same number."""
        for number, joint in enumerate(joints):
            away = np.linalg.norm(places[others] - places[joint] * _VECTOR, axis=-1).round(6)
            numbers = np.abs(np.arange(len(others)) - number)
            found[joint] = others[np.lexsort((numbers, away))[0]]

    for role, joints in roles.items():
        if _other_side(role) in roles:
            pair(joints, roles[_other_side(role)])
    has_role = np.zeros(len(parents), dtype=np.bool_)
    has_role[[joint for joints in roles.values() for joint in joints]] = True
    for joint, parent in enumerate(parents):
        # Parents come first: theirs are known.
        siblings, beside = (np.flatnonzero((parents == own) & ~has_role).tolist() for own in (parent, found[parent]))
        if parent < 0 and not has_role[joint]:
            found[joint] = joint
        elif siblings[:1] == [joint] and found[parent] >= 0 and beside:
            pair(siblings, beside)
    joints_all = np.arange(len(found))
    return np.where((found >= 0) & (found[found] == joints_all), found, -1).astype(np.int32)


def _other_side(role: str) -> str:
    """The role of the other side, of a role in the middle itself."""
    for side, other in (("left", "right"), ("right", "left")):
        if role.startswith(side):
            return other + role[len(side) :]
    return role


@dataclass(frozen=True)
class Reflection:
    """All that the reflection of any frames of a body needs of its anatomy."""

    #: (J,) as `counterparts`.
    other: Ints
    #: (P,) joints with a counterpart.
    paired: npt.NDArray[np.intp]
    #: (P, 4, 4): the world rotation of a paired joint, reflected, is that of its counterpart, a row, times this.
    maps: Floats

    @classmethod
    def of(cls, anatomy: Anatomy) -> Reflection:
        """D' = S D S, with D = R G⁻¹ the turn in the world of the joint on the other side since the T pose G, and S the reflection.
        R' = D' G' is linear in R: the maps are R' of the four unit quaternions."""
        to_inner, other = anatomy.inner_from_file, counterparts(anatomy)
        t_pose = np.empty((len(other), 4))
        for joint, parent in enumerate(anatomy._parents):
            local = anatomy.t_pose_rotations[joint]
            t_pose[joint] = local if parent < 0 else multiply(t_pose[parent], local)
        paired = np.flatnonzero(other >= 0)
        since = multiply(np.eye(4), inverse(t_pose[other[paired]])[:, None])
        inner = multiply(multiply(to_inner, since), inverse(to_inner))
        reflected = multiply(multiply(inverse(to_inner), inner * _QUATERNION), to_inner)
        return cls(other, paired, multiply(reflected, t_pose[paired][:, None]))


def mirrored(motion: Motion, anatomy: Anatomy) -> tuple[Floats, Floats]:
    """Rotations (F, J, 4) and translations (F, M, 3) of the motion across the plane of up and ahead through the origin.

    Joints without counterpart keep their rotation against their parent.
    """
    parents, own = motion.skeleton.parents, anatomy._reflection
    source, turns = motion.world_rotations[:, own.other[own.paired]], motion.rotations.copy()
    world = np.empty_like(turns)
    world[:, own.paired] = sum(source[..., row, None] * own.maps[:, row] for row in range(4))
    for joint in np.flatnonzero(own.other < 0):
        # Parents come first: theirs are known.
        world[:, joint] = turns[:, joint] if parents[joint] < 0 else multiply(world[:, parents[joint]], turns[:, joint])
    root, below = (own.paired[is_below] for is_below in (parents[own.paired] < 0, parents[own.paired] >= 0))
    turns[:, root] = world[:, root]
    turns[:, below] = multiply(inverse(world[:, parents[below]]), world[:, below])
    return turns, _places(motion, anatomy, world)


def _places(motion: Motion, anatomy: Anatomy, world: Floats) -> Floats:
    """Mirrored translations (F, M, 3), by the mirrored rotations in the world."""
    to_inner, offsets, parents = anatomy.inner_from_file, motion.skeleton.offsets, motion.skeleton.parents
    moving, other = motion.moving, anatomy._reflection.other

    def across(vectors: Floats) -> Floats:
        return rotate(inverse(to_inner), rotate(to_inner, vectors) * _VECTOR)

    places = motion.translations.copy()
    root = parents[moving] < 0
    places[:, root] = across(places[:, root])
    column_of = {joint: column for column, joint in enumerate(moving.tolist())}
    columns = [column for joint, column in column_of.items() if parents[joint] >= 0 and int(other[joint]) in column_of]
    if not columns:
        return places
    joints = moving[columns]
    pairs = other[joints]
    off = motion.translations[:, [column_of[pair] for pair in pairs.tolist()]] - offsets[pairs]
    off = across(rotate(motion.world_rotations[:, parents[pairs]], off))
    places[:, columns] = offsets[joints] + rotate(inverse(world[:, parents[joints]]), off)
    return places
