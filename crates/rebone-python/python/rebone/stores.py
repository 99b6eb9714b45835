"""Stores of objects for `rebone.batch(open=…)` and `rebone.merge(open=…)`: S3 and others, by obstore or by fsspec.

A store is anything with these methods; a name is a path below the place that was opened, with `/`:

    get(name) -> bytes            the bytes of an object
    put(name, data: bytes)        all of it, or nothing
    list(prefix) -> names         of all objects whose names begin so, in any order; an iterator may give them as they come

Two more are used where they are there: `delete(name)`, and `put_file(name, path)` for files that are larger than memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

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
        path = f"{self._root}/{name}"
        if not self._is_local:
            self._files.pipe_file(path, data)
            return
        # A local file appears when it is whole.
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        part = f"{path}.{os.getpid()}.part"
        self._files.pipe_file(part, data)
        os.replace(part, path)

    def list(self, prefix: str, /) -> Iterator[str]:
        start = len(self._root) + 1
        folder = f"{self._root}/{prefix}".rpartition("/")[0]
        for place, _, files in self._files.walk(folder):
            names = (f"{place}/{name}"[start:] for name in files)
            yield from (name for name in names if name.startswith(prefix))

    def delete(self, name: str, /) -> None:
        self._files.rm(f"{self._root}/{name}")
