"""Arrays of motions with the names of their joints: in any order, in files, in another unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._archive import FAULTS, read_archive
from ._arrays import Floats, Ints, array_of, float_type, floats, from_bytes
from ._checks import path as path_text
from ._errors import InputError, InputTypeError, ReadError
from ._skeleton import Skeleton

if TYPE_CHECKING:
    from ._motion import Motion

#: Largest difference of offsets and translations that is rounding, of the longest offset: ten times that of float32.
_ROUNDING = 1e-6
#: Arrays that a motion is made of.
_NEEDED = ("rotations", "translations", "moving", "names", "parents", "offsets", "fps")
#: Arrays that are read.
_READ = frozenset(_NEEDED) | {"rest_rotations", "metres_per_unit"}


def order_of(skeleton: Skeleton, names: Sequence[str] | npt.NDArray[np.str_]) -> Ints:
    """Index in `names` of each joint of a skeleton."""
    if isinstance(names, str) or not isinstance(names, (Sequence, np.ndarray)) or np.ndim(names) != 1:
        raise InputTypeError("names: found no list of names, expected those of the joints")
    index = {str(name): k for k, name in enumerate(names)}
    absent = [name for name in skeleton.names if name not in index]
    if absent or len(names) != len(skeleton):
        raise InputError(f"names: found {len(names)} names without {', '.join(absent) or 'repeats'}, expected those of the skeleton")
    return np.array([index[name] for name in skeleton.names], dtype=np.int32)


def joints_of(moving: npt.ArrayLike, joints: int) -> Ints:
    """(M,) indices of joints, each once."""
    found = array_of(moving, "moving")
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise InputError(f"moving: found an array of {found.dtype} of shape {found.shape}, expected integers of shape (M)")
    if found.size and (found.min() < 0 or found.max() >= joints or len(np.unique(found)) < len(found)):
        raise InputError(f"moving: found {found.tolist()}, expected indices of joints, 0 to {joints - 1}, each once")
    return found.astype(np.int32)


def all_moving(skeleton: Skeleton, translations: npt.NDArray[Any], frames: int, joints: Ints) -> Floats:
    """Translations of all joints of a skeleton that can move, of those of some joints; the others rest."""
    given = floats(translations, "translations", frames, len(joints), 3)
    own = list(skeleton._core.moving)
    full = np.tile(skeleton.offsets[own], (frames, 1, 1))
    for column, joint in enumerate(joints):
        if int(joint) not in own:
            raise InputError(f"moving: {skeleton.names[int(joint)]} cannot move, expected {', '.join(skeleton.names[k] for k in own)}")
        full[:, own.index(int(joint))] = given[:, column]
    return full


def arrays_of(motion: Motion, dtype: npt.DTypeLike, metres: float | None) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a motion in metres, or in the file's unit where that is not known."""
    kind, skeleton, core = float_type(dtype), motion.skeleton, motion._core
    factor = 1.0 if metres is None else metres
    # Positions are those of the numbers that are given.
    translations, rotations = (own.astype(kind).astype(np.float64) for own in (motion.translations, motion.rotations))
    positions, _ = core.with_frames(motion.frame_time, translations.tobytes(), rotations.tobytes()).world()
    columns = _leaving_rest(translations, skeleton.offsets[motion.moving])
    return {
        "rotations": rotations.astype(kind),
        "positions": (from_bytes(positions, len(motion), len(skeleton), 3) * factor).astype(kind),
        "translations": (translations[:, columns] * factor).astype(kind),
        "moving": motion.moving[columns],
        "fps": np.array(motion.fps),
        "names": np.array(skeleton.names),
        "parents": skeleton.parents,
        "offsets": (skeleton.offsets * factor).astype(kind),
        "rest_rotations": skeleton.rest_rotations.astype(kind),
        "unit": np.array("" if metres is None else "m"),
        "metres_per_unit": np.array(np.nan if metres is None else 1.0),
    }


def _leaving_rest(translations: Floats, offsets: Floats) -> npt.NDArray[np.intp]:
    """Columns of (F, M, 3) translations that leave their offsets (M, 3) in any frame; the first one where none does."""
    off = np.linalg.norm(translations - offsets, axis=-1).max(axis=0, initial=0.0)
    columns = np.flatnonzero(off > _ROUNDING * np.linalg.norm(offsets, axis=-1).max(initial=0.0))
    return columns if columns.size else np.arange(min(1, len(offsets)))


def check_offsets(skeleton: Skeleton, offsets: Floats) -> None:
    """Refuses offsets, in the order of the skeleton's joints, that are not the skeleton's. The root's place is no bone."""
    own, found = skeleton.offsets[1:], offsets[1:]
    off = np.linalg.norm(own - found, axis=-1)
    if not off.size or off.max() <= _ROUNDING * np.linalg.norm(own, axis=-1).max(initial=0.0):
        return
    scale = _scale(own, found)
    if scale is not None:
        raise InputError(f"offsets: found {scale:.6g} times those of the skeleton, expected its unit: Motion.from_npz changes units")
    joint = int(off.argmax()) + 1
    raise InputError(
        f"offsets: found {offsets[joint].tolist()} of {skeleton.names[joint]}, expected {skeleton.offsets[joint].tolist()}: these are "
        "arrays of another skeleton"
    )


def _scale(own: Floats, found: Floats) -> float | None:
    """The factor by which offsets are those of a skeleton, if there is one."""
    square = float(np.sum(own * own))
    if square == 0.0:
        return None
    scale = float(np.sum(own * found)) / square
    rest = np.linalg.norm(found - scale * own, axis=-1).max(initial=0.0)
    return scale if scale > 0.0 and rest <= 10.0 * _ROUNDING * np.linalg.norm(found, axis=-1).max() else None


def read_npz(path: Any) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a motion in a file that rebone made. Pickles are not read."""
    name = path_text(path)
    try:
        arrays = read_archive(name, _READ, None)
    except FAULTS as error:
        if isinstance(error, (ReadError, FileNotFoundError, PermissionError)):
            raise
        raise ReadError(f"cannot read {name}: {error or type(error).__name__}; expected an .npz of rebone", path=name) from None
    absent = [key for key in _NEEDED if key not in arrays]
    if absent:
        raise ReadError(f"cannot read {name}: found no {', '.join(absent)}; expected an .npz of rebone", path=name)
    if arrays["fps"].shape != () or arrays["fps"].dtype.kind not in "fiu":
        raise ReadError(f"cannot read {name}: found a rate of shape {arrays['fps'].shape}, expected one number", path=name)
    return arrays


def skeleton_of(arrays: Mapping[str, npt.NDArray[Any]]) -> Skeleton:
    """The skeleton of a file: joints that move in it can move along all axes."""
    joints = len(np.atleast_1d(arrays["parents"]))
    moving = set(joints_of(arrays["moving"], joints).tolist())
    metres = arrays.get("metres_per_unit", np.array(np.nan))
    if metres.shape != () or metres.dtype.kind != "f":
        raise InputError(f"metres_per_unit: found {metres.dtype} of shape {metres.shape}, expected one number")
    return Skeleton.from_arrays(
        [str(name) for name in np.atleast_1d(arrays["names"])],
        arrays["parents"],
        arrays["offsets"],
        rest_rotations=arrays.get("rest_rotations"),
        translation_axes=["xyz" if joint in moving else "" for joint in range(joints)],
        unit=None if np.isnan(metres) else float(metres),
    )


def in_unit_of(skeleton: Skeleton, arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, Floats]:
    """The translations of a file in the unit of a skeleton, by its offsets."""
    order = order_of(skeleton, arrays["names"])
    offsets = floats(arrays["offsets"], "offsets", len(skeleton), 3)[order]
    scale = _scale(skeleton.offsets[1:], offsets[1:]) or 1.0
    # A factor that is 1 but for rounding changes nothing.
    scale = scale if abs(scale - 1.0) > _ROUNDING else 1.0
    check_offsets(skeleton, offsets / scale)
    return {"translations": floats(arrays["translations"], "translations", None, None, 3) / scale}
