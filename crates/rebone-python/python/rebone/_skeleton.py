"""Skeletons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _rebone
from ._arrays import Floats, Ints, array_of, floats, from_bytes, quaternions
from ._checks import list_of, number, path, text
from ._errors import InputError, InputKeyError

if TYPE_CHECKING:
    from ._card import Card
    from ._motion import Motion


class Skeleton:
    """A hierarchy of J joints with one root, parents first. Lengths are in the unit of the file.

    >>> import rebone
    >>> rig = rebone.Skeleton.from_arrays(["hips", "spine"], [-1, 0], [[0, 1, 0], [0, 0.2, 0]])
    >>> rig.names, rig.parents.tolist()
    (['hips', 'spine'], [-1, 0])
    """

    _core: _rebone.Motion

    def __init__(self) -> None:
        raise TypeError("a skeleton comes from a motion, or from Skeleton.from_arrays")

    @classmethod
    def _of(cls, core: _rebone.Motion) -> Skeleton:
        own = object.__new__(cls)
        own._core = core
        return own

    @classmethod
    def from_arrays(
        cls,
        names: Sequence[str],
        parents: npt.ArrayLike,
        offsets: npt.ArrayLike,
        *,
        rest_rotations: npt.ArrayLike | None = None,
        rotation_axes: Sequence[str] | None = None,
        translation_axes: Sequence[str] | None = None,
        end_sites: Sequence[tuple[int, Sequence[float]]] = (),
        unit: str | float | None = None,
        name: str = "skeleton",
    ) -> Skeleton:
        """A skeleton of J joints: parents (J,) with -1 for the root, offsets (J, 3) from the parent at rest, in `unit`.

        `rest_rotations` (J, 4) are x, y, z, w, default none. `rotation_axes` has the axes that a joint can turn about, in the
        order of multiplication, default "zyx" for each; `translation_axes` those that it can move along, default "xyz" for the
        root. `end_sites` are points without motion: the index of a joint, and their place in its frame.
        """
        names = [text(name, "names") for name in list_of(names, "names")]
        count = len(names)
        own = array_of(parents, "parents", kinds="iufO")
        if own.shape != (count,) or own.dtype.kind not in "iu":
            raise InputError(f"parents: found {own.dtype} of shape {own.shape}, expected {count} integers")
        rest = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)) if rest_rotations is None else rest_rotations
        end_sites = [tuple(list_of(own, "end_sites")) for own in list_of(end_sites, "end_sites")]
        if any(len(end) != 2 for end in end_sites):
            raise InputError("end_sites: found no pairs, expected the index of a joint and a place")
        ends = floats([place for _, place in end_sites] or np.zeros((0, 3)), "end_sites", None, 3)
        end_parents = np.asarray([parent for parent, _ in end_sites] or np.zeros(0, np.int32))
        if end_parents.dtype.kind not in "iu" or np.any((end_parents < 0) | (end_parents >= count)):
            raise InputError(f"end_sites: found joints {end_parents.tolist()}, expected integers from 0 to {count - 1}")
        if own.size and own.min() < -1:
            raise InputError(f"parents: found {own.min()}, expected -1 for the root, or the index of a joint")
        parts: _rebone.SkeletonParts = {
            "names": [text.encode("utf-8", "surrogateescape") for text in names],
            "parents": [int(parent) for parent in own],
            "offsets": floats(offsets, "offsets", count, 3).tobytes(),
            "rest_rotations": quaternions(rest, "rest_rotations", count).tobytes(),
            "rotation_axes": _axes(rotation_axes, "rotation_axes") or ["zyx"] * count,
            "translation_axes": _axes(translation_axes, "translation_axes") or ["xyz"] + [""] * (count - 1),
            "end_parents": [int(parent) for parent in end_parents],
            "end_offsets": ends.tobytes(),
        }
        core = _rebone.Motion.of_skeleton(path(name, "name"), parts)
        if unit is not None:
            if not isinstance(unit, str):
                number(unit, "unit")
            core = core.with_statements({**core.statements, "unit": str(unit)})
        return cls._of(core)

    @cached_property
    def _parts(self) -> _rebone.SkeletonParts:
        return self._core.skeleton

    @cached_property
    def _names(self) -> list[str]:
        return [name.decode("utf-8", "surrogateescape") for name in self._parts["names"]]

    @property
    def names(self) -> list[str]:
        """Names of the joints, as the file has them."""
        return list(self._names)

    @cached_property
    def parents(self) -> Ints:
        """(J,) int32, read-only: index of each joint's parent, -1 for the root."""
        return _frozen(np.array(self._parts["parents"], dtype=np.int32))

    @cached_property
    def offsets(self) -> Floats:
        """(J, 3) float64, read-only: place of each joint in its parent's frame at rest, in the file's unit."""
        return from_bytes(self._parts["offsets"], -1, 3)

    @cached_property
    def rest_rotations(self) -> Floats:
        """(J, 4) float64, read-only: rotation of each joint against its parent at rest, x, y, z, w."""
        return from_bytes(self._parts["rest_rotations"], -1, 4)

    @property
    def rotation_axes(self) -> list[str]:
        """Axes that each joint can turn about, in the order of multiplication."""
        return list(self._parts["rotation_axes"])

    @property
    def translation_axes(self) -> list[str]:
        """Axes that each joint can move along."""
        return list(self._parts["translation_axes"])

    @property
    def end_sites(self) -> list[tuple[int, Floats]]:
        """Points without motion at the ends: the index of their joint, and their place in its frame."""
        places = from_bytes(self._parts["end_offsets"], -1, 3)
        return list(zip(self._parts["end_parents"], places))

    @property
    def metres_per_unit(self) -> float | None:
        """Metres of a unit of length, where the format, a card or a statement says it."""
        return self._core.metres_per_unit

    def index(self, name: str) -> int:
        """Index of the first joint of a name."""
        try:
            return self._names.index(name)
        except ValueError:
            raise InputKeyError(f"there is no joint {name!r}") from None

    def rest_pose(self, fps: float = 30.0) -> Motion:
        """The rest pose as a motion of one frame: a target for retargets, and written to a file one for batches.

        >>> import rebone
        >>> rebone.smpl.skeleton().rest_pose()
        <rebone.Motion 'smpl': 1 frames, 30 fps, 22 joints>
        """
        from ._motion import Motion

        return Motion.from_arrays(self, self.rest_rotations[None], fps=fps)

    def to_card(self) -> Card:
        """The rig card of the skeleton: roles and calibration as they are found in its rest pose alone."""
        from ._card import Card

        return Card(_rebone.analyse(self._core).card())

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<rebone.Skeleton {str(self._core.path)!r}: {len(self)} joints>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(tuple(self._names))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_skeleton, (_rebone.motion_state(self._core),)


def _axes(value: Sequence[str] | None, name: str) -> list[str] | None:
    """Axes of each joint, as texts."""
    return None if value is None else [text(own, name) for own in list_of(value, name)]


def _restore_skeleton(state: _rebone.MotionState) -> Skeleton:
    return Skeleton._of(_rebone.restore_motion(state))


def _frozen(array: Ints) -> Ints:
    array.setflags(write=False)
    return array
