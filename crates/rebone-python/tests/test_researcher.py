"""A researcher's day in small: tests/researcher.py of the repository."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rebone

from conftest import script


@pytest.fixture(scope="module")
def researcher() -> ModuleType:
    return script("researcher")


@pytest.mark.parametrize("source", ["data", "corpus"])
def test_clips_come_onto_one_skeleton_as_arrays(researcher, data, tmp_path: Path, source):
    if source == "corpus" and "REBONE_CORPUS" not in os.environ:
        pytest.skip("REBONE_CORPUS is not set: no real files")
    folder = data / "clips" if source == "data" else os.environ["REBONE_CORPUS"]
    researcher.make(folder, tmp_path / "library", 20, 4, seed=1)
    summary, clips, poses, stands = researcher.arrays(tmp_path / "library", tmp_path)
    assert len(summary.lines) == 24 and summary.failed == 0
    assert 0 < len(clips) == len(summary.results("PASS")) + len(summary.results("LOOK"))
    assert len(summary.results()) == len(clips) + len(summary.results("FAIL"))
    assert poses.shape == (len(stands), 22, 4) and np.isfinite(poses).all()
    assert 0.1 < stands[:, :2].mean() <= 1.0
    again = rebone.batch(tmp_path / "library", tmp_path / "smpl.bvh", tmp_path / "arrays", format="npz", accept_guesses=True)
    assert not again.lines and again.results() == summary.results()


def test_results_are_found_by_their_grades(data, walk, tmp_path: Path):
    clips, out = tmp_path / "clips", tmp_path / "out"
    clips.mkdir()
    walk.write(clips / "walk.bvh")
    # One frame has no motion to grade.
    walk[7].write(clips / "pose.bvh")
    (clips / "broken.bvh").write_text("HIERARCHY")
    (clips / "notes.txt").write_text("No clip.")
    for done in ("2 made, 0 already up to date", "0 made, 2 already up to date"):
        summary = rebone.batch(clips, data / "rigs/toy-a-pose.bvh", out)
        assert repr(summary) == f"<rebone.Summary {out}: {done}, 1 failed, 1 skipped as no clips>"
        assert summary.results("NONE") == [out / "pose.bvh"] and summary.results("PASS") == [out / "walk.bvh"]
        assert summary.results("NONE", "PASS") == summary.results()
    for wrong, found in [("FOO", "'FOO'"), ("pass", "'pass'"), (["PASS"], "a list")]:
        with pytest.raises(rebone.InputError, match=f"levels: found {found}, expected (PASS, LOOK, FAIL or NONE|a text)"):
            summary.results("PASS", wrong)


def test_the_picture_is_drawn(researcher, data, tmp_path: Path, monkeypatch):
    # Nothing is written into the user's folders.
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")
    _, clips, _, stands = researcher.arrays(data / "clips", tmp_path)
    researcher.plot(clips, stands, tmp_path / "day.png")
    assert (tmp_path / "day.png").read_bytes()[:4] == b"\x89PNG"


def test_shards_make_what_one_batch_makes(researcher, data, tmp_path: Path):
    rig = tmp_path / "smpl.bvh"
    rebone.smpl.skeleton().rest_pose().write(rig)
    cards = rebone.batch(data / "clips", rig, tmp_path / "shards", cards=True)
    assert not cards.failed and not cards.lines
    for number in (1, 0):
        rebone.batch(data / "clips", rig, tmp_path / "shards", format="npz", shard=(number, 2))
        merged = rebone.merge(tmp_path / "shards")
        assert merged.is_complete == (number == 0) and merged.missing == [0][:number]
    assert merged.counts["done"] == sum(merged.verdicts.values()) == 6
    whole = rebone.batch(data / "clips", rig, tmp_path / "whole", format="npz")
    assert researcher.lines(tmp_path / "shards") == researcher.lines(tmp_path / "whole")
    for path in whole.results():
        assert path.read_bytes() == (tmp_path / "shards" / path.name).read_bytes()


def test_wrong_shards_and_formats_are_named(data, tmp_path: Path):
    for wrong, text in [({"format": "csv"}, "format: cannot write clip.csv as csv"), ({"shard": (2, 2)}, "shard: there is no shard 2 of 2")]:
        with pytest.raises(rebone.InputError, match=text):
            rebone.batch(data / "clips", data / "rigs/one-spine.bvh", tmp_path / "out", **wrong)
    with pytest.raises(rebone.InputError, match="no shards"):
        rebone.merge(tmp_path)
