"""Objects of stores as files of a temporary folder, and back. The text of a line names the objects."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ._errors import StoreError
from .stores import Open, Store

Value = TypeVar("Value")


def is_store_path(path: str) -> bool:
    """Whether a path is that of a store, as in `s3://motions`."""
    return "://" in path


@dataclass(frozen=True)
class Place:
    """A place in a store."""

    url: str
    store: Store

    @classmethod
    def at(cls, url: str, open: Open) -> Place:
        """Opens a place."""
        url = url.rstrip("/")
        return cls(url, _tried(f"{url}: cannot open the store", lambda: open(url)))

    def get(self, name: str) -> bytes:
        """The bytes of an object."""
        data = self._tried("read", name, lambda: self.store.get(name))
        return bytes(data)

    def put(self, name: str, data: bytes) -> None:
        """Makes an object."""
        self._tried("write", name, lambda: self.store.put(name, data))

    def put_file(self, name: str, path: Path) -> None:
        """Makes an object of a file; all of it is in memory where the store has no `put_file`."""
        put = getattr(self.store, "put_file", None)
        if put is None:
            self.put(name, path.read_bytes())
        else:
            self._tried("write", name, lambda: put(name, str(path)))

    def list(self, prefix: str = "") -> Iterator[str]:
        """Names of objects."""
        names = iter(self._tried("list", prefix, lambda: self.store.list(prefix)))
        while True:
            name = self._tried("list", prefix, lambda: next(names, None))
            if name is None:
                return
            if name.startswith(prefix):
                yield name

    def names(self, prefix: str = "") -> set[str]:
        """All names of few objects."""
        return set(self.list(prefix))

    def clear(self, name: str) -> None:
        """Removes an object; empties it where the store cannot."""
        delete = getattr(self.store, "delete", None)
        if delete is None:
            self.put(name, b"")
            return
        try:
            self._tried("remove", name, lambda: delete(name))
        except StoreError:
            # Another worker on the same shard may have been first, or it must not be removed.
            if name in self.names(name):
                self.put(name, b"")

    def fetch(self, name: str, folder: Path) -> int:
        """Writes an object to a file below a folder; returns its size. All of it is in memory where the store has no `get_file`."""
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise StoreError(f"{self.url}/{name}: another object has the name of its folder; rename one") from None
        if path.exists():
            raise StoreError(f"{self.url}/{name}: another object has this name but for case or is its folder; rename one")
        get = getattr(self.store, "get_file", None)
        if get is None:
            path.write_bytes(self.get(name))
        else:
            self._tried("read", name, lambda: get(name, str(path)))
        return path.stat().st_size

    def _tried(self, verb: str, name: str, work: Callable[[], Value]) -> Value:
        return _tried(f"{self.url}/{name}: cannot {verb} it", work)


def _tried(what: str, work: Callable[[], Value]) -> Value:
    try:
        return work()
    except Exception as error:
        raise StoreError(f"{what}: {type(error).__name__}: {error}") from error


def is_plain(name: str) -> bool:
    """Whether a name can be that of a file below a folder."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") and not set(part) & {"\0", "\\"} for part in parts)


def is_hidden(name: str) -> bool:
    """Whether an object would be a hidden file, or in a hidden folder."""
    return any(part.startswith(".") for part in name.split("/"))


@dataclass(frozen=True)
class Names:
    """Folders of a temporary folder by the paths that they stand for."""

    #: Folders and paths of a store, as they stand in JSON; the longest folder first.
    pairs: tuple[tuple[str, str], ...]
    #: Files of targets by their paths.
    targets: dict[str, str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Path, str]], targets: dict[str, str]) -> Names:
        """Names of folders, and of targets."""
        texts = [tuple(json.dumps(str(own), ensure_ascii=False)[1:-1] for own in pair) for pair in pairs]
        return cls(tuple((folder, url) for folder, url in sorted(texts, key=lambda own: -len(own[0]))), targets)

    def to_store(self, text: str) -> str:
        """A text of JSON with the paths of the store."""
        for folder, url in self.pairs:
            text = text.replace(folder, url)
        return text

    def to_files(self, text: str) -> str:
        """A line of a manifest with the paths of the files."""
        line = json.loads(text)
        target, path = line.get("target"), line["input"]
        if isinstance(target, str):
            line["target"] = self.targets.get(target, target)
        if isinstance(path, str):
            fits = [pair for pair in self.pairs if path.startswith(f"{pair[1]}/")]
            folder, url = max(fits, key=lambda pair: len(pair[1]), default=("", ""))
            line["input"] = folder + path[len(url) :]
        return json.dumps(line, ensure_ascii=False)


def result_files(folder: Path) -> list[str]:
    """Names of all results in an output folder."""
    found = []
    for place, folders, files in os.walk(folder):
        own = Path(place).relative_to(folder)
        if place == str(folder):
            folders[:] = [name for name in folders if name not in ("cards", "manifest", ".rebone")]
        found += [(own / name).as_posix() for name in files]
    return sorted(found)
