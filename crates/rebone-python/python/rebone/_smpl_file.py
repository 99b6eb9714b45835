"""Files of SMPL motions and models: archives of arrays, and pickles that a user trusts."""

from __future__ import annotations

import os
import pickle
import zipfile
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from ._archive import FAULTS, read_archive
from ._arrays import Floats
from ._checks import path as path_text
from ._errors import ReadError
from ._smpl_body import BODY_JOINTS
from ._smpl_names import HUMANML3D_WIDTH, KIT_WIDTH, KNOWN, MOTION_X_WIDTH

__all__ = ["load", "numbers"]

Path = str | os.PathLike[str]

#: Names of the arrays of models that are read, beside those of motions.
_MODEL = frozenset({"J_regressor", "shapedirs", "v_template"})
_MASKED: Any = np.ma


def load(path: Path, trust: bool) -> dict[Any, Any]:
    """The known arrays of a file; of a pickle only with `trust`, as it runs what its writer wants."""
    name = path_text(path)
    try:
        loaded = _load(name, os.path.splitext(name)[1].lower(), trust)
    except FAULTS as error:
        if isinstance(error, (ReadError, FileNotFoundError, PermissionError)):
            raise
        raise ReadError(f"cannot read {name}: {error or type(error).__name__}; expected arrays of SMPL", path=name) from None
    if not isinstance(loaded, Mapping):
        raise ReadError(f"cannot read {name}: found a {type(loaded).__name__}, expected a dict of arrays", path=name)
    return dict(loaded)


def _load(name: str, kind: str, trust: bool) -> Any:
    """The content of a file by the end of its name."""
    if kind == ".npz":
        return _archive(name, trust)
    if kind == ".npy":
        return _unnamed(np.load(name, allow_pickle=trust), name)
    if kind == ".pt":
        # Tensors and plain values alone: nothing in it is run.
        try:
            torch = import_module("torch")
        except ImportError:
            raise ReadError(f"cannot read {name}: torch is not installed: pip install torch", path=name) from None
        return torch.load(name, map_location="cpu", weights_only=True)
    if kind not in (".pkl", ".pickle"):
        raise ReadError(f"cannot read {name}: found a name with {kind or 'no extension'}, expected .npz, .npy, .pt or .pkl", path=name)
    if not trust:
        raise ReadError(f"cannot read {name}: a pickle can run any program; pass trust=True if you trust its writer", path=name)
    try:
        with open(name, "rb") as file:
            return pickle.load(file, encoding="latin1")
    except (pickle.UnpicklingError, KeyError) as error:
        # One of joblib may be compressed, or have arrays behind it.
        try:
            joblib = import_module("joblib")
        except ImportError:
            raise ReadError(f"cannot read {name}: {error}; if joblib wrote it, install joblib", path=name) from None
        return joblib.load(name)


def _unnamed(array: Any, name: str) -> dict[str, Any]:
    """An array without names: its shape tells which one it is."""
    if array.dtype == object and array.shape == ():
        inner: dict[str, Any] = array.item()
        return inner
    widths = {(2, MOTION_X_WIDTH): "motion_x", (2, HUMANML3D_WIDTH): "humanml3d", (3, 3): "joints"}
    key = widths.get((array.ndim, array.shape[-1] if array.ndim else 0))
    if key is None or (key == "joints" and array.shape[1] != BODY_JOINTS):
        kit = ": KIT-ML has another skeleton" if array.ndim == 2 and array.shape[1] == KIT_WIDTH else ""
        raise ReadError(
            f"cannot read {name}: found an array of shape {array.shape}{kit}; expected (F, {MOTION_X_WIDTH}) of Motion-X, "
            f"(F, {HUMANML3D_WIDTH}) of HumanML3D, or joint positions (F, {BODY_JOINTS}, 3)",
            path=name,
        )
    return {key: array}


def _archive(name: str, trust: bool) -> dict[str, Any]:
    """The known arrays of an npz."""
    found = read_archive(name, KNOWN | _MODEL, trust)
    if not found:
        with zipfile.ZipFile(name) as archive:
            names = ", ".join(member.removesuffix(".npy") for member in archive.namelist()) or "nothing"
        raise ReadError(f"cannot read {name}: found {names}; expected arrays of SMPL, as poses and trans", path=name)
    return found


def numbers(value: Any, name: str) -> Floats:
    """An array of numbers as float64."""
    try:
        found = _MASKED.filled(value, np.nan) if _MASKED.isMaskedArray(value) else np.asarray(value)
    except (ValueError, TypeError) as error:
        raise ReadError(f"{name}: {error}; expected numbers") from None
    if found.dtype.kind not in "fiu":
        raise ReadError(f"{name}: found {found.dtype} values, expected numbers")
    return found.astype(np.float64)
