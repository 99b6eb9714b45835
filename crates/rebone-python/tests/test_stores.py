"""Batches between stores of objects: the same files and manifests as in folders."""

import functools
import io
import json
import socket
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rebone
from rebone import _store_shard

#: Clips of the library; two files are none.
CLIPS = ["a/walk.bvh", "a/reach.bvh", "b/jump.bvh", "b/c/sit.bvh", "wave.bvh"]
OTHERS = {"notes.txt": b"clips", "b/list.csv": b"", ".hidden/x.bvh": b""}


class Memory:
    """Objects in a dictionary, with no more than the three methods; counts what is fetched."""

    def __init__(self, objects: dict[str, bytes] | None = None, root: str = "") -> None:
        self.objects = {} if objects is None else objects
        self.root = root
        self.fetched: list[str] = []
        self.fails_at: int | None = None

    def get(self, name: str) -> bytes:
        self.fetched.append(name)
        return self.objects[self.root + name]

    def put(self, name: str, data: bytes) -> None:
        if self.fails_at is not None:
            self.fails_at -= 1
            if self.fails_at < 0:
                raise ConnectionError("the line is cut")
        self.objects[self.root + name] = bytes(data)

    def list(self, prefix: str) -> Iterator[str]:
        names = [name[len(self.root) :] for name in self.objects if name.startswith(self.root + prefix)]
        yield from reversed(names)


@pytest.fixture
def sources(data: Path) -> dict[str, bytes]:
    clips = {name: (data / "clips" / Path(name).name).read_bytes() for name in CLIPS}
    return clips | OTHERS


@pytest.fixture
def rig(data: Path) -> str:
    return str(data / "rigs" / "toy-a-pose.bvh")


def tar(objects: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in objects.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def write(folder: Path, objects: dict[str, bytes]) -> None:
    for name, data in objects.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def plain(objects: dict[str, bytes], prefix: str) -> dict[str, Any]:
    """Objects; of manifests their lines without seconds and without the place of the clips."""
    result: dict[str, Any] = {}
    for name, data in objects.items():
        if not data or name.startswith(".rebone/"):
            continue
        if name.endswith(".jsonl"):
            lines = [json.loads(line.replace(prefix, "clips")) for line in data.decode().splitlines()]
            for line in lines:
                line.pop("seconds")
            result[name] = [json.dumps(line) for line in lines]
        else:
            result[name] = data
    return result


def in_folders(folder: Path, sources: dict[str, bytes], rig: str, shards: int, **options: Any) -> dict[str, Any]:
    """The same library in folders."""
    write(folder / "clips", sources)
    out = folder / "out"
    rebone.batch(folder / "clips", rig, out, cards=True, **options)
    for number in range(shards):
        rebone.batch(folder / "clips", rig, out, shard=(number, shards), **options)
    merged = rebone.merge(out)
    assert merged.is_complete
    return plain(read(out), str(folder / "clips"))


def in_stores(open: Any, rig: str, shards: int, **options: Any) -> rebone.MergedShards:
    rebone.batch("s3://motions", rig, "s3://out", cards=True, open=open, **options)
    for number in reversed(range(shards)):
        rebone.batch("s3://motions", rig, "s3://out", shard=(number, shards), open=open, **options)
    return rebone.merge("s3://out", open=open)


@pytest.mark.parametrize("shards", [1, 3])
def test_stores_hold_what_folders_hold(tmp_path: Path, sources: dict[str, bytes], rig: str, shards: int) -> None:
    sources["d/shard-1.tar"] = tar({name: sources[name] for name in CLIPS[:2]} | {"x.txt": b"x"})
    expected = in_folders(tmp_path, sources, rig, shards, format="npz")
    stores = {"s3://motions": Memory(dict(sources)), "s3://out": Memory()}
    merged = in_stores(stores.__getitem__, rig, shards, format="npz")
    assert merged.is_complete and merged.counts["done"] == 7
    found = plain(stores["s3://out"].objects, "s3://motions")
    assert sorted(found) == sorted(expected)
    assert found == expected


def test_a_second_run_fetches_nothing_that_is_done(sources: dict[str, bytes], rig: str, tmp_path: Path) -> None:
    stores = {"s3://motions": Memory(sources), "s3://out": Memory()}
    in_stores(stores.__getitem__, rig, 1)
    before = dict(stores["s3://out"].objects)
    clips = stores["s3://motions"]
    clips.fetched.clear()
    run = functools.partial(rebone.batch, "s3://motions", rig, "s3://out", shard=(0, 1), open=stores.__getitem__)
    summary = run()
    assert (clips.fetched, summary.lines, len(summary.kept)) == ([], [], 7)
    assert stores["s3://out"].objects == before
    # A result that is gone, and a clip that is new, are made; nothing else is read.
    del stores["s3://out"].objects["wave.bvh"]
    sources["new/walk.bvh"] = sources["a/walk.bvh"]
    run()
    assert sorted(clips.fetched) == ["new/walk.bvh", "wave.bvh"]
    clips.fetched.clear()
    assert len(run(limbs="position").lines) == len(clips.fetched) == 6
    clips.fetched.clear()
    run(force=True)
    assert len(clips.fetched) == 6
    # A card that was corrected makes its results again.
    card = next(name for name in stores["s3://out"].objects if name.endswith(".toml"))
    stores["s3://out"].objects[card] += b"\n# corrected\n"
    clips.fetched.clear()
    run()
    assert clips.fetched


def test_errors_name_the_object_and_a_run_that_broke_goes_on(
    sources: dict[str, bytes], rig: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_store_shard, "_MAX_FILES", 1)
    stores = {"s3://motions": Memory(sources), "s3://out": Memory()}
    rebone.batch("s3://motions", rig, "s3://out", cards=True, open=stores.__getitem__)
    run = functools.partial(rebone.batch, "s3://motions", rig, "s3://out", shard=(0, 1), open=stores.__getitem__)
    out, clips = stores["s3://out"], stores["s3://motions"]
    # One result and its line are there, the next one is cut off.
    out.fails_at = 3
    with pytest.raises(rebone.StoreError, match=r"s3://out/a/walk\.bvh: cannot write it: ConnectionError: the line") as caught:
        run()
    assert isinstance(caught.value.__cause__, ConnectionError) and isinstance(caught.value, OSError)
    assert "manifest/0-of-1.jsonl" not in out.objects
    assert rebone_unfinished(stores) == [0]
    out.fails_at = None
    clips.fetched.clear()
    run()
    assert "a/reach.bvh" not in clips.fetched and len(clips.fetched) == 4
    assert rebone.merge("s3://out", open=stores.__getitem__).counts["done"] == 5

    def missing(name: str) -> bytes:
        raise KeyError(name)

    monkeypatch.setattr(clips, "get", missing)
    with pytest.raises(rebone.StoreError, match=r"s3://motions/a/reach\.bvh: cannot read it: KeyError"):
        run(force=True)


def rebone_unfinished(stores: dict[str, Memory]) -> list[int]:
    """Numbers of shards that a merge calls unfinished, beside one that is finished."""
    with pytest.raises(rebone.InputError, match="no shard of .* is finished"):
        rebone.merge("s3://out", open=stores.__getitem__)
    return [int(name.split("/")[1].split("-")[0]) for name in stores["s3://out"].objects if name.endswith(".open.jsonl")]


def test_two_workers_on_one_shard_write_the_same(sources: dict[str, bytes], rig: str) -> None:
    stores = {"s3://motions": Memory(sources), "s3://out": Memory()}
    rebone.batch("s3://motions", rig, "s3://out", cards=True, open=stores.__getitem__)
    run = functools.partial(rebone.batch, "s3://motions", rig, "s3://out", shard=(0, 1), open=stores.__getitem__)
    inner: list[rebone.Summary] = []

    def other(_: dict[str, Any]) -> None:
        if not inner:
            inner.append(run())

    run(on_line=other)
    assert len(inner) == 1 and rebone.merge("s3://out", open=stores.__getitem__).counts["done"] == 5


def test_what_is_not_for_stores_is_refused(sources: dict[str, bytes], rig: str) -> None:
    stores = {"s3://motions": Memory(sources), "s3://out": Memory(), "s3://none": Memory()}
    run = functools.partial(rebone.batch, "s3://motions", rig, "s3://out", open=stores.__getitem__)
    for options, text in [
        ({}, "give shard="),
        ({"shard": (0, 1), "prune": True}, "prune is not for stores"),
        ({"shard": (0, 1), "cards": True}, "not both"),
        ({"sample": 3, "shard": (0, 1)}, "it needs cards=True"),
        ({"shard": (3, 2)}, "there is no shard 3 of 2"),
    ]:
        with pytest.raises(rebone.InputError, match=text):
            run(**options)
    with pytest.raises(rebone.InputError, match="a path of a store needs open="):
        rebone.batch("s3://motions", rig, "s3://out")
    with pytest.raises(rebone.InputError, match="s3://none: there is no object"):
        rebone.batch("s3://none", rig, "s3://out", shard=(0, 1), open=stores.__getitem__)
    with pytest.raises(rebone.StoreError, match="s3://nowhere: cannot open the store"):
        rebone.batch("s3://nowhere", rig, "s3://out", shard=(0, 1), open=stores.__getitem__)
    sources["a//evil.bvh"] = b""
    with pytest.raises(rebone.InputError, match="s3://motions/a//evil.bvh: expected a name"):
        run(shard=(0, 1))
    del sources["a//evil.bvh"]
    run(cards=True)
    run(shard=(0, 1))
    with pytest.raises(rebone.InputError, match="s3://out has 1 shards, expected 2"):
        run(shard=(0, 2))


def test_clips_without_a_card_come_first(sources: dict[str, bytes], rig: str, data: Path) -> None:
    stores = {"s3://motions": Memory(sources), "s3://out": Memory()}
    run = functools.partial(rebone.batch, "s3://motions", rig, "s3://out", open=stores.__getitem__)
    run(cards=True)
    sources["other.bvh"] = (data / "rigs" / "one-spine.bvh").read_bytes().replace(b"OFFSET", b"OFFSET", 1)
    before = run(shard=(0, 1))
    if all(line["status"] != "no-card" for line in before.lines):
        pytest.skip("the rig has the card of the clips")
    stores["s3://motions"].fetched.clear()
    run(cards=True, sample=1)
    assert stores["s3://motions"].fetched == ["other.bvh"]
    stores["s3://motions"].fetched.clear()
    run(shard=(0, 1))
    assert stores["s3://motions"].fetched == ["other.bvh"]


def test_targets_can_be_objects(sources: dict[str, bytes], rig: str) -> None:
    stores = {"s3://m": Memory(sources), "s3://out": Memory(), "s3://rigs/toys": Memory({"toy.bvh": Path(rig).read_bytes()})}
    target = "s3://rigs/toys/toy.bvh"
    rebone.batch("s3://m", target, "s3://out", cards=True, open=stores.__getitem__)
    run = functools.partial(rebone.batch, "s3://m", target, "s3://out", shard=(0, 1), open=stores.__getitem__)
    assert {line["target"] for line in run().lines if "target" in line} == {target}
    assert run().lines == []


def test_parquet_holds_the_manifest(tmp_path: Path, sources: dict[str, bytes], rig: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    in_folders(tmp_path, sources, rig, 2)
    merged = rebone.merge(tmp_path / "out", parquet=True)
    table = parquet.read_table(merged.parquet)
    lines = [json.loads(line) for line in Path(merged.manifest).read_text().splitlines()]
    assert table["input"].to_pylist() == [line["input"] for line in lines]
    assert table["score"].to_pylist() == [line.get("result", {}).get("score") for line in lines]
    assert not list((tmp_path / "out").glob("*.part"))


def check_url(open: Any, tmp_path: Path, sources: dict[str, bytes], rig: str, urls: tuple[str, str]) -> None:
    """A library in a true store, against folders."""
    clips, out = (open(url) for url in urls)
    for name, data in sources.items():
        clips.put(name, data)
    rebone.batch(urls[0], rig, urls[1], cards=True, open=open)
    for number in range(2):
        rebone.batch(urls[0], rig, urls[1], shard=(number, 2), open=open)
    assert rebone.batch(urls[0], rig, urls[1], shard=(0, 2), open=open).lines == []
    assert rebone.merge(urls[1], open=open).is_complete
    found = {name: clips_get(out, name) for name in out.list("")}
    assert plain(found, urls[0]) == in_folders(tmp_path / "folders", sources, rig, 2)
    assert not [name for name in found if name.endswith(".open.jsonl")]


def clips_get(store: Any, name: str) -> bytes:
    data = store.get(name)
    assert isinstance(data, bytes)
    return data


@pytest.mark.parametrize("kind", ["obstore", "fsspec"])
def test_local_stores(tmp_path: Path, sources: dict[str, bytes], rig: str, kind: str) -> None:
    pytest.importorskip(kind, reason=f"{kind} is not installed")
    for name in ("clips", "out"):
        (tmp_path / name).mkdir()
    urls = (f"file://{tmp_path}/clips", f"file://{tmp_path}/out")
    check_url(getattr(rebone.stores, kind), tmp_path, sources, rig, urls)


@pytest.mark.parametrize("kind", ["obstore", "fsspec"])
def test_a_server_of_s3(tmp_path: Path, sources: dict[str, bytes], rig: str, kind: str) -> None:
    pytest.importorskip("s3fs" if kind == "fsspec" else kind, reason=f"{kind} for S3 is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed: no server of S3")
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = server.ThreadedMotoServer(port=port, verbose=False)
    running.start()
    try:
        endpoint, key = f"http://127.0.0.1:{port}", "testing"
        client = boto3.client(
            "s3", endpoint_url=endpoint, aws_access_key_id=key, aws_secret_access_key=key, region_name="us-east-1"
        )
        for bucket in ("motions", "results"):
            client.create_bucket(Bucket=f"{bucket}-{kind}")
        options: dict[str, Any] = (
            {"endpoint": endpoint, "access_key_id": key, "secret_access_key": key, "region": "us-east-1"}
            | {"client_options": {"allow_http": True}}
            if kind == "obstore"
            else {"key": key, "secret": key, "client_kwargs": {"endpoint_url": endpoint}}
        )
        open = functools.partial(getattr(rebone.stores, kind), **options)
        urls = (f"s3://motions-{kind}/lib", f"s3://results-{kind}/lib")
        check_url(open, tmp_path, sources, rig, urls)
    finally:
        running.stop()
