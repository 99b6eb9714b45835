"""Exceptions: their text is what the program says."""

from __future__ import annotations

import sys
import warnings
from typing import Any

__all__ = [
    "CardError",
    "InputError",
    "NotUnderstood",
    "ReadError",
    "ReboneError",
    "ReboneWarning",
    "StagesError",
    "StoreError",
    "UnsureError",
    "WriteError",
]


class ReboneError(Exception):
    """Base of all exceptions of this module. A file that is not there is a `FileNotFoundError`."""

    #: Advice, where there is some.
    help: str | None

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.help = None
        self.__dict__.update(fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__


class ReboneWarning(UserWarning):
    """An option without effect, or bones that are a guess."""


class ReadError(ReboneError, ValueError):
    """A motion file cannot be read."""

    path: str | None = None
    line: int | None = None


class WriteError(ReboneError, OSError):
    """A result cannot be written, or would replace an input."""


class NotUnderstood(ReboneError):
    """A skeleton is not recognised as a humanoid."""

    missing: list[str] = []


class UnsureError(ReboneError):
    """A guess is below confidence: state it in a card, or go on with `accept_guesses=True`."""

    path: str | None = None
    doubts: list[str] = []
    #: Lines for a rig card that settle it, with the best guess filled in.
    card_lines: str = ""


class CardError(ReboneError, ValueError):
    """A rig card or a map of joints cannot be read, or does not fit the skeleton."""

    path: str | None = None
    line: int | None = None


class InputError(ReboneError, ValueError):
    """A value of an option, a range of frames, or an array does not fit. One of another type is a `TypeError` as well, a frame that
    is not there an `IndexError`, a name that is not there a `KeyError`."""


class InputTypeError(InputError, TypeError):
    """A value of another type than is expected."""


class InputIndexError(InputError, IndexError):
    """A frame that is not there."""


class InputKeyError(InputError, KeyError):
    """A name that is not there."""

    def __str__(self) -> str:
        # A KeyError puts its text in quotes.
        return Exception.__str__(self)


class StagesError(ReboneError):
    """The joints of the target do not form the chains that the stages need."""


class StoreError(ReboneError, OSError):
    """A store of objects failed: the text names the object and what the store said; the cause is the store's own error."""


# Their place for users, also in messages and pickles.
for _name in __all__:
    globals()[_name].__module__ = "rebone"


def warn(text: str) -> None:
    """Warns at the line outside of this module that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("rebone."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, ReboneWarning, stacklevel=level)
