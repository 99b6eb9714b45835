"""Files that appear when they are whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from uuid import uuid4


@contextlib.contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[str]:
    """A path to write to, beside the one that is wanted; what is there gets its name at the end, and is removed after an error."""
    name = os.fspath(path)
    part = f"{name}.{uuid4().hex}.part"
    try:
        yield part
        os.replace(part, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
