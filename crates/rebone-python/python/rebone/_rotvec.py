"""Rotation vectors: axes times angles, as SMPL has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._checks import numbers_of
from ._errors import InputError, ReadError

#: Largest angle of a rotation, radians. Fits to motion capture leave one turn at times; degrees leave two.
MAX_ANGLE = 4.0 * np.pi


def from_rotvec(vectors: npt.ArrayLike) -> Floats:
    """Rotation vectors (..., 3), radians, of at most two turns, as quaternions x, y, z, w (..., 4).

    >>> from_rotvec([0.0, 0.0, np.pi]).round(6)
    array([0., 0., 1., 0.])
    """
    own = _rows(vectors, "vectors", 3)
    angle = np.linalg.norm(own, axis=-1, keepdims=True)
    if angle.size and angle.max() > MAX_ANGLE:
        raise InputError(f"vectors: found a rotation of {angle.max():.6g} radians, expected at most two turns: are these degrees?")
    # sin(a/2)/a, whose limit is 1/2.
    share = 0.5 * np.sinc(angle / (2.0 * np.pi))
    return np.concatenate([own * share, np.cos(angle / 2.0)], axis=-1)


def to_rotvec(rotations: npt.ArrayLike) -> Floats:
    """Quaternions x, y, z, w (..., 4) as rotation vectors (..., 3), radians, of at most half a turn.

    >>> to_rotvec([0.0, 0.0, 1.0, 0.0]).round(6)
    array([0.      , 0.      , 3.141593])
    """
    own = _rows(rotations, "rotations", 4)
    own = np.where(own[..., 3:] < 0.0, -own, own)
    sine = np.linalg.norm(own[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, own[..., 3:])
    share = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)
    vectors: Floats = own[..., :3] * share
    return vectors


def _rows(value: npt.ArrayLike, name: str, width: int) -> Floats:
    """Rows of so many finite numbers."""
    own = numbers_of(value, name)
    if own.ndim < 1 or own.shape[-1] != width:
        raise InputError(f"{name}: found an array of shape {own.shape}, expected (..., {width})")
    return own


def of_matrices(matrices: Floats, name: str) -> Floats:
    """Rotation vectors of rotation matrices."""
    squares = matrices @ np.swapaxes(matrices, -1, -2)
    if not np.allclose(squares, np.eye(3), atol=1e-3) or np.any(np.linalg.det(matrices) < 0.0):
        raise ReadError(f"{name}: found matrices that are no rotations, expected rotations")
    return to_rotvec(quaternions_of(matrices))


def quaternions_of(m: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
    """Rotation matrices (..., 3, 3) as quaternions x, y, z, w (..., 4) of either sign, in the precision of the matrices."""
    # The largest of the four squares of a quaternion is far from zero (S. W. Shepperd, 1978).
    trace = np.trace(m, axis1=-2, axis2=-1)
    diagonal = np.stack([m[..., k, k] for k in range(3)], axis=-1)
    squared = np.concatenate([1.0 - trace[..., None] + 2.0 * diagonal, 1.0 + trace[..., None]], axis=-1)
    products = np.zeros((*m.shape[:-2], 4, 4), dtype=m.dtype)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        products[..., a, b] = products[..., b, a] = m[..., a, b] + m[..., b, a]
        c = 3 - a - b
        sign = 1.0 if (b - a) == 1 else -1.0
        products[..., c, 3] = products[..., 3, c] = sign * (m[..., b, a] - m[..., a, b])
    for k in range(4):
        products[..., k, k] = squared[..., k]
    best = squared.argmax(axis=-1)
    own = np.take_along_axis(products, best[..., None, None], axis=-2)[..., 0, :]
    unit: npt.NDArray[np.floating[Any]] = own / np.linalg.norm(own, axis=-1, keepdims=True)
    return unit
