"""Shards as tasks of Ray, on a local cluster of two workers."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import rebone

pytest.importorskip("ray", reason="ray is not installed")
if not Path("/proc/self/stat").exists():
    pytest.skip("no /proc here", allow_module_level=True)

TESTS = Path(__file__).resolve().parents[3] / "tests"
#: Seconds in which processes of a cluster that was shut down have to be gone.
END_SECONDS = 60.0


def parents() -> dict[int, tuple[int, str]]:
    """Parent and start of each process: a number that is given again has another start."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[0] != "Z":
            found[int(path.parent.name)] = (int(words[1]), words[19])
    return found


def below(root: int) -> set[tuple[int, str]]:
    """Processes that a process has started, and those that they have."""
    all_, found = parents(), {root}
    while more := {number for number, (parent, _) in all_.items() if parent in found} - found:
        found |= more
    return {(number, all_[number][1]) for number in found - {root}}


def alive(processes: set[tuple[int, str]]) -> set[int]:
    now = parents()
    return {number for number, start in processes if now.get(number, (0, ""))[1] == start}


def run(library: Path, work: Path) -> tuple[str, set[tuple[int, str]]]:
    """Runs the script; what it printed, and all processes that were seen below it."""
    seen: set[tuple[int, str]] = set()
    line = [sys.executable, str(TESTS / "researcher.py"), "ray", str(library), str(work), "--shards", "5"]
    # Sockets of a cluster need a short path; nothing of it goes into the user's folders.
    with tempfile.TemporaryDirectory(prefix="ray") as folder, (work / "log").open("w") as log:
        own = {**os.environ, "RAY_TMPDIR": folder, "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
        script = subprocess.Popen(line, env=own, stdout=log, stderr=subprocess.STDOUT)
        while script.poll() is None:
            seen |= below(script.pid)
            time.sleep(0.05)
        end = time.monotonic() + END_SECONDS
        while alive(seen) and time.monotonic() < end:
            time.sleep(0.2)
    text = (work / "log").read_text()
    assert script.returncode == 0, text
    return text, seen


def test_a_cluster_makes_the_same_bytes_and_leaves_no_process(data, tmp_path: Path):
    text, seen = run(data / "clips", tmp_path)
    assert "'done': 6" in text, text
    assert len(seen) > 3 and not alive(seen)
    whole = rebone.batch(data / "clips", tmp_path / "smpl.bvh", tmp_path / "whole", format="npz", accept_guesses=True)
    sys.path.insert(0, str(TESTS))
    try:
        from researcher import lines
    finally:
        sys.path.remove(str(TESTS))
    assert lines(tmp_path / "shards") == lines(tmp_path / "whole")
    assert len(whole.results()) == 6
    for path in whole.results():
        assert path.read_bytes() == (tmp_path / "shards" / path.name).read_bytes()
