"""Archives of arrays that anyone may have written."""

from __future__ import annotations

import lzma
import math
import pickle
import tokenize
import zipfile
import zlib
from collections.abc import Container
from typing import Any

import numpy as np

from ._errors import ReadError

#: Parts of numpy that have no types before 2.3.
_NPY: Any = np.lib.format
#: Most bytes of all arrays of a file: 1 GiB.
_MAX_BYTES = 1 << 30
#: Errors of numpy, zip and pickle for files that are none of theirs.
FAULTS = (
    AttributeError, EOFError, ImportError, IndexError, KeyError, MemoryError, NotImplementedError, OSError, OverflowError, RuntimeError,
    TypeError, ValueError, lzma.LZMAError, pickle.UnpicklingError, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_archive(name: str, known: Container[str], trust: bool | None) -> dict[str, Any]:
    """The known arrays of an npz, without those that are pickles unless they are trusted; `None`: they never are."""
    found: dict[str, Any] = {}
    left = _MAX_BYTES
    with zipfile.ZipFile(name) as archive:
        for member in archive.infolist():
            key = member.filename.removesuffix(".npy")
            if key not in known:
                continue
            with archive.open(member) as file:
                left -= _bytes(file)
            if left < 0:
                raise ReadError(f"cannot read {name}: more than {_MAX_BYTES >> 20} MiB up to {key}, expected less", path=name)
            with archive.open(member) as file:
                try:
                    found[key] = _NPY.read_array(file, allow_pickle=bool(trust))
                except ValueError as error:
                    if "allow_pickle" not in str(error):
                        raise
                    advice = "expected numbers" if trust is None else "pass trust=True if you trust its writer"
                    raise ReadError(f"cannot read {name}: {key} is a pickle, which can run any program; {advice}", path=name) from None
    return found


def _bytes(file: Any) -> int:
    """Number of bytes of the values of an npy, by its head."""
    version = _NPY.read_magic(file)
    shape, _, kind = (_NPY.read_array_header_1_0 if version == (1, 0) else _NPY.read_array_header_2_0)(file)
    return int(math.prod(shape) * kind.itemsize)
