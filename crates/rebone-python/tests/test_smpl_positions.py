"""SMPL bodies of joint positions: HumanML3D, and joints alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rebone
from rebone import smpl
from rebone._smpl_body import table

#: Lean of SMPL's trunk at rest: spine above the hips, chest, neck above the chest, metres.
TRUNK = {3: [0.0, 0.107, -0.027], 6: [0.0, 0.135, 0.0], 9: [0.0, 0.05, 0.025], 12: [0.0, 0.207, -0.033]}


@pytest.fixture(scope="module")
def body(walk: rebone.Motion) -> rebone.Motion:
    """A walk of a body that leans as SMPL's does."""
    rows = table(False)
    places = np.zeros((22, 3))
    for joint, (_, parent, _, offset) in enumerate(rows):
        places[joint] = (places[parent] if parent >= 0 else 0.0) + np.array(TRUNK.get(joint, offset))
    model = {"J_regressor": np.eye(22), "v_template": places}
    return rebone.retarget(walk, smpl.skeleton(model).rest_pose()).motion


def about_y(angles: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    cos, sin = np.cos(angles), np.sin(angles)
    x, y, z = (vectors[..., k] for k in range(3))
    return np.stack([cos * x + sin * z, y, cos * z - sin * x], axis=-1)


def features(places: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """Positions as HumanML3D has them, from its published description; without rotations, speeds and contacts."""
    rows = np.zeros((len(places) - 1, 263))
    roots = places[:, 0] * [1.0, 0.0, 1.0]
    rows[:, 0] = -np.diff(headings) / 2.0
    rows[:, 1:3] = about_y(-headings[1:], np.diff(roots, axis=0))[:, [0, 2]]
    rows[:, 3] = places[:-1, 0, 1]
    around = about_y(-headings[:-1, None], places[:-1, 1:] - roots[:-1, None])
    rows[:, 4:67] = around.reshape(len(rows), -1)
    return rows


def read(arrays: dict[str, object]) -> rebone.Motion:
    with pytest.warns(rebone.ReboneWarning, match="no twist"):
        return smpl.motion(arrays)


def test_places_come_back_and_directions_are_kept(body: rebone.Motion) -> None:
    found = read({"joints": body.positions, "fps": body.fps})
    np.testing.assert_allclose(found.positions, body.positions, atol=1e-9)
    rig = rebone.sample("toy-a-pose")
    ours, theirs = (rebone.retarget(own, rig).motion for own in (found, body))
    names = [name for name in rig.skeleton.names if not name[1:].startswith(("Index", "Ring", "Thumb"))]
    joints = [rig.skeleton.names.index(name) for name in names]
    apart = np.linalg.norm(ours.positions - theirs.positions, axis=-1)[:, joints]
    height = np.ptp(theirs.positions[..., 1])
    assert apart.mean() < 0.01 * height and apart.max() < 0.05 * height


def test_humanml3d_is_read(body: rebone.Motion, tmp_path: Path) -> None:
    places = body.positions - body.positions[0, 0] * [1.0, 0.0, 1.0]
    # Any headings do, as long as the first one is zero.
    headings = np.linspace(0.0, 5.0, len(places))
    np.save(tmp_path / "000021.npy", features(places, headings))
    with pytest.warns(rebone.ReboneWarning, match="no twist"):
        found = smpl.read(tmp_path / "000021.npy")
    assert (found.fps, found.name) == (20.0, "000021")
    np.testing.assert_allclose(found.positions, places[:-1], atol=1e-9)


def test_a_body_that_kneels_with_pointed_toes_is_none_in_a_mirror(body: rebone.Motion) -> None:
    positions = np.array(body.positions[:1])
    for knee, ankle, toes in ((4, 7, 10), (5, 8, 11)):
        shin = np.linalg.norm(positions[0, ankle] - positions[0, knee])
        foot = np.linalg.norm(positions[0, toes] - positions[0, ankle])
        positions[0, ankle] = positions[0, knee] - [0.0, 0.0, shin]
        positions[0, toes] = positions[0, ankle] - [0.0, 0.02, 0.95 * foot]
    found = read({"joints": np.repeat(positions, 9, axis=0), "fps": 20})
    assert len(found) == 9


def test_what_is_no_body_is_refused(body: rebone.Motion, tmp_path: Path) -> None:
    places = body.positions
    with pytest.raises(rebone.InputError, match=r"x \* Std \+ Mean"):
        read({"joints": 5.0 * places, "fps": 20})
    with pytest.raises(rebone.InputError, match="swapped, or the body is in a mirror"):
        read({"joints": places * [-1.0, 1.0, 1.0], "fps": 20})
    stuck = places.copy()
    stuck[7, 20] = stuck[7, 18]
    with pytest.raises(rebone.InputError, match="L_Wrist stands at its parent in frame 7"):
        read({"joints": stuck, "fps": 20})
    for shape, message in (((10, 251), "KIT-ML has another skeleton"), ((10, 24, 3), r"shape \(10, 24, 3\)"), ((4,), "shape")):
        np.save(tmp_path / "other.npy", np.zeros(shape))
        with pytest.raises(rebone.ReadError, match=message):
            smpl.read(tmp_path / "other.npy")
    with pytest.raises(rebone.InputError, match="no frame"):
        read({"joints": np.zeros((0, 22, 3)), "fps": 20})


def test_bones_that_point_back_turn(body: rebone.Motion) -> None:
    places = np.array(body.positions[:2])
    # The forearm folds back over the upper arm.
    arm, upper = places[:, 18] - places[:, 16], places[:, 20] - places[:, 18]
    places[:, 20] = places[:, 18] - arm * (np.linalg.norm(upper, axis=-1) / np.linalg.norm(arm, axis=-1))[:, None]
    np.testing.assert_allclose(read({"joints": places, "fps": 20}).positions, places, atol=1e-9)
