"""Rig cards."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from . import _rebone
from ._arrays import array_of
from ._checks import file_text, list_of, text
from ._checks import path as path_text
from ._errors import CardError, InputError, InputTypeError, WriteError


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
        text(self.text, "text")
        _rebone.check_card(self.text, self.path)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Card:
        """Reads the card at a path."""
        return cls(file_text(path, "path", CardError), path_text(path))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the card."""
        place = path_text(path)
        try:
            Path(place).write_text(self.text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise WriteError(f"cannot write {place}: {error.strerror or error}") from error

    def with_role(self, role: str, joints: str | Sequence[str] | None) -> Card:
        """A card that states which joints play a role; `[]`: no joint does, `None`: it is found. All else stays as it is written.

        >>> import rebone
        >>> print(rebone.Card('roles = { hips = "Pelvis" }  # mine').with_role("leftToes", []).text)
        roles = { hips = "Pelvis", leftToes = [] }  # mine
        """
        names = [joints] if isinstance(joints, str) else joints
        names = None if names is None else [text(name, "joints") for name in list_of(names, "joints")]
        return replace(self, text=_rebone.card_with_role(self.text, self.path, text(role, "role"), names))

    def with_pose(self, turns: Mapping[str, ArrayLike]) -> Card:
        """A card that states the calibration pose in place of any other: a turn (3,) since the rest pose for each joint that turns.

        A turn is a rotation vector in the axes of the joint, in degrees. Without turns the rest pose is the calibration pose.

        >>> import rebone
        >>> print(rebone.Card('pose_from = "rest"').with_pose({"LeftArm": [0, 0, 45]}).text, end="")
        [pose]
        LeftArm = [0.0, 0.0, 45.0]
        """
        if not isinstance(turns, Mapping):
            raise InputTypeError(f"turns: found a {type(turns).__name__}, expected a dict of joints and turns")
        own = []
        for joint, turn in turns.items():
            vector = array_of(turn, f"turn of {text(joint, 'joint')!r}").astype(np.float64)
            if vector.shape != (3,):
                raise InputError(f"turn of {joint!r}: found the shape {vector.shape}, expected (3,)")
            own.append((joint, vector.tolist()))
        return replace(self, text=_rebone.card_with_pose(self.text, self.path, own))

    def __repr__(self) -> str:
        count = len(self.text.splitlines())
        place = "" if self.path is None else f" {self.path!r}"
        return f"<rebone.Card{place}: {count} line{'' if count == 1 else 's'}>"
