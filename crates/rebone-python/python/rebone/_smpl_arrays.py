"""Arrays of SMPL motions, by the names that formats and programs give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import Floats, floats, rotate
from ._checks import rate
from ._errors import ReadError, warn
from ._rotvec import from_rotvec, of_matrices
from ._smpl_body import BODY_JOINTS, HAND_JOINTS
from ._smpl_file import numbers
from ._smpl_names import GROUPS, HUMANML3D_FPS, MOTION_X_FPS, MOTION_X_WIDTH, NAMES
from ._smpl_positions import humanml3d_positions

Arrays = Mapping[Any, Any]

#: Difference of betas that no bone shows.
_BETAS_ROUNDING = 1e-3


def standard_arrays(arrays: Arrays, person: int | str | None = None) -> dict[str, Any]:
    """The arrays of one person under our names. Raises ReadError where there is no motion."""
    given = _of_person(dict(arrays), person)
    own = _named(given)
    if "motion_x" in own:
        rows = floats(own["motion_x"], "rows of Motion-X", None, MOTION_X_WIDTH)
        own.update(root_orient=rows[:, :3], pose_body=rows[:, 3:66], pose_hand=rows[:, 66:156])
        own.update(trans=rows[:, 309:312], betas=rows[:, 312:322])
        own.setdefault("fps", MOTION_X_FPS)
    if "humanml3d" in own:
        own["joints"] = humanml3d_positions(own["humanml3d"])
        own.setdefault("fps", HUMANML3D_FPS)
    if not _is_motion(own):
        names = ", ".join(map(str, given)) or "nothing"
        raise ReadError(
            f"found {names}; expected poses, or root_orient and pose_body, or global_orient and body_pose, or motion_x, humanml3d or joints"
        )
    return own


def has_rotations(own: Arrays) -> bool:
    """Returns whether there are rotations, and not joint positions alone."""
    return "poses" in own or {"root_orient", "pose_body"} <= own.keys()


def _is_motion(own: Arrays) -> bool:
    return has_rotations(own) or any(name in own for name in ("motion_x", "humanml3d", "joints"))


def _named(given: Mapping[Any, Any]) -> dict[str, Any]:
    """Arrays under our names."""
    flat = _group(dict(given))
    return {ours: value for ours, names in NAMES.items() if (value := _first(flat, names)) is not None}


def _of_person(own: dict[Any, Any], person: int | str | None) -> dict[Any, Any]:
    """The arrays of a person, where there are those of several: the one that is named, or that has most frames."""
    if _is_motion(_named(own)):
        if person is not None:
            raise ReadError(f"found one body, not several: leave out person={person!r}")
        return own
    rate = _first(own, NAMES["fps"])
    own = _mapping(own.get("people") or own)
    people = {key: _mapping(value) for key, value in own.items() if _is_motion(_named(_mapping(value)))}
    if not people:
        return own
    names = ", ".join(map(str, people))
    if person is None:
        person = max(people, key=lambda key: _frames(people[key]))
        if len(people) > 1:
            warn(f"found people {names}: took {person}; state another one with person=")
    chosen = [value for key, value in people.items() if str(key) == str(person)]
    if not chosen:
        raise ReadError(f"there is no person {person!r}, only {names}")
    return chosen[0] if rate is None else {"fps": rate, **chosen[0]}


def _frames(own: Mapping[Any, Any]) -> int:
    """Number of frames of a person."""
    rotations = (_named(own).get(name) for name in ("poses", "pose_body", "joints"))
    return next((len(value) for value in rotations if value is not None and hasattr(value, "__len__")), 0)


def _group(own: dict[Any, Any]) -> dict[Any, Any]:
    """All names on one level."""
    group = next((own[name] for name in GROUPS if isinstance(_unboxed(own.get(name)), Mapping)), None)
    return own if group is None else {**own, **_mapping(group)}


def _mapping(value: Any) -> dict[Any, Any]:
    """A dict; an empty one for anything else."""
    own = _unboxed(value)
    return dict(own) if isinstance(own, Mapping) else {}


def _unboxed(value: Any) -> Any:
    """The object of an array of one object, as numpy saves a dict."""
    return value.item() if isinstance(value, np.ndarray) and value.dtype == object and value.shape == () else value


def _array(value: Any) -> Any:
    """An array, also of a tensor."""
    return value.detach().cpu().numpy() if hasattr(value, "detach") else value


def _first(own: Mapping[Any, Any], names: tuple[str, ...]) -> Any:
    return next((_array(own[name]) for name in names if own.get(name) is not None), None)


def roots_of(own: Arrays, turns: Floats, offsets: Floats) -> Floats:
    """Places (F, 3) of the pelvis, of rotation vectors (F, J, 3) and the offsets (J, 3) of a body."""
    frames = len(turns)
    roots: Floats
    found = {name: numbers(own[name], name) for name in ("trans", "hips", "world_translation") if own.get(name) is not None}
    rows = {name: value.reshape(len(value), -1) if value.size else value for name, value in found.items() if value.ndim}
    if "hips" in rows:
        # The middle of the hips is off the pelvis as the body turns.
        middle = rotate(from_rotvec(turns[:, 0]), 0.5 * (offsets[1] + offsets[2]))
        roots = floats(rows["hips"], "trans_world", frames, 3) - middle
        return roots
    if "world_translation" in rows and "world_rotation" in own:
        roots = floats(rows["world_translation"], "Th", frames, 3) + rotate(from_rotvec(turns[:, 0]), offsets[0])
        return roots
    if "trans" not in rows:
        warn("found no trans: the body stays at its place")
        rows["trans"] = np.zeros((frames, 3))
    scale = numbers(own.get("scale", 1.0), "smpl_scaling").ravel()
    if len(scale) != 1 or not 0.0 < scale[0] < np.inf:
        raise ReadError(f"smpl_scaling: found {scale[:3].tolist()}, expected one positive number")
    # The root joint turns about itself: `trans` moves the origin of the model, from which the pelvis is off.
    roots = floats(rows["trans"], "trans", frames, 3) / scale[0] + offsets[0]
    return roots


def betas_of(own: Arrays) -> Floats | None:
    """Numbers of the shape; of those that change from frame to frame their mean, for bones do not change."""
    if own.get("betas") is None:
        return None
    rows = numbers(own["betas"], "betas")
    if not rows.size:
        return None
    if not np.isfinite(rows).all():
        raise ReadError("betas: found a number that is not finite, expected numbers")
    rows = rows.reshape(-1, rows.shape[-1] if rows.ndim else 1)
    if np.ptp(rows, axis=0).max(initial=0.0) > _BETAS_ROUNDING:
        warn("betas differ from frame to frame: their mean is taken")
    mean: Floats = rows.mean(axis=0)
    return mean


def turns_of(own: Arrays) -> tuple[Floats, bool]:
    """Rotation vectors (F, J, 3) of body and, where there are any, hands; without the face."""
    if own.get("poses") is not None:
        poses = _rows(own["poses"], "poses", (22, 24, 52, 55))
        if own.get("world_rotation") is not None:
            # The first rotation of EasyMocap's poses is zero.
            root = _rows(own["world_rotation"], "Rh", (1,))
            if len(root) != len(poses):
                raise ReadError(f"found {len(root)} frames in Rh and {len(poses)} in poses, expected equal numbers")
            poses = np.concatenate([root, poses[:, 1:]], axis=1)
        joints = poses.shape[1]
        if joints > 24:
            return np.concatenate([poses[:, :BODY_JOINTS], poses[:, joints - HAND_JOINTS :]], axis=1), True
        return poses[:, :BODY_JOINTS], False
    if own.get("world_rotation") is not None:
        raise ReadError("found Rh beside root_orient or global_orient: leave one of them out")
    root, body = own["root_orient"], own["pose_body"]
    # SMPL has 23 joints below the root: the last two are hands without fingers.
    parts = [_rows(root, "root_orient", (1,)), _rows(body, "pose_body", (21, 23))[:, : BODY_JOINTS - 1]]
    hand = own.get("pose_hand")
    sides = [own.get(f"{side}_hand_pose") for side in ("left", "right")]
    if hand is not None:
        parts.append(_rows(hand, "pose_hand", (HAND_JOINTS,)))
    elif all(side is not None for side in sides):
        parts += [_rows(side, "left_hand_pose, right_hand_pose", (HAND_JOINTS // 2,)) for side in sides]
    if any(len(part) != len(parts[0]) for part in parts):
        raise ReadError(f"found {', '.join(str(len(part)) for part in parts)} frames in root, body and hands, expected equal numbers")
    return np.concatenate(parts, axis=1), len(parts) > 2


def _rows(value: Any, name: str, joints: tuple[int, ...]) -> Floats:
    """Rotation vectors (F, J, 3) of vectors or matrices, for one of some numbers of joints."""
    found = numbers(value, name)
    if not found.size:
        raise ReadError(f"{name}: found an array of shape {found.shape}, expected frames")
    found = found.reshape(len(found), -1) if found.ndim else found.reshape(1, 1)
    width = found.shape[1]
    if width in (3 * own for own in joints):
        return found.reshape(len(found), -1, 3)
    if width in (9 * own for own in joints):
        return of_matrices(found.reshape(len(found), -1, 3, 3), name)
    wanted = " or ".join(str(3 * own) for own in joints)
    raise ReadError(f"{name}: found rows of {width} numbers, expected {wanted} of rotation vectors, or 9 for each matrix")


def rate_of(own: Arrays, fps: float | None) -> float:
    """The rate that is given, or else that of the arrays, or else the usual one, with a warning."""
    if fps is not None:
        return rate(fps)
    if own.get("fps") is not None:
        found = numbers(own["fps"], "the frame rate").ravel()
        if len(found) != 1:
            raise ReadError(f"the frame rate: found {len(found)} numbers, expected one")
        return rate(float(found[0]), "the frame rate")
    usual = HUMANML3D_FPS if "joints" in own else MOTION_X_FPS
    warn(f"found no frame rate: taken as {usual:g}; state it with fps=")
    return usual
