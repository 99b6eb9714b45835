"""The skeleton of SMPL bodies: joints, roles, and bones of a middle body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._card import Card
from ._skeleton import Skeleton

#: The body of SMPL: name, parent, role, offset from the parent in the T pose of a middle body: metres, +Y up, +Z ahead, +X left.
#: Our own table, not the numbers of any model: lengths of links are shares of a stature of 1.7 m after Drillis and Contini (1966), as
#: in D. A. Winter, Biomechanics and Motor Control of Human Movement: thigh 0.245, shank 0.246, upper arm 0.186, forearm 0.146,
#: half of the shoulders 0.129, hips to shoulders 0.288. How the trunk is divided is a guess.
BODY: list[tuple[str, int, str, tuple[float, float, float]]] = [
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
BODY_JOINTS = len(BODY)
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
TIPS = {"Head": (0.0, 0.18, 0.02), "L_Foot": (0.0, -0.01, 0.07), "R_Foot": (0.0, -0.01, 0.07)}


def table(hands: bool) -> list[tuple[str, int, str, tuple[float, float, float]]]:
    """Name, parent, role and offset of all joints."""
    rows = list(BODY)
    for letter, side, sign, wrist in (("L", "left", 1.0, 20), ("R", "right", -1.0, 21)) if hands else ():
        for finger, (x, y, z) in _FINGERS:
            link = _THUMB if finger == "Thumb" else (_LINK, 0.0, 0.0)
            for k in range(3):
                offset = (sign * x, y, z) if k == 0 else (sign * link[0], link[1], link[2])
                parent = wrist if k == 0 else len(rows) - 1
                rows.append((f"{letter}_{finger}{k + 1}", parent, f"{side}{_FINGER_ROLES[finger]}", offset))
    return rows


def roles_card(hands: bool) -> Card:
    """The roles that the format states, and its rest pose, which is the calibration pose."""
    roles: dict[str, list[str]] = {}
    for name, _, role, _ in table(hands):
        roles.setdefault(role, []).append(name)
    lists = ("spine", "neck", "Thumb", "Index", "Middle", "Ring", "Little")
    lines = ["[roles]"]
    for role, names in roles.items():
        quoted = ", ".join(f'"{name}"' for name in names)
        lines.append(f"{role} = [{quoted}]" if role.endswith(lists) else f"{role} = {quoted}")
    return Card("\n".join(lines) + "\n")


def is_body(found: Skeleton) -> bool:
    """Returns whether a skeleton has the joints of SMPL, in any order, and a rest pose without rotations."""
    rows, names = table(len(found) > BODY_JOINTS), found.names
    parents = {name: names[parent] if parent >= 0 else None for name, parent in zip(names, found.parents)}
    expected = {name: rows[parent][0] if parent >= 0 else None for name, parent, _, _ in rows}
    return parents == expected and bool(np.allclose(np.abs(found.rest_rotations[:, 3]), 1.0, atol=1e-6))


def with_one_floor(options: Mapping[str, Any], targets: Sequence[Skeleton]) -> dict[str, Any]:
    """Options of a retarget onto skeletons of SMPL alone, by default with `ground="on"`, unless a part of the body is left out: then
    hips may stay where they are."""
    given = {name for name, value in options.items() if value is not None}
    if given & {"ground", "only"} or not targets or not all(is_body(target) for target in targets):
        return dict(options)
    return {**options, "ground": "on"}
