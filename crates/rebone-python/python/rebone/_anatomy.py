"""Analysed skeletons."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _rebone
from ._arrays import Floats, Ints, from_bytes, inverse, rotate
from ._card import Card
from ._errors import InputError, InputKeyError, InputTypeError
from ._mirror import Reflection
from ._motion import Motion, Path, motion_of

if TYPE_CHECKING:
    from ._job import Pair


class Anatomy:
    """What is known of a skeleton of J joints: which joint plays which role, what is up, how large it is, how it is calibrated.

    >>> import rebone
    >>> body = rebone.analyse(rebone.sample("walk"))
    >>> body.up, body.roles["leftHand"]
    ('+Y', ['LeftHand'])
    """

    _core: _rebone.Anatomy

    def __init__(self) -> None:
        raise TypeError("an anatomy comes from rebone.analyse")

    @classmethod
    def _of(cls, core: _rebone.Anatomy, made_of: Motion | tuple[Pair, int]) -> Anatomy:
        own = object.__new__(cls)
        own._core = core
        own._made_of = made_of
        return own

    #: The motion that was analysed, or a pair and the number of its body: source or target.
    _made_of: Motion | tuple[Pair, int]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """All that `rebone inspect --json` says of the file."""
        summary: dict[str, Any] = json.loads(self._core.summary())
        return summary

    @cached_property
    def _names(self) -> list[str]:
        """Names of the joints; what is no UTF-8 is a question mark."""
        return [joint["name"] for joint in self.summary["joints"]]

    @cached_property
    def _parents(self) -> Ints:
        """(J,) index of each joint's parent, -1 for the root."""
        parents = (joint["parent"] for joint in self.summary["joints"])
        return np.array([-1 if parent is None else parent for parent in parents], dtype=np.int32)

    @cached_property
    def _up(self) -> Floats:
        """(3,) the direction up in the file's axes."""
        return rotate(inverse(self.inner_from_file), np.array([0.0, 1.0, 0.0]))

    @cached_property
    def _reflection(self) -> Reflection:
        return Reflection.of(self)

    @cached_property
    def roles(self) -> dict[str, list[str]]:
        """Names of the joints of each role; roles are those of VRM. A spine may have several joints."""
        roles: dict[str, list[str]] = {}
        for joint in self.summary["joints"]:
            if joint["role"] is not None:
                roles.setdefault(joint["role"]["name"], []).append(joint["name"])
        return roles

    @cached_property
    def confidences(self) -> dict[str, float]:
        """Probability of each joint's role, 0 to 1, by the joint's name."""
        joints = (joint for joint in self.summary["joints"] if joint["role"] is not None)
        return {joint["name"]: joint["role"]["confidence"] for joint in joints}

    def role_of(self, name: str) -> str | None:
        """The role of a joint, where it has one."""
        for joint in self.summary["joints"]:
            if joint["name"] == name:
                return None if joint["role"] is None else str(joint["role"]["name"])
        raise InputKeyError(f"there is no joint {name!r}")

    def index(self, role: str) -> int:
        """Index of the first joint of a role."""
        for joint in self.summary["joints"]:
            if joint["role"] is not None and joint["role"]["name"] == role:
                return int(joint["index"])
        raise InputKeyError(f"no joint plays {role!r}")

    @property
    def confidence(self) -> float:
        """Lowest probability of roles and calibration, 0 to 1."""
        return float(self.summary["confidence"])

    @property
    def least_sure(self) -> tuple[str, float]:
        """The joint of trunk, head and limbs whose frame may be off the most, and by how much: a standard deviation, radians."""
        return self._core.least_sure()

    @property
    def up(self) -> str | None:
        """Axis of the file that points up; `None` where it is between axes."""
        up: str | None = self.summary["up"]
        return up

    @property
    def facing(self) -> str | None:
        """Axis of the file that the rest pose faces along, where it is known."""
        facing: str | None = self.summary["facing"]
        return facing

    @property
    def stature(self) -> float:
        """Height of the body in the file's unit, from legs and trunk."""
        return float(self.summary["stature"])

    @property
    def metres_per_unit(self) -> float:
        """Metres of a unit of the file if the body were 1.7 m tall."""
        return self._core.metres_per_unit

    @cached_property
    def inner_from_file(self) -> Floats:
        """(4,) float64: turns the file's axes to +Y up and +Z ahead, x, y, z, w."""
        return from_bytes(self._core.inner_from_file(), 4)

    @property
    def calibration(self) -> str:
        """Source of the calibration, a sentence."""
        return str(self.summary["calibration"])

    @cached_property
    def t_pose(self) -> Floats:
        """(J, 3) float64: places of the joints in the T pose, metres of a 1.7 m body, +Y up, +Z ahead, hips at the origin."""
        return from_bytes(self._core.t_pose(), -1, 3)

    @cached_property
    def t_pose_rotations(self) -> Floats:
        """(J, 4) float64: rotation of each joint against its parent in the T pose, x, y, z, w."""
        return from_bytes(self._core.t_pose_rotations(), -1, 4)

    @property
    def warnings(self) -> list[str]:
        """Remarks on the calibration."""
        return list(self.summary["warnings"])

    def card(self) -> Card:
        """The rig card, as `rebone card` writes it."""
        return Card(self._core.card())

    def check(self) -> None:
        """Raises `UnsureError` where roles or calibration are too uncertain to use without asking."""
        self._core.check_confidence()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Anatomy) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._core.summary())

    def _parts(self) -> tuple[str, str, bytes, bytes]:
        core = self._core
        return core.summary(), core.card(), core.t_pose(), core.t_pose_rotations()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_anatomy, (self._made_of,)

    def __repr__(self) -> str:
        return f"<rebone.Anatomy {self.summary['file']!r}: {len(self.roles)} roles, {self.confidence:.0%} sure>"

    def _repr_html_(self) -> str:
        joints = [joint for joint in self.summary["joints"] if joint["role"] is not None]
        joints.sort(key=lambda joint: float(joint["role"]["confidence"]))
        rows = "".join(
            f"<tr><td>{html.escape(joint['name'])}</td><td>{html.escape(joint['role']['name'])}</td>"
            f"<td>{joint['role']['confidence']:.0%}</td></tr>"
            for joint in joints
        )
        head = "<tr><th>joint</th><th>role</th><th>sure</th></tr>"
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{head}{rows}</table>"


def analyse(
    motion: Motion | Path,
    *,
    card: Card | Path | None = None,
    up: str | None = None,
    facing: str | None = None,
    unit: str | float | None = None,
    root_scale: str | float | None = None,
    pose_from: str | None = None,
) -> Anatomy:
    """Finds roles, axes, size and calibration of a skeleton, from the skeleton and its motion, or a file of it. What is stated is taken:
    see `Motion.with_statements`.

    >>> import rebone
    >>> rebone.analyse(rebone.sample("walk"), up="y")
    <rebone.Anatomy 'walk.bvh': 30 roles, 84% sure>
    """
    stated = motion_of(motion, "motion").with_statements(
        card=card, up=up, facing=facing, unit=unit, root_scale=root_scale, pose_from=pose_from
    )
    return Anatomy._of(_rebone.analyse(stated._core), stated)


def _restore_anatomy(made_of: Motion | tuple[Pair, int]) -> Anatomy:
    """Analyses once more, which gives equal numbers."""
    if isinstance(made_of, tuple):
        return made_of[0].anatomies[made_of[1]]
    return Anatomy._of(_rebone.analyse(made_of._core), made_of)


def learn(motions: Iterable[Motion]) -> Card:
    """The rig card of a rig, its calibration pooled from motions of it; the first one's statements hold for all.

    >>> import rebone
    >>> card = rebone.learn([rebone.sample("walk"), rebone.sample("jump")])
    >>> "[roles]" in card.text
    True
    """
    if isinstance(motions, Motion):
        raise InputTypeError("motions: found a Motion, expected a list of motions")
    all_motions = [motion_of(motion, "motions") for motion in motions]
    if not all_motions:
        raise InputError("found no motion to learn from, expected one or more")
    return Card(_rebone.learn(all_motions[0]._core, [motion._core for motion in all_motions[1:]]).card())
