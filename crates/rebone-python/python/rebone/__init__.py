"""Motion retargeting between any two skeletons.

>>> import rebone
>>> walk = rebone.sample("walk")
>>> rig = rebone.sample("toy-a-pose")
>>> result = rebone.retarget(walk, rig, limbs="position", contacts="lock")
>>> result.motion.rotations.shape
(349, 33, 4)

Lengths are in the unit of the file, angles radians, quaternions x, y, z, w: `wxyz` turns them. Arrays that come out are read-only.
Names of types and functions are those of the Rust library and of its documentation.
"""

from __future__ import annotations

import os

from . import _rebone, smpl, stores, training
from ._anatomy import Anatomy, analyse, learn
from ._arrays import wxyz, xyzw
from ._batch import Summary, batch
from ._card import Card
from ._checks import MAX_NUMBER as _MAX_NUMBER
from ._checks import count as _count
from ._checks import path as _path
from ._checks import text as _text
from ._errors import (
    CardError,
    InputError,
    NotUnderstood,
    ReadError,
    ReboneError,
    ReboneWarning,
    StagesError,
    StoreError,
    UnsureError,
    WriteError,
)
from ._job import Pair, Result, retarget
from ._merge import MergedShards, merge
from ._motion import Motion, motion_of
from ._motion import clip_choice as _clip_choice
from ._picture import MAX_PICTURES as _MAX_PICTURES
from ._picture import Picture
from ._skeleton import Skeleton
from ._verdict import Verdict, check

__version__ = _rebone.__version__

__all__ = [
    "Anatomy",
    "Card",
    "CardError",
    "InputError",
    "MergedShards",
    "Motion",
    "NotUnderstood",
    "Pair",
    "ReadError",
    "ReboneError",
    "ReboneWarning",
    "Result",
    "Skeleton",
    "StagesError",
    "StoreError",
    "Summary",
    "UnsureError",
    "Verdict",
    "WriteError",
    "analyse",
    "batch",
    "check",
    "learn",
    "merge",
    "preview",
    "read",
    "read_all",
    "retarget",
    "sample",
    "smpl",
    "stores",
    "threads",
    "training",
    "wxyz",
    "xyzw",
]


def read(
    source: str | os.PathLike[str] | bytes,
    *,
    clip: str | int | None = None,
    skin: int | None = None,
    joint: str | None = None,
    name: str | None = None,
) -> Motion:
    """Reads a motion: the file at a path, or its bytes with a name for messages. Any format: BVH, glTF, VRM, VRMA, FBX, Acclaim.

    `clip` is a clip's name or number, default the first that moves; `skin` or `joint`, the name of
    the root joint, chooses the character of a file with several, default the largest body.
    """
    choice = None if clip is None else _clip_choice(clip)
    skin = None if skin is None else _count(skin, "skin", 0, _MAX_NUMBER)
    joint = None if joint is None else _text(joint, "joint")
    if isinstance(source, (bytes, bytearray, memoryview)):
        own = _path("motion" if name is None else name, "name")
        return Motion._of(_rebone.Motion.parse(own, bytes(source), choice, skin, joint))
    return Motion._of(_rebone.Motion.open(_path(source, "source"), choice, skin, joint))


def read_all(source: str | os.PathLike[str] | bytes, *, name: str | None = None) -> list[Motion]:
    """Reads all clips of a file."""
    first = read(source, name=name)
    names = first.clip_names
    return [first.with_clip(number) for number in range(len(names))] or [first]


def sample(name: str) -> Motion:
    """One of the clips and rigs that the examples use: walk, reach, jump, sit, wave, climb, and rigs such as toy-a-pose.

    >>> import rebone
    >>> rebone.sample("walk")
    <rebone.Motion 'walk': 349 frames, 60 fps, 54 joints>
    """
    return Motion._of(_rebone.Motion.sample(_text(name, "name")))


def preview(*motions: Motion, frames: int = 8) -> Picture:
    """Picture of motions over time, one below the other, as PNG."""
    return Picture(_rebone.preview([motion_of(motion, "motions")._core for motion in motions], _count(frames, "frames", 1, _MAX_PICTURES)))


def threads(count: int | None = None) -> int:
    """The number of threads that retargets work on; sets it first where one is given, 0 for one a processor. A process that is
    forked makes threads of its own."""
    return _rebone.threads(None if count is None else _count(count, "count", 0, _MAX_NUMBER))
