"""The temporary folder of a batch between stores of objects: some files at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import _rebone
from ._errors import InputError
from ._store_files import Names, Place, is_hidden, is_plain, is_store_path
from .stores import Open

#: Function for lines, and function for progress.
Calls = tuple[Callable[[str], object] | None, Callable[[str, int, int], object] | None]


@dataclass
class Job:
    """A batch between stores."""

    inputs: list[str]
    targets: list[str]
    out: str
    open: Open
    options: str
    flags: _rebone.BatchFlags
    calls: Calls


class Stage:
    """The temporary folder of a batch, and the stores around it."""

    def __init__(self, job: Job, folder: Path) -> None:
        for path in [*job.inputs, job.out]:
            if not is_store_path(path):
                raise InputError(f"{path}: with open= inputs and outputs are paths of stores, as s3://motions")
        _check_apart(job)
        self.job = job
        self.folder = folder
        self.out = Place.at(job.out, job.open)
        # In their order, which is that of the lines.
        self.inputs = [Place.at(url, job.open) for url in sorted(set(job.inputs))]
        self.roots = [folder / "in" / f"{number:03}" for number in range(len(self.inputs))]
        self.local = folder / "out"
        self.targets = [self._target(number, path) for number, path in enumerate(job.targets)]
        # Of inputs the one that a path is below is found by its length; of targets by the whole path.
        pairs = [(root, place.url) for root, place in zip(self.roots, self.inputs, strict=True)]
        rigs = [
            (folder / "targets" / f"{number:03}", path.rpartition("/")[0])
            for number, path in enumerate(job.targets)
            if is_store_path(path)
        ]
        self.names = Names.of([*pairs, *rigs, (self.local, self.out.url)], dict(zip(job.targets, self.targets, strict=True)))

    def _target(self, number: int, path: str) -> str:
        """A target as a file."""
        if not is_store_path(path):
            return path
        url, _, name = path.rpartition("/")
        folder = self.folder / "targets" / f"{number:03}"
        Place.at(url, self.job.open).fetch(name, folder)
        return str(folder / name)

    @property
    def places(self) -> tuple[list[str], list[str], str]:
        """Inputs, targets and output folder as files."""
        return [str(root) for root in self.roots], self.targets, str(self.local)

    def begin(self) -> None:
        """Empties inputs and results; cards and the number of shards stay."""
        for root in self.roots:
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir(parents=True)
        self.local.mkdir(exist_ok=True)
        for entry in self.local.iterdir():
            if entry.is_file():
                entry.unlink()
            elif entry.name != "cards":
                shutil.rmtree(entry)

    def fetch_cards(self) -> dict[str, bytes]:
        """Gets all cards; returns them."""
        cards = {}
        for name in sorted(self.out.names("cards/")):
            if not is_plain(name):
                raise InputError(f"{self.out.url}/{name}: expected the name of a card")
            self.out.fetch(name, self.local)
            cards[name] = (self.local / name).read_bytes()
        return cards

    def listed(self) -> Iterator[tuple[int, str]]:
        """All objects of the inputs, each with its input."""
        for number, place in enumerate(self.inputs):
            seen = False
            for name in place.list():
                seen = True
                if name.endswith("/") or is_hidden(name):
                    continue
                if not is_plain(name):
                    raise InputError(f"{place.url}/{name}: expected a name that a file can have: rename the object")
                yield number, name
            if not seen:
                raise InputError(f"{place.url}: there is no object")

    def fetch(self, clip: tuple[int, str]) -> int:
        """Gets an object into its input; returns its size."""
        number, name = clip
        return self.inputs[number].fetch(name, self.roots[number])


def _check_apart(job: Job) -> None:
    """Refuses results among inputs or targets: one could replace a clip, and would be a clip of the next run."""
    out = job.out.rstrip("/") + "/"
    for path in [*job.inputs, *(target for target in job.targets if is_store_path(target))]:
        own = path.rstrip("/") + "/"
        if own.startswith(out) or (path in job.inputs and out.startswith(own)):
            raise InputError(f"{path} and {job.out} are not apart: name another place for the results")
