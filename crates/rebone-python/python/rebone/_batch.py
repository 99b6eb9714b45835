"""Batches of files, in folders and in stores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from . import _rebone, _store_cards, _store_shard
from ._checks import MAX_NUMBER, count, flag, list_of, text
from ._checks import path as path_text
from ._errors import InputError, ReboneError
from ._given import Progress, options_text, shown
from ._motion import Path, motion_of
from ._skeleton import Skeleton
from ._smpl_body import with_one_floor
from ._stage import Job
from ._store_files import is_store_path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options
    from .stores import Open

#: Number of files that are surveyed for cards, as of the program.
_SAMPLE = 10_000
#: Grades of results; the last one is that of a result without motion to see.
_LEVELS = ("PASS", "LOOK", "FAIL", "NONE")


@dataclass(frozen=True, repr=False)
class Summary:
    """What a batch has done."""

    #: Output folder, or place in a store.
    out: str
    #: Path of the manifest; empty where only cards were made.
    manifest: str
    #: Lines of results of this run.
    lines: list[dict[str, Any]]
    #: Lines of results that were up to date, of jobs that cannot be done, and of files that are no clips.
    kept: list[dict[str, Any]]
    #: Number of results that were not made, or of files and rig classes without a card.
    failed: int
    #: Paths of merged files.
    merged: list[str]
    #: Remarks.
    notes: list[str]
    #: Seconds of this run.
    seconds: float

    def __repr__(self) -> str:
        made, kept = (sum(own["status"] == "done" for own in lines) for lines in (self.lines, self.kept))
        skipped = sum(own["status"] == "skipped" for own in self.kept)
        rest = f", {skipped} skipped as no clips" if skipped else ""
        return f"<rebone.Summary {self.out}: {made} made, {kept} already up to date, {self.failed} failed{rest}>"

    def results(self, *levels: str) -> list[FilePath]:
        """Paths of results that are up to date, sorted; with grades only those: `results("PASS", "LOOK")`; "NONE" are those without a
        grade. Of results in a tar it is the tar."""
        for level in levels:
            if text(level, "levels") not in _LEVELS:
                raise InputError(f"levels: found {level!r}, expected {', '.join(_LEVELS[:-1])} or {_LEVELS[-1]}")
        if is_store_path(self.out):
            raise InputError(f"results in {self.out} are objects: their names are `output` of `lines` and `kept`")
        found = [own for own in (*self.lines, *self.kept) if own["status"] == "done"]
        found = [own for own in found if not levels or (own["result"].get("verdict") or "NONE") in levels]
        return sorted({FilePath(self.out) / _output(own) for own in found})


def _output(line: Mapping[str, Any]) -> str:
    """Path of a line's result, or of the tar that it is in, also one that is not UTF-8."""
    path = line["tar"]["path"] if line.get("tar") else line["output"]
    return path if isinstance(path, str) else os.fsdecode(unquote_to_bytes(path["escaped"]))


def batch(
    inputs: Path | Iterable[Path],
    targets: Path | Iterable[Path],
    out: Path,
    *,
    name: str | None = None,
    format: str | None = None,
    rules: Path | None = None,
    shard: tuple[int, int] | None = None,
    cards: bool = False,
    sample: int | None = None,
    open: Open | None = None,
    one_file: bool = False,
    prune: bool = False,
    overwrite: bool = False,
    force: bool = False,
    relearn: bool = False,
    on_line: Callable[[dict[str, Any]], object] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Summary:
    """Retargets files, folders, patterns and tars of clips onto rigs, into the folder `out`, as `rebone batch` does: what is up to
    date stays. `on_line` is called with each line of the manifest. Ctrl-C ends it; the next run goes on.

    Onto a file of `rebone.smpl.skeleton()` the default of `ground` is "on": all clips stand on one floor.

    `shard=(17, 512)` makes one shard, `cards=True` only the cards, from a sample of `sample` files. `open` opens stores of objects:
    then inputs and `out` are paths such as `s3://motions`, and `shard` or `cards` is given: see docs/cluster.md.
    """
    lists, place = [_paths(inputs, "inputs"), _paths(targets, "targets")], path_text(out, "out")
    flags: _rebone.BatchFlags = {
        "name": None if name is None else text(name, "name"),
        "format": None if format is None else text(format, "format"),
        "rules": None if rules is None else path_text(rules, "rules"),
        "shard": None if shard is None else _shard(shard),
        "one_file": flag(one_file, "one_file"),
        "prune": flag(prune, "prune"),
        "overwrite": flag(overwrite, "overwrite"),
        "force": flag(force, "force"),
        "relearn": flag(relearn, "relearn"),
    }
    if cards and shard is not None:
        raise InputError("cards are made for all shards: give cards=True or shard=, not both")
    sample = None if sample is None else count(sample, "sample", 1)
    if sample is not None and not cards:
        raise InputError("sample= has no effect: it needs cards=True")
    words = options_text(with_one_floor(options, _skeletons(lists[1])))
    heard = None if on_line is None else (lambda line: on_line(json.loads(line)))
    calls = (heard, shown(progress))
    if open is not None:
        job = Job(lists[0], lists[1], place, open, words, flags, calls)
        return _summary(job.out, _in_stores(job, shard, cards, sample))
    stores = [path for path in [*lists[0], place] if is_store_path(path)]
    if stores:
        raise InputError(f"{stores[0]}: a path of a store needs open=, as rebone.stores.obstore")
    places = (lists[0], lists[1], place)
    if cards:
        own = json.loads(_rebone.make_cards(places, words, flags, sample or _SAMPLE))
        return _summary(places[2], {"manifest": "", "lines": [], "kept": [], "merged": [], **own})
    return _summary(places[2], json.loads(_rebone.batch(places, words, flags, calls)))


def _skeletons(targets: list[str]) -> list[Skeleton]:
    """Skeletons of targets that are BVH files; none where there is another file, or one that cannot be read."""
    found = []
    for target in targets:
        try:
            found += [motion_of(target, "targets").skeleton] if target.lower().endswith(".bvh") else []
        except (ReboneError, OSError):
            # The batch says what is wrong with it.
            return []
    return found if len(found) == len(targets) else []


def _in_stores(job: Job, shard: tuple[int, int] | None, cards: bool, sample: int | None) -> dict[str, Any]:
    """A batch between stores."""
    for given, option in ((job.flags["one_file"], "one_file"), (job.flags["prune"], "prune")):
        if given:
            raise InputError(f"{option} is not for stores: results there are one by one, and none is removed")
    if cards:
        return _store_cards.make_cards(job, sample or _SAMPLE)
    if shard is None:
        raise InputError("open= needs cards=True, and then shard=: give shard=(0, 1) for all clips")
    return _store_shard.run_shard(job, shard)


def _summary(out: str, own: dict[str, Any]) -> Summary:
    names = ("manifest", "lines", "kept", "failed", "merged", "notes")
    return Summary(out=out, **{key: own[key] for key in names}, seconds=own.get("seconds", 0.0))


def _shard(value: Any) -> tuple[int, int]:
    """The number of a shard, and how many there are."""
    own = list_of(value, "shard")
    if len(own) != 2:
        raise InputError(f"shard: found {len(own)} numbers, expected two: its number, and how many there are")
    return count(own[0], "shard", 0, MAX_NUMBER), count(own[1], "shard", 1, MAX_NUMBER)


def _paths(paths: Path | Iterable[Path], name: str) -> list[str]:
    if isinstance(paths, (str, os.PathLike)):
        return [path_text(paths, name)]
    return [path_text(path, name) for path in list_of(paths, name)]
