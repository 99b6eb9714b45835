"""Workers on stores that are killed, and two at once on one shard."""

from __future__ import annotations

import multiprocessing
import threading
from pathlib import Path
from typing import Any

import pytest
import rebone
from rebone import _store_shard

from test_stores import CLIPS, in_folders, plain, read

#: Copies of the clips, so that a worker is killed amid them.
COPIES = 8


def work(urls: tuple[str, str], rig: str, lines: int, reached: multiprocessing.synchronize.Event) -> None:
    """Makes the only shard, one clip after the other; after so many lines it waits to be killed."""
    _store_shard._MAX_FILES = 1
    rebone.threads(1)
    seen: list[dict[str, Any]] = []

    def heard(line: dict[str, Any]) -> None:
        seen.append(line)
        if len(seen) == lines:
            reached.set()
            threading.Event().wait()

    rebone.batch(urls[0], rig, urls[1], shard=(0, 1), open=rebone.stores.fsspec, on_line=heard)


def test_killed_workers_and_two_at_once_make_what_one_makes(tmp_path: Path, data: Path) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    sources = {f"{k}/{name}": (data / "clips" / Path(name).name).read_bytes() for name in CLIPS for k in range(COPIES)}
    rig = str(data / "rigs" / "toy-a-pose.bvh")
    expected = in_folders(tmp_path / "folders", sources, rig, 1)
    clips, out = tmp_path / "folders/clips", tmp_path / "out"
    out.mkdir()
    urls = (f"file://{clips}", f"file://{out}")
    rebone.batch(urls[0], rig, urls[1], cards=True, open=rebone.stores.fsspec)
    spawn = multiprocessing.get_context("spawn")

    def start(lines: int) -> tuple[multiprocessing.process.BaseProcess, multiprocessing.synchronize.Event]:
        reached = spawn.Event()
        worker = spawn.Process(target=work, args=(urls, rig, lines, reached))
        worker.start()
        return worker, reached

    for lines in (1, 3, 9):
        worker, reached = start(lines)
        assert reached.wait(120.0)
        worker.kill()
        worker.join()
    assert not (out / "manifest/0-of-1.jsonl").exists()
    made = len(list(out.rglob("*.bvh")))
    assert 0 < made < len(sources)
    both = [start(0) for _ in range(2)]
    for worker, _ in both:
        worker.join(120.0)
        assert worker.exitcode == 0
    assert rebone.merge(urls[1], open=rebone.stores.fsspec).counts["done"] == len(sources)
    # A worker that was killed may leave the beginning of a file, under a name of its own.
    found = {name: data for name, data in read(out).items() if not name.endswith(".part")}
    assert plain(found, urls[0]) == expected
