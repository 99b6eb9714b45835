"""Arrays for training: 6D rotations, windows, padded batches, splits by subject. Only numpy is needed.

>>> import rebone
>>> from rebone import training
>>> walk = rebone.sample("walk")
>>> six = training.to_6d(walk.rotations)
>>> training.windows(six, frames=64, step=32).shape
(9, 64, 54, 6)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ._arrays import Bools, array_of, quaternions
from ._checks import count, numbers_of
from ._errors import InputError
from ._rotvec import quaternions_of

__all__ = ["from_6d", "padded", "split", "to_6d", "windows"]

Array = npt.NDArray[Any]
Kind = TypeVar("Kind", bound=np.generic)

#: Shortest column of a 6D rotation, and shortest part of the second beside the first.
_LEAST_LENGTH = 1e-6


def to_6d(rotations: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    """Quaternions x, y, z, w (..., 4) as 6D rotations (..., 6): the first two columns of the rotation matrix, one after the other
    (Y. Zhou et al., On the Continuity of Rotation Representations in Neural Networks, 2019). float32 stays float32.

    >>> to_6d([0.0, 0.0, 0.0, 1.0])
    array([1., 0., 0., 0., 1., 0.])
    """
    own = _floating(rotations, "rotations", 4)
    quaternions(own.reshape(-1, 4), "rotations", None)
    # Lengths are off 1 by single precision at most: 2/|q|² turns them out of the formula.
    x, y, z, w = np.moveaxis(own, -1, 0)
    s = 2 / (x * x + y * y + z * z + w * w)
    first = [1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)]
    second = [s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)]
    return np.stack(first + second, axis=-1)


def from_6d(rotations: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    """6D rotations (..., 6) as quaternions x, y, z, w (..., 4), w at least 0. Two columns of any length, such as a network gives, are
    made orthonormal: the first is scaled, the second loses its part along the first.

    >>> from_6d([2.0, 0.0, 0.0, 5.0, 3.0, 0.0])
    array([0., 0., 0., 1.])
    """
    own = _floating(rotations, "rotations", 6)
    a, b = own[..., :3], own[..., 3:]
    first = a / _lengths(a)
    b = b / _lengths(b)
    second = b - np.sum(first * b, axis=-1, keepdims=True) * first
    second = second / _lengths(second)
    matrices = np.stack([first, second, np.cross(first, second)], axis=-1)
    found = quaternions_of(matrices)
    # -0.0 is of no use to a reader.
    positive: npt.NDArray[np.floating[Any]] = np.where(found[..., 3:] < 0.0, -found, found) + 0.0
    return positive


def _floating(value: npt.ArrayLike, name: str, width: int) -> npt.NDArray[np.floating[Any]]:
    """Rows of so many finite numbers, float32 or float64."""
    own = array_of(value, name)
    if own.ndim < 1 or own.shape[-1] != width:
        raise InputError(f"{name}: found an array of shape {own.shape}, expected (..., {width})")
    own = own if own.dtype == np.float32 else own.astype(np.float64)
    if not np.isfinite(own).all():
        raise InputError(f"{name}: found a number that is not finite, expected numbers")
    return own


def _lengths(vectors: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
    lengths: npt.NDArray[np.floating[Any]] = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if lengths.size and lengths.min() < _LEAST_LENGTH:
        raise InputError("rotations: found columns that are zero or parallel, expected two directions")
    return lengths


def windows(array: npt.NDArray[Kind], frames: int, step: int | None = None) -> npt.NDArray[Kind]:
    """Windows (W, `frames`, ...) of an array (F, ...), `step` frames apart, default `frames`; a shorter rest is left out. They are a
    read-only view: no frame is copied.

    >>> windows(np.arange(7), frames=3, step=2)
    array([[0, 1, 2],
           [2, 3, 4],
           [4, 5, 6]])
    """
    own: npt.NDArray[Kind] = np.asarray(array)
    frames = count(frames, "frames", 1)
    step = frames if step is None else count(step, "step", 1)
    if own.ndim < 1:
        raise InputError("array: found one number, expected an array of frames")
    if len(own) < frames:
        none = own[:0].reshape(0, 1, *own.shape[1:])
        return np.broadcast_to(none, (0, frames, *own.shape[1:]))
    view = np.lib.stride_tricks.sliding_window_view(own, frames, axis=0)[::step]
    return np.moveaxis(view, -1, 1)


def padded(arrays: Iterable[npt.ArrayLike], frames: int | None = None) -> tuple[Array, Bools]:
    """A batch (B, F, ...) of arrays (F₁, ...), (F₂, ...), with zeros behind the shorter ones, and its mask (B, F), true where frames
    are real. F is that of the longest array, or `frames`. Only the arrays of the batch are copied.

    >>> batch, mask = padded([np.ones((2, 3)), np.ones((4, 3))])
    >>> batch.shape, mask.sum(axis=1)
    ((2, 4, 3), array([2, 4]))
    """
    own = [array_of(value, f"array {number}", kinds="fiub") for number, value in enumerate(arrays)]
    if not own:
        raise InputError("found no array to pad, expected one or more")
    if any(value.ndim < 1 or value.shape[1:] != own[0].shape[1:] for value in own):
        shapes = ", ".join(sorted({str(value.shape[1:]) for value in own}))
        raise InputError(f"found frames of the shapes {shapes}, expected one shape")
    longest = max(len(value) for value in own)
    length = longest if frames is None else count(frames, "frames", 1)
    if longest > length:
        raise InputError(f"found an array of {longest} frames, expected at most {length}: take windows")
    batch = np.zeros((len(own), length, *own[0].shape[1:]), dtype=np.result_type(*own))
    mask = np.zeros((len(own), length), dtype=np.bool_)
    for row, value in enumerate(own):
        batch[row, : len(value)] = value
        mask[row, : len(value)] = True
    return batch, mask


def split(
    subjects: Iterable[object], shares: Sequence[float] = (0.8, 0.1, 0.1), *, seed: int = 0
) -> tuple[npt.NDArray[np.intp], ...]:
    """Indices of the items for training, validation and test, or of as many parts as there are `shares`: all items of a subject fall
    into one part. `subjects` has the subject of each item; equal subjects, shares and seed give equal parts on any machine.

    Subjects are taken in an order of their hashes; each goes to the part that lacks most items of its share.

    >>> training, validation, test = split(["01", "01", "02", "03", "03", "03"], shares=(0.5, 0.25, 0.25))
    >>> np.sort(np.concatenate([training, validation, test]))
    array([0, 1, 2, 3, 4, 5])
    """
    rows: dict[str, list[int]] = {}
    items = 0
    for items, subject in enumerate(subjects, 1):
        rows.setdefault(str(subject), []).append(items - 1)
    wanted = numbers_of(shares, "shares")
    if wanted.ndim != 1 or not wanted.size or wanted.min() <= 0.0:
        raise InputError(f"shares: found {shares}, expected positive numbers")
    if len(rows) < len(wanted):
        raise InputError(f"found {len(rows)} subjects, expected at least {len(wanted)}, one for each part")
    seed = count(seed, "seed", 0)
    lacking = items * wanted / wanted.sum()
    parts: list[list[int]] = [[] for _ in wanted]
    order = sorted(rows, key=lambda name: hashlib.sha256(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest())
    for number, subject in enumerate(order):
        empty = [part for part, own in enumerate(parts) if not own]
        # The last subjects are for parts that have none.
        among = empty if len(order) - number <= len(empty) else range(len(parts))
        part = max(among, key=lambda own: float(lacking[own]))
        parts[part] += rows[subject]
        lacking[part] -= len(rows[subject])
    return tuple(np.array(sorted(part), dtype=np.intp) for part in parts)
