"""Motions of SMPL bodies: AMASS, SMPL-X, HumanML3D, and what video-to-motion programs write.

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
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, save_npz
from ._checks import flag
from ._checks import path as path_text
from ._errors import InputError, InputTypeError, ReadError, warn
from ._job import Result
from ._motion import Motion
from ._rotvec import from_rotvec, to_rotvec
from ._skeleton import Skeleton
from ._smpl_arrays import betas_of, has_rotations, rate_of, roots_of, standard_arrays, turns_of
from ._smpl_body import BODY_JOINTS, FACE_JOINTS, HAND_JOINTS, TIPS, is_body, roles_card, table
from ._smpl_file import load, numbers
from ._smpl_positions import rotations_of_positions

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

    Retargets onto it have `ground="on"` by default: the clips of a data set stand on one floor, at height 0.

    Without `model` the pelvis stands at `trans`; that of SMPL is some 0.2 m, that of SMPL-X 0.35 m, along -Y from it.

    `model` is the user's own `SMPLX_NEUTRAL.npz`, pkl or dict of arrays (`J_regressor`, `v_template`, `shapedirs`): bones are
    those of the shape `betas` then. A pkl can run any program, so it is read only with `trust=True`.
    """
    rows = table(flag(hands, "hands"))
    offsets = np.array([offset for _, _, _, offset in rows])
    if model is None and betas is not None:
        raise InputError("betas: without model= they have no effect, expected a model")
    if model is not None:
        joints = _joints_of(model, betas, trust)
        places = _chosen(joints, len(rows))
        parents = np.array([parent for _, parent, _, _ in rows])
        offsets = np.where(parents[:, None] < 0, 0.0, places - places[parents])
        # The pelvis is where the model has it: `trans` moves the model's origin.
        offsets[0] = places[0]
    return _body(offsets, hands, name)


def _body(offsets: Floats, hands: bool, name: str) -> Skeleton:
    """A skeleton with these bones, and with the roles that the format states."""
    rows = table(hands)
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
    statements = {**made._core.statements, "card": roles_card(hands).text, "pose_from": "rest"}
    return Skeleton._of(made._core.with_statements(statements))  # type: ignore[arg-type]


def _joints_of(model: Path | Arrays, betas: npt.ArrayLike | None, trust: bool) -> Floats:
    """Places of the joints of a model in a shape: J_regressor · (v_template + shapedirs · betas), metres."""
    own = model if isinstance(model, Mapping) else load(path_text(model, "model"), trust)
    absent = [key for key in ("J_regressor", "v_template", *(["shapedirs"] if betas is not None else [])) if key not in own]
    if absent:
        raise ReadError(f"the model has no {', '.join(absent)}, expected those of SMPL, SMPL+H or SMPL-X")
    try:
        return _regressed(own, betas)
    except (ValueError, IndexError, RuntimeError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"the model: {error}; expected the arrays of SMPL, SMPL+H or SMPL-X") from None


def _regressed(own: Arrays, betas: npt.ArrayLike | None) -> Floats:
    """Positions of the joints of a model with all its arrays."""
    vertices = numbers(own["v_template"], "v_template")
    regressor = own["J_regressor"]
    regressor = numbers(regressor.toarray() if hasattr(regressor, "toarray") else regressor, "J_regressor")
    if betas is not None:
        shape = numbers(betas, "betas").ravel()
        directions = np.asarray(own["shapedirs"])
        count = min(len(shape), _shapes(len(regressor), directions.shape[-1]))
        vertices = vertices + numbers(directions[..., :count], "shapedirs") @ shape[:count]
    joints: Floats = regressor @ vertices
    return joints


def _shapes(joints: int, directions: int) -> int:
    """Number of a model's directions that are shapes. In SMPL-X expressions of the face come behind them: 300 and 100, or 10 and 10 in
    its first models, as in the package smplx."""
    if joints < BODY_JOINTS + FACE_JOINTS + HAND_JOINTS:
        return directions
    return 300 if directions >= 400 else min(directions, 10)


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
    person: int | str | None = None,
    fps: float | None = None,
    trust: bool = False,
) -> Motion:
    """Reads an npz of AMASS (SMPL+H, SMPL-X); an npy of Motion-X (F, 322), of HumanML3D (F, 263), or of joint positions (F, 22, 3);
    a pt of GVHMR, with torch; a pkl of WHAM, PromptHMR, AIST++ and others. Up is read off the motion by the analysis.

    `person` is one of several in a file, else the one with most frames; `fps` the rate of a file that states none. A pkl, and
    arrays of objects, can run any program: they are read only with `trust=True`.
    """
    name = os.path.splitext(os.path.basename(path_text(path)))[0]
    return motion(load(path, trust), model, hands=hands, person=person, name=name, fps=fps, trust=trust)


def motion(
    arrays: Arrays,
    model: Path | Arrays | None = None,
    *,
    hands: bool = True,
    person: int | str | None = None,
    name: str = "smpl",
    fps: float | None = None,
    trust: bool = False,
) -> Motion:
    """The motion of arrays of F frames: poses (F, 66, 72, 156 or 165), or root_orient, pose_body, pose_hand; or global_orient,
    body_pose, transl; or `motion_x`, rows of Motion-X (F, 322). Rotations are rotation vectors, radians, or matrices
    (F, J, 3, 3); places metres. Names of GVHMR, WHAM, TRAM, PromptHMR, AIST++ and EasyMocap are known, also one level below a person.

    Or `humanml3d`, features of HumanML3D (F, 263), or `joints`, positions of the 22 joints (F, 22, 3), metres: directions of bones are
    kept; their twist is not known, a warning says so. Raises ReadError for arrays of other names or shapes, InputError for numbers
    that are none of a body.

    Hands are read where the arrays have them and `hands` is true. `fps` is the rate where the arrays state none.
    """
    if not isinstance(arrays, Mapping):
        raise ReadError(f"found a {type(arrays).__name__}, expected a dict of arrays; rows of Motion-X stand under motion_x")
    own = standard_arrays(arrays, person)
    if not has_rotations(own):
        if model is not None:
            raise InputError("joint positions have their own bones: leave out model=")
        warn("joint positions have no twist: hands are as forearms are")
        offsets, turns, roots = rotations_of_positions(own["joints"])
        return Motion.from_arrays(_body(offsets, False, name), from_rotvec(turns), roots, fps=rate_of(own, fps))
    turns, has_hands = turns_of(own)
    has_hands = has_hands and hands
    turns = turns if has_hands else turns[:, :BODY_JOINTS]
    betas = betas_of(own)
    if model is None and betas is not None and np.any(betas != 0.0):
        warn("without a model the bones are those of a middle body, whatever the betas say")
    body = skeleton(model, None if model is None else betas, hands=has_hands, name=name, trust=trust)
    roots = roots_of(own, turns, body.offsets)
    return Motion.from_arrays(body, from_rotvec(turns), roots, fps=rate_of(own, fps))


def write(result: Result | Motion, path: Path, *, betas: npt.ArrayLike | None = None, gender: str = "neutral") -> None:
    """Writes an npz as AMASS has it: of a result on a skeleton of SMPL, or of any motion of one. The rate stands under both of its
    names, for half of the readers want the one and half the other. `betas` are those of the model that the skeleton was made of.

    >>> import tempfile, numpy as np, rebone
    >>> body = rebone.Motion.from_arrays(rebone.smpl.skeleton(), [[[0, 0, 0, 1]] * 22] * 2, fps=30)
    >>> result = rebone.retarget(rebone.sample("walk"), body)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rebone.smpl.write(result, f"{folder}/walk.npz")
    ...     sorted(np.load(f"{folder}/walk.npz"))[:4]
    ['betas', 'gender', 'mocap_frame_rate', 'mocap_framerate']
    """
    own = result.motion if isinstance(result, Result) else result
    if not isinstance(own, Motion):
        raise InputTypeError(f"result: found a {type(own).__name__}, expected a Result or a Motion")
    order = _order_of_body(own.skeleton)
    metres = own.skeleton.metres_per_unit or 1.0
    turns = to_rotvec(own.rotations[:, order])
    frames = len(own)
    hand = turns[:, BODY_JOINTS:].reshape(frames, -1)
    hand = hand if hand.size else np.zeros((frames, 3 * HAND_JOINTS))
    body = turns[:, :BODY_JOINTS].reshape(frames, -1)
    usual = np.array([offset for _, _, _, offset in table(len(own.skeleton) > BODY_JOINTS)])
    if betas is None and not np.allclose(own.skeleton.offsets[order] * metres, usual, atol=1e-5):
        warn("the bones are not those of the usual body: state betas=, zeros are written")
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
    save_npz(path_text(path), arrays)


def _order_of_body(found: Skeleton) -> list[int]:
    """Index of each joint of SMPL in a skeleton, which has the same joints and a rest pose without rotations: a BVH has another order."""
    if not is_body(found):
        raise InputError("the motion is not on a skeleton of SMPL: take one of rebone.smpl.skeleton as the target")
    return [found.index(name) for name, _, _, _ in table(len(found) > BODY_JOINTS)]
