"""Arrays: shapes, round trips, refusals."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rebone


def test_arrays_come_back_to_the_bit(walk, tmp_path: Path):
    frames, joints = len(walk), len(walk.skeleton)
    assert walk.rotations.shape == (frames, joints, 4) and walk.rotations.dtype == np.float64
    assert walk.translations.shape == (frames, len(walk.moving), 3)
    assert walk.positions.shape == (frames, joints, 3) and walk.world_rotations.shape == (frames, joints, 4)
    again = rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations, fps=walk.fps)
    assert again == walk
    with pytest.raises(ValueError, match="read-only"):
        walk.rotations[0] = 0
    walk.write(tmp_path / "same.bvh")
    read = rebone.read(tmp_path / "same.bvh")
    np.testing.assert_allclose(read.positions, walk.positions, atol=1e-9)


def test_positions_are_those_of_the_hierarchy(walk):
    """Forward kinematics by hand."""
    positions = np.zeros((len(walk), len(walk.skeleton), 3))
    turns = np.zeros((len(walk), len(walk.skeleton), 4))
    local = np.broadcast_to(walk.skeleton.offsets, positions.shape).copy()
    local[:, walk.moving] = walk.translations
    from rebone._arrays import multiply, rotate

    for joint, parent in enumerate(walk.skeleton.parents):
        if parent < 0:
            positions[:, joint], turns[:, joint] = local[:, joint], walk.rotations[:, joint]
        else:
            positions[:, joint] = positions[:, parent] + rotate(turns[:, parent], local[:, joint])
            turns[:, joint] = multiply(turns[:, parent], walk.rotations[:, joint])
    np.testing.assert_allclose(positions, walk.positions, atol=1e-9)


def test_skeletons_from_arrays_are_whole(walk, rig, tmp_path: Path):
    own = walk.skeleton
    made = rebone.Skeleton.from_arrays(
        own.names,
        own.parents,
        own.offsets,
        rest_rotations=own.rest_rotations,
        rotation_axes=own.rotation_axes,
        translation_axes=own.translation_axes,
        end_sites=own.end_sites,
        name="walk.bvh",
    )
    assert made == own
    motion = rebone.Motion.from_arrays(made, walk.rotations, walk.translations, fps=walk.fps)
    ours, theirs = tmp_path / "ours.bvh", tmp_path / "theirs.bvh"
    rebone.retarget(motion, rig).write(ours)
    rebone.retarget(walk, rig).write(theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    assert "[roles]" in own.to_card().text


def test_slices_and_windows_are_frames(walk):
    part = walk[10:20]
    assert len(part) == 10 and np.array_equal(part.rotations, walk.rotations[10:20])
    assert len(walk[-5:]) == 5 and len(walk[7]) == 1 and len(walk[20:10]) == 0
    windows = list(walk.windows(100, 50))
    assert [len(own) for own in windows] == [100] * len(range(0, len(walk) - 99, 50))
    none = walk[5:5]
    assert none.rotations.shape == (0, len(walk.skeleton), 4) and none.positions.shape == (0, len(walk.skeleton), 3)
    assert not list(none.windows(1)) and none.translations.shape == (0, 1, 3)
    with pytest.raises(ValueError, match="resampled"):
        walk[::2]
    with pytest.raises(IndexError):
        walk[len(walk)]


def test_canonical_motions_begin_at_the_origin_and_look_ahead(walk):
    for axis in (np.eye(3)[0], np.array([0.2, 0.9, 0.3])):
        # Turned about the vertical.
        turned = walk.rotations.copy()
        angle = 1.1 * axis[0] + 0.4
        about = np.array([0, np.sin(angle / 2), 0, np.cos(angle / 2)])
        from rebone._arrays import multiply, rotate

        turned[:, 0] = multiply(about, walk.rotations[:, 0])
        moved = rotate(about, walk.translations) + [30.0, 0.0, -7.0]
        other = rebone.Motion.from_arrays(walk.skeleton, turned, moved, fps=walk.fps)
        np.testing.assert_allclose(other.canonical().positions, walk.canonical().positions, atol=1e-6)
    hips = walk.canonical().positions[0, 0]
    np.testing.assert_allclose(hips[[0, 2]], 0.0, atol=1e-9)
    assert hips[1] == pytest.approx(walk.positions[0, 0, 1])
    # It walks ahead.
    body = rebone.analyse(walk)
    travel = walk.canonical().positions[-1, 0] - hips
    assert body.up == "+Y" and travel[2] > abs(travel[0])


def test_resampled_motions_have_the_rate(walk):
    half = walk.resampled(walk.fps / 2)
    assert half.fps == pytest.approx(walk.fps / 2)
    np.testing.assert_allclose(half.positions[10], walk.positions[20], atol=1e-6)


def test_npz_is_that_of_the_program(walk, rig, tmp_path: Path):
    result = pickle.loads(pickle.dumps(rebone.retarget(walk, rig)))
    result.write(tmp_path / "out.npz")
    walk.write(tmp_path / "walk.bvh")
    rig.write(tmp_path / "rig.bvh")
    command = [sys.executable, "-m", "rebone", "retarget", "walk.bvh", "rig.bvh", "-o", "program.npz", "-q"]
    subprocess.run(command, cwd=tmp_path, check=True)
    read = np.load(tmp_path / "out.npz")
    assert read["rotations"].dtype == np.float32 and read["fps"] == pytest.approx(walk.fps)
    assert list(read["names"]) == rig.skeleton.names
    assert str(read["verdict"]) == result.verdict.level
    contacts = read["contacts"][:, list(read["contact_parts"]).index("left foot")] > 0
    assert np.array_equal(contacts, result.contact_labels()["left foot"])
    for name, own in result.arrays().items():
        np.testing.assert_array_equal(own, read[name])
    program = np.load(tmp_path / "program.npz")
    assert program.files == read.files
    np.testing.assert_allclose(program["positions"], read["positions"], atol=1e-4)


def test_labels_follow_the_frames_that_are_used(walk, rig):
    whole = rebone.retarget(walk, rig).contact_labels()["left foot"]
    part = rebone.retarget(walk, rig, frames=(60, 200)).contact_labels()["left foot"]
    assert len(part) == 140 and (part == whole[60:200]).mean() > 0.9


def test_contacts_can_be_given(walk, rig):
    pair = rebone.Pair(walk, rig)
    first = pair.retarget(walk)
    again = pair.retarget(walk, contacts_from=first.contacts_text)
    assert [own["frames"] for own in again.contacts] == [own["frames"] for own in first.contacts]
    with pytest.raises(rebone.InputError, match="contacts:"):
        pair.retarget(walk, contacts_from="{")


def test_contacts_come_from_a_list_or_a_file(walk, rig, tmp_path):
    pair = rebone.Pair(walk, rig)
    first = pair.retarget(walk)
    path = tmp_path / "contacts.json"
    path.write_text(first.contacts_text)
    for given in (path, str(path), first.contacts):
        again = pair.retarget(walk, contacts_from=given)
        assert [own["frames"] for own in again.contacts] == [own["frames"] for own in first.contacts]
    assert pair.retarget(walk, contacts_from=[]).contacts == []


def test_paths_stand_for_motions(walk, rig, tmp_path):
    paths = [tmp_path / "walk.bvh", tmp_path / "rig.bvh"]
    for motion, path in zip((walk, rig), paths):
        motion.write(path)
    result = rebone.retarget(*paths)
    assert len(result) == len(walk)
    result.write(tmp_path / "result.bvh")
    assert rebone.check(str(paths[0]), tmp_path / "result.bvh").level == result.verdict.level
    with pytest.raises(TypeError, match="source: found a int"):
        rebone.retarget(3, rig)


def test_pictures_show_in_notebooks(walk, rig):
    result = rebone.retarget(walk, rig)
    for picture in (walk.preview(), result.preview(), rebone.preview(walk, rig)):
        assert picture._repr_png_() == bytes(picture) and picture.startswith(b"\x89PNG")
        assert len(repr(picture)) < 60
    with pytest.raises(rebone.InputError, match="expected 1 to 4"):
        rebone.preview(*[walk] * 5)
    with pytest.raises(rebone.InputError, match=r"rebone\.check"):
        result.verdict.plot()


def test_steps_and_names_of_values_are_told(walk, rig):
    for frames in (range(0, 100, 2), slice(None, None, -1), (0, 1, 2)):
        with pytest.raises(rebone.InputError, match="frames: found"):
            rebone.retarget(walk, rig, frames=frames)
    with pytest.raises(rebone.InputError, match="limbs"):
        rebone.retarget(walk, rig, limbs=2)
    with pytest.raises(rebone.InputError, match="fps: found nan"):
        rebone.retarget(walk, rig, fps=float("nan"))
    assert len(rebone.retarget(walk, rig, frames=[0, 5], loop=False)) == 5


def test_lists_of_a_skeleton_are_copies(walk):
    walk.skeleton.names.append("x")
    walk.skeleton.rotation_axes.clear()
    assert len(walk.skeleton.names) == len(walk.skeleton.rotation_axes) == walk.rotations.shape[1]


def test_live_frames_are_those_of_the_clip(walk, rig):
    pair = rebone.Pair(walk, rig, contacts="off")
    whole = pair.retarget(walk).motion
    for frame in (0, 50, 100):
        rotations, translations = pair.frame(walk.rotations[frame], walk.translations[frame])
        assert np.array_equal(rotations, whole.rotations[frame])
        assert np.array_equal(translations, whole.translations[frame])


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda turns: turns[:, :5], "expected"),
        (lambda turns: turns * 1.01, "quaternion of length 1.01"),
        (lambda turns: np.where(np.arange(len(turns))[:, None, None] == 3, np.nan, turns), "not finite at .3, 0."),
        (lambda turns: turns[..., :3], "expected"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(walk, change, said):
    with pytest.raises(rebone.InputError, match=said):
        rebone.Motion.from_arrays(walk.skeleton, change(walk.rotations), fps=30)


def test_single_precision_is_corrected(walk, rig):
    motion = rebone.Motion.from_arrays(walk.skeleton, walk.rotations.astype("f4"), walk.translations.astype("f4"), fps=60)
    np.testing.assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, atol=1e-12)
    assert len(rebone.retarget(motion, rig)) == len(walk)
    with pytest.raises(TypeError):
        rebone.Motion.from_arrays(walk.skeleton, walk.rotations.astype("c8"), fps=60)
    with pytest.raises(rebone.InputError):
        rebone.Motion.from_arrays(walk.skeleton, walk.rotations, fps=0)


def test_arrays_of_a_file_become_a_motion_by_their_names(walk: rebone.Motion) -> None:
    result = rebone.retarget(walk, rebone.smpl.skeleton().rest_pose())
    arrays = result.arrays()
    shuffled = np.random.default_rng(3).permutation(22)
    back = np.argsort(shuffled)
    motion = rebone.Motion.from_arrays(
        rebone.smpl.skeleton(),
        arrays["rotations"][:, shuffled],
        arrays["translations"],
        fps=float(arrays["fps"]),
        names=arrays["names"][shuffled],
        moving=back[arrays["moving"]],
    )
    np.testing.assert_allclose(motion.positions, result.motion.positions, atol=1e-5)
    names = [*arrays["names"][:-1], "Tail"]
    with pytest.raises(rebone.InputError, match="without R_Wrist"):
        rebone.Motion.from_arrays(rebone.smpl.skeleton(), arrays["rotations"], fps=30, names=names)
    with pytest.raises(rebone.InputError, match="L_Hip cannot move, expected Pelvis"):
        rebone.Motion.from_arrays(rebone.smpl.skeleton(), arrays["rotations"], arrays["translations"], fps=30, moving=[1])


def test_a_result_through_a_file_is_written_as_amass(walk: rebone.Motion, tmp_path: Path) -> None:
    body = rebone.smpl.skeleton().rest_pose()
    body.write(tmp_path / "smpl.bvh")
    results = [rebone.retarget(walk, rig) for rig in (body, rebone.read(tmp_path / "smpl.bvh"))]
    assert results[0].motion.skeleton.names != results[1].motion.skeleton.names
    for number, result in enumerate(results):
        rebone.smpl.write(result, tmp_path / f"{number}.npz")
    ours, theirs = (rebone.smpl.read(tmp_path / f"{number}.npz") for number in range(2))
    assert np.median(np.linalg.norm(ours.positions - theirs.positions, axis=-1)) < 1e-3


def same_arrays(own: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    for name, array in own.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)


@pytest.mark.parametrize("name", ["rigs/toy-a-pose.bvh", "rigs/twist-zup-cm.bvh", "rigs/ground-root.bvh", "characters/person.glb"])
def test_results_and_their_motions_are_written_as_the_same_numbers(data, walk, tmp_path: Path, name):
    rig = rebone.read(data / name)
    result = rebone.retarget(walk, rig)
    result.write(tmp_path / "result.npz")
    result.motion.write(tmp_path / "motion.npz")
    theirs, ours = (dict(np.load(tmp_path / f"{own}.npz")) for own in ("result", "motion"))
    same_arrays(ours, theirs)
    same_arrays(pickle.loads(pickle.dumps(result.motion)).arrays(), theirs)
    assert str(theirs["unit"]) == "m" and theirs["metres_per_unit"] == 1.0
    assert 1.2 < np.ptp(theirs["positions"][0], axis=0).max() < 2.2
    # Onto the rig's skeleton in its unit, and alone in metres.
    metres, order = result.motion._metres(), np.random.default_rng(3).permutation(len(rig.skeleton))
    shuffled = {"rotations": theirs["rotations"][:, order], "moving": np.argsort(order)[theirs["moving"]]}
    shuffled.update({key: theirs[key][order] for key in ("names", "offsets")})
    np.savez(tmp_path / "order.npz", **{**theirs, **shuffled})
    for file in ("result", "order"):
        read = rebone.Motion.from_npz(tmp_path / f"{file}.npz", rig.skeleton)
        assert read.fps == result.motion.fps and read.skeleton == rig.skeleton
        np.testing.assert_allclose(read.positions * metres, result.motion.positions * metres, atol=2e-6)
    alone = rebone.Motion.from_npz(tmp_path / "result.npz")
    np.testing.assert_allclose(alone.positions, theirs["positions"], atol=2e-6)
    np.testing.assert_allclose(alone.skeleton.rest_rotations, theirs["rest_rotations"], atol=1e-6)
    assert alone.metres_per_unit == 1.0 and alone.skeleton.names == rig.skeleton.names
    same_arrays({key: own for key, own in alone.arrays().items() if own.dtype.kind != "f"}, ours)


@pytest.mark.parametrize("name", ["rigs/toy-a-pose.bvh", "characters/person.glb"])
def test_motions_of_arrays_are_named_after_their_file(data, walk, tmp_path: Path, name):
    rig, path = rebone.read(data / name), tmp_path / "dance.01.npz"
    rebone.retarget(walk, rig).write(path)
    for motion in (rebone.Motion.from_npz(path, rig.skeleton), rebone.Motion.from_npz(str(path))):
        for own in (motion, motion[5:9], motion.mirrored(), motion.resampled(20), pickle.loads(pickle.dumps(motion))):
            assert (own.name, own.path) == ("dance.01", str(path)), own
        assert repr(motion).startswith("<rebone.Motion 'dance.01': 349 frames")
        motion.write(tmp_path / "out.glb")
        assert rebone.read(tmp_path / "out.glb").clip_names[-1] == "dance.01"
    assert rig.path == str(data / name) and rig.name != "dance.01"


def test_arrays_without_a_known_unit_say_so():
    chain = rebone.Skeleton.from_arrays(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    arrays = rebone.Motion.from_arrays(chain, np.tile([0.0, 0.0, 0.0, 1.0], (3, 2, 1)), fps=30).arrays()
    assert str(arrays["unit"]) == "" and np.isnan(arrays["metres_per_unit"]) and arrays["offsets"][1, 1] == 1.0
    inches = rebone.Skeleton.from_arrays(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], unit="inch").rest_pose().arrays(np.float64)
    assert str(inches["unit"]) == "m" and inches["offsets"][1, 1] == pytest.approx(0.0254)


def test_arrays_of_another_unit_or_skeleton_are_refused(data, walk, rig):
    in_centimetres = rebone.read(data / "rigs/twist-zup-cm.bvh")
    arrays = rebone.retarget(walk, in_centimetres).arrays()
    own = {key: arrays[key] for key in ("rotations", "translations", "moving", "names", "offsets")}
    with pytest.raises(rebone.InputError, match="offsets: found 0.01 times those of the skeleton.*from_npz"):
        rebone.Motion.from_arrays(in_centimetres.skeleton, fps=60, **own)
    longer = walk.skeleton.offsets.copy()
    longer[5] *= 1.5
    with pytest.raises(rebone.InputError, match=f"offsets: .* of {walk.skeleton.names[5]}, .*another skeleton"):
        rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations, fps=60, offsets=longer)
    single = walk.skeleton.offsets.astype(np.float32)
    assert rebone.Motion.from_arrays(walk.skeleton, walk.rotations, walk.translations, fps=walk.fps, offsets=single) == walk


def test_files_of_arrays_that_are_none_are_named(walk, rig, tmp_path: Path):
    path = tmp_path / "own.npz"
    with pytest.raises(FileNotFoundError):
        rebone.Motion.from_npz(path)
    walk.write(path)
    whole, arrays = path.read_bytes(), dict(np.load(path))
    with pytest.raises(rebone.InputError, match="names: found 54 names without"):
        rebone.Motion.from_npz(path, rig.skeleton)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(rebone.ReadError, match="cannot read .*own.npz"):
        rebone.Motion.from_npz(path)
    path.write_bytes(b"HIERARCHY")
    with pytest.raises(rebone.ReadError, match="cannot read .*own.npz"):
        rebone.Motion.from_npz(path)
    np.savez(path, **{key: own for key, own in arrays.items() if key != "fps"})
    with pytest.raises(rebone.ReadError, match="found no fps; expected an .npz of rebone"):
        rebone.Motion.from_npz(path)
    damaged = [
        ("fps", np.array(1e300)),
        ("fps", np.zeros(3)),
        ("names", np.array([{}] * 54)),
        ("parents", np.zeros((2, 2), int)),
        ("moving", np.array(["a"])),
        ("offsets", np.full((54, 3), np.nan)),
        ("metres_per_unit", np.zeros(3)),
        ("metres_per_unit", np.array(-1.0)),
        ("rest_rotations", np.zeros((54, 4))),
    ]
    for key, wrong in damaged:
        np.savez(path, **{**arrays, key: wrong})
        with pytest.raises(rebone.ReboneError):
            rebone.Motion.from_npz(path)
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(rebone.ReadError, match="not a zip file; expected an .npz of rebone"):
        rebone.Motion.from_npz(tmp_path / "one.npy")


def test_arrays_are_of_the_frames_that_were_solved(walk, rig, tmp_path: Path):
    """Frames that no retarget would give come out as they are: nothing is solved a second time."""
    result = rebone.retarget(walk, rig)
    make, (state, *made_of) = result.__reduce__()
    report, contacts, translations, rotations = state
    moved = (np.frombuffer(translations) + 1.0).tobytes()
    other = make((report, contacts, moved, rotations), *made_of)
    np.testing.assert_allclose(other.motion.translations, result.motion.translations + 1.0)
    other.write(tmp_path / "other.npz")
    for arrays in (other.arrays(), dict(np.load(tmp_path / "other.npz"))):
        same_arrays(other.motion.arrays(), arrays)
        same_arrays({key: own for key, own in result.arrays().items() if key.startswith(("contact", "touch", "verdict", "score", "metric"))}, arrays)
    assert str(result.arrays()["verdict"]) == result.verdict.level and result.arrays()["score"] == result.verdict.score
