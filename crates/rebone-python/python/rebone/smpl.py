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
import pickle
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats
from ._card import Card
from ._errors import InputError, ReadError, ReboneWarning
from ._job import Result
from ._motion import Motion
from ._skeleton import Skeleton

__all__ = ["from_rotvec", "motion", "read", "skeleton", "to_rotvec", "write"]

Path = str | os.PathLike[str]
Arrays = Mapping[str, Any]

#: The body of SMPL: name, parent, role, offset from the parent in the T pose of a middle body: metres, +Y up, +Z ahead, +X left.
#: Our own table, not the numbers of any model: lengths of links are shares of a stature of 1.7 m after Drillis and Contini (1966), as
#: in D. A. Winter, Biomechanics and Motor Control of Human Movement: thigh 0.245, shank 0.246, upper arm 0.186, forearm 0.146,
#: half of the shoulders 0.129, hips to shoulders 0.288. How the trunk is divided is a guess.
_BODY: list[tuple[str, int, str, tuple[float, float, float]]] = [
    ("Pelvis", -1, "hips", (0.0, 0.0, 0.0)),
    ("L_Hip", 0, "leftUpperLeg", (0.085, -0.06, 0.0)),
    ("R_Hip", 0, "rightUpperLeg", (-0.085, -0.06, 0.0)),
    ("Spine1", 0, "spine", (0.0, 0.1, 0.0)),
    ("L_Knee", 1, "leftLowerLeg", (0.0, -0.416, 0.0)),
    ("R_Knee", 2, "rightLowerLeg", (0.0, -0.416, 0.0)),
    ("Spine2", 3, "spine", (0.0, 0.12, 0.0)),
    ("L_Ankle", 4, "leftFoot", (0.0, -0.418, 0.0)),
    ("R_Ankle", 5, "rightFoot", (0.0, -0.418, 0.0)),
    ("Spine3", 6, "spine", (0.0, 0.06, 0.0)),
    ("L_Foot", 7, "leftToes", (0.02, -0.05, 0.13)),
    ("R_Foot", 8, "rightToes", (-0.02, -0.05, 0.13)),
    ("Neck", 9, "neck", (0.0, 0.2, 0.0)),
    ("L_Collar", 9, "leftShoulder", (0.07, 0.11, 0.0)),
    ("R_Collar", 9, "rightShoulder", (-0.07, 0.11, 0.0)),
    ("Head", 12, "head", (0.0, 0.09, 0.02)),
    ("L_Shoulder", 13, "leftUpperArm", (0.149, 0.04, 0.0)),
    ("R_Shoulder", 14, "rightUpperArm", (-0.149, 0.04, 0.0)),
    ("L_Elbow", 16, "leftLowerArm", (0.316, 0.0, 0.0)),
    ("R_Elbow", 17, "rightLowerArm", (-0.316, 0.0, 0.0)),
    ("L_Wrist", 18, "leftHand", (0.248, 0.0, 0.0)),
    ("R_Wrist", 19, "rightHand", (-0.248, 0.0, 0.0)),
]
#: Joints of the body.
BODY_JOINTS = len(_BODY)
#: Joints of both hands.
HAND_JOINTS = 30
#: Joints of the face in SMPL-X: jaw and eyes, between body and hands.
FACE_JOINTS = 3

#: Fingers in the order of SMPL+H and SMPL-X, with the place of their first joint from the left wrist.
_FINGERS: list[tuple[str, tuple[float, float, float]]] = [
    ("Index", (0.1, 0.0, 0.025)),
    ("Middle", (0.105, 0.0, 0.0)),
    ("Pinky", (0.085, -0.005, -0.045)),
    ("Ring", (0.095, 0.0, -0.025)),
    ("Thumb", (0.035, -0.015, 0.035)),
]
#: Length of the links of fingers, and of thumbs along x and z.
_LINK, _THUMB = 0.028, (0.024, -0.004, 0.018)
_FINGER_ROLES = {"Index": "Index", "Middle": "Middle", "Pinky": "Little", "Ring": "Ring", "Thumb": "Thumb"}
#: Places of tips beyond the last joints, so that the last bones have a length.
_TIPS = {"Head": (0.0, 0.18, 0.02), "L_Foot": (0.0, -0.01, 0.07), "R_Foot": (0.0, -0.01, 0.07)}


def _table(hands: bool) -> list[tuple[str, int, str, tuple[float, float, float]]]:
    """Name, parent, role and offset of all joints."""
    rows = list(_BODY)
    for letter, side, sign, wrist in (("L", "left", 1.0, 20), ("R", "right", -1.0, 21)) if hands else ():
        for finger, (x, y, z) in _FINGERS:
            link = _THUMB if finger == "Thumb" else (_LINK, 0.0, 0.0)
            for k in range(3):
                offset = (sign * x, y, z) if k == 0 else (sign * link[0], link[1], link[2])
                parent = wrist if k == 0 else len(rows) - 1
                rows.append((f"{letter}_{finger}{k + 1}", parent, f"{side}{_FINGER_ROLES[finger]}", offset))
    return rows


def _card(hands: bool) -> Card:
    """The roles that the format states, and its rest pose, which is the calibration pose."""
    roles: dict[str, list[str]] = {}
    for name, _, role, _ in _table(hands):
        roles.setdefault(role, []).append(name)
    lists = ("spine", "neck", "Thumb", "Index", "Middle", "Ring", "Little")
    lines = ["[roles]"]
    for role, names in roles.items():
        quoted = ", ".join(f'"{name}"' for name in names)
        lines.append(f"{role} = [{quoted}]" if role.endswith(lists) else f"{role} = {quoted}")
    return Card("\n".join(lines) + "\n")


def skeleton(
    model: Path | Arrays | None = None,
    betas: npt.ArrayLike | None = None,
    *,
    hands: bool = False,
    name: str = "smpl",
) -> Skeleton:
    """The skeleton of SMPL: 22 joints of the body, with `hands` 30 more. +Y up, +Z ahead, metres, T pose without rotations.

    `model` is the user's own `SMPLX_NEUTRAL.npz`, pkl or dict of arrays (`J_regressor`, `v_template`, `shapedirs`): bones are
    those of the shape `betas` then. A pkl is unpickled: take one that you trust.
    """
    rows = _table(hands)
    offsets = np.array([offset for _, _, _, offset in rows])
    if model is not None:
        joints = _joints_of(model, betas)
        places = _chosen(joints, len(rows))
        parents = np.array([parent for _, parent, _, _ in rows])
        offsets = np.where(parents[:, None] < 0, 0.0, places - places[parents])
        # The pelvis is where the model has it: `trans` moves the model's origin.
        offsets[0] = places[0]
    names = [name for name, _, _, _ in rows]
    tips = [(names.index(name), place) for name, place in _TIPS.items()]
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
    card = _card(hands)
    statements = {**made._core.statements, "card": card.text, "pose_from": "rest"}
    return Skeleton._of(made._core.with_statements(statements))  # type: ignore[arg-type]


def _joints_of(model: Path | Arrays, betas: npt.ArrayLike | None) -> Floats:
    """Places of the joints of a model in a shape: J_regressor · (v_template + shapedirs · betas), metres."""
    own = model if isinstance(model, Mapping) else _load(model)
    vertices = np.asarray(own["v_template"], dtype=np.float64)
    if betas is not None:
        shape = np.asarray(betas, dtype=np.float64).ravel()
        directions = np.asarray(own["shapedirs"], dtype=np.float64)
        count = min(len(shape), directions.shape[-1])
        vertices = vertices + directions[..., :count] @ shape[:count]
    regressor = own["J_regressor"]
    regressor = regressor.toarray() if hasattr(regressor, "toarray") else np.asarray(regressor)
    joints: Floats = np.asarray(regressor, dtype=np.float64) @ vertices
    return joints


def _load(path: Path) -> Arrays:
    if str(path).lower().endswith(".npz"):
        return dict(np.load(path, allow_pickle=True))
    with open(path, "rb") as file:
        loaded: Arrays = pickle.load(file, encoding="latin1")
    return loaded


def _chosen(joints: Floats, count: int) -> Floats:
    """Joints of the body, and of hands: behind the face in SMPL-X, at once in SMPL+H."""
    found = len(joints)
    if count == BODY_JOINTS and found >= BODY_JOINTS:
        return joints[:BODY_JOINTS]
    start = found - HAND_JOINTS
    if start not in (BODY_JOINTS, BODY_JOINTS + FACE_JOINTS):
        raise InputError(f"found a model of {found} joints, expected hands: 52 of SMPL+H or 55 of SMPL-X")
    return np.concatenate([joints[:BODY_JOINTS], joints[start:]])


def read(path: Path, model: Path | Arrays | None = None, *, hands: bool = True) -> Motion:
    """Reads an npz or pkl of AMASS (SMPL+H, SMPL-X), GVHMR, WHAM, Motion-X. Up is read off the motion by the analysis."""
    name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
    if str(path).lower().endswith(".npy"):
        return motion({"motion_x": np.load(path)}, model, hands=hands, name=name)
    return motion(_load(path), model, hands=hands, name=name)


def motion(arrays: Arrays, model: Path | Arrays | None = None, *, hands: bool = True, name: str = "smpl") -> Motion:
    """The motion of arrays of F frames: poses (F, 66, 156 or 165), or root_orient, pose_body, pose_hand; or global_orient,
    body_pose, transl; or rows of Motion-X (F, 322). Rotations are rotation vectors, radians; places metres.

    Hands are read where the arrays have them and `hands` is true.
    """
    own = _plain(arrays)
    turns, has_hands = _turns(own)
    places = _first(own, ("trans", "transl"))
    frames = len(turns)
    places = np.zeros((frames, 3)) if places is None else floats(places, "trans", frames, 3)
    has_hands = has_hands and hands
    turns = turns if has_hands else turns[:, :BODY_JOINTS]
    if model is None and np.any(np.asarray(own.get("betas", 0.0)) != 0.0):
        warnings.warn(
            "without a model the bones are those of a middle body, whatever the betas say", ReboneWarning, stacklevel=2
        )
    body = skeleton(model, own.get("betas"), hands=has_hands, name=name)
    # The root joint turns about itself: `trans` moves the origin of the model, from which the pelvis is off.
    roots = places + body.offsets[0]
    return Motion.from_arrays(body, from_rotvec(turns), roots, fps=_rate(own))


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
    poses = own.get("poses")
    if poses is not None:
        poses = np.asarray(poses, dtype=np.float64)
        poses = poses.reshape(len(poses), -1)
        width = poses.shape[1]
        body = poses[:, : 3 * BODY_JOINTS]
        if width in (156, 165):
            return _vectors(np.concatenate([body, poses[:, width - 3 * HAND_JOINTS :]], axis=1)), True
        if width in (66, 72):
            return _vectors(body), False
        raise ReadError(f"poses: found rows of {width} numbers, expected 66, 72, 156 or 165")
    root = _first(own, ("root_orient", "global_orient"))
    body = _first(own, ("pose_body", "body_pose"))
    if root is None or body is None:
        names = ", ".join(sorted(own))
        raise ReadError(f"found {names}; expected poses, or root_orient and pose_body, or global_orient and body_pose")
    parts: list[Floats] = [np.asarray(part, dtype=np.float64).reshape(len(part), -1) for part in (root, body)]
    # SMPL has 23 joints below the root: the last two are hands without fingers.
    parts[1] = parts[1][:, : 3 * (BODY_JOINTS - 1)]
    hand = own.get("pose_hand")
    if hand is None and own.get("left_hand_pose") is not None:
        hand = np.concatenate([np.asarray(own[f"{side}_hand_pose"]).reshape(len(root), -1) for side in ("left", "right")], 1)
    if hand is not None:
        hand = np.asarray(hand, dtype=np.float64).reshape(len(root), -1)
        if hand.shape[1] == 3 * HAND_JOINTS:
            return _vectors(np.concatenate([*parts, hand], axis=1)), True
    return _vectors(np.concatenate(parts, axis=1)), False


def _vectors(rows: Floats) -> Floats:
    return rows.reshape(len(rows), -1, 3)


def _rate(own: Arrays) -> float:
    """Frames per second, under each of its names; 30 where none is there, as for video."""
    rate = _first(own, ("mocap_frame_rate", "mocap_framerate", "fps", "frame_rate"))
    return 30.0 if rate is None else float(np.asarray(rate).ravel()[0])


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
    names, table = own.skeleton.names, _table(len(own.skeleton) > BODY_JOINTS)
    if names != [name for name, _, _, _ in table]:
        raise InputError("the motion is not on a skeleton of SMPL: take one of rebone.smpl.skeleton as the target")
    turns = to_rotvec(own.rotations)
    frames = len(own)
    hand = turns[:, BODY_JOINTS:].reshape(frames, -1)
    hand = hand if hand.size else np.zeros((frames, 3 * HAND_JOINTS))
    body = turns[:, :BODY_JOINTS].reshape(frames, -1)
    shape = np.zeros(16) if betas is None else np.asarray(betas, dtype=np.float64)
    np.savez(
        path,
        poses=np.concatenate([body, hand], axis=1),
        root_orient=body[:, :3],
        pose_body=body[:, 3:],
        pose_hand=hand,
        trans=own.translations[:, 0] - own.skeleton.offsets[0],
        betas=shape,
        gender=np.array(gender),
        mocap_framerate=np.array(own.fps),
        mocap_frame_rate=np.array(own.fps),
    )


def from_rotvec(vectors: npt.ArrayLike) -> Floats:
    """Rotation vectors (..., 3), radians, as quaternions x, y, z, w (..., 4).

    >>> from_rotvec([0.0, 0.0, np.pi]).round(6)
    array([0., 0., 1., 0.])
    """
    own = np.asarray(vectors, dtype=np.float64)
    angle = np.linalg.norm(own, axis=-1, keepdims=True)
    # sin(a/2)/a, whose limit is 1/2.
    share = 0.5 * np.sinc(angle / (2.0 * np.pi))
    return np.concatenate([own * share, np.cos(angle / 2.0)], axis=-1)


def to_rotvec(rotations: npt.ArrayLike) -> Floats:
    """Quaternions x, y, z, w (..., 4) as rotation vectors (..., 3), radians, of at most half a turn.

    >>> to_rotvec([0.0, 0.0, 1.0, 0.0]).round(6)
    array([0.      , 0.      , 3.141593])
    """
    own = np.asarray(rotations, dtype=np.float64)
    own = np.where(own[..., 3:] < 0.0, -own, own)
    sine = np.linalg.norm(own[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, own[..., 3:])
    share = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)
    vectors: Floats = own[..., :3] * share
    return vectors
