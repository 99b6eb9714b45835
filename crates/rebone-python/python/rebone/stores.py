"""Stores of objects for `rebone.batch(open=…)` and `rebone.merge(open=…)`: S3 and others, by obstore or by fsspec.

A store is anything with these methods; a name is a path below the place that was opened, with `/`:

    get(name) -> bytes            the bytes of an object
    put(name, data: bytes)        all of it, or nothing
    list(prefix) -> names         of all objects whose names begin so, in any order; an iterator may give them as they come

More are used if they are there: `delete(name)`, and `get_file(name, path)` and `put_file(name, path)` for files that are larger than
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

from ._whole import whole

__all__ = ["Open", "Store", "fsspec", "obstore"]


class Store(Protocol):
    """Objects below one place."""

    def get(self, name: str, /) -> bytes:
        """The bytes of an object."""
        ...

    def put(self, name: str, data: bytes, /) -> object:
        """Makes or replaces an object, as a whole or not at all."""
        ...

    def list(self, prefix: str, /) -> Iterable[str]:
        """Names of all objects that begin with a text."""
        ...


#: Opens the store at a path such as `s3://motions`.
Open = Callable[[str], Store]


class obstore:
    """The store at a URL, by the package obstore: `s3://`, `gs://`, `az://`, `file://` and others.

    `options` are those of `obstore.store.from_url`; give them with `functools.partial(rebone.stores.obstore, region="…")`.
    """

    def __init__(self, url: str, /, **options: Any) -> None:
        self._module = import_module("obstore")
        self._store = import_module("obstore.store").from_url(url, **options)

    def get(self, name: str, /) -> bytes:
        return bytes(self._module.get(self._store, name).bytes())

    def put(self, name: str, data: bytes, /) -> None:
        self._module.put(self._store, name, data)

    def get_file(self, name: str, path: str, /) -> None:
        with open(path, "wb") as file:
            for part in self._module.get(self._store, name).stream():
                file.write(part)

    def put_file(self, name: str, path: str, /) -> None:
        with open(path, "rb") as file:
            self._module.put(self._store, name, file)

    def list(self, prefix: str, /) -> Iterator[str]:
        # Prefixes of obstore are whole folders.
        folder = prefix.rpartition("/")[0] or None
        for page in self._module.list(self._store, folder):
            yield from (own["path"] for own in page if own["path"].startswith(prefix))

    def delete(self, name: str, /) -> None:
        self._module.delete(self._store, name)


class fsspec:
    """The store at a URL, by the package fsspec: `s3://` with s3fs, `gs://` with gcsfs, `file://`, `memory://` and others.

    `options` are those of the file system; give them with `functools.partial(rebone.stores.fsspec, key="…")`.
    """

    def __init__(self, url: str, /, **options: Any) -> None:
        self._files, root = import_module("fsspec.core").url_to_fs(url, **options)
        self._root = root.rstrip("/")
        self._is_local = "file" in self._files.protocol

    def get(self, name: str, /) -> bytes:
        return bytes(self._files.cat_file(f"{self._root}/{name}"))

    def put(self, name: str, data: bytes, /) -> None:
        self._made(name, lambda path: self._files.pipe_file(path, data))

    def get_file(self, name: str, path: str, /) -> None:
        self._files.get_file(f"{self._root}/{name}", path)

    def put_file(self, name: str, path: str, /) -> None:
        self._made(name, lambda to: self._files.put_file(path, to))

    def _made(self, name: str, make: Callable[[str], object]) -> None:
        """Makes an object; a local file appears when it is whole."""
        path = f"{self._root}/{name}"
        if not self._is_local:
            make(path)
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        with whole(path) as part:
            make(part)

    def list(self, prefix: str, /) -> Iterator[str]:
        start = len(self._root) + 1
        first = f"{self._root}/{prefix}".rpartition("/")[0]
        # Others put objects meanwhile.
        self._files.invalidate_cache()
        folders = [first]
        while folders:
            folder = folders.pop()
            try:
                found = self._files.ls(folder, detail=True)
            except FileNotFoundError:
                continue
            for own in found:
                name = own["name"].rstrip("/")
                if own["type"] == "directory" and name != folder:
                    folders.append(name)
                elif own["type"] != "directory" and name[start:].startswith(prefix):
                    yield name[start:]

    def delete(self, name: str, /) -> None:
        self._files.rm(f"{self._root}/{name}")
