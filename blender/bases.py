"""Bases of pose bones: what is keyed, for poses in the space of the object."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from . import maths
from .maths import Array

# Sine of half the angle below which a rotation has no axis.
MIN_SINE = 1e-9


@dataclass(frozen=True)
class Basis:
    """Location (frames, 3), against the rest position, and rotation (frames, 4) of a pose bone."""

    location: Array
    rotation: Array


def of_bone(bone: bpy.types.Bone, pose: Array, parent: Array | None) -> Basis:
    """Basis of a bone of which the pose matrices (frames, 4, 4) are known, and those of its parent.

    `basis = rest⁻¹ · parent_pose⁻¹ · pose`, with `rest` against the parent. Bones that do not inherit all of the parent's
    transform go through Blender's own conversion.
    """
    rest = np.array(bone.matrix_local, dtype=np.float64)
    if bone.parent is not None and parent is not None:
        parent_rest = np.array(bone.parent.matrix_local, dtype=np.float64)
        if not (bone.use_inherit_rotation and bone.use_local_location):
            return converted(bone, pose, parent)
        pose = np.linalg.inv(parent) @ pose
        rest = np.linalg.inv(parent_rest) @ rest
    basis = np.linalg.inv(rest) @ pose
    return Basis(basis[:, :3, 3], maths.continuous(maths.from_matrices(basis)))


def converted(bone: bpy.types.Bone, pose: Array, parent: Array) -> Basis:
    """Basis by Blender's conversion, a frame at a time."""
    assert bone.parent is not None
    rest, parent_rest = bone.matrix_local, bone.parent.matrix_local
    matrices = [
        bone.convert_local_to_pose(Matrix(own), rest, parent_matrix=Matrix(above), parent_matrix_local=parent_rest, invert=True)
        for own, above in zip(pose, parent, strict=True)
    ]
    basis = np.array(matrices, dtype=np.float64)
    return Basis(basis[:, :3, 3], maths.continuous(maths.from_matrices(basis)))


def rotation_values(mode: str, rotation: Array) -> tuple[str, Array]:
    """Property of a rotation mode, and its values (frames, 3 or 4), without jumps."""
    if mode == "QUATERNION":
        return "rotation_quaternion", maths.wxyz(rotation)
    if mode == "AXIS_ANGLE":
        return "rotation_axis_angle", axis_angles(rotation)
    return "rotation_euler", eulers(mode, rotation)


def axis_angles(rotation: Array) -> Array:
    """Angle and axis (frames, 4) of rotations with continuous signs: the axis does not turn over."""
    axis = rotation[:, :3]
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    # There is no axis while nothing turns: that of the frame before holds, or the first that there is.
    turns = np.flatnonzero(sine[:, 0] > MIN_SINE)
    unit = np.tile([0.0, 1.0, 0.0], (len(axis), 1))
    if len(turns):
        held = turns[np.maximum(np.searchsorted(turns, np.arange(len(axis)), side="right") - 1, 0)]
        unit = axis[held] / sine[held]
    sign = maths.continuous(np.concatenate([unit, np.zeros((len(unit), 1))], axis=-1))
    turned = np.sum(sign[:, :3] * unit, axis=-1)
    angle = np.unwrap(2.0 * np.arctan2(sine[:, 0], rotation[:, 3]) * turned)
    return np.concatenate([angle[:, None], sign[:, :3]], axis=-1)


def eulers(order: str, rotation: Array) -> Array:
    """Euler angles (frames, 3) in radians, each frame compatible with the frame before.

    Blender's order `ijk` is the matrix `M = R_k · R_j · R_i`, so with `s` = 1 for even orders and -1 for odd ones
    `sin(j) = -s M[k, i]`, `tan(i) = s M[k, j] / M[k, k]` and `tan(k) = s M[j, i] / M[i, i]`. Computed in double precision: near
    the gimbal lock Blender's own conversion is off by 0.04 degrees.
    """
    i, j, k = ("XYZ".index(axis) for axis in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = maths.to_matrices(rotation)
    first = np.zeros((len(rotation), 3))
    first[:, i] = np.arctan2(sign * m[:, k, j], m[:, k, k])
    first[:, j] = np.arctan2(-sign * m[:, k, i], np.hypot(m[:, k, j], m[:, k, k]))
    first[:, k] = np.arctan2(sign * m[:, j, i], m[:, i, i])
    other = first + np.pi
    other[:, j] = np.pi - first[:, j]
    return nearest_solutions(first, other)


def nearest_solutions(first: Array, other: Array) -> Array:
    """Of two solutions in each frame the one that is nearer to that of the frame before, without turns of 360 degrees."""

    def distance(a: Array, b: Array) -> Array:
        return np.sum(((a - b + np.pi) % (2.0 * np.pi) - np.pi) ** 2, axis=-1)

    swaps = distance(other[1:], first[:-1]) < distance(first[1:], first[:-1])
    is_other = np.concatenate([[False], np.cumsum(swaps) % 2 == 1])
    return np.unwrap(np.where(is_other[:, None], other, first), axis=0)


def matrices(positions: Array, rotations: Array) -> Array:
    """Matrices (..., 4, 4) of positions (..., 3) and rotations (..., 4)."""
    result = np.zeros((*positions.shape[:-1], 4, 4))
    result[..., :3, :3] = maths.to_matrices(rotations)
    result[..., :3, 3] = positions
    result[..., 3, 3] = 1.0
    return result


def pose_order(bones: "bpy.types.ArmatureBones", names: Sequence[str]) -> list[str]:
    """Names of bones with parents before children."""
    return sorted(names, key=lambda name: len(bones[name].parent_recursive))
