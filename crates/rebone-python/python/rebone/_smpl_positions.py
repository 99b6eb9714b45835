"""Motions of SMPL bodies of which joint positions alone are known: those of data sets and detectors, and HumanML3D."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats, inverse, rotate
from ._errors import InputError
from ._rotvec import of_matrices
from ._smpl_body import BODY_JOINTS, table
from ._smpl_names import HUMANML3D_WIDTH

#: Joints with three children that are rigid: left, right, and one above, which stands behind the vertical by so many radians in the
#: rest pose of SMPL. The angles are rounded from what its joints at rest look like in published figures.
_RIGID_SEGMENTS = {0: (1, 2, 3, np.radians(14.0)), 9: (13, 14, 12, np.radians(9.0))}
#: Least and greatest length of legs, in metres: of children and giants.
_LEG_RANGE_METRES = (0.2, 2.0)
#: Least length of a bone, in metres.
_MIN_BONE_METRES = 1e-6
#: Mean cosine of feet to where they point below which the body is in a mirror.
_MIRRORED = -0.3
#: Length of the sum of two unit vectors below which they are opposite.
_OPPOSITE = 1e-9


def humanml3d_positions(features: object) -> Floats:
    """Positions (F, 22, 3) of the joints of HumanML3D's features (F, 263), metres, +Y up.

    Its rotations are not read: they are computed from positions, and have no twist. Raises InputError for another shape.
    """
    own = floats(features, "humanml3d", None, HUMANML3D_WIDTH)
    half = np.concatenate([[0.0], np.cumsum(own[:-1, 0])])
    # From the world to the frame that faces ahead; its inverse leads back.
    to_ahead = np.stack([0.0 * half, np.sin(half), 0.0 * half, np.cos(half)], axis=-1)
    to_world = inverse(to_ahead)
    steps = np.zeros((len(own), 3))
    steps[1:, [0, 2]] = own[:-1, 1:3]
    roots = np.cumsum(rotate(to_world, steps), axis=0)
    around = own[:, 4 : 4 + 3 * (BODY_JOINTS - 1)].reshape(len(own), BODY_JOINTS - 1, 3)
    positions = rotate(to_world[:, None], around) + roots[:, None]
    roots[:, 1] = own[:, 3]
    return np.concatenate([roots[:, None], positions], axis=1)


def rotations_of_positions(positions: object) -> tuple[Floats, Floats, Floats]:
    """Rest offsets (22, 3), rotation vectors (F, 22, 3), and positions of the root (F, 3), of a body with joints at positions
    (F, 22, 3), metres.

    Bones have their mean lengths. Hips and chest rotate with the joints at their sides; every other bone by the shortest rotation
    from its parent, so its twist, and rotations of hands, feet and head, are not known. Raises InputError for positions of no body.
    """
    own = floats(positions, "joints", None, BODY_JOINTS, 3)
    if not len(own):
        raise InputError("joints: found no frame, expected one or more")
    parents = [parent for _, parent, _, _ in table(False)]
    bones = own - own[:, parents]
    bones[:, 0] = 0.0
    lengths = np.linalg.norm(bones, axis=-1)
    _check_body(bones, lengths)
    world = np.broadcast_to(np.eye(3), (len(own), BODY_JOINTS, 3, 3)).copy()
    for joint, segment in _RIGID_SEGMENTS.items():
        world[:, joint] = _segment_axes(bones, segment)
    offsets = _rest_offsets(bones, lengths, world)
    local = np.broadcast_to(np.eye(3), world.shape).copy()
    for joint, parent in enumerate(parents):
        above = world[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), (len(own), 3, 3))
        children = [child for child, other in enumerate(parents) if other == joint]
        if joint not in _RIGID_SEGMENTS:
            world[:, joint] = above
            if len(children) == 1:
                world[:, joint] = _shortest_rotation(above @ offsets[children[0]], bones[:, children[0]]) @ above
        local[:, joint] = np.swapaxes(above, -1, -2) @ world[:, joint]
    return offsets, of_matrices(local, "joints"), own[:, 0]


def _rest_offsets(bones: Floats, lengths: Floats, world: Floats) -> Floats:
    """Offsets (22, 3) of the joints at rest: directions of the usual body, or as they stand on hips and chest; mean lengths."""
    offsets = np.array([offset for _, _, _, offset in table(False)])
    beside = [(child, joint) for joint, segment in _RIGID_SEGMENTS.items() for child in segment[:3]]
    # The lumbar spine at rest is as it stands on hips and below the chest most of the time.
    for child, joint in (*beside, (6, 0), (9, 9)):
        offsets[child] = np.einsum("fji,fj->i", world[:, joint], bones[:, child])
    offsets *= (lengths.mean(axis=0) / np.maximum(np.linalg.norm(offsets, axis=-1), _MIN_BONE_METRES))[:, None]
    offsets[0] = 0.0
    return offsets


def _check_body(bones: Floats, lengths: Floats) -> None:
    """Refuses bones without a length, features that are still normalised, and bodies seen in a mirror."""
    short = np.argwhere(lengths[:, 1:] < _MIN_BONE_METRES)
    if len(short):
        frame, joint = (int(k) for k in short[0])
        name = table(False)[joint + 1][0]
        raise InputError(f"joints: {name} stands at its parent in frame {frame}, expected bones with a length")
    legs = float(lengths[:, [4, 5, 7, 8]].sum(axis=1).mean()) / 2.0
    if not _LEG_RANGE_METRES[0] < legs < _LEG_RANGE_METRES[1]:
        raise InputError(
            f"joints: legs of {legs:.2f} m, expected metres; features that are normalised need x * Std + Mean before"
        )
    # Left crossed with up along the shin is where toes point, or across it, as far as an ankle goes.
    left = _unit(bones[:, 1] - bones[:, 2])
    feet = [np.sum(np.cross(left, -_unit(bones[:, ankle])) * _unit(bones[:, toes]), axis=-1) for ankle, toes in ((7, 10), (8, 11))]
    if float(np.mean(feet)) < _MIRRORED:
        raise InputError("joints: left and right are swapped, or the body is in a mirror: negate x, or swap the joints of both sides")


def _segment_axes(bones: Floats, segment: tuple[int, int, int, float]) -> Floats:
    """Axes (F, 3, 3) of hips or chest: x to the left, y up, z ahead."""
    left, right, above, angle = segment
    line = bones[:, left] - bones[:, right]
    normal = np.cross(line, bones[:, above])
    flat = np.flatnonzero(np.linalg.norm(normal, axis=-1) < _MIN_BONE_METRES**2)
    if len(flat):
        names = [table(False)[joint][0] for joint in segment[:3]]
        raise InputError(f"joints: {', '.join(names)} are on one line in frame {flat[0]}, expected a body")
    x, z = _unit(line), _unit(normal)
    y = np.cross(z, x)
    # The joint above leans back by the angle, so up is ahead of it.
    up = np.cos(angle) * y + np.sin(angle) * z
    return np.stack([x, up, np.cross(x, up)], axis=-1)


def _shortest_rotation(before: Floats, after: Floats) -> Floats:
    """Matrices (F, 3, 3) of the shortest rotations from directions to others, as products of two Householder reflections."""
    a, b = _unit(before), _unit(after)
    half = a + b
    sizes = np.linalg.norm(half, axis=-1, keepdims=True)
    half = np.where(sizes < _OPPOSITE, _across(a), half / np.maximum(sizes, _OPPOSITE))
    reflections = [np.eye(3) - 2.0 * own[:, :, None] * own[:, None, :] for own in (a, half)]
    return reflections[1] @ reflections[0]


def _across(directions: Floats) -> Floats:
    """Unit vectors across directions (F, 3)."""
    axis = np.eye(3)[np.abs(directions).argmin(axis=-1)]
    return _unit(np.cross(directions, axis))


def _unit(vectors: npt.NDArray[Any]) -> Floats:
    """Vectors of length 1; those without a length stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = vectors / np.where(lengths > 0.0, lengths, 1.0)
    return unit
