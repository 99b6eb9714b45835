"""SMPL: arrays as the formats have them, made here."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import rebone
from rebone import smpl
from rebone._arrays import multiply, rotate
from rebone._rotvec import of_matrices

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
    assert np.array_equal(smpl.read(tmp_path / "own.npz", trust=True).rotations, with_hands.rotations)
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
        read = smpl.motion({**arrays, "betas": betas}, tmp_path / name, trust=True)
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


class Touches:
    """A pickle that makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["motion.npz", "motion.pkl", "motion.bvh"])
def test_no_file_runs_a_program_unless_it_is_trusted(name, tmp_path: Path):
    mark, path = tmp_path / "mark", tmp_path / name
    if name.endswith(".npz"):
        np.savez(path, poses=np.zeros((3, 66)), trans=np.array(Touches(mark), dtype=object), other=np.array(Touches(mark), dtype=object))
    else:
        path.write_bytes(pickle.dumps({"poses": np.zeros((3, 66)), "trans": Touches(mark)}))
    with pytest.raises(rebone.ReadError):
        smpl.read(path)
    with pytest.raises(rebone.ReadError):
        smpl.skeleton(path)
    assert not mark.exists()


def test_unknown_arrays_stay_in_the_file(tmp_path: Path):
    np.savez(tmp_path / "own.npz", poses=np.zeros((3, 66)), fps=30.0, other=np.array(Touches(tmp_path / "mark"), dtype=object))
    assert len(smpl.read(tmp_path / "own.npz")) == 3
    assert not (tmp_path / "mark").exists()


def test_matrices_are_rotations(arrays):
    body = arrays["poses"][:, :66].reshape(-1, 22, 3)
    columns = [rotate(smpl.from_rotvec(body), axis) for axis in np.eye(3)]
    matrices = np.stack(columns, axis=-1)
    own = {"transl": arrays["trans"], "fps": 30.0}
    vectors = smpl.motion({**own, "global_orient": body[:, :1], "body_pose": body[:, 1:]})
    turned = smpl.motion({**own, "global_orient": matrices[:, :1], "body_pose": matrices[:, 1:]})
    np.testing.assert_allclose(turned.positions, vectors.positions, atol=1e-9)
    axes = [[np.pi, 0, 0], [0, np.pi, 0], [0, 0, np.pi], [2, 0.5, -2]]
    every = np.stack([rotate(smpl.from_rotvec(np.array(axes)), axis) for axis in np.eye(3)], axis=-1)
    again = np.stack([rotate(smpl.from_rotvec(of_matrices(every, "")), axis) for axis in np.eye(3)], axis=-1)
    np.testing.assert_allclose(again, every, atol=1e-12)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"global_orient": np.zeros((3, 6)), "body_pose": np.zeros((3, 126))}, "rows of 6 numbers"),
        ({"root_orient": np.zeros((3, 3)), "pose_body": np.zeros((3, 63)), "pose_hand": np.zeros((3, 44))}, "rows of 44 numbers"),
        ({"root_orient": np.zeros((3, 3)), "pose_body": np.zeros((2, 63))}, "found 3, 2 frames"),
        ({"root_orient": np.zeros((3, 1, 3, 3)), "pose_body": np.zeros((3, 63))}, "no rotations"),
        ({"poses": np.array([["a"] * 66])}, "expected numbers"),
        ({"poses": np.zeros((3, 66)), "fps": []}, "found 0 numbers"),
    ],
)
def test_rotations_of_other_kinds_are_refused(own, message):
    with pytest.raises(rebone.ReadError, match=message):
        smpl.motion(own)


def test_a_rate_is_stated_or_told(tmp_path: Path):
    np.savez(tmp_path / "own.npz", poses=np.zeros((3, 66)))
    with pytest.warns(UserWarning, match="taken as 30"):
        smpl.read(tmp_path / "own.npz")
    assert smpl.read(tmp_path / "own.npz", fps=25).fps == 25


def test_files_that_are_no_archives_are_read_errors(walk, tmp_path: Path):
    for content in (b"", b"HIERARCHY", b"PK\x03\x04"):
        (tmp_path / "own.npz").write_bytes(content)
        with pytest.raises(rebone.ReadError, match=r"own\.npz"):
            smpl.read(tmp_path / "own.npz")
    with pytest.raises(rebone.ReadError, match=r"expected \.npz"):
        smpl.read(tmp_path / "walk.bvh")


def test_a_body_of_another_unit_is_written_in_metres(tmp_path: Path):
    own = smpl.skeleton()
    centimetres = rebone.Skeleton.from_arrays(own.names, own.parents, own.offsets * 100, unit="cm")
    motion = rebone.Motion.from_arrays(centimetres, [[[0, 0, 0, 1]] * 22] * 2, [[100.0, 0, 0]] * 2, fps=30)
    smpl.write(motion, tmp_path / "own.npz")
    np.testing.assert_allclose(np.load(tmp_path / "own.npz")["trans"], [[1, 0, 0]] * 2)


def floor_of(motion: rebone.Motion) -> float:
    """Height of the lowest toe joint, in all but a few frames."""
    toes = [motion.skeleton.index(name) for name in ("L_Foot", "R_Foot")]
    return float(np.percentile(motion.positions[:, toes, 1].min(axis=1), 5))


def test_clips_onto_a_body_of_smpl_stand_on_one_floor(walk, tmp_path: Path):
    target = smpl.skeleton().rest_pose()
    target.write(tmp_path / "smpl.bvh")
    (tmp_path / "clips").mkdir()
    sources = []
    for number, height in enumerate((0.0, 130.0, -70.0)):
        own = rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations + [0.0, height, 0.0], fps=60)
        own.write(tmp_path / f"clips/{number}.bvh")
        sources.append(own)
    floors = [floor_of(rebone.retarget(own, target).motion) for own in sources]
    floors += [floor_of(rebone.retarget(own, tmp_path / "smpl.bvh").motion) for own in sources]
    summary = rebone.batch(tmp_path / "clips", tmp_path / "smpl.bvh", tmp_path / "out", format="npz")
    skeleton = rebone.read(tmp_path / "smpl.bvh").skeleton
    floors += [floor_of(rebone.Motion.from_npz(path, skeleton)) for path in summary.results()]
    assert len(floors) == 9 and np.ptp(floors) < 0.02 and 0.0 < min(floors) < 0.06
    kept = floor_of(rebone.retarget(sources[1], target, ground="auto").motion)
    assert kept > 0.5
    assert rebone.Pair(walk, target).options == {"ground": "on"} and rebone.Pair(walk, target, ground="keep").options == {"ground": "keep"}
    assert rebone.Pair(walk, target, only=["upper"]).options == {"only": ["upper"]}
    assert rebone.Pair(walk, rebone.sample("toy-a-pose")).options == {}
    assert pickle.loads(pickle.dumps(rebone.Pair(walk, target))).options == {"ground": "on"}
