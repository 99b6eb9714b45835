"""Motions: a skeleton and a clip of it."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _rebone
from ._arrays import Floats, Ints, floats, from_bytes, inverse, multiply, quaternions, rotate, save_npz
from ._card import Card
from ._errors import InputError
from ._named_arrays import all_moving, order_of
from ._picture import Picture
from ._skeleton import Skeleton, _frozen

Path = str | os.PathLike[str]



class Motion:
    """F frames of a skeleton of J joints, of which M can move. Nothing of it changes after it is made.

    >>> import rebone
    >>> walk = rebone.sample("walk")
    >>> len(walk), walk.rotations.shape, round(walk.fps)
    (349, (349, 54, 4), 60)
    >>> part = walk[10:60]
    >>> len(part), part.skeleton == walk.skeleton
    (50, True)
    """

    _core: _rebone.Motion

    def __init__(self) -> None:
        raise TypeError("a motion comes from rebone.read, or from Motion.from_arrays")

    @classmethod
    def _of(cls, core: _rebone.Motion) -> Motion:
        own = object.__new__(cls)
        own._core = core
        return own

    @classmethod
    def from_arrays(
        cls,
        skeleton: Skeleton,
        rotations: npt.ArrayLike,
        translations: npt.ArrayLike | None = None,
        *,
        fps: float,
        names: Sequence[str] | npt.NDArray[np.str_] | None = None,
        moving: npt.ArrayLike | None = None,
    ) -> Motion:
        """A motion of F frames: rotations (F, J, 4) against the parent, x, y, z, w; translations (F, M, 3) of the moving joints
        in their parents' frames, in the file's unit, default those at rest; or (F, 3) of the root where only it moves.

        `names` (J,) are the joints of the arrays where their order is another one, and `moving` (M,) the indices of those that
        `translations` has, as an `.npz` of rebone has both.

        >>> import rebone
        >>> walk = rebone.sample("walk")
        >>> same = rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations, fps=walk.fps)
        >>> bool((same.positions == walk.positions).all())
        True
        """
        core = skeleton._core
        turns = quaternions(rotations, "rotations", None, len(skeleton))
        order: Ints = np.arange(len(skeleton), dtype=np.int32)
        if names is not None:
            order = order_of(skeleton, names)
            turns = np.ascontiguousarray(turns[:, order])
        frames, own = len(turns), core.moving
        if translations is None:
            places = np.broadcast_to(skeleton.offsets[own], (frames, len(own), 3))
        else:
            places = np.asarray(translations)
            if moving is not None:
                places = all_moving(skeleton, places, np.argsort(order)[np.asarray(moving)])
            if places.ndim == 2 and len(own) == 1:
                places = places[:, None]
        places = floats(places, "translations", frames, len(own), 3)
        if not fps > 0:
            raise InputError(f"fps: found {fps}, expected a positive number")
        return cls._of(core.with_frames(1.0 / fps, places.tobytes(), turns.tobytes()))

    @property
    def name(self) -> str:
        """Name of the clip, or of the file without its extension."""
        return self._core.name

    @property
    def path(self) -> str:
        """Path or name of the file."""
        return str(self._core.path)

    @property
    def clip_names(self) -> list[str]:
        """Names of all clips of the file."""
        return self._core.clip_names

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton."""
        return Skeleton._of(self._core)

    @property
    def frame_time(self) -> float:
        """Seconds from one frame to the next."""
        return self._core.frame_time

    @property
    def fps(self) -> float:
        """Frames per second."""
        return 1.0 / self._core.frame_time

    @cached_property
    def times(self) -> Floats:
        """(F,) float64: seconds since the first frame."""
        return np.arange(len(self), dtype=np.float64) * np.float64(self.frame_time)

    @cached_property
    def rotations(self) -> Floats:
        """(F, J, 4) float64, read-only: rotation of each joint against its parent, x, y, z, w."""
        return from_bytes(self._core.rotations(), len(self), len(self.skeleton), 4)

    @cached_property
    def moving(self) -> Ints:
        """(M,) int32, read-only: indices of the joints that have translations, the root first."""
        return _frozen(np.array(self._core.moving, dtype=np.int32))

    @cached_property
    def translations(self) -> Floats:
        """(F, M, 3) float64, read-only: place of each moving joint in its parent's frame, in the file's unit."""
        return from_bytes(self._core.translations(), len(self), len(self._core.moving), 3)

    @cached_property
    def _world(self) -> tuple[Floats, Floats]:
        positions, rotations = self._core.world()
        joints = len(self.skeleton)
        places = from_bytes(positions, len(self), joints, 3)
        return places, from_bytes(rotations, len(self), joints, 4)

    @property
    def positions(self) -> Floats:
        """(F, J, 3) float64, read-only: place of each joint in the world, in the file's unit and axes."""
        return self._world[0]

    @property
    def world_rotations(self) -> Floats:
        """(F, J, 4) float64, read-only: rotation of each joint in the world, x, y, z, w."""
        return self._world[1]

    @property
    def metres_per_unit(self) -> float | None:
        """Metres of a unit of length, where the format, a card or a statement says it."""
        return self._core.metres_per_unit

    @property
    def warnings(self) -> list[str]:
        """Repairs of the reader, and parts that it left out."""
        return self._core.warnings

    def with_clip(self, clip: str | int) -> Motion:
        """The character with another clip of its file, by name or number."""
        return Motion._of(self._core.with_clip(clip))

    def with_statements(
        self,
        *,
        card: Card | Path | None = None,
        up: str | None = None,
        facing: str | None = None,
        unit: str | float | None = None,
        pose_from: str | None = None,
    ) -> Motion:
        """The motion with what is known of its character: a rig card, and the statements of the command line beside it.

        `up` and `facing` are axes ("y", "-z"), `unit` is "m", "cm" and so on or metres, `pose_from` is the calibration pose,
        "FILE:FRAME" or "rest". What is not given stays as it was stated before.
        """
        own = dict(self._core.statements)
        if card is not None:
            read = card if isinstance(card, Card) else Card.read(card)
            own.update(card=read.text, card_path=read.path)
        new = {"up": up, "facing": facing, "unit": None if unit is None else str(unit), "pose_from": pose_from}
        own.update({key: value for key, value in new.items() if value is not None})
        return Motion._of(self._core.with_statements(own))  # type: ignore[arg-type]

    def resampled(self, fps: float) -> Motion:
        """The motion at another rate: rotations are slerped, nothing is blended where the body jumps.

        >>> import rebone
        >>> len(rebone.sample("walk").resampled(30))
        175
        """
        if not fps > 0:
            raise InputError(f"fps: found {fps}, expected a positive number")
        return Motion._of(self._core.resampled(fps))

    def canonical(self) -> Motion:
        """The motion from the origin of the floor on, facing ahead in its first frame: +Z of a +Y up file, as the axes of
        [`Anatomy`](rebone.Anatomy) say.

        The body has to be recognised. All frames are turned and moved alike.

        >>> import rebone
        >>> walk = rebone.sample("walk").canonical()
        >>> bool(abs(walk.positions[0, 0, [0, 2]]).max() < 1e-9)
        True
        """
        from ._anatomy import Anatomy

        anatomy = Anatomy._of(_rebone.analyse(self._core))
        to_inner = anatomy.inner_from_file
        up = rotate(inverse(to_inner), np.array([0.0, 1.0, 0.0]))
        ahead = rotate(to_inner, self._ahead(anatomy, up))
        angle = -np.arctan2(ahead[0], ahead[2])
        about_up = np.array([0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
        turn = multiply(inverse(to_inner), multiply(about_up, to_inner))
        rotations, translations = self.rotations.copy(), self.translations.copy()
        rotations[:, 0] = multiply(turn, rotations[:, 0])
        root = rotate(turn, translations[:, 0])
        place = rotate(turn, self.positions[0, anatomy.index("hips")])
        translations[:, 0] = root - (place - np.dot(place, up) * up)
        return Motion.from_arrays(self.skeleton, rotations, translations, fps=self.fps)

    def _ahead(self, anatomy: Any, up: Floats) -> Floats:
        """Direction that the body faces along in the first frame, in the file's axes: from hips to their left, by up."""
        left, right = (anatomy.index(f"{side}UpperLeg") for side in ("left", "right"))
        across = self.positions[0, left] - self.positions[0, right]
        return np.cross(across, up)

    def windows(self, frames: int, step: int | None = None) -> Iterator[Motion]:
        """Parts of the motion of so many frames each, `step` frames apart (default: `frames`); a shorter rest is left out.

        >>> import rebone
        >>> [len(part) for part in rebone.sample("walk").windows(64)]
        [64, 64, 64, 64, 64]
        """
        step = frames if step is None else step
        if frames < 1 or step < 1:
            raise InputError(f"found windows of {frames} frames, {step} apart, expected positive numbers")
        for start in range(0, len(self) - frames + 1, step):
            yield self[start : start + frames]

    def arrays(self, dtype: npt.DTypeLike = np.float32) -> dict[str, npt.NDArray[Any]]:
        """The motion as a dict of arrays that `numpy.savez` takes: rotations, translations, positions, parents, offsets,
        names, fps.

        >>> import rebone
        >>> rebone.sample("walk").arrays()["positions"].dtype
        dtype('float32')
        """
        return {
            "rotations": self.rotations.astype(dtype),
            "translations": self.translations.astype(dtype),
            "positions": self.positions.astype(dtype),
            "moving": self.moving,
            "parents": self.skeleton.parents,
            "offsets": self.skeleton.offsets.astype(dtype),
            "names": np.array(self.skeleton.names),
            "fps": np.array(self.fps),
        }

    def write(self, path: Path) -> None:
        """Writes the motion as it is: BVH, glTF, GLB, VRM by the name, or float32 arrays as `.npz`. A glTF keeps all else that
        its file holds."""
        if str(path).lower().endswith(".npz"):
            save_npz(path, self.arrays())
        else:
            self._core.write(os.fspath(path))

    def preview(self, frames: int = 8) -> Picture:
        """Picture of frames over time, as PNG."""
        return Picture(_rebone.preview([self._core], frames))

    def __len__(self) -> int:
        return self._core.frames

    @overload
    def __getitem__(self, frames: slice) -> Motion: ...
    @overload
    def __getitem__(self, frames: int) -> Motion: ...
    def __getitem__(self, frames: slice | int) -> Motion:
        if not isinstance(frames, slice):
            place = range(len(self))[frames]
            return Motion._of(self._core.cut(place, place + 1))
        start, end, step = frames.indices(len(self))
        if step != 1:
            raise InputError(f"found a step of {step} frames, expected 1: `resampled` takes other rates")
        return Motion._of(self._core.cut(start, max(start, end)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Motion)
            and self.frame_time == other.frame_time
            and self.skeleton == other.skeleton
            and np.array_equal(self.rotations, other.rotations)
            and np.array_equal(self.translations, other.translations)
        )

    def __hash__(self) -> int:
        return hash((len(self), self.frame_time))

    def __repr__(self) -> str:
        size = f"{len(self)} frames, {self.fps:.6g} fps, {len(self.skeleton)} joints"
        return f"<rebone.Motion {self.name!r}: {size}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>{self.preview()._in_page()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_motion, (_rebone.motion_state(self._core),)


def _restore_motion(state: _rebone.MotionState) -> Motion:
    return Motion._of(_rebone.restore_motion(state))


def motion_of(value: Motion | Path, name: str) -> Motion:
    """A motion, or the one of the file at a path."""
    if isinstance(value, Motion):
        return value
    if isinstance(value, (str, os.PathLike)):
        return Motion._of(_rebone.Motion.open(os.fspath(value), None, None))
    raise TypeError(f"{name}: found a {type(value).__name__}, expected a Motion or the path of one")
