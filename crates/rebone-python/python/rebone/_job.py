"""Retargets: pairs, results, verdicts."""

from __future__ import annotations

import difflib
import html
import io
import json
import math
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _rebone
from ._anatomy import Anatomy
from ._arrays import Bools, Floats, floats, from_bytes, quaternions
from ._card import Card
from ._errors import InputError, ReboneWarning
from ._motion import Motion, Path, motion_of
from ._picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: Progress: called with the step, how many of all are done, and all; `True` prints a line.
Progress = Callable[[str, int, int], object] | bool | None


#: Contacts: a file, its text, or a list of them.
ContactsFrom = Path | Sequence[Mapping[str, Any]] | None


#: All options with their defaults, by the words of the command line.
_DEFAULTS: dict[str, Any] = json.loads(_rebone.default_options())


def _options(given: Mapping[str, Any]) -> str:
    """Options as JSON with the words of the command line."""
    own: dict[str, Any] = {}
    for name, value in given.items():
        key = name.replace("_", "-")
        if key not in _DEFAULTS:
            names = [other.replace("-", "_") for other in _DEFAULTS]
            near = difflib.get_close_matches(name, names, 1, 0.5)
            hint = f"; nearest: {near[0]}" if near else f"; options are {', '.join(sorted(names))}"
            raise TypeError(f"there is no option {name!r}{hint}")
        own[key] = _value(key, value, _DEFAULTS[key])
    return json.dumps({key: value for key, value in own.items() if value is not None})


def _value(key: str, value: Any, default: Any) -> Any:
    """A value as the command line writes it: ranges as A..B, pairs of numbers with a comma."""
    if isinstance(value, (slice, range)) or (key in ("frames", "loop") and isinstance(value, (tuple, list))):
        return _frames(key, value)
    if key == "loop" and isinstance(value, bool):
        return "auto" if value else None
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{key.replace('-', '_')}: found {value}, expected a finite number")
    if isinstance(default, list) and isinstance(value, tuple):
        return list(value)
    if isinstance(value, tuple):
        return ",".join(str(own) for own in value)
    if isinstance(default, list) and isinstance(value, str):
        return value.split(",")
    if isinstance(value, np.generic):
        return value.item()
    return value


def _contacts(value: ContactsFrom) -> str | None:
    """Contacts as the text of a file."""
    if value is None or (isinstance(value, str) and value.lstrip().startswith("{")):
        return value
    if isinstance(value, (str, os.PathLike)):
        return FilePath(value).read_text(encoding="utf-8")
    fields = ("part", "on", "kind", "frames", "confidence")
    own = [{name: contact[name] for name in fields if contact.get(name) is not None} for contact in value]
    return json.dumps({"contacts": own})


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


@dataclass(frozen=True, eq=False)
class Verdict:
    """Grade of a result by what a viewer sees. docs/verdict.md explains it."""

    #: "PASS", "LOOK" or "FAIL".
    level: str
    #: 0 to 1.
    score: float
    #: Findings, each with metric, value, frames and what usually helps.
    reasons: list[dict[str, Any]]
    #: All of the verdict, as JSON has it.
    report: dict[str, Any]
    #: Figures over time, by name: (unit, (F,) float64); of `check` alone.
    curves: dict[str, tuple[str, Floats]]
    #: Remarks on the comparison.
    warnings: list[str]

    @classmethod
    def _of(cls, report: dict[str, Any], curves: Any = (), warnings: Sequence[str] = ()) -> Verdict:
        own = {curve["name"]: (curve["unit"], np.array(curve["values"])) for curve in curves}
        level, score = str(report["verdict"]), float(report["score"])
        return cls(level, score, list(report["reasons"]), report, own, list(warnings))

    def plot(self) -> Any:
        """Draws the figures over time with matplotlib, one axis each; returns the figure."""
        if not self.curves:
            raise InputError("a retarget keeps no figures over time: plot the verdict of rebone.check(source, result.motion)")
        import matplotlib.pyplot as plt  # type: ignore[import-not-found,unused-ignore]

        figure, axes = plt.subplots(max(1, len(self.curves)), sharex=True, squeeze=False)
        for axis, (name, (unit, values)) in zip(axes[:, 0], self.curves.items()):
            axis.plot(values)
            axis.set_ylabel(f"{name} [{unit}]")
        return figure

    def __repr__(self) -> str:
        return f"<rebone.Verdict {self.level} {self.score:.2f}: {len(self.reasons)} findings>"

    def _repr_html_(self) -> str:
        colour = {"pass": "#2a7d2a", "look": "#b57a00", "fail": "#b3261e"}.get(self.level.lower(), "#555")
        items = "".join(f"<li>{html.escape(_finding(own))}</li>" for own in self.reasons)
        return f'<p><b style="color:{colour}">{self.level}</b> {self.score:.2f}</p><ul>{items}</ul>'


def _finding(reason: Mapping[str, Any]) -> str:
    frames = reason.get("frames")
    place = "" if frames is None else f", frames {frames[0]} to {frames[1]}"
    advice = "" if reason.get("help") is None else f": {reason['help']}"
    return f"{reason['text']}{place}{advice}"


class Pair:
    """A source and a target that are analysed once, for many clips of the source.

    >>> import rebone
    >>> walk = rebone.sample("walk")
    >>> pair = rebone.Pair(walk, rebone.sample("toy-a-pose"), limbs="position")
    >>> [len(pair.retarget(part)) for part in walk.windows(100)]
    [100, 100, 100]
    """

    _core: _rebone.Pair

    def __init__(
        self,
        source: Motion | Path,
        target: Motion | Path,
        *,
        source_card: Card | Path | None = None,
        target_card: Card | Path | None = None,
        map: Path | Mapping[str, str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Analyses both. `map` names joints of the source and of the target that play the same role."""
        text = _options(options)
        table = None
        if isinstance(map, Mapping):
            table = ("the map", json.dumps(dict(map)))
        elif map is not None:
            table = (os.fspath(map), FilePath(map).read_text(encoding="utf-8"))
        source, target = motion_of(source, "source"), motion_of(target, "target")
        source = source if source_card is None else source.with_statements(card=source_card)
        target = target if target_card is None else target.with_statements(card=target_card)
        self._made_of = (source, target, text, table)
        self._core = _rebone.Pair(source._core, target._core, text, table)

    @property
    def source(self) -> Motion:
        """The source that was analysed."""
        return self._made_of[0]

    @property
    def target(self) -> Motion:
        """The target."""
        return self._made_of[1]

    @property
    def options(self) -> dict[str, Any]:
        """Options that were given, by the words of the command line."""
        options: dict[str, Any] = json.loads(self._made_of[2])
        return options

    @cached_property
    def anatomies(self) -> tuple[Anatomy, Anatomy]:
        """Source and target as they are used: where they are one rig, they share their calibration."""
        source, target = self._core.anatomies()
        return Anatomy._of(source), Anatomy._of(target)

    @property
    def warnings(self) -> list[str]:
        """Remarks on the two together."""
        return self._core.warnings

    def retarget(
        self, motion: Motion | Path, *, contacts_from: ContactsFrom = None, progress: Progress = None
    ) -> Result:
        """Retargets a motion of the source's skeleton. `contacts_from` are contacts in place of those that are detected: a file, its
        text, or a list as `Result.contacts`. `progress` is called with step, done and all, 20 times a second at most; an exception
        in it ends the work and comes out, as Ctrl-C does."""
        motion, contacts = motion_of(motion, "motion"), _contacts(contacts_from)
        try:
            core = self._core.retarget(motion._core, contacts, _shown(progress))
        finally:
            if progress is True:
                print(file=sys.stderr)
        return Result._of(core, self, motion, contacts)

    def frame(self, rotations: npt.ArrayLike, translations: npt.ArrayLike) -> tuple[Floats, Floats]:
        """One frame, for live use: rotations (J, 4) and translations (M, 3) of the source in, of the target out. Contacts are
        not kept. Threads take turns: give each a pair of its own.

        >>> import rebone
        >>> walk = rebone.sample("walk")
        >>> pair = rebone.Pair(walk, rebone.sample("toy-a-pose"))
        >>> [array.shape for array in pair.frame(walk.rotations[7], walk.translations[7])]
        [(33, 4), (1, 3)]
        """
        skeleton = self.source.skeleton
        turns = quaternions(rotations, "rotations", len(skeleton))
        places = floats(translations, "translations", len(self.source.moving), 3)
        own = self._core.frame(turns.tobytes(), places.tobytes())
        return from_bytes(own[0], -1, 4), from_bytes(own[1], -1, 3)

    def __repr__(self) -> str:
        return f"<rebone.Pair {self.source.path!r} to {self.target.path!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_pair, self._made_of


def _restore_pair(source: Motion, target: Motion, text: str, table: Any) -> Pair:
    own = object.__new__(Pair)
    own._made_of = (source, target, text, table)
    own._core = _rebone.Pair(source._core, target._core, text, table)
    return own


class Result:
    """The source's motion on the target's skeleton, with its report.

    >>> import rebone
    >>> result = rebone.retarget(rebone.sample("walk"), rebone.sample("toy-a-pose"))
    >>> result.verdict.level, len(result.motion)
    ('PASS', 349)
    """

    def __init__(self) -> None:
        raise TypeError("a result comes from rebone.retarget, or from Pair.retarget")

    @classmethod
    def _of(cls, core: Any, pair: Pair, source: Motion, contacts: str | None) -> Result:
        # Of a pickle, `core` is the state of the compiled part.
        own = object.__new__(cls)
        own._made_of = (core, pair, source, contacts)
        return own

    _made_of: tuple[Any, Pair, Motion, str | None]

    @cached_property
    def _core(self) -> _rebone.Outcome:
        core, pair, source, contacts = self._made_of
        if isinstance(core, tuple):
            # The job of a result that was pickled is prepared at first use.
            core = pair._core.outcome(source._core, contacts, core)
        outcome: _rebone.Outcome = core
        return outcome

    @cached_property
    def _texts(self) -> tuple[str, str]:
        core = self._made_of[0]
        return (core[0], core[1]) if isinstance(core, tuple) else (core.report, core.contacts)

    @cached_property
    def motion(self) -> Motion:
        """The source's motion on the target's skeleton."""
        return Motion._of(self._core.motion)

    @property
    def source(self) -> Motion:
        """The motion that was retargeted."""
        return self._made_of[2]

    @cached_property
    def report(self) -> dict[str, Any]:
        """Goals, limits, contacts, verdict and warnings, as docs/report.md explains them."""
        report: dict[str, Any] = json.loads(self._texts[0])["report"]
        return report

    @cached_property
    def root_path(self) -> dict[str, Any] | None:
        """Path of the body over the floor: positions (F, 3), headings, axes."""
        path: dict[str, Any] | None = json.loads(self._texts[0])["root_path"]
        return path

    @cached_property
    def verdict(self) -> Verdict | None:
        """Grade of the result; `None` where there is no motion to see."""
        own = self.report["verdict"]
        return None if own is None else Verdict._of(own)

    @property
    def warnings(self) -> list[str]:
        """Parts that are lost, and what to do about it."""
        return list(self.report["warnings"])

    @cached_property
    def contacts(self) -> list[dict[str, Any]]:
        """Contacts of the source with what is kept of each: part, on, kind, frames [start, end), confidence, slack. Frames
        are those of the source's clip at the rate of the result."""
        own = self.report["contacts"]
        return [] if own is None else list(own["contacts"])

    @property
    def contacts_text(self) -> str:
        """Contacts as the text of a file, which `Pair.retarget` takes: to be corrected by hand."""
        return self._texts[1]

    def contact_labels(self, least_confidence: float = 0.5) -> dict[str, Bools]:
        """Labels of contacts with the ground, a frame: (F,) bool for each part of the body that has any.

        >>> import rebone
        >>> result = rebone.retarget(rebone.sample("walk"), rebone.sample("toy-a-pose"))
        >>> labels = result.contact_labels()
        >>> sorted(labels), labels["left foot"].shape
        (['left foot', 'right foot'], (349,))
        """
        labels: dict[str, Bools] = {}
        first = self._core.first_frame
        for contact in self.contacts:
            if contact.get("on") is None and contact["confidence"] >= least_confidence:
                label = labels.setdefault(contact["part"], np.zeros(len(self), dtype=np.bool_))
                start, end = (max(0, frame - first) for frame in contact["frames"])
                label[start:end] = True
        return labels

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the `.npz` that `write` makes: float32, lengths in metres, with contacts, touches and verdict.

        >>> import rebone
        >>> result = rebone.retarget(rebone.sample("walk"), rebone.sample("toy-a-pose"))
        >>> arrays = result.arrays()
        >>> arrays["positions"].shape[0], arrays["contacts"].shape, str(arrays["verdict"]) == result.verdict.level
        (349, (349, 11), True)
        """
        with np.load(io.BytesIO(self._core.arrays())) as file:
            return dict(file)

    def write(self, path: Path) -> None:
        """Writes the result with the bytes of the program: BVH, glTF, GLB, VRM, VRMA by the name, or arrays where it is named
        `.npz`, for which the motion is solved again."""
        for option, need in self._core.unused(os.fspath(path)):
            text = f"{option.replace('-', '_')} has no effect: it needs {need}"
            warnings.warn(text, ReboneWarning, stacklevel=2)
        self._core.write(os.fspath(path))

    def preview(self) -> Picture:
        """Picture of source and result over time, as PNG."""
        return Picture(self._core.preview())

    def __len__(self) -> int:
        return len(self.motion)

    def __repr__(self) -> str:
        verdict = "" if self.verdict is None else f", {self.verdict.level} {self.verdict.score:.2f}"
        return f"<rebone.Result {self.source.name!r}: {len(self)} frames{verdict}>"

    def _repr_html_(self) -> str:
        verdict = "" if self.verdict is None else self.verdict._repr_html_()
        limits = "".join(
            f"<li>{html.escape(own['joint'])} {html.escape(own['angle'])}: {own['frames']} frames</li>"
            for own in self.report["limits"][:3]
        )
        head = html.escape(f"{self.source.name}: {len(self)} frames")
        return f"<p>{head}</p>{verdict}<ul>{limits}</ul>{self.preview()._in_page()}"

    def __reduce__(self) -> tuple[Any, ...]:
        core, pair, source, contacts = self._made_of
        state = core if isinstance(core, tuple) else core.state()
        return Result._of, (state, pair, source, contacts)


def _shown(progress: Progress) -> Callable[[str, int, int], object] | None:
    """The function of a progress; `True` prints a line to standard error."""
    if progress is True:

        def show(step: str, done: int, every: int) -> None:
            print(f"\r{step} {done}/{every}   ", end="", file=sys.stderr, flush=True)

        return show
    return progress or None


def retarget(
    source: Motion | Path,
    target: Motion | Path,
    *,
    source_card: Card | Path | None = None,
    target_card: Card | Path | None = None,
    map: Path | Mapping[str, str] | None = None,
    contacts_from: ContactsFrom = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Result:
    """Retargets a motion onto the skeleton of another. Options have the words of the command line: see docs/options.md.

    >>> import rebone
    >>> walk, rig = rebone.sample("walk"), rebone.sample("one-spine")
    >>> rebone.retarget(walk, rig, limbs="position", frames=(0, 50), fps=30)
    <rebone.Result 'walk': 25 frames, PASS 0.93>
    >>> rebone.retarget(walk, rig, limb="position")
    Traceback (most recent call last):
    ...
    TypeError: there is no option 'limb'; nearest: limbs
    """
    source = motion_of(source, "source")
    pair = Pair(source, target, source_card=source_card, target_card=target_card, map=map, **options)
    return pair.retarget(source, contacts_from=contacts_from, progress=progress)


def check(source: Motion | Path, result: Motion | Path) -> Verdict:
    """Compares any result with its source, as `rebone check` does: the verdict, with its figures over time.

    >>> import rebone
    >>> walk, rig = rebone.sample("walk"), rebone.sample("one-spine")
    >>> rebone.check(walk, rebone.retarget(walk, rig).motion).level
    'PASS'
    """
    bodies = motion_of(source, "source"), motion_of(result, "result")
    own = json.loads(_rebone.check(*(body._core for body in bodies)))
    return Verdict._of(own["verdict"], own["curves"], own["warnings"])
