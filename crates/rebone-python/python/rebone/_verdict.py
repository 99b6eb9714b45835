"""Verdicts: grades of results by what a viewer sees."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _rebone
from ._arrays import Floats
from ._card import Card
from ._errors import InputError
from ._given import option
from ._motion import Motion, Path, motion_of


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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict) or (self.report, self.warnings) != (other.report, other.warnings):
            return False
        if self.curves.keys() != other.curves.keys():
            return False
        pairs = ((own, other.curves[name]) for name, own in self.curves.items())
        return all(own[0] == same[0] and np.array_equal(own[1], same[1], equal_nan=True) for own, same in pairs)

    def __hash__(self) -> int:
        return hash((self.level, self.score))

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


def check(
    source: Motion | Path,
    result: Motion | Path,
    *,
    rig: Motion | Path | None = None,
    loop: bool | str | tuple[int, int] | None = None,
    source_card: Card | Path | None = None,
    target_card: Card | Path | None = None,
) -> Verdict:
    """Compares any result with its source, as `rebone check` does: the verdict, with its figures over time. `rig` is the
    character that the result was made for, where the result does not hold it whole, as a BVH: its mesh and rest pose count.
    Of a file with several clips the one with the name of the source's is the result.
    `loop` is the cycle of the source that the result is, as for `retarget`. Cards are as in `retarget`; the target is `rig`,
    or else the result.

    >>> import rebone
    >>> walk, rig = rebone.sample("walk"), rebone.sample("one-spine")
    >>> rebone.check(walk, rebone.retarget(walk, rig).motion).level
    'PASS'
    """
    motion, made = motion_of(source, "source"), motion_of(result, "result")
    if not isinstance(result, Motion) and motion.name in made.clip_names:
        made = made.with_clip(made.clip_names.index(motion.name))
    if source_card is not None:
        motion = motion.with_statements(card=source_card)
    if target_card is not None and rig is not None:
        rig = motion_of(rig, "rig").with_statements(card=target_card)
    elif target_card is not None:
        made = made.with_statements(card=target_card)
    target = None if rig is None else motion_of(rig, "rig")._core
    cycle = None if loop is None else option("loop", loop)
    own = json.loads(_rebone.check(motion._core, made._core, target, cycle))
    return Verdict._of(own["verdict"], own["curves"], own["warnings"])
