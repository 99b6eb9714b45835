"""Arrays as video-to-motion programs write them, made here."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rebone
from rebone import smpl
from rebone._arrays import rotate

FRAMES = 12


@pytest.fixture(scope="module")
def turns() -> np.ndarray:
    """Rotation vectors (F, 24, 3)."""
    return 0.3 * np.random.default_rng(4).standard_normal((FRAMES, 24, 3))


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    return np.random.default_rng(5).standard_normal((FRAMES, 3))


@pytest.fixture(scope="module")
def expected(turns: np.ndarray, places: np.ndarray) -> rebone.Motion:
    return smpl.motion({"poses": turns.reshape(FRAMES, -1), "trans": places, "fps": 30})


def matrices(turns: np.ndarray) -> np.ndarray:
    own = smpl.from_rotvec(turns)
    return np.stack([rotate(own, np.broadcast_to(axis, (*own.shape[:-1], 3))) for axis in np.eye(3)], axis=-1)


def assert_same(found: rebone.Motion, expected: rebone.Motion) -> None:
    np.testing.assert_allclose(found.positions, expected.positions, atol=1e-9)


def test_the_person_with_most_frames_or_the_stated_one_is_read(
    turns: np.ndarray, places: np.ndarray, expected: rebone.Motion, tmp_path: Path
) -> None:
    poses = turns.reshape(FRAMES, -1)
    middle = 0.5 * (expected.positions[:, 1] + expected.positions[:, 2])
    short = {"pose_world": poses[:3], "trans_world": middle[:3], "betas": np.zeros((3, 10))}
    wham = {
        3: short,
        7: {"pose": 0.0 * poses, "pose_world": poses, "trans": 9.0 + places, "trans_world": middle, "betas": np.zeros((FRAMES, 10))},
    }
    with pytest.warns(rebone.ReboneWarning, match="found people 3, 7: took 7"):
        found = smpl.motion(wham, fps=30)
    assert_same(found, expected)
    assert len(smpl.motion(wham, fps=30, person=3)) == len(smpl.motion(wham, fps=30, person="3")) == 3
    with pytest.raises(rebone.ReadError, match="no person 4, only 3, 7"):
        smpl.motion(wham, person=4)
    (tmp_path / "wham.pkl").write_bytes(pickle.dumps({0: wham[7]}))
    assert_same(smpl.read(tmp_path / "wham.pkl", trust=True, fps=30), expected)


def test_names_and_shapes_of_programs_are_known(turns: np.ndarray, places: np.ndarray, expected: rebone.Motion) -> None:
    poses = turns.reshape(FRAMES, -1)
    shifted = expected.positions[:, 0] - rotate(smpl.from_rotvec(turns[:, 0]), np.broadcast_to(expected.skeleton.offsets[0], (FRAMES, 3)))
    params = {"global_orient": poses[:, :3], "body_pose": poses[:, 3:66], "transl": places}
    forms: dict[str, dict[Any, Any]] = {
        "GVHMR": {"smpl_params_global": params, "smpl_params_incam": {**params, "global_orient": 0.0 * poses[:, :3]}},
        "GVHMR's camera": {"smpl_params_incam": params, "K_fullimg": np.eye(3)},
        "TRAM": {"pred_rotmat": matrices(turns), "pred_trans": places[:, None], "frame": np.arange(FRAMES)},
        "PromptHMR": {"people": {"1": {"frames": np.arange(FRAMES), "smplx_world": {"pose": np.zeros((FRAMES, 165)), "trans": places}}}},
        "EasyMocap": {"poses": np.concatenate([0.0 * poses[:, :3], poses[:, 3:]], axis=1), "Rh": poses[:, :3], "Th": shifted},
        "AIST++": {"smpl_poses": poses, "smpl_trans": 90.0 * places, "smpl_scaling": np.array([90.0])},
    }
    forms["PromptHMR"]["people"]["1"]["smplx_world"]["pose"][:, :66] = poses[:, :66]
    for name, own in forms.items():
        found = smpl.motion(own, fps=30, hands=False)
        np.testing.assert_allclose(found.positions, expected.positions, atol=1e-9, err_msg=name)


def test_files_of_objects_need_trust(turns: np.ndarray, places: np.ndarray, expected: rebone.Motion, tmp_path: Path) -> None:
    own = {"pred_rotmat": matrices(turns), "pred_trans": places[:, None]}
    np.save(tmp_path / "hps.npy", np.array(own, dtype=object))
    with pytest.raises(rebone.ReadError, match="allow_pickle|pickle"):
        smpl.read(tmp_path / "hps.npy")
    assert_same(smpl.read(tmp_path / "hps.npy", trust=True, fps=30), expected)
    np.savez(tmp_path / "other.npz", verts=np.zeros(3))
    with pytest.raises(rebone.ReadError, match="found verts; expected arrays of SMPL"):
        smpl.read(tmp_path / "other.npz")
    with pytest.raises(rebone.ReadError, match=r"poses: found an array of shape \(0, 156\), expected frames"):
        smpl.motion({"poses": np.zeros((0, 156)), "fps": 30})


def model(joints: int, directions: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(joints + directions)
    template = rng.standard_normal((joints, 3))
    return {"J_regressor": np.eye(joints), "v_template": template, "shapedirs": rng.standard_normal((joints, 3, directions))}


def test_shapes_of_each_frame_are_one_and_faces_are_none(turns: np.ndarray, places: np.ndarray) -> None:
    betas = np.random.default_rng(6).standard_normal(16)
    arrays = {"poses": turns.reshape(FRAMES, -1), "trans": places, "fps": 30}
    own = model(24, 300)
    once = smpl.motion({**arrays, "betas": betas[:10]}, own)
    assert_same(smpl.motion({**arrays, "betas": np.tile(betas[:10], (FRAMES, 1))}, own), once)
    changing = np.tile(betas[:10], (FRAMES, 1)) + np.linspace(-1.0, 1.0, FRAMES)[:, None]
    with pytest.warns(rebone.ReboneWarning, match="betas differ from frame to frame"):
        assert_same(smpl.motion({**arrays, "betas": changing}, own), once)
    # SMPL-X as it was first published: ten directions of the body, ten of the face.
    own = model(55, 20)
    body = {**own, "shapedirs": own["shapedirs"][..., :10]}
    assert_same(smpl.motion({**arrays, "betas": betas}, own), smpl.motion({**arrays, "betas": betas}, body))


def test_a_motion_of_a_model_wants_its_betas(turns: np.ndarray, places: np.ndarray, tmp_path: Path) -> None:
    own, betas = model(24, 10), np.linspace(-1.0, 1.0, 10)
    motion = smpl.motion({"poses": turns.reshape(FRAMES, -1), "trans": places, "betas": betas, "fps": 30}, own)
    with pytest.warns(rebone.ReboneWarning, match="state betas="):
        smpl.write(motion, tmp_path / "without.npz")
    smpl.write(motion, tmp_path / "with.npz", betas=betas)
    assert_same(smpl.read(tmp_path / "with.npz", own, hands=False), motion)
