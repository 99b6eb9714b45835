"""Rotations and rigid transforms as arrays.

Quaternions are x, y, z, w in the last axis, as in `rebone`. Blender's are w, x, y, z: `wxyz` and `xyzw` convert.
"""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def xyzw(wxyz_array: Array) -> Array:
    """Blender's order of quaternions to that of rebone."""
    return np.roll(wxyz_array, -1, axis=-1)


def wxyz(xyzw_array: Array) -> Array:
    """rebone's order of quaternions to that of Blender."""
    return np.roll(xyzw_array, 1, axis=-1)


def multiply(a: Array, b: Array) -> Array:
    """Product of quaternions (..., 4): `b` is applied first."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def inverse(q: Array) -> Array:
    """Inverse of unit quaternions (..., 4)."""
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def rotate(q: Array, v: Array) -> Array:
    """Vectors (..., 3) turned by unit quaternions (..., 4)."""
    axis, w = q[..., :3], q[..., 3:]
    t = 2.0 * np.cross(axis, v)
    return v + w * t + np.cross(axis, t)


def from_matrices(m: Array) -> Array:
    """Unit quaternions (..., 4) of matrices (..., 3, 3) or larger, whose columns may be scaled.

    Takes the largest of the four squares that the trace gives, so that no division is by a small number.
    """
    m = m[..., :3, :3] / np.maximum(np.linalg.norm(m[..., :3, :3], axis=-2, keepdims=True), 1e-300)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz], axis=-1)
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 2, 0] + m[..., 0, 2], m[..., 2, 1] + m[..., 1, 2]
    x, y, z, w = (squares[..., k] for k in range(4))
    rows = np.stack([np.stack(row, axis=-1) for row in ([x, xy, xz, a], [xy, y, yz, b], [xz, yz, z, c], [a, b, c, w])], axis=-2)
    largest = np.argmax(squares, axis=-1)[..., None, None]
    q = np.take_along_axis(rows, largest, axis=-2)[..., 0, :]
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def to_matrices(q: Array) -> Array:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    columns = [rotate(q, np.broadcast_to(axis, (*q.shape[:-1], 3))) for axis in np.eye(3)]
    return np.stack(columns, axis=-1)


def continuous(q: Array) -> Array:
    """Quaternions (frames, ..., 4) with signs such that no frame is on the other side than the frame before."""
    dots = np.sum(q[1:] * q[:-1], axis=-1)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([q[:1], q[1:] * signs[..., None]], axis=0)


def shortest_arc(a: Array, b: Array) -> Array:
    """Rotations (..., 4) that turn directions `a` (..., 3) to `b` by the shortest way. Undefined for opposite directions."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    q = np.concatenate([np.cross(a, b), 1.0 + np.sum(a * b, axis=-1, keepdims=True)], axis=-1)
    return q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), 1e-300)


def angles_between(a: Array, b: Array) -> Array:
    """Angles between rotations in radians, 0 to pi."""
    between = multiply(inverse(a), b)
    return 2.0 * np.arctan2(np.linalg.norm(between[..., :3], axis=-1), np.abs(between[..., 3]))
