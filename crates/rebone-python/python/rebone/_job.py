"""Retargets: pairs and results."""

from __future__ import annotations

import html
import io
import json
import sys
import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _rebone
from ._anatomy import Anatomy
from ._arrays import Bools, Floats, floats, from_bytes, quaternions
from ._card import Card
from ._checks import file_text, number, text
from ._checks import path as path_text
from ._errors import CardError, InputError, ReboneWarning
from ._given import ContactsFrom, Progress, contacts_text, options_text, shown
from ._motion import Motion, Path, motion_of
from ._picture import Picture
from ._smpl_body import with_one_floor
from ._verdict import Verdict

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


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
        options_text(options)
        table = None
        if isinstance(map, Mapping):
            names = {text(own, "map"): text(other, "map") for own, other in map.items()}
            table = ("the map", json.dumps(names))
        elif map is not None:
            table = (path_text(map, "map"), file_text(map, "map", CardError))
        source, target = motion_of(source, "source"), motion_of(target, "target")
        source = source if source_card is None else source.with_statements(card=source_card)
        target = target if target_card is None else target.with_statements(card=target_card)
        words = options_text(with_one_floor(options, [target.skeleton]))
        self._made_of = (source, target, words, table)
        self._core = _rebone.Pair(source._core, target._core, words, table)

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
        """Options that were given, by the words of the command line; with `ground` onto a skeleton of SMPL."""
        options: dict[str, Any] = json.loads(self._made_of[2])
        return options

    @cached_property
    def anatomies(self) -> tuple[Anatomy, Anatomy]:
        """Source and target as they are used: where they are one rig, they share their calibration."""
        source, target = self._core.anatomies()
        return Anatomy._of(source, (self, 0)), Anatomy._of(target, (self, 1))

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
        motion, contacts = motion_of(motion, "motion"), contacts_text(contacts_from)
        try:
            core = self._core.retarget(motion._core, contacts, shown(progress))
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of[2])

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
        core, target = self._core.motion, self._made_of[1].anatomies[1]
        # An added root makes another skeleton than the target's.
        is_whole = len(core.skeleton["names"]) == len(target.t_pose)
        return Motion._of(core, target if is_whole else None)

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
        """Labels of contacts with the ground, a frame: (F,) bool for both feet, and for each other part of the body that has any.

        >>> import rebone
        >>> result = rebone.retarget(rebone.sample("walk"), rebone.sample("toy-a-pose"))
        >>> labels = result.contact_labels()
        >>> sorted(labels), labels["left foot"].shape
        (['left foot', 'right foot'], (349,))
        """
        least = number(least_confidence, "least_confidence")
        if not 0.0 <= least <= 1.0:
            raise InputError(f"least_confidence: found {least:g}, expected 0 to 1")
        labels: dict[str, Bools] = {f"{side} foot": np.zeros(len(self), dtype=np.bool_) for side in ("left", "right")}
        first = self._core.first_frame
        for contact in self.contacts:
            if contact.get("on") is None and contact["confidence"] >= least:
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
        `.npz`."""
        place = path_text(path)
        for option, need in self._core.unused(place):
            remark = f"{option.replace('-', '_')} has no effect: it needs {need}"
            warnings.warn(remark, ReboneWarning, stacklevel=2)
        self._core.write(place)

    def preview(self) -> Picture:
        """Picture of source and result over time, as PNG."""
        return Picture(self._core.preview())

    def __len__(self) -> int:
        return len(self.motion)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._parts() == other._parts() and self.motion == other.motion

    def __hash__(self) -> int:
        return hash(self._texts)

    def _parts(self) -> tuple[Any, ...]:
        return self._texts, *self._made_of[1:]

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
