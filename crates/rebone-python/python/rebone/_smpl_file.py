"""Files of SMPL motions and models: archives of arrays, and pickles that a user trusts."""

from __future__ import annotations

import os
import pickle
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import Floats
from ._errors import ReadError

__all__ = ["load", "numbers"]

Path = str | os.PathLike[str]

#: Names that are read, of motions and of models; all others stay in the file.
_NAMES = {
    "betas", "body_pose", "fps", "frame_rate", "global_orient", "J_regressor", "left_hand_pose", "mocap_frame_rate", "mocap_framerate",
    "motion_x", "pose_body", "pose_hand", "poses", "right_hand_pose", "root_orient", "shapedirs", "smpl", "smpl_params_global", "smplx",
    "trans", "transl", "v_template",
}  # fmt: skip
#: Most bytes of an array in a file.
_MAX_BYTES = 1 << 30
_FAULTS = (
    ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error, pickle.UnpicklingError, AttributeError, ImportError,
    IndexError, RuntimeError, TypeError,
)  # fmt: skip


def load(path: Path, trust: bool) -> dict[str, Any]:
    """The known arrays of an npz; of a pickle only with `trust`, as it runs what its writer wants."""
    name = os.fspath(path)
    kind = os.path.splitext(name)[1].lower()
    try:
        if kind == ".npz":
            return _archive(name, trust)
        if kind == ".npy":
            return {"motion_x": np.load(name, allow_pickle=False)}
        if kind not in (".pkl", ".pickle"):
            raise ReadError(f"cannot read {name}: found a name with {kind or 'no extension'}, expected .npz, .npy or .pkl", path=name)
        if not trust:
            raise ReadError(f"cannot read {name}: a pickle can run any program; pass trust=True if you trust its writer", path=name)
        with open(name, "rb") as file:
            loaded = pickle.load(file, encoding="latin1")
    except _FAULTS as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"cannot read {name}: {error or type(error).__name__}; expected arrays of SMPL", path=name) from None
    if not isinstance(loaded, Mapping):
        raise ReadError(f"cannot read {name}: found a {type(loaded).__name__}, expected a dict of arrays", path=name)
    return dict(loaded)


def _archive(name: str, trust: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with zipfile.ZipFile(name) as archive:
        for member in archive.infolist():
            key = member.filename.removesuffix(".npy")
            if key not in _NAMES:
                continue
            if member.file_size > _MAX_BYTES:
                raise ReadError(f"cannot read {name}: {key} has {member.file_size} bytes, expected at most {_MAX_BYTES}", path=name)
            with archive.open(member) as file:
                try:
                    found[key] = np.lib.format.read_array(file, allow_pickle=trust)
                except ValueError as error:
                    if "allow_pickle" not in str(error):
                        raise
                    raise ReadError(
                        f"cannot read {name}: {key} is a pickle, which can run any program; pass trust=True if you trust its writer",
                        path=name,
                    ) from None
    return found


def numbers(value: Any, name: str) -> Floats:
    """An array of numbers as float64."""
    found = np.ma.filled(value, np.nan) if np.ma.isMaskedArray(value) else np.asarray(value)
    if found.dtype.kind not in "fiu":
        raise ReadError(f"{name}: found {found.dtype} values, expected numbers")
    return found.astype(np.float64)
