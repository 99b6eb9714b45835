"""Rig cards."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from . import _rebone
from ._errors import InputError


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
        return cls(Path(path).read_bytes().decode("utf-8"), os.fspath(path))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the card."""
        Path(path).write_text(self.text, encoding="utf-8", newline="\n")

    def with_role(self, role: str, joints: str | Sequence[str] | None) -> Card:
        """A card that states which joints play a role; `[]`: no joint does, `None`: it is found. All else stays as it is written.

        >>> import rebone
        >>> print(rebone.Card('roles = { hips = "Pelvis" }  # mine').with_role("leftToes", []).text)
        roles = { hips = "Pelvis", leftToes = [] }  # mine
        """
        names = [joints] if isinstance(joints, str) else joints
        return replace(self, text=_rebone.card_with_role(self.text, self.path, role, names))

    def with_pose(self, turns: Mapping[str, ArrayLike]) -> Card:
        """A card that states the calibration pose in place of any other: a turn (3,) since the rest pose for each joint that turns.

        A turn is a rotation vector in the axes of the joint, in degrees. Without turns the rest pose is the calibration pose.

        >>> import rebone
        >>> print(rebone.Card('pose_from = "rest"').with_pose({"LeftArm": [0, 0, 45]}).text, end="")
        [pose]
        LeftArm = [0.0, 0.0, 45.0]
        """
        own = []
        for joint, turn in turns.items():
            vector = np.asarray(turn, dtype=np.float64)
            if vector.shape != (3,):
                raise InputError(f"turn of {joint!r}: found the shape {vector.shape}, expected (3,)")
            own.append((joint, vector.tolist()))
        return replace(self, text=_rebone.card_with_pose(self.text, self.path, own))

    def __repr__(self) -> str:
        count = len(self.text.splitlines())
        place = "" if self.path is None else f" {self.path!r}"
        return f"<rebone.Card{place}: {count} line{'' if count == 1 else 's'}>"
