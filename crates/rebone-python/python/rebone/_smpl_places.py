"""Motions of SMPL bodies that are known by the places of their joints alone: joints of data sets and detectors, and HumanML3D."""

from __future__ import annotations

import numpy as np

from ._arrays import Floats, floats, inverse, rotate
from ._errors import InputError
from ._rotvec import of_matrices
from ._smpl_body import BODY_JOINTS, table

#: Numbers of a frame of HumanML3D (Guo et al., Generating Diverse and Natural 3D Human Motions from Text, CVPR 2022): speed of the
#: root's turn as half an angle, its speed along x and z, its height, places of 21 joints, rotations and speeds, and four
#: contacts of feet.
HUMANML3D = 263
#: Frames per second of HumanML3D.
HUMANML3D_FPS = 20.0
#: The same of KIT-ML, whose skeleton is another one.
KIT = 251

#: Joints with three children that are one body: two at the sides, left first, and one above, which stands behind the vertical by
#: so many radians where a person stands straight.
_BLOCKS = {0: (1, 2, 3, np.radians(14.0)), 9: (13, 14, 12, np.radians(9.0))}
#: Least and greatest length of legs, in metres: of children and giants.
_LEGS = (0.2, 2.0)
#: Least length of a bone, in metres.
_LEAST = 1e-6


def humanml3d_places(features: object) -> Floats:
    """Places (F, 22, 3) of the joints of HumanML3D's features (F, 263), metres, +Y up.

    Its rotations are not read: they are computed from places, and say nothing of turns about a bone.
    """
    own = floats(features, "humanml3d", None, HUMANML3D)
    half = np.concatenate([[0.0], np.cumsum(own[:-1, 0])])
    # From the world to the frame that faces ahead; its inverse leads back.
    to_ahead = np.stack([0.0 * half, np.sin(half), 0.0 * half, np.cos(half)], axis=-1)
    to_world = inverse(to_ahead)
    steps = np.zeros((len(own), 3))
    steps[1:, [0, 2]] = own[:-1, 1:3]
    roots = np.cumsum(rotate(to_world, steps), axis=0)
    around = own[:, 4 : 4 + 3 * (BODY_JOINTS - 1)].reshape(len(own), BODY_JOINTS - 1, 3)
    places = rotate(to_world[:, None], around) + roots[:, None]
    roots[:, 1] = own[:, 3]
    return np.concatenate([roots[:, None], places], axis=1)


def turns_of_places(places: object) -> tuple[Floats, Floats, Floats]:
    """Rest offsets (22, 3), rotation vectors (F, 22, 3) and places of the root (F, 3) of a body whose joints stand at places
    (F, 22, 3).

    Bones have their mean lengths. Hips and chest turn with the joints at their sides; every other bone turns from its parent the
    shortest way, so turns about its own length, and those of hands, feet and head, are not known.
    """
    own = floats(places, "joints", None, BODY_JOINTS, 3)
    if not len(own):
        raise InputError("joints: found no frame, expected one or more")
    rows = table(False)
    parents = [parent for _, parent, _, _ in rows]
    bones = own - own[:, parents]
    bones[:, 0] = 0.0
    lengths = np.linalg.norm(bones, axis=-1)
    short = np.argwhere(lengths[:, 1:] < _LEAST)
    if len(short):
        frame, joint = (int(k) for k in short[0])
        raise InputError(f"joints: {rows[joint + 1][0]} stands at its parent in frame {frame}, expected bones with a length")
    _check_body(bones, lengths)
    world = np.broadcast_to(np.eye(3), (len(own), BODY_JOINTS, 3, 3)).copy()
    offsets = np.array([offset for _, _, _, offset in rows])
    for joint, block in _BLOCKS.items():
        world[:, joint] = _block(bones, joint, block)
        for child in block[:3]:
            offsets[child] = np.einsum("fji,fj->i", world[:, joint], bones[:, child]) / len(own)
    # The lumbar spine at rest is as it stands on hips and below the chest most of the time.
    for child, joint in ((6, 0), (9, 9)):
        offsets[child] = np.einsum("fji,fj->i", world[:, joint], bones[:, child])
    local = np.broadcast_to(np.eye(3), world.shape).copy()
    for joint, parent in enumerate(parents):
        above = world[:, parent] if parent >= 0 else np.eye(3)
        children = [child for child, other in enumerate(parents) if other == joint]
        if joint not in _BLOCKS:
            world[:, joint] = above
            if len(children) == 1:
                child = children[0]
                offsets[child] *= lengths[:, child].mean() / np.linalg.norm(offsets[child])
                world[:, joint] = _swing(above @ offsets[child], bones[:, child]) @ above
        local[:, joint] = np.swapaxes(np.broadcast_to(above, world[:, joint].shape), -1, -2) @ world[:, joint]
    offsets[0] = 0.0
    return offsets, of_matrices(local, "joints"), own[:, 0]


def _check_body(bones: Floats, lengths: Floats) -> None:
    """Refuses features that are still normalised, and bodies seen in a mirror."""
    legs = float(lengths[:, [4, 5, 7, 8]].sum(axis=1).mean()) / 2.0
    if not _LEGS[0] < legs < _LEGS[1]:
        raise InputError(
            f"joints: legs of {legs:.2f} m, expected metres; features that are normalised need x * Std + Mean before"
        )
    # Toes point to where left, crossed with up, does.
    ahead = np.cross(bones[:, 1] - bones[:, 2], bones[:, [3, 6, 9, 12]].sum(axis=1))
    if float(np.sum(ahead * (bones[:, 10] + bones[:, 11]))) < 0.0:
        raise InputError("joints: left and right are swapped, or the body is in a mirror: negate x, or swap the joints of both sides")


def _block(bones: Floats, joint: int, block: tuple[int, int, int, float]) -> Floats:
    """Axes (F, 3, 3) of hips or chest: x to the left, y up, z ahead."""
    left, right, above, angle = block
    x = _unit(bones[:, left] - bones[:, right])
    z = _unit(np.cross(x, bones[:, above]))
    y = np.cross(z, x)
    # What stands above leans back by the angle, so up is ahead of it.
    up = np.cos(angle) * y + np.sin(angle) * z
    return np.stack([x, up, np.cross(x, up)], axis=-1)


def _swing(before: Floats, after: Floats) -> Floats:
    """Rotation matrices (F, 3, 3) of the shortest turns from directions to others."""
    a, b = _unit(before), _unit(after)
    # Two mirrors: at the plane across `a`, and at that across the half way. None of it divides by a sine that may be zero.
    half = a + b
    sizes = np.linalg.norm(half, axis=-1, keepdims=True)
    half = np.where(sizes < 1e-9, _across(a), half / np.maximum(sizes, 1e-9))
    mirrors = [np.eye(3) - 2.0 * own[:, :, None] * own[:, None, :] for own in (a, half)]
    return mirrors[1] @ mirrors[0]


def _across(directions: Floats) -> Floats:
    """A direction across each one."""
    axis = np.eye(3)[np.abs(directions).argmin(axis=-1)]
    return _unit(np.cross(directions, axis))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = vectors / np.maximum(lengths, _LEAST)
    return unit
