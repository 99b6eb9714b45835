"""Values as they are given: of the right type, and in range."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ._arrays import Floats, array_of
from ._errors import InputError, InputTypeError, ReboneError

#: Largest number of a clip, a character or threads.
MAX_NUMBER = 2**32 - 1
#: Least and largest number of frames a second.
_RATES = (1e-3, 1e5)


def count(value: Any, name: str, least: int, most: int | None = None) -> int:
    """An integer in a range; `True` is none."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        found = operator.index(value)
    except TypeError:
        raise InputTypeError(f"{name}: found {_shown(value)}, expected an integer") from None
    if found < least or (most is not None and found > most):
        wanted = f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError(f"{name}: found {found}, expected {wanted}")
    return found


def number(value: Any, name: str) -> float:
    """A finite number; `True` and texts are none."""
    found = np.asarray(value) if isinstance(value, (int, float, np.generic, np.ndarray)) else None
    if found is None or found.shape != () or found.dtype.kind not in "fiu":
        raise InputTypeError(f"{name}: found {_shown(value)}, expected a number")
    if not math.isfinite(found):
        raise InputError(f"{name}: found {found}, expected a finite number")
    return float(found)


def rate(value: Any, name: str = "fps") -> float:
    """Frames per second."""
    if isinstance(value, float) and math.isnan(value):
        raise InputError(f"{name}: found nan, expected a positive number")
    found = number(value, name)
    if not found > 0.0:
        raise InputError(f"{name}: found {found:g}, expected a positive number")
    if not _RATES[0] <= found <= _RATES[1]:
        raise InputError(f"{name}: found {found:g}, expected {_RATES[0]:g} to {_RATES[1]:g} frames a second")
    return found


def text(value: Any, name: str) -> str:
    """A text that has a form in UTF-8, or as bytes of a file."""
    if not isinstance(value, str):
        raise InputTypeError(f"{name}: found {_shown(value)}, expected a text")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"{name}: found {value!r}, expected Unicode") from None
    return value


def path(value: Any, name: str = "path") -> str:
    """A path as a text."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputTypeError(f"{name}: found {_shown(value)}, expected a path")
    found = os.fsdecode(os.fspath(value))
    if "\0" in found:
        raise InputError(f"{name}: found {found!r}, expected a path without zero bytes")
    return found


def list_of(value: Any, name: str) -> list[Any]:
    """A list of any kind, of which a text is none."""
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    if not is_list or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise InputTypeError(f"{name}: found {_shown(value)}, expected a list")
    return list(value)


def flag(value: Any, name: str) -> bool:
    """`True` or `False`."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputTypeError(f"{name}: found {_shown(value)}, expected True or False")
    return bool(value)


def file_text(place: Any, name: str, error: type[ReboneError] = InputError) -> str:
    """The text of a file in UTF-8."""
    found = path(place, name)
    try:
        return FilePath(found).read_bytes().decode("utf-8")
    except (FileNotFoundError, PermissionError):
        raise
    except OSError as fault:
        raise error(f"cannot read {found}: {fault.strerror or fault}", path=found) from None
    except UnicodeDecodeError as fault:
        raise error(f"{found}: byte {fault.start} is no UTF-8, expected a text", path=found) from None


def numbers_of(value: Any, name: str) -> Floats:
    """An array of finite float64 numbers of any shape."""
    found = array_of(value, name).astype(np.float64)
    if not np.isfinite(found).all():
        raise InputError(f"{name}: found a number that is not finite, expected numbers")
    return found


def _shown(value: Any) -> str:
    """A value for a message."""
    plain = isinstance(value, (bool, int, float, str, np.generic)) and len(repr(value)) < 40
    return repr(value) if plain else f"a {type(value).__name__}"
