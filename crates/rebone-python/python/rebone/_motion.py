"""Motions: a skeleton and a clip of it."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _rebone
from ._arrays import Floats, Ints, array_of, floats, from_bytes, multiply, quaternions, rotate, save_npz
from ._card import Card
from ._checks import MAX_NUMBER, count, number, rate
from ._checks import path as path_text
from ._errors import InputError, InputIndexError, InputTypeError, ReboneError
from ._facing import about_up, ahead_of
from ._mirror import mirrored
from ._named_arrays import all_moving, arrays_of, check_offsets, in_unit_of, joints_of, order_of, read_npz, skeleton_of
from ._picture import MAX_PICTURES, Picture
from ._skeleton import Skeleton, _frozen

if TYPE_CHECKING:
    from ._anatomy import Anatomy

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
    #: The anatomy by which the motion was made, if any.
    _anatomy: Anatomy | None

    def __init__(self) -> None:
        raise TypeError("a motion comes from rebone.read, or from Motion.from_arrays")

    @classmethod
    def _of(cls, core: _rebone.Motion, anatomy: Anatomy | None = None) -> Motion:
        own = object.__new__(cls)
        own._core = core
        own._anatomy = anatomy
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
        offsets: npt.ArrayLike | None = None,
    ) -> Motion:
        """A motion of F frames: rotations (F, J, 4) against the parent, x, y, z, w; translations (F, M, 3) of the moving joints
        in their parents' frames, in the file's unit, default those at rest; or (F, 3) of the root where only it moves.

        `names` (J,) are the joints of the arrays where their order is another one, and `moving` (M,) the indices of those that
        `translations` has, as an `.npz` of rebone has both. `offsets` (J, 3) are those that come with the arrays: where they are not
        the skeleton's, as metres are not centimetres, the arrays are refused.

        >>> import rebone
        >>> walk = rebone.sample("walk")
        >>> same = rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations, fps=walk.fps)
        >>> bool((same.positions == walk.positions).all())
        True
        """
        if not isinstance(skeleton, Skeleton):
            raise InputTypeError(f"skeleton: found a {type(skeleton).__name__}, expected a Skeleton")
        core = skeleton._core
        turns = quaternions(rotations, "rotations", None, len(skeleton))
        order: Ints = np.arange(len(skeleton), dtype=np.int32)
        if names is not None:
            order = order_of(skeleton, names)
            turns = np.ascontiguousarray(turns[:, order])
        if offsets is not None:
            check_offsets(skeleton, floats(offsets, "offsets", len(skeleton), 3)[order])
        frames, own = len(turns), core.moving
        if translations is None:
            places = np.broadcast_to(skeleton.offsets[own], (frames, len(own), 3))
        else:
            places = array_of(translations, "translations")
            if moving is not None:
                places = all_moving(skeleton, places, frames, np.argsort(order)[joints_of(moving, len(skeleton))].astype(np.int32))
            if places.ndim == 2 and len(own) == 1:
                places = places[:, None]
        places = floats(places, "translations", frames, len(own), 3)
        return cls._of(core.with_frames(1.0 / rate(fps), places.tobytes(), turns.tobytes()))

    @classmethod
    def from_npz(cls, path: Path, skeleton: Skeleton | None = None) -> Motion:
        """The motion of an `.npz` that a retarget, a batch or `write` made. Its skeleton is that of the file, in metres; or the given
        one, with the same joints and bones in any unit and order, whose unit the motion has then. It is named after the file.

        The file holds no axes of rotation, end sites, meshes and statements: give the rig's skeleton where they matter.

        >>> import tempfile, numpy as np, rebone
        >>> walk = rebone.sample("walk")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     walk.write(f"{folder}/walk.npz")
        ...     read = rebone.Motion.from_npz(f"{folder}/walk.npz", walk.skeleton)
        >>> np.allclose(read.positions, walk.positions, rtol=1e-5, atol=1e-4), read.fps == walk.fps
        (True, True)
        """
        arrays = read_npz(path)
        if skeleton is None:
            skeleton = skeleton_of(arrays)
        elif not isinstance(skeleton, Skeleton):
            raise InputTypeError(f"skeleton: found a {type(skeleton).__name__}, expected a Skeleton")
        keys = ("rotations", "translations", "names", "moving")
        arrays.update(in_unit_of(skeleton, arrays))
        motion = cls.from_arrays(skeleton, fps=float(arrays["fps"]), **{key: arrays[key] for key in keys})
        return cls._of(motion._core.of_file(path_text(path)))

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
        return Motion._of(self._core.with_clip(clip_choice(clip)))

    def with_statements(
        self,
        *,
        card: Card | Path | None = None,
        up: str | None = None,
        facing: str | None = None,
        unit: str | float | None = None,
        root_scale: str | float | None = None,
        pose_from: str | None = None,
    ) -> Motion:
        """The motion with what is known of its character: a rig card, and the statements of the command line beside it.

        `up` and `facing` are axes ("y", "-z"), `unit` is "m", "cm" and so on or metres, `root_scale` is a factor
        on the positions of the root or "auto", `pose_from` is the calibration pose, "FILE:FRAME" or "rest". What is not given stays as it was stated before.
        """
        own = dict(self._core.statements)
        if card is not None:
            read = card if isinstance(card, Card) else Card.read(card)
            own.update(card=read.text, card_path=read.path)
        for name, value in (("unit", unit), ("root_scale", root_scale)):
            if value is not None and not isinstance(value, str):
                number(value, name)
        new = {"up": up, "facing": facing, "unit": unit, "root_scale": root_scale, "pose_from": pose_from}
        own.update({key: str(value) for key, value in new.items() if value is not None})
        return Motion._of(self._core.with_statements(own))  # type: ignore[arg-type]

    def resampled(self, fps: float) -> Motion:
        """The motion at another rate: rotations are slerped, nothing is blended where the body jumps.

        >>> import rebone
        >>> len(rebone.sample("walk").resampled(30))
        175
        """
        return Motion._of(self._core.resampled(rate(fps)), self._anatomy)

    def canonical(self, anatomy: Anatomy | None = None) -> Motion:
        """The motion from the origin of the floor on, facing ahead in its first frame: +Z of a +Y up file, as the axes of
        [`Anatomy`](rebone.Anatomy) say.

        The body has to be recognised. All frames are turned and moved alike. `anatomy` is that of another motion of the skeleton, as
        of the clip that this one is a part of; else the motion is analysed.

        >>> import rebone
        >>> walk = rebone.sample("walk").canonical()
        >>> bool(abs(walk.positions[0, 0, [0, 2]]).max() < 1e-9)
        True
        """
        if not len(self):
            raise InputError("found no frame, expected one that faces ahead")
        anatomy = self._known(anatomy)
        first = from_bytes(self._core.cut(0, 1).world()[0], -1, 3)
        up, ahead, place = anatomy._up, ahead_of(first, anatomy), first[anatomy.index("hips")]
        turn = about_up(anatomy, -float(np.arctan2(ahead[0], ahead[2])))
        return self._moved(anatomy, turn, -rotate(turn, place - np.dot(place, up) * up))

    def turned(self, angle: float, anatomy: Anatomy | None = None) -> Motion:
        """The motion turned about the vertical through the origin, by its yaw: `angle` in radians, -2π to 2π, counterclockwise seen
        from above. `anatomy` is as in `canonical`.

        >>> import numpy as np, rebone
        >>> walk = rebone.sample("walk")
        >>> quarter = walk.turned(np.pi / 2)
        >>> bool(np.allclose(quarter.positions, walk.positions[..., [2, 1, 0]] * [1, 1, -1]))
        True
        """
        found = number(angle, "angle")
        if abs(found) > 2.0 * np.pi:
            raise InputError(f"angle: found {found:g}, expected radians, -2π to 2π: numpy.radians makes them of degrees")
        anatomy = self._known(anatomy)
        return self._moved(anatomy, about_up(anatomy, found), np.zeros(3))

    def mirrored(self, anatomy: Anatomy | None = None) -> Motion:
        """The motion as in a mirror: left and right change sides, across the plane of up and ahead (+X to -X of a +Y up file that
        faces +Z) through the origin. Mirrored twice, it is the motion again. `anatomy` is as in `canonical`.

        Bones stay as long as they are: an uneven body does not become its reflection. Joints without a counterpart on the other side
        keep their rotation. To have contacts as well, retarget the mirrored source.

        >>> import rebone
        >>> walk = rebone.sample("walk")
        >>> mirrored = walk.mirrored()
        >>> left, right = walk.skeleton.index("LeftFoot"), walk.skeleton.index("RightFoot")
        >>> bool(abs(mirrored.positions[:, left] - walk.positions[:, right] * [-1, 1, 1]).max() < 1e-3)
        True
        >>> bool(abs(mirrored.mirrored().positions - walk.positions).max() < 1e-9)
        True
        """
        anatomy = self._known(anatomy)
        return self._with_frames(anatomy, *mirrored(self, anatomy))

    def _known(self, anatomy: Anatomy | None) -> Anatomy:
        """The anatomy that is given, or was used to make the motion, or else that of an analysis."""
        from ._anatomy import Anatomy

        if anatomy is None:
            return self._anatomy or Anatomy._of(_rebone.analyse(self._core), self)
        if not isinstance(anatomy, Anatomy):
            raise InputTypeError(f"anatomy: found a {type(anatomy).__name__}, expected an Anatomy")
        names = [name.decode("utf-8", "replace") for name in self.skeleton._parts["names"]]
        if anatomy._names != names or not np.array_equal(anatomy._parents, self.skeleton.parents):
            raise InputError("anatomy: it is of another skeleton, expected that of the motion")
        return anatomy

    def _moved(self, anatomy: Anatomy, turn: Floats, shift: Floats) -> Motion:
        """All frames turned about the origin, then shifted."""
        rotations, translations = self.rotations.copy(), self.translations.copy()
        rotations[:, 0] = multiply(turn, rotations[:, 0])
        translations[:, 0] = rotate(turn, translations[:, 0]) + shift
        return self._with_frames(anatomy, rotations, translations)

    def _with_frames(self, anatomy: Anatomy, rotations: Floats, translations: Floats) -> Motion:
        """The character with other frames at its rate, of which the anatomy is known."""
        made = Motion.from_arrays(self.skeleton, rotations, translations, fps=self.fps)
        return Motion._of(made._core, anatomy)

    def windows(self, frames: int, step: int | None = None) -> Iterator[Motion]:
        """Parts of the motion of so many frames each, `step` frames apart (default: `frames`); a shorter rest is left out.

        >>> import rebone
        >>> [len(part) for part in rebone.sample("walk").windows(64)]
        [64, 64, 64, 64, 64]
        """
        frames = count(frames, "frames", 1)
        step = frames if step is None else count(step, "step", 1)
        for start in range(0, len(self) - frames + 1, step):
            yield self[start : start + frames]

    def arrays(self, dtype: npt.DTypeLike = np.float32) -> dict[str, npt.NDArray[Any]]:
        """The motion as a dict of arrays that `numpy.savez` takes: rotations, translations, moving, positions, parents, offsets,
        rest_rotations, names, fps, unit, metres_per_unit. Numbers and names are those of the `.npz` of a result: see docs/batch.md;
        joints that stay at their offsets are not among `moving`.

        Lengths are in metres and `unit` is "m": by the stated unit, else the usual one in which the body has the size of a person. Where
        there is neither, they are in the file's unit, `unit` is "" and `metres_per_unit` NaN.

        >>> import rebone
        >>> arrays = rebone.sample("twist-zup-cm").arrays()
        >>> arrays["positions"].dtype, str(arrays["unit"]), bool(1.5 < np.ptp(arrays["positions"][..., 2]) < 2.0)
        (dtype('float32'), 'm', True)
        """
        return arrays_of(self, dtype, self._metres())

    def _metres(self) -> float | None:
        """Metres of a unit of the file: as stated, or by the size of the body where it is recognised."""
        if self.metres_per_unit is not None:
            return self.metres_per_unit
        try:
            return self._known(None)._core.file_unit_metres
        except ReboneError:
            return None

    def write(self, path: Path) -> None:
        """Writes the motion as it is: BVH, glTF, GLB, VRM by the name, or float32 arrays in metres as `.npz`. A glTF
        keeps all else that its file holds."""
        if path_text(path).lower().endswith(".npz"):
            save_npz(path, self.arrays())
        else:
            self._core.write(path_text(path))

    def preview(self, frames: int = 8) -> Picture:
        """Picture of frames over time, as PNG."""
        return Picture(_rebone.preview([self._core], count(frames, "frames", 1, MAX_PICTURES)))

    def __len__(self) -> int:
        return self._core.frames

    @overload
    def __getitem__(self, frames: slice) -> Motion: ...
    @overload
    def __getitem__(self, frames: int) -> Motion: ...
    def __getitem__(self, frames: slice | int) -> Motion:
        if not isinstance(frames, slice):
            place = count(frames, "frame", -sys.maxsize)
            if not -len(self) <= place < len(self):
                raise InputIndexError(f"found frame {place}, expected 0 to {len(self) - 1} of {len(self)} frames")
            place %= len(self)
            return Motion._of(self._core.cut(place, place + 1), self._anatomy)
        try:
            start, end, step = frames.indices(len(self))
        except TypeError:
            raise InputTypeError(f"found {frames}, expected integers") from None
        if step != 1:
            raise InputError(f"found a step of {step} frames, expected 1: `resampled` takes other rates")
        return Motion._of(self._core.cut(start, max(start, end)), self._anatomy)

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
        return Motion._of(_rebone.Motion.open(path_text(value, name), None, None, None))
    raise InputTypeError(f"{name}: found a {type(value).__name__}, expected a Motion or the path of one")


def clip_choice(value: Any) -> str | int:
    """A clip of a file: its name, or its number."""
    return value if isinstance(value, str) else count(value, "clip", 0, MAX_NUMBER)
