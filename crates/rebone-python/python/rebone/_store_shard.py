"""Shards of batches between stores of objects: results are put when they are whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import _rebone
from ._errors import InputError
from ._stage import Job, Stage
from ._store_files import result_files
from ._store_lines import Key, file_of, key_of, object_of, read_line

#: Largest number of files, and of bytes, that are in the temporary folder at a time; a tar is alone there.
_MAX_FILES = 512
_MAX_BYTES = 256 << 20


class ShardRun:
    """A shard between stores."""

    def __init__(self, stage: Stage, number: int, count: int) -> None:
        self.stage = stage
        self.number, self.count = number, count
        # Refuses a shard that there is not.
        _rebone.shard_holds("", number, count)
        self.done = f"manifest/{number}-of-{count}.jsonl"
        self.open = f"manifest/{number}-of-{count}.open.jsonl"
        #: Lines of earlier runs that this one may keep.
        self.earlier: dict[Key, str] = {}
        #: Text of each line, by its place in a finished manifest.
        self.lines: dict[Key, str] = {}
        #: Input of each result.
        self.made: dict[str, str] = {}
        self.summary: dict[str, Any] = {"lines": [], "kept": [], "failed": 0, "merged": [], "notes": [], "seconds": 0.0}

    def run(self) -> dict[str, Any]:
        """Makes what is not up to date; returns a summary."""
        stage = self.stage
        clips = self._listed()
        self._check_count()
        stage.fetch_cards()
        manifests = stage.out.names("manifest/") & {self.done, self.open}
        current = self._current(set(clips), manifests)
        todo = [clip for clip in clips if clip not in current]
        for _ in self._chunks(todo):
            self._make()
        self._keep_others()
        self._claim()
        stage.out.put(self.done, self._text().encode())
        if self.open in manifests or todo:
            stage.out.clear(self.open)
        kept = [json.loads(text) for text in self.lines.values()]
        new = set(map(key_of, self.summary["lines"]))
        kept = [line for line in kept if key_of(line) not in new]
        failed = ("failed", "no-card")
        return {
            **self.summary,
            "kept": kept,
            "failed": sum(line["status"] in failed for line in [*self.summary["lines"], *kept]),
            "manifest": f"{stage.out.url}/{self.done}",
        }

    def _claim(self) -> None:
        """Notes the number of shards. Of two workers that note different ones at once, one hears of it."""
        if not self._check_count():
            self.stage.out.put("manifest/count", f"{self.count}\n".encode())
            self._check_count()

    def _check_count(self) -> bool:
        """Refuses another number of shards; returns whether it is noted."""
        out = self.stage.out
        if "manifest/count" not in out.names("manifest/count"):
            if "manifest.jsonl" in out.names("manifest.jsonl"):
                raise InputError(f"{out.url} holds a batch without shards: name another place")
            return False
        count = out.get("manifest/count").decode(errors="replace").strip()
        if count != str(self.count):
            raise InputError(f"{out.url} has {count} shards, expected {self.count}: give that number, or another place")
        return True

    def _listed(self) -> list[tuple[int, str]]:
        """Clips and tars of the shard, sorted; notes the lines of files that are none."""
        clips = []
        has_clips = False
        for number, name in self.stage.listed():
            is_clip = _rebone.clip_hash(name) is not None
            has_clips |= is_clip
            if not _rebone.shard_holds(name, self.number, self.count):
                continue
            if is_clip:
                clips.append((number, name))
            else:
                path = json.dumps(f"{self.stage.inputs[number].url}/{name}", ensure_ascii=False)
                self._take(f'{{"input":{path},"status":"skipped","seconds":0.0}}')
        if not has_clips:
            places = ", ".join(place.url for place in self.stage.inputs)
            raise InputError(
                f"there is no clip in {places}: expected names that end in .bvh, .glb, .fbx, .tar or others"
            )
        return sorted(clips)

    def _current(self, wanted: set[tuple[int, str]], manifests: set[str]) -> set[tuple[int, str]]:
        """Clips that are done, by the lines of earlier runs; takes these lines over."""
        stage = self.stage
        texts: dict[Key, str] = {}
        for name in (self.done, self.open):
            if name in manifests:
                for text in stage.out.get(name).decode().split("\n"):
                    line = read_line(text)
                    if line is not None:
                        texts[key_of(line)] = text
        if not texts or stage.job.flags["force"]:
            self.earlier = texts
            return set()
        files = _rebone.files_up_to_date(
            stage.places, stage.job.options, stage.job.flags, [stage.names.to_files(own) for own in texts.values()]
        )
        there = self._there(texts)
        current = set()
        for number, root in enumerate(stage.roots):
            current |= {
                (number, path.relative_to(root).as_posix()) for path in map(Path, files) if path.is_relative_to(root)
            }
        by_clip: dict[tuple[int, str], list[Key]] = {}
        for key, text in texts.items():
            clip = self._clip_of(json.loads(text), current)
            if clip is not None:
                by_clip.setdefault(clip, []).append(key)
        current = {clip for clip in current & wanted if all(there(texts[key]) for key in by_clip.get(clip, []))}
        for clip in current:
            for key in by_clip.get(clip, []):
                self._take(texts.pop(key))
        # A clip that is made again loses its lines, one that is no more among the inputs keeps them.
        again = wanted - current
        self.earlier = {
            key: text for key, text in texts.items() if self._clip_of(json.loads(text), again) is None and there(text)
        }
        return current

    def _clip_of(self, line: dict[str, Any], clips: set[tuple[int, str]]) -> tuple[int, str] | None:
        """The object that a line is of: its file, or the tar that it is in."""
        path = line["input"]
        if not isinstance(path, str):
            return None
        for number, place in enumerate(self.stage.inputs):
            if path.startswith(f"{place.url}/"):
                name = path[len(place.url) + 1 :]
                while name:
                    if (number, name) in clips:
                        return number, name
                    name = name.rpartition("/")[0]
        return None

    def _there(self, texts: dict[Key, str]) -> Callable[[str], bool]:
        """Says whether the object of a line is there; lists the store once."""
        wanted = {name for name in map(object_of, texts.values()) if name}
        found = {name for name in self.stage.out.list() if name in wanted} | {None}
        return lambda text: object_of(text) in found

    def _chunks(self, todo: list[tuple[int, str]]) -> Iterator[None]:
        """Fetches clips, some at a time: then they are made."""
        stage = self.stage
        files = size = 0
        stage.begin()
        for clip in todo:
            is_tar = _rebone.is_tar_name(clip[1])
            if files and (is_tar or files >= _MAX_FILES or size >= _MAX_BYTES):
                yield
                stage.begin()
                files = size = 0
            size += stage.fetch(clip)
            files += 1
            if is_tar:
                files = _MAX_FILES
        if files:
            yield

    def _make(self) -> None:
        """Runs a batch on what was fetched, and puts its results."""
        stage, job = self.stage, self.stage.job
        count = stage.local / "manifest" / "count"
        count.parent.mkdir(exist_ok=True)
        count.write_text(f"{self.count}\n")
        on_line, progress = job.calls
        heard = None if on_line is None else (lambda text: on_line(stage.names.to_store(text)))
        own = json.loads(_rebone.batch(stage.places, job.options, job.flags, (heard, progress)))
        self.summary["seconds"] += own["seconds"]
        if own["interrupted"]:
            raise KeyboardInterrupt
        # Names may hold other signs that end a line.
        texts = (stage.local / self.done).read_text(encoding="utf-8").split("\n")
        texts = [stage.names.to_store(text) for text in texts if text]
        for text in texts:
            line = json.loads(text)
            name = object_of(text)
            path = self.made.get(name or "")
            if name and path is not None and path != file_of(line):
                raise InputError(
                    f"{path} and {file_of(line)} would both be written to {stage.out.url}/{name}: name them apart"
                )
        self._claim()
        # First the results, then the line that says that they are there.
        for name in result_files(stage.local):
            stage.out.put_file(name, stage.local / name)
        for text in texts:
            self._take(text)
            self.summary["lines"].append(json.loads(text))
        self.summary["notes"] += [json.loads(stage.names.to_store(json.dumps(note, ensure_ascii=False))) for note in own["notes"]]
        stage.out.put(self.open, self._text().encode())

    def _take(self, text: str) -> None:
        line = json.loads(text)
        self.lines[key_of(line)] = text
        name = object_of(text)
        if name:
            self.made[name] = file_of(line)

    def _keep_others(self) -> None:
        """Keeps the lines of results that this run does not speak of."""
        for key, text in self.earlier.items():
            if object_of(text) and object_of(text) not in self.made:
                self.lines.setdefault(key, text)

    def _text(self) -> str:
        return "".join(f"{self.lines[key]}\n" for key in sorted(self.lines))


def run_shard(job: Job, shard: tuple[int, int]) -> dict[str, Any]:
    """Makes a shard between stores."""
    with TemporaryDirectory(prefix="rebone-") as folder:
        return ShardRun(Stage(job, Path(folder)), *shard).run()
