"""Rig cards."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _rebone


@dataclass(frozen=True)
class Card:
    """A rig card: roles, calibration and limits of a rig as text, which can be corrected by hand.

    >>> import rebone
    >>> rebone.Card('up = "+Y"')
    <rebone.Card: 1 line>
    >>> rebone.Card("up = 1")
    Traceback (most recent call last):
    ...
    rebone.CardError: the card:1: found 1, expected an axis such as "+Z"
    """

    #: The text, TOML.
    text: str
    #: The file, where there is one: files that it names are beside it.
    path: str | None = None

    def __post_init__(self) -> None:
        _rebone.check_card(self.text, self.path)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Card:
        """Reads the card at a path."""
        return cls(Path(path).read_text(encoding="utf-8"), os.fspath(path))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the card."""
        Path(path).write_text(self.text, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        count = len(self.text.splitlines())
        place = "" if self.path is None else f" {self.path!r}"
        return f"<rebone.Card{place}: {count} line{'' if count == 1 else 's'}>"
