"""Stores of objects with names, places and objects that are out of the ordinary."""

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest
import rebone

from test_stores import CLIPS, Memory, tar


@pytest.fixture
def clips(data: Path) -> dict[str, bytes]:
    return {name: (data / "clips" / Path(name).name).read_bytes() for name in CLIPS}


def cards_and_shard(stores: dict[str, Memory], targets: Any, **options: Any) -> rebone.Summary:
    run = functools.partial(rebone.batch, "s3://motions", targets, "s3://out", open=stores.__getitem__, **options)
    run(cards=True)
    return run(shard=(0, 1))


@pytest.mark.parametrize("out", ["s3://motions", "s3://motions/out", "s3://motions/"])
def test_results_are_not_among_the_clips(clips: dict[str, bytes], data: Path, out: str) -> None:
    store = Memory(dict(clips))
    with pytest.raises(rebone.InputError, match="not apart"):
        rebone.batch("s3://motions", data / "rigs/toy-a-pose.bvh", out, cards=True, open=lambda _: store)
    assert store.objects == clips


def test_rigs_of_one_place_are_told_apart(clips: dict[str, bytes], data: Path) -> None:
    names = ("toy-a-pose", "one-spine")
    rigs = {f"{name}.bvh": (data / "rigs" / f"{name}.bvh").read_bytes() for name in names}
    stores = {"s3://motions": Memory(clips), "s3://rigs": Memory(rigs), "s3://out": Memory()}
    targets = [f"s3://rigs/{name}.bvh" for name in names]
    assert len(cards_and_shard(stores, targets).lines) == 10
    stores["s3://motions"].fetched.clear()
    again = rebone.batch("s3://motions", targets, "s3://out", shard=(0, 1), open=stores.__getitem__)
    assert (stores["s3://motions"].fetched, again.lines, len(again.kept)) == ([], [], 10)


def test_a_damaged_tar_is_a_line(clips: dict[str, bytes], data: Path) -> None:
    objects = {**clips, "cut.tar": tar(clips)[:700], "good.tar": tar({"walk.bvh": clips["a/walk.bvh"]})}
    stores = {"s3://motions": Memory(objects), "s3://out": Memory()}
    summary = cards_and_shard(stores, data / "rigs/toy-a-pose.bvh")
    failed = [line for line in summary.lines if line["status"] == "failed"]
    assert [line["input"] for line in failed] == ["s3://motions/cut.tar"] and summary.failed == 1
    assert sum(line["status"] == "done" for line in summary.lines) == 6
    with pytest.raises(rebone.InputError, match="are objects"):
        summary.results()


def test_folders_of_any_name(clips: dict[str, bytes], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "José ‧ 動き"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    stores = {"s3://motions": Memory({f"é/{name}": clip for name, clip in clips.items()}), "s3://out": Memory()}
    cards_and_shard(stores, data / "rigs/toy-a-pose.bvh")
    text = stores["s3://out"].objects["manifest/0-of-1.jsonl"].decode()
    assert "Jos" not in text and "s3://motions/é/a/walk.bvh" in text
    stores["s3://motions"].fetched.clear()
    rebone.batch("s3://motions", data / "rigs/toy-a-pose.bvh", "s3://out", shard=(0, 1), open=stores.__getitem__)
    assert stores["s3://motions"].fetched == []


def test_an_object_below_another_is_named(clips: dict[str, bytes], data: Path) -> None:
    walk = clips["a/walk.bvh"]
    stores = {"s3://motions": Memory({"a.bvh": walk, "a.bvh/b.bvh": walk}), "s3://out": Memory()}
    with pytest.raises(rebone.StoreError, match="rename"):
        cards_and_shard(stores, data / "rigs/toy-a-pose.bvh")


def test_results_of_shards_and_tars_are_paths(clips: dict[str, bytes], data: Path, tmp_path: Path) -> None:
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips/all.tar").write_bytes(tar(clips))
    (tmp_path / "clips/walk.bvh").write_bytes(clips["a/walk.bvh"])
    run = functools.partial(rebone.batch, tmp_path / "clips", data / "rigs/toy-a-pose.bvh", tmp_path / "out")
    run(cards=True)
    found = run(shard=(0, 1)).results()
    assert [path.name for path in found] == ["all.tar", "walk.bvh"] and all(path.is_file() for path in found)


def test_lines_that_another_worker_has_removed_are_gone(clips: dict[str, bytes], data: Path) -> None:
    class Removing(Memory):
        """Objects can be removed; another worker is always first."""

        def delete(self, name: str) -> None:
            self.objects.pop(self.root + name, None)
            raise KeyError(name)

    out = Removing()
    stores = {"s3://motions": Memory(clips), "s3://out": out}
    cards_and_shard(stores, data / "rigs/toy-a-pose.bvh")
    assert "manifest/0-of-1.jsonl" in out.objects and "manifest/0-of-1.open.jsonl" not in out.objects


def test_an_older_parquet_does_not_stay(clips: dict[str, bytes], data: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    stores = {"s3://motions": Memory(clips), "s3://out": Memory()}
    cards_and_shard(stores, data / "rigs/toy-a-pose.bvh")
    assert rebone.merge("s3://out", open=stores.__getitem__, parquet=True).parquet
    assert stores["s3://out"].objects["manifest.parquet"]
    assert rebone.merge("s3://out", open=stores.__getitem__).parquet is None
    assert not stores["s3://out"].objects["manifest.parquet"]
