"""Options, contacts and progress as they are given: words, numbers and lists as the compiled part takes them."""

from __future__ import annotations

import difflib
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _rebone
from ._checks import file_text, list_of
from ._errors import InputError, InputTypeError
from ._motion import Path

#: Progress: called with the step, how many of all are done, and all; `True` prints a line.
Progress = Callable[[str, int, int], object] | bool | None


#: Contacts: a file, its text, or a list of them.
ContactsFrom = Path | Sequence[Mapping[str, Any]] | None


#: All options with their defaults, by the words of the command line.
_DEFAULTS: dict[str, Any] = json.loads(_rebone.default_options())
#: Words that ask for a number of threads.
_THREADS = ("jobs", "n_jobs", "num_threads", "threads", "workers")


def options_text(given: Mapping[str, Any]) -> str:
    """Options as JSON with the words of the command line."""
    own: dict[str, Any] = {}
    for name, value in given.items():
        key = name.replace("_", "-")
        if name in _THREADS:
            raise TypeError(f"there is no option {name!r}: rebone.threads(n) sets the number of threads")
        if key not in _DEFAULTS:
            names = [other.replace("-", "_") for other in _DEFAULTS]
            near = difflib.get_close_matches(name, names, 1, 0.5)
            hint = f"; nearest: {near[0]}" if near else f"; options are {', '.join(sorted(names))}"
            raise TypeError(f"there is no option {name!r}{hint}")
        own[key] = _value(key, value, _DEFAULTS[key])
    return json.dumps({key: value for key, value in own.items() if value is not None})


def option(key: str, value: Any) -> Any:
    """The value of one option as the command line writes it."""
    return _value(key, value, _DEFAULTS[key])


def _value(key: str, value: Any, default: Any) -> Any:
    """A value as the command line writes it: ranges as A..B, pairs of numbers with a comma."""
    if isinstance(value, (bool, np.bool_)) and not isinstance(default, bool) and key != "loop":
        raise InputTypeError(f"{key.replace('-', '_')}: found {value}, expected {_wanted(default)}")
    if isinstance(value, (slice, range)) or (key in ("frames", "loop") and isinstance(value, (tuple, list))):
        return _frames(key, value)
    if key == "loop" and isinstance(value, bool):
        return "auto" if value else None
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{key.replace('-', '_')}: found {value}, expected a finite number")
    if isinstance(default, list) and isinstance(value, (tuple, set, frozenset)):
        return sorted(map(str, value)) if isinstance(value, (set, frozenset)) else list(value)
    if isinstance(value, tuple):
        return ",".join(str(own) for own in value)
    if isinstance(default, list) and isinstance(value, str):
        return value.split(",")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, (bool, int, float, str, list, type(None))):
        raise InputTypeError(f"{key.replace('-', '_')}: found a {type(value).__name__}, expected {_wanted(default)}")
    return value


def _wanted(default: Any) -> str:
    """Kind of values of an option, by its default."""
    if isinstance(default, (int, float)) and not isinstance(default, bool):
        return "a number"
    return "a list" if isinstance(default, list) else "a text or a number"


def contacts_text(value: ContactsFrom) -> str | None:
    """Contacts as the text of a file."""
    if value is None or (isinstance(value, str) and value.lstrip().startswith("{")):
        return value
    if isinstance(value, (str, os.PathLike)):
        return file_text(value, "contacts_from")
    fields = ("part", "on", "kind", "frames", "confidence")
    rows = list_of(value, "contacts_from")
    if not all(isinstance(contact, Mapping) for contact in rows):
        raise InputTypeError("contacts_from: found a list of other things, expected contacts as dicts")
    own = [{name: contact[name] for name in fields if contact.get(name) is not None} for contact in rows]
    try:
        return json.dumps({"contacts": own})
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"contacts_from: {error}; expected texts and numbers") from None


def _frames(key: str, value: Any) -> str:
    """A range of frames as A..B."""
    if isinstance(value, (slice, range)):
        start, end, step = value.start, value.stop, value.step
    elif len(value) == 2:
        (start, end), step = value, None
    else:
        raise InputError(f"{key}: found {len(value)} numbers, expected the first frame and the one after the last")
    if step not in (None, 1):
        raise InputError(f"{key}: found a step of {step} frames, expected 1: `fps` takes other rates")
    return f"{'' if start is None else start}..{'' if end is None else end}"


def shown(progress: Progress) -> Callable[[str, int, int], object] | None:
    """The function of a progress; `True` prints a line to standard error."""
    if progress is True:

        def show(step: str, done: int, every: int) -> None:
            print(f"\r{step} {done}/{every}   ", end="", file=sys.stderr, flush=True)

        return show
    if progress is not None and progress is not False and not callable(progress):
        raise InputTypeError(f"progress: found a {type(progress).__name__}, expected a function or True")
    return progress or None
