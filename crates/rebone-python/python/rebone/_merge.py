"""Merges the manifests of shards, in folders and in stores, also as Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import _rebone
from ._checks import path as path_text
from ._errors import InputError, warn
from ._store_files import Place, is_plain, is_store_path
from ._whole import whole
from .stores import Open

#: Lines of a row group.
_ROWS = 65_536


@dataclass(frozen=True, repr=False)
class MergedShards:
    """Shards in one manifest."""

    #: Path of the merged manifest.
    manifest: str
    #: Path of the same as Parquet, where it was wanted.
    parquet: str | None
    #: Number of shards.
    shards: int
    #: Shards that were never begun.
    missing: list[int]
    #: Shards that are at work, or were killed.
    unfinished: list[int]
    #: Shards with results of other options, or of another version, than most results have.
    mixed: list[int]
    #: Number of lines by their status.
    counts: dict[str, int]
    #: Number of results by their verdicts.
    verdicts: dict[str, int]
    #: Results to look at first, each with verdict, score, output and reason.
    worst: list[dict[str, Any]]

    def __repr__(self) -> str:
        done = self.counts.get("done", 0)
        return f"<rebone.MergedShards {self.manifest}: {self.shards} shards, {done} results, {len(self.missing)} missing>"

    @property
    def is_complete(self) -> bool:
        """Whether all shards are in the manifest."""
        return not self.missing and not self.unfinished


def merge(out: str | os.PathLike[str], *, open: Open | None = None, parquet: bool = False) -> MergedShards:
    """Merges the manifests of all finished shards in `out` into `out/manifest.jsonl`, as `rebone merge` does, and with `parquet`
    writes them as `out/manifest.parquet`, which needs pyarrow. `out` may be a path of a store that `open` opens: then all
    manifests are in a temporary folder meanwhile."""
    path = path_text(out, "out")
    if open is None:
        return _merge(Path(path), parquet)
    if not is_store_path(path):
        raise InputError(f"{path}: with open= expected a path of a store, as s3://motions")
    place = Place.at(path, open)
    with TemporaryDirectory(prefix="rebone-") as folder:
        local = Path(folder)
        for name in sorted(place.names("manifest/")):
            is_manifest = name.endswith((".jsonl", "/count")) and is_plain(name)
            # Of a finished shard in a store that cannot remove objects an empty one is left.
            if is_manifest and place.fetch(name, local) == 0:
                (local / name).unlink()
        try:
            own = _merge(local, parquet)
        except InputError as error:
            raise InputError(str(error).replace(str(local), place.url)) from None
        names = [name for name in ("manifest.jsonl", "manifest.parquet") if (local / name).exists()]
        for name in names:
            place.put_file(name, local / name)
        if not parquet and "manifest.parquet" in place.names("manifest.parquet"):
            place.clear("manifest.parquet")
        written = f"{place.url}/manifest.parquet" if own.parquet else None
        return MergedShards(**{**vars(own), "manifest": f"{place.url}/manifest.jsonl", "parquet": written})


def _merge(folder: Path, parquet: bool) -> MergedShards:
    if parquet:
        # Before the work, where it is missing.
        import_module("pyarrow.parquet")
    own = json.loads(_rebone.merge(folder))
    # One of an earlier merge is not that of this manifest.
    (folder / "manifest.parquet").unlink(missing_ok=True)
    written = None
    if parquet:
        written = str(folder / "manifest.parquet")
        write_parquet(Path(own["manifest"]), Path(written))
    merged = MergedShards(parquet=written, **own)
    if merged.mixed:
        shards = ", ".join(map(str, merged.mixed))
        warn(f"shards {shards} have results of other options, or of another version, than most")
    return merged


def write_parquet(manifest: Path, path: Path) -> None:
    """Writes a manifest as Parquet, some lines at a time; it appears when it is whole."""
    pyarrow = import_module("pyarrow")
    writer_of = import_module("pyarrow.parquet").ParquetWriter
    types = {"s": pyarrow.string(), "i": pyarrow.int64(), "f": pyarrow.float64(), "l": pyarrow.list_(pyarrow.string())}
    schema = pyarrow.schema([(name, types[kind]) for name, kind, _ in _COLUMNS])
    with whole(path) as part, manifest.open(encoding="utf-8") as lines, writer_of(part, schema) as writer:
        while rows := [_row(json.loads(line)) for line in islice(lines, _ROWS)]:
            columns = {name: [row[index] for row in rows] for index, name in enumerate(schema.names)}
            writer.write_table(pyarrow.table(columns, schema))


#: Columns with the letter of their type, and the keys that lead to their values in a line.
_COLUMNS: list[tuple[str, str, tuple[str | int, ...]]] = [
    *((name, "s", (name,)) for name in ("input", "target", "output", "status", "file", "picture")),
    ("part_index", "i", ("part", "index")),
    ("part_name", "s", ("part", "name")),
    ("tar", "s", ("tar", "path")),
    *((name, "i", ("result", name)) for name in ("bytes", "frames", "first")),
    ("clip_confidence", "f", ("result", "confidence", 0)),
    ("rig_confidence", "f", ("result", "confidence", 1)),
    ("furthest", "s", ("result", "furthest")),
    *((name, "f", ("result", name)) for name in ("mean_off", "worst_off")),
    *((name, "i", ("result", name)) for name in ("worst_frame", "limits", "unconverged")),
    ("verdict", "s", ("result", "verdict")),
    ("score", "f", ("result", "score")),
    ("reason", "s", ("result", "reason")),
    ("error_kind", "s", ("error", "kind")),
    ("error", "s", ("error", "message")),
    ("warnings", "l", ("warnings",)),
    *((f"{name}_hash", "s", ("from", name)) for name in ("clip", "rig", "options")),
    ("source_card", "s", ("from", "source_card")),
    ("target_card", "s", ("from", "target_card")),
    ("seconds", "f", ("seconds",)),
]


def _row(line: dict[str, Any]) -> list[Any]:
    """Values of a line; paths that are not UTF-8 are as the manifest escapes them."""
    return list(_values(line))


def _values(line: dict[str, Any]) -> Iterator[Any]:
    for _, _, keys in _COLUMNS:
        value: Any = line
        for key in keys:
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                value = None
                break
        yield value["escaped"] if isinstance(value, dict) and "escaped" in value else value
