"""Cards of batches between stores of objects, from a sample of the clips."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from heapq import heappush, heappushpop
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import _rebone
from ._stage import Job, Stage
from ._store_lines import file_of, read_line

#: Largest number of bytes of a sample for cards.
_MAX_SAMPLE_BYTES = 4 << 30


def make_cards(job: Job, sample: int) -> dict[str, Any]:
    """Makes the cards of a sample of the objects with the least hashes of their names, first of those that wait for one."""
    with TemporaryDirectory(prefix="rebone-") as folder:
        stage = Stage(job, Path(folder))
        stage.begin()
        before = stage.fetch_cards()
        notes = []
        size = 0
        chosen = _sample(stage, sample)
        for taken, clip in enumerate(chosen):
            if size >= _MAX_SAMPLE_BYTES:
                notes.append(f"the sample has {taken} of {len(chosen)} objects, which are {size} bytes")
                break
            size += stage.fetch(clip)
        own = json.loads(_rebone.make_cards(stage.places, job.options, job.flags, sample))
        for path in sorted((stage.local / "cards").iterdir()):
            name, data = f"cards/{path.name}", path.read_bytes()
            if before.get(name) != data:
                stage.out.put(name, data)
        notes += [json.loads(stage.names.to_store(json.dumps(note, ensure_ascii=False))) for note in own["notes"]]
        empty: dict[str, Any] = {"lines": [], "kept": [], "merged": []}
        return {**empty, "manifest": "", "failed": own["failed"], "notes": notes}


def _sample(stage: Stage, size: int) -> list[tuple[int, str]]:
    """Objects of the sample, those that come first at the begin."""
    waiting = _waiting(stage)
    heap: list[tuple[bool, int, int, str]] = []
    for number, name in stage.listed():
        key = _rebone.clip_hash(name)
        if key is None:
            continue
        own = (f"{stage.inputs[number].url}/{name}" in waiting, -key, number, name)
        if len(heap) < size:
            heappush(heap, own)
        else:
            heappushpop(heap, own)
    return [(number, name) for _, _, number, name in sorted(heap, reverse=True)]


def _waiting(stage: Stage) -> set[str]:
    """Paths of files with clips that shards left without a card."""
    found = set()
    for name in sorted(stage.out.names("manifest/")):
        if name.endswith(".jsonl"):
            found |= set(_waiting_in(stage.out.get(name).decode().split("\n")))
    return found


def _waiting_in(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if '"no-card"' in text:
            line = read_line(text)
            if line is not None and line["status"] == "no-card":
                yield file_of(line)
