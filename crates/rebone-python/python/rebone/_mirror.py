"""Mirrored motions: left and right change sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Floats, Ints, inverse, multiply, rotate

if TYPE_CHECKING:
    from ._anatomy import Anatomy
    from ._motion import Motion

#: Reflection across the plane of up and ahead, in inner axes: of vectors, and of the vector part of quaternions.
_VECTOR = np.array([-1.0, 1.0, 1.0])
_QUATERNION = np.array([1.0, -1.0, -1.0, 1.0])


def counterparts(motion: Motion, anatomy: Anatomy) -> Ints:
    """(J,) index of the joint on the other side, of a joint in the middle its own; -1 where there is none.

    Joints without a role pair with the joint without a role that is nearest to their reflection in the T pose.
    """
    roles: dict[str, list[int]] = {}
    for joint in anatomy.summary["joints"]:
        if joint["role"] is not None:
            roles.setdefault(joint["role"]["name"], []).append(int(joint["index"]))
    places, parents = anatomy.t_pose, motion.skeleton.parents
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


def mirrored(motion: Motion, anatomy: Anatomy) -> tuple[Floats, Floats]:
    """Rotations (F, J, 4) and translations (F, M, 3) of the motion across the plane of up and ahead through the origin.

    D' = S D S, with D = R G⁻¹ the turn in the world of the joint on the other side since the T pose G, and S the reflection.
    Joints without counterpart keep their rotation against their parent.
    """
    skeleton, moving = motion.skeleton, motion.moving.tolist()
    parents, other = skeleton.parents, counterparts(motion, anatomy)
    to_inner = anatomy.inner_from_file

    def reflected(turns: Any) -> Floats:
        inner = multiply(multiply(to_inner, turns), inverse(to_inner))
        return multiply(multiply(inverse(to_inner), inner * _QUATERNION), to_inner)

    def across(vectors: Any) -> Floats:
        return rotate(inverse(to_inner), rotate(to_inner, vectors) * _VECTOR)

    t_pose = np.empty((len(skeleton), 4))
    world, turns = np.empty_like(motion.rotations), np.empty_like(motion.rotations)
    for joint, parent in enumerate(parents):
        local = anatomy.t_pose_rotations[joint]
        t_pose[joint] = local if parent < 0 else multiply(t_pose[parent], local)
    for joint, parent in enumerate(parents):
        if other[joint] < 0:
            turns[:, joint] = motion.rotations[:, joint]
            world[:, joint] = multiply(world[:, parent], turns[:, joint])
            continue
        since = multiply(motion.world_rotations[:, other[joint]], inverse(t_pose[other[joint]]))
        world[:, joint] = multiply(reflected(since), t_pose[joint])
        turns[:, joint] = world[:, joint] if parent < 0 else multiply(inverse(world[:, parent]), world[:, joint])
    places = motion.translations.copy()
    for column, joint in enumerate(moving):
        parent, pair = parents[joint], other[joint]
        if parent < 0:
            places[:, column] = across(motion.translations[:, column])
        elif pair in moving:
            off = motion.translations[:, moving.index(pair)] - skeleton.offsets[pair]
            off = rotate(motion.world_rotations[:, parents[pair]], off)
            places[:, column] = skeleton.offsets[joint] + rotate(inverse(world[:, parent]), across(off))
    return turns, places
