"""Arrays: checked on their way in, read-only on their way out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InputError, InputTypeError, WriteError
from ._whole import whole

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

#: Largest distance of a quaternion's length from 1.
MAX_LENGTH_ERROR = 1e-3
#: Largest distance of a quaternion's length from 1 that is not corrected.
ROUNDING = 1e-9


def from_bytes(data: bytes, *shape: int) -> Floats:
    """Numbers of the compiled part as a read-only array of a shape."""
    return np.frombuffer(data, dtype="<f8").reshape(shape)


def array_of(value: Any, name: str, kinds: str = "fiu") -> npt.NDArray[Any]:
    """An array of numbers, of the kinds of numpy."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise InputError(f"{name}: found lists of unequal lengths, expected an array of numbers") from None
    if array.dtype.kind not in kinds:
        found = f"a {type(value).__name__}" if array.shape == () else f"an array of {array.dtype}"
        raise InputTypeError(f"{name}: found {found}, expected numbers")
    return array


def floats(value: Any, name: str, *shape: int | None) -> Floats:
    """An array of finite float64 numbers; `None` in the shape is any length."""
    array = array_of(value, name)
    wanted = tuple("N" if size is None else str(size) for size in shape)
    fits = array.ndim == len(shape) and all(
        size is None or size == own for size, own in zip(shape, array.shape)
    )
    if not fits:
        text = ", ".join(wanted)
        raise InputError(f"{name}: found an array of shape {array.shape}, expected ({text})")
    array = np.ascontiguousarray(array, dtype="<f8")
    bad = ~np.isfinite(array)
    if bad.any():
        place = tuple(int(k) for k in np.argwhere(bad)[0][:2])
        raise InputError(f"{name}: found a number that is not finite at {place}, expected numbers")
    return array


def quaternions(value: Any, name: str, *shape: int | None) -> Floats:
    """An array of rotations, x, y, z, w; corrected to length 1 where they are nearly so."""
    array = floats(value, name, *shape, 4)
    lengths = np.linalg.norm(array, axis=-1)
    errors = np.abs(lengths - 1.0)
    if errors.size and errors.max() > MAX_LENGTH_ERROR:
        place = np.unravel_index(int(errors.argmax()), errors.shape)
        where = ", ".join(str(int(k)) for k in place)
        raise InputError(
            f"{name}: found a quaternion of length {lengths[place]:.4f} at ({where}), expected 1"
        )
    if errors.size and errors.max() > ROUNDING:
        array = array / lengths[..., None]
    return array


def float_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """A type of floating-point numbers."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise InputTypeError(f"dtype: found {dtype!r}, expected numpy.float32 or numpy.float64") from None
    if found not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InputError(f"dtype: found {found}, expected float32 or float64")
    return found


def wxyz(quaternions: npt.ArrayLike) -> Floats:
    """Turns quaternions x, y, z, w of shape (..., 4) into w, x, y, z.

    >>> wxyz([0.0, 0.0, 0.0, 1.0])
    array([1., 0., 0., 0.])
    """
    return np.roll(_rows_of_4(quaternions), 1, axis=-1)


def xyzw(quaternions: npt.ArrayLike) -> Floats:
    """Turns quaternions w, x, y, z of shape (..., 4) into x, y, z, w.

    >>> xyzw([1.0, 0.0, 0.0, 0.0])
    array([0., 0., 0., 1.])
    """
    return np.roll(_rows_of_4(quaternions), -1, axis=-1)


def _rows_of_4(value: npt.ArrayLike) -> Floats:
    own = array_of(value, "quaternions")
    if own.ndim < 1 or own.shape[-1] != 4:
        raise InputError(f"quaternions: found an array of shape {own.shape}, expected (..., 4)")
    return own.astype(np.float64)


def multiply(a: Floats, b: Floats) -> Floats:
    """Products of quaternions x, y, z, w: first `b`, then `a`."""
    ax, ay, az, aw = _components(a)
    bx, by, bz, bw = _components(b)
    return _stacked(
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(rotations: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) turned by quaternions x, y, z, w (..., 4)."""
    *axis, w = _components(rotations)
    own = _components(vectors)
    twice = [2.0 * part for part in _cross(axis, own)]
    return _stacked(*(v + w * t + c for v, t, c in zip(own, twice, _cross(axis, twice))))


def cross(a: Floats, b: Floats) -> Floats:
    """Cross products (..., 3); numpy.cross costs more for few vectors."""
    return _stacked(*_cross(_components(a), _components(b)))


def _cross(a: Sequence[Floats], b: Sequence[Floats]) -> list[Floats]:
    """Components of cross products."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _components(array: Floats) -> list[Floats]:
    """Views (...) of the columns of an array (..., N)."""
    return [array[..., column] for column in range(array.shape[-1])]


def _stacked(*components: Floats) -> Floats:
    """An array (..., N) of N components of one shape."""
    array = np.empty((*np.shape(components[0]), len(components)))
    for column, component in enumerate(components):
        array[..., column] = component
    return array


def inverse(rotations: Floats) -> Floats:
    """Inverse rotations of quaternions x, y, z, w."""
    turned: Floats = rotations * np.array([-1.0, -1.0, -1.0, 1.0])
    return turned


def save_npz(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Writes arrays as a compressed npz under exactly this name, whole or not at all."""
    try:
        with whole(path) as part, open(part, "xb") as file:
            np.savez_compressed(file, **arrays)
    except OSError as error:
        raise WriteError(f"cannot write {os.fspath(path)}: {error.strerror or error}") from error
