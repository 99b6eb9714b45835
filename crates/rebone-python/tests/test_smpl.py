"""SMPL: arrays as the formats have them, made here."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import rebone
from rebone import smpl
from rebone._arrays import multiply

#: +Y up to +Z up, and to −Y up.
UP = {"+Y": [0.0, 0.0, 0.0], "+Z": [np.pi / 2, 0.0, 0.0], "-Y": [np.pi, 0.0, 0.0]}


@pytest.fixture(scope="module")
def body(walk) -> rebone.Motion:
    """A walk on SMPL's skeleton, with hands."""
    rest = rebone.Motion.from_arrays(smpl.skeleton(hands=True), [[[0, 0, 0, 1]] * 52], fps=30)
    return rebone.retarget(walk, rest).motion


@pytest.fixture(scope="module")
def arrays(body, tmp_path_factory) -> dict[str, np.ndarray]:
    path = tmp_path_factory.mktemp("smpl") / "walk.npz"
    smpl.write(body, path)
    return dict(np.load(path))


def test_the_format_states_the_roles(body):
    anatomy = rebone.analyse(body)
    assert anatomy.roles["leftUpperArm"] == ["L_Shoulder"] and anatomy.roles["rightLittle"][0] == "R_Pinky1"
    assert len(anatomy.roles["spine"]) == 3 and anatomy.confidence > 0.9
    assert body.metres_per_unit == 1.0


@pytest.mark.parametrize("up", UP)
def test_up_is_read_off_the_motion(body, up):
    turn = smpl.from_rotvec(UP[up])
    from rebone._arrays import rotate

    rotations = body.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    turned = rebone.Motion.from_arrays(body.skeleton, rotations, rotate(turn, body.translations), fps=body.fps)
    anatomy = rebone.analyse(turned)
    assert anatomy.up == up
    rig = rebone.sample("toy-a-pose")
    ours, theirs = rebone.retarget(turned, rig), rebone.retarget(body, rig)
    heights = [own.motion.positions[:, 0, 1] for own in (ours, theirs)]
    np.testing.assert_allclose(heights[0], heights[1], atol=1e-3 * np.ptp(theirs.motion.positions[..., 1]))


def test_amass_comes_back(body, arrays, tmp_path: Path):
    assert arrays["poses"].shape == (len(body), 156) and arrays["mocap_frame_rate"] == pytest.approx(body.fps)
    again = smpl.motion(arrays)
    np.testing.assert_allclose(again.positions, body.positions, atol=1e-9)
    smpl.write(again, tmp_path / "again.npz")
    second = np.load(tmp_path / "again.npz")
    np.testing.assert_allclose(second["poses"], arrays["poses"], atol=1e-6)
    np.testing.assert_allclose(second["trans"], arrays["trans"], atol=1e-9)


def forms(own: dict[str, np.ndarray]) -> dict[str, dict[str, object]]:
    frames = len(own["poses"])
    body, hands = own["poses"][:, :66], own["poses"][:, 66:]
    trans, rate = own["trans"], float(own["mocap_framerate"])
    face = np.zeros((frames, 9))
    rows = np.zeros((frames, 322))
    rows[:, :156], rows[:, 309:312] = own["poses"], trans
    return {
        "smplh": {"poses": own["poses"], "trans": trans, "mocap_framerate": rate},
        "stageii": {
            "root_orient": body[:, :3],
            "pose_body": body[:, 3:],
            "pose_hand": hands,
            "trans": trans,
            "mocap_frame_rate": rate,
        },
        "smplx": {"poses": np.concatenate([body, face, hands], 1), "trans": trans, "mocap_frame_rate": rate},
        "video": {"global_orient": body[:, None, :3], "body_pose": body[:, 3:].reshape(frames, 21, 3), "transl": trans},
        "gvhmr": {"smpl_params_global": {"global_orient": body[:, :3], "body_pose": body[:, 3:], "transl": trans}},
        "smpl": {"poses": np.concatenate([body, np.zeros((frames, 6))], 1), "trans": trans, "fps": rate},
        "motion_x": {"motion_x": rows, "fps": rate},
    }


@pytest.mark.parametrize("form", ["smplh", "stageii", "smplx", "video", "gvhmr", "smpl", "motion_x"])
def test_all_forms_are_one_motion(body, arrays, form, tmp_path: Path):
    own = forms(arrays)[form]
    motion = smpl.motion(own, hands=False)
    assert len(motion.skeleton) == 22
    np.testing.assert_allclose(motion.positions, body.positions[:, :22], atol=1e-9)
    with_hands = smpl.motion(own)
    assert len(with_hands.skeleton) == (52 if form in ("smplh", "stageii", "smplx", "motion_x") else 22)
    np.savez(tmp_path / "own.npz", **own)  # type: ignore[arg-type]
    assert np.array_equal(smpl.read(tmp_path / "own.npz").rotations, with_hands.rotations)
    assert len(rebone.retarget(motion, rebone.sample("one-spine"))) == len(body)


@pytest.mark.parametrize("joints", [52, 55])
def test_a_model_gives_the_bones(arrays, joints, tmp_path: Path):
    """A model of as many vertices as joints: J = v + s·b."""
    random = np.random.default_rng(7)
    places = random.normal(size=(joints, 3)) * 0.1 + np.linspace(0, 1, joints)[:, None]
    shapes = random.normal(size=(joints, 3, 4)) * 0.01
    model = {"J_regressor": np.eye(joints), "v_template": places, "shapedirs": shapes}
    betas = np.array([1.0, -2.0, 0.5, 0.0])
    expected = places + shapes @ betas
    expected = np.concatenate([expected[:22], expected[joints - 30 :]])
    made = smpl.skeleton(model, betas, hands=True)
    rest = rebone.Motion.from_arrays(made, [[[0, 0, 0, 1]] * 52], fps=30)
    np.testing.assert_allclose(rest.positions[0], expected, atol=1e-12)
    np.savez(tmp_path / "model.npz", **model)
    with open(tmp_path / "model.pkl", "wb") as file:
        pickle.dump(model, file)
    for name in ("model.npz", "model.pkl"):
        read = smpl.motion({**arrays, "betas": betas}, tmp_path / name)
        # The pelvis is where the model has it, moved by `trans`.
        np.testing.assert_allclose(read.positions[:, 0], arrays["trans"] + expected[0], atol=1e-12)


def test_what_does_not_fit_is_refused(body, walk, tmp_path: Path):
    with pytest.raises(rebone.ReadError, match="rows of 63 numbers"):
        smpl.motion({"poses": np.zeros((3, 63))})
    with pytest.raises(rebone.ReadError, match="found betas, trans; expected poses"):
        smpl.motion({"betas": np.zeros(10), "trans": np.zeros((3, 3))})
    with pytest.raises(rebone.InputError, match="not on a skeleton of SMPL"):
        smpl.write(walk, tmp_path / "walk.npz")
    with pytest.warns(UserWarning, match="a middle body"):
        smpl.motion({"poses": np.zeros((3, 66)), "betas": np.ones(10)})


def test_rotation_vectors_come_back():
    random = np.random.default_rng(3)
    vectors = random.normal(size=(1000, 3))
    vectors *= (random.uniform(0, np.pi - 1e-6, 1000) / np.linalg.norm(vectors, axis=1))[:, None]
    vectors[:3] = [[0, 0, 0], [1e-14, 0, 0], [0, 1e-9, 0]]
    np.testing.assert_allclose(smpl.to_rotvec(smpl.from_rotvec(vectors)), vectors, atol=1e-9)
