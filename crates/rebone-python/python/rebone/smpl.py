"""Motions of SMPL bodies: AMASS, SMPL-X, and what video-to-motion programs write.

No licensed model comes with this module. Without the user's own model the bones are those of a middle body, our own table: directions,
contacts and verdicts do not need true lengths; `limbs="position"` and `travel="metric"` do.

>>> import numpy as np
>>> import rebone
>>> poses = np.zeros((60, 66))
>>> walk = rebone.smpl.motion({"poses": poses, "trans": np.zeros((60, 3)), "mocap_framerate": 30.0})
>>> walk.skeleton.names[:4], walk.positions.shape
(['Pelvis', 'L_Hip', 'R_Hip', 'Spine1'], (60, 22, 3))
>>> result = rebone.retarget(walk, rebone.sample("toy-a-pose"))
>>> len(result)
60
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats, save_npz
from ._errors import InputError, ReadError, ReboneWarning
from ._job import Result
from ._motion import Motion
from ._rotvec import from_rotvec, of_matrices, to_rotvec
from ._skeleton import Skeleton
from ._smpl_body import BODY_JOINTS, FACE_JOINTS, HAND_JOINTS, TIPS, roles_card, table
from ._smpl_file import load, numbers

__all__ = ["from_rotvec", "motion", "read", "skeleton", "to_rotvec", "write"]

Path = str | os.PathLike[str]
Arrays = Mapping[str, Any]


def skeleton(
    model: Path | Arrays | None = None,
    betas: npt.ArrayLike | None = None,
    *,
    hands: bool = False,
    name: str = "smpl",
    trust: bool = False,
) -> Skeleton:
    """The skeleton of SMPL: 22 joints of the body, with `hands` 30 more. +Y up, +Z ahead, metres, T pose without rotations.

    `model` is the user's own `SMPLX_NEUTRAL.npz`, pkl or dict of arrays (`J_regressor`, `v_template`, `shapedirs`): bones are
    those of the shape `betas` then. A pkl can run any program, so it is read only with `trust=True`.
    """
    rows = table(hands)
    offsets = np.array([offset for _, _, _, offset in rows])
    if model is not None:
        joints = _joints_of(model, betas, trust)
        places = _chosen(joints, len(rows))
        parents = np.array([parent for _, parent, _, _ in rows])
        offsets = np.where(parents[:, None] < 0, 0.0, places - places[parents])
        # The pelvis is where the model has it: `trans` moves the model's origin.
        offsets[0] = places[0]
    names = [name for name, _, _, _ in rows]
    tips = [(names.index(name), place) for name, place in TIPS.items()]
    tips += [(k, offsets[k]) for k, name in enumerate(names) if name[-1] == "3" and "_" in name]
    made = Skeleton.from_arrays(
        names,
        [parent for _, parent, _, _ in rows],
        offsets,
        rotation_axes=["xyz"] * len(rows),
        end_sites=tips,
        unit="m",
        name=name,
    )
    return _stated(made, hands)


def _stated(made: Skeleton, hands: bool) -> Skeleton:
    """The skeleton with the roles that the format states."""
    card = roles_card(hands)
    statements = {**made._core.statements, "card": card.text, "pose_from": "rest"}
    return Skeleton._of(made._core.with_statements(statements))  # type: ignore[arg-type]


def _joints_of(model: Path | Arrays, betas: npt.ArrayLike | None, trust: bool) -> Floats:
    """Places of the joints of a model in a shape: J_regressor · (v_template + shapedirs · betas), metres."""
    own = model if isinstance(model, Mapping) else load(model, trust)
    absent = [key for key in ("J_regressor", "v_template", *(["shapedirs"] if betas is not None else [])) if key not in own]
    if absent:
        raise ReadError(f"the model has no {', '.join(absent)}, expected those of SMPL, SMPL+H or SMPL-X")
    vertices = numbers(own["v_template"], "v_template")
    if betas is not None:
        shape = numbers(betas, "betas").ravel()
        directions = numbers(own["shapedirs"], "shapedirs")
        count = min(len(shape), directions.shape[-1])
        vertices = vertices + directions[..., :count] @ shape[:count]
    regressor = own["J_regressor"]
    joints: Floats = numbers(regressor.toarray() if hasattr(regressor, "toarray") else regressor, "J_regressor") @ vertices
    return joints


def _chosen(joints: Floats, count: int) -> Floats:
    """Joints of the body, and of hands: behind the face in SMPL-X, at once in SMPL+H."""
    found = len(joints)
    if count == BODY_JOINTS and found >= BODY_JOINTS:
        return joints[:BODY_JOINTS]
    start = found - HAND_JOINTS
    if start not in (BODY_JOINTS, BODY_JOINTS + FACE_JOINTS):
        raise InputError(f"found a model of {found} joints, expected hands: 52 of SMPL+H or 55 of SMPL-X")
    return np.concatenate([joints[:BODY_JOINTS], joints[start:]])


def read(
    path: Path,
    model: Path | Arrays | None = None,
    *,
    hands: bool = True,
    fps: float | None = None,
    trust: bool = False,
) -> Motion:
    """Reads an npz or pkl of AMASS (SMPL+H, SMPL-X), GVHMR, WHAM, Motion-X. Up is read off the motion by the analysis.

    `fps` is the rate of a file that states none. A pkl, and an npz with objects in it, can run any program: they are read only with
    `trust=True`.
    """
    name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
    return motion(load(path, trust), model, hands=hands, name=name, fps=fps, trust=trust)


def motion(
    arrays: Arrays,
    model: Path | Arrays | None = None,
    *,
    hands: bool = True,
    name: str = "smpl",
    fps: float | None = None,
    trust: bool = False,
) -> Motion:
    """The motion of arrays of F frames: poses (F, 66, 156 or 165), or root_orient, pose_body, pose_hand; or global_orient,
    body_pose, transl; or `motion_x`, rows of Motion-X (F, 322). Rotations are rotation vectors, radians, or matrices
    (F, J, 3, 3); places metres.

    Hands are read where the arrays have them and `hands` is true. `fps` is the rate where the arrays state none.
    """
    if not isinstance(arrays, Mapping):
        raise ReadError(f"found a {type(arrays).__name__}, expected a dict of arrays; rows of Motion-X stand under motion_x")
    own = _plain(arrays)
    turns, has_hands = _turns(own)
    places = _first(own, ("trans", "transl"))
    frames = len(turns)
    places = np.zeros((frames, 3)) if places is None else floats(places, "trans", frames, 3)
    has_hands = has_hands and hands
    turns = turns if has_hands else turns[:, :BODY_JOINTS]
    betas = None if own.get("betas") is None else numbers(own["betas"], "betas")
    if model is None and betas is not None and np.any(betas != 0.0):
        warnings.warn(
            "without a model the bones are those of a middle body, whatever the betas say", ReboneWarning, stacklevel=2
        )
    rate = _rate(own) if fps is None else fps
    if rate is None:
        warnings.warn("found no frame rate: taken as 30; state it with fps=", ReboneWarning, stacklevel=2)
        rate = 30.0
    body = skeleton(model, betas, hands=has_hands, name=name, trust=trust)
    # The root joint turns about itself: `trans` moves the origin of the model, from which the pelvis is off.
    roots = places + body.offsets[0]
    return Motion.from_arrays(body, from_rotvec(turns), roots, fps=rate)


def _plain(arrays: Arrays) -> dict[str, Any]:
    """All names on one level: video-to-motion programs put theirs into `smpl_params_global`."""
    own = dict(arrays)
    for key in ("smpl_params_global", "smplx", "smpl"):
        inner = own.get(key)
        if isinstance(inner, np.ndarray) and inner.dtype == object and inner.shape == ():
            inner = inner.item()
        if isinstance(inner, Mapping):
            own.update(inner)
    for key, value in own.items():
        if hasattr(value, "detach"):
            own[key] = value.detach().cpu().numpy()
    if "motion_x" in own:
        rows = floats(own["motion_x"], "rows of Motion-X", None, 322)
        own.update(root_orient=rows[:, :3], pose_body=rows[:, 3:66], pose_hand=rows[:, 66:156])
        own.update(trans=rows[:, 309:312], betas=rows[0, 312:322])
        own.setdefault("fps", 30.0)
    return own


def _first(own: Arrays, names: tuple[str, ...]) -> Any:
    return next((own[name] for name in names if own.get(name) is not None), None)


def _turns(own: Arrays) -> tuple[Floats, bool]:
    """Rotation vectors (F, J, 3) of body and, where there are any, hands; without the face."""
    if own.get("poses") is not None:
        poses = _rows(own["poses"], "poses", (22, 24, 52, 55))
        joints = poses.shape[1]
        if joints > 24:
            return np.concatenate([poses[:, :BODY_JOINTS], poses[:, joints - HAND_JOINTS :]], axis=1), True
        return poses[:, :BODY_JOINTS], False
    root = _first(own, ("root_orient", "global_orient"))
    body = _first(own, ("pose_body", "body_pose"))
    if root is None or body is None:
        names = ", ".join(sorted(own))
        raise ReadError(f"found {names}; expected poses, or root_orient and pose_body, or global_orient and body_pose")
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
    found = found.reshape(len(found), -1) if found.ndim else found.reshape(0, 0)
    width = found.shape[1]
    if width in (3 * own for own in joints):
        return found.reshape(len(found), -1, 3)
    if width in (9 * own for own in joints):
        return of_matrices(found.reshape(len(found), -1, 3, 3), name)
    wanted = " or ".join(str(3 * own) for own in joints)
    raise ReadError(f"{name}: found rows of {width} numbers, expected {wanted} of rotation vectors, or 9 for each matrix")


def _rate(own: Arrays) -> float | None:
    """Frames per second, under each of its names."""
    rate = _first(own, ("mocap_frame_rate", "mocap_framerate", "fps", "frame_rate"))
    if rate is None:
        return None
    found = numbers(rate, "the frame rate").ravel()
    if len(found) != 1:
        raise ReadError(f"the frame rate: found {len(found)} numbers, expected one")
    return float(found[0])


def write(result: Result | Motion, path: Path, *, betas: npt.ArrayLike | None = None, gender: str = "neutral") -> None:
    """Writes an npz as AMASS has it: of a result on a skeleton of SMPL, or of any motion of one. The rate stands under both of its
    names, for half of the readers want the one and half the other.

    >>> import tempfile, numpy as np, rebone
    >>> body = rebone.Motion.from_arrays(rebone.smpl.skeleton(), [[[0, 0, 0, 1]] * 22] * 2, fps=30)
    >>> result = rebone.retarget(rebone.sample("walk"), body)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rebone.smpl.write(result, f"{folder}/walk.npz")
    ...     sorted(np.load(f"{folder}/walk.npz"))[:4]
    ['betas', 'gender', 'mocap_frame_rate', 'mocap_framerate']
    """
    own = result.motion if isinstance(result, Result) else result
    _check_body(own.skeleton)
    metres = own.skeleton.metres_per_unit or 1.0
    turns = to_rotvec(own.rotations)
    frames = len(own)
    hand = turns[:, BODY_JOINTS:].reshape(frames, -1)
    hand = hand if hand.size else np.zeros((frames, 3 * HAND_JOINTS))
    body = turns[:, :BODY_JOINTS].reshape(frames, -1)
    shape = np.zeros(16) if betas is None else numbers(betas, "betas")
    arrays = {
        "poses": np.concatenate([body, hand], axis=1),
        "root_orient": body[:, :3],
        "pose_body": body[:, 3:],
        "pose_hand": hand,
        "trans": (own.translations[:, 0] - own.skeleton.offsets[0]) * metres,
        "betas": shape,
        "gender": np.array(gender),
        "mocap_framerate": np.array(own.fps),
        "mocap_frame_rate": np.array(own.fps),
    }
    save_npz(path, arrays)


def _check_body(found: Skeleton) -> None:
    """Checks that a skeleton is one of SMPL: joints, parents, rest pose without rotations."""
    rows = table(len(found) > BODY_JOINTS)
    is_body = found.names == [name for name, _, _, _ in rows] and list(found.parents) == [parent for _, parent, _, _ in rows]
    if not is_body or not np.allclose(np.abs(found.rest_rotations[:, 3]), 1.0, atol=1e-9):
        raise InputError("the motion is not on a skeleton of SMPL: take one of rebone.smpl.skeleton as the target")
