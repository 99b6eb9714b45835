"""Batches in shards: cards before them, one manifest after them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _rebone
from ._job import _options, _paths
from ._motion import Path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


@dataclass(frozen=True)
class CardsSummary:
    """Cards that a survey found or made."""

    #: Rig classes: `name` of the card, `clips`, `state` "made", "kept" or "failed", and the `fault`.
    classes: list[dict[str, Any]]
    #: Number of files that were surveyed, without rigs.
    files: int
    #: Number of them that had waited for a card in a shard.
    waiting: int
    #: Files that cannot be read, each with its reason.
    unread: list[tuple[str, str]]


@dataclass(frozen=True)
class Merged:
    """Manifests of shards in one."""

    #: Path of the merged manifest: a line of JSON for each clip and rig, sorted.
    manifest: str
    #: Number of shards of the folder.
    shards: int
    #: Numbers of shards that were never begun.
    missing: list[int]
    #: Numbers of shards that are at work, or were killed.
    unfinished: list[int]
    #: Number of lines by their status: "done", "failed", "no-card", "skipped".
    counts: dict[str, int]
    #: Number of results by their grades.
    verdicts: dict[str, int]

    @property
    def complete(self) -> bool:
        """All shards are in the manifest."""
        return not self.missing and not self.unfinished


def make_cards(
    inputs: Path | Iterable[Path],
    targets: Path | Iterable[Path],
    out: Path,
    *,
    sample: int = 10_000,
    **options: Unpack[Options],
) -> CardsSummary:
    """Makes the cards of rigs and clips, and no results: before shards, as `rebone batch --cards-only` does.

    `sample` is the number of files to survey; those without a card in an earlier shard come first.
    """
    flags: _rebone.BatchFlags = {
        "name": None,
        "format": None,
        "shard": None,
        "rules": None,
        "one_file": False,
        "prune": False,
        "overwrite": False,
        "force": False,
        "relearn": False,
    }
    text = _rebone.batch_cards(_paths(inputs), _paths(targets), os.fspath(out), _options(options), flags, sample)
    own = json.loads(text)
    own["unread"] = [(path, reason) for path, reason in own["unread"]]
    return CardsSummary(**own)


def merge(out: Path) -> Merged:
    """Merges the manifests of all finished shards of a folder into its `manifest.jsonl`, as `rebone merge` does."""
    return Merged(**json.loads(_rebone.merge(os.fspath(out))))
