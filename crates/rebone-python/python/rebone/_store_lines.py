"""Lines of manifests in stores of objects."""

from __future__ import annotations

import json
from typing import Any

#: Place of a line in a finished manifest: its input, then its output.
Key = tuple[bytes, bytes]


def read_line(text: str) -> dict[str, Any] | None:
    """A line of a manifest; none of a text that is none."""
    try:
        line = json.loads(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) and "input" in line and "status" in line else None


def key_of(line: dict[str, Any]) -> Key:
    return _bytes(line["input"]), _bytes(line.get("output") or "")


def _bytes(path: Any) -> bytes:
    return (path["escaped"] if isinstance(path, dict) else str(path)).encode()


def object_of(text: str) -> str | None:
    """Name of the object of a line: the result, or the tar that it is in; none where there is none."""
    line = json.loads(text)
    name = (line.get("tar") or {}).get("path") or (line.get("output") if line["status"] == "done" else None)
    return name if isinstance(name, str) else None


def file_of(line: dict[str, Any]) -> str:
    """The file that a line is of: a motion, or the tar that its clip is in, which has the name of the tar of results."""
    path = str(line["input"])
    tar = (line.get("tar") or {}).get("path")
    before, found, _ = path.partition(f"/{tar}/")
    return f"{before}/{tar}" if tar is not None and found else path
