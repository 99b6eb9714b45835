"""Arrays for training: mirrored and turned motions, 6D rotations, windows, batches, splits, and the dataset of the docs."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rebone
from rebone import training
from rebone._mirror import counterparts

PAGE = Path(__file__).resolve().parents[3] / "docs/python.md"
SAMPLES = ["walk", "climb", "toy-a-pose", "one-spine", "twist-zup-cm"]


def moving(name: str, walk: rebone.Motion) -> rebone.Motion:
    """A sample clip, or a rig with the walk on it."""
    motion = rebone.sample(name)
    return motion if len(motion) > 9 else rebone.retarget(walk, motion).motion


@pytest.mark.parametrize("name", SAMPLES)
def test_mirrored_twice_is_the_input(walk, name):
    motion = moving(name, walk)
    once = motion.mirrored()
    again = once.mirrored()
    assert np.abs(once.positions - motion.positions).max() > 1e-2
    np.testing.assert_allclose(again.positions, motion.positions, atol=1e-9 * np.abs(motion.positions).max())
    turns = again.rotations * np.sign(np.sum(again.rotations * motion.rotations, axis=-1, keepdims=True))
    np.testing.assert_allclose(turns, motion.rotations, atol=1e-12)
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-9 * np.abs(motion.positions).max())
    assert again.skeleton == motion.skeleton and again.fps == motion.fps
    # As little of it as one wants: a part is mirrored as the whole is.
    body = rebone.analyse(motion)
    part = motion[5:9].mirrored(body)
    np.testing.assert_allclose(part.positions, motion.mirrored(body).positions[5:9], atol=1e-9 * np.abs(motion.positions).max())


def test_windows_hold_their_own_frames_alone(walk):
    # Windows that each held the whole clip would take 840 MB.
    resource = pytest.importorskip("resource", reason="memory is not limited here")
    long = rebone.Motion.from_arrays(walk.skeleton, np.tile(walk.rotations, (20, 1, 1)), np.tile(walk.translations, (20, 1, 1)), fps=60)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parts = list(long.windows(8, 100))
    assert len(parts) == 70 and parts[-1] == long[6_900:6_908]
    # Kilobytes on Linux, bytes on macOS; a window has 14 kB, the clip 12 MB.
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 200e6


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mirrored_body_is_the_reflection(walk, name):
    motion = moving(name, walk)
    body = rebone.analyse(motion)
    other = counterparts(body)
    for left, right in zip(body.roles["leftHand"] + body.roles["leftToes"], body.roles["rightHand"] + body.roles["rightToes"]):
        assert other[motion.skeleton.index(left)] == motion.skeleton.index(right)
    assert (other >= 0).all() and (other[other] == np.arange(len(other))).all()
    across = {"+Z": 0, "-Y": 0}[body.facing]
    expected = motion.positions[:, other].copy()
    expected[..., across] *= -1.0
    off = np.linalg.norm(motion.mirrored(body).positions - expected, axis=-1)
    assert off.max() < 0.02 * body.stature, off.max() / body.stature


def test_joints_without_a_counterpart_keep_their_rotation(walk):
    own = walk.skeleton
    hand = own.index("RightHand")
    made = rebone.Skeleton.from_arrays([*own.names, "Sword"], [*own.parents, hand], [*own.offsets, [0.0, 0.0, 0.1]])
    turns = np.concatenate([walk.rotations, np.tile([0.0, 0.6, 0.0, 0.8], (len(walk), 1, 1))], axis=1)
    motion = rebone.Motion.from_arrays(made, turns, walk.translations, fps=60)
    mirrored = motion.mirrored()
    assert counterparts(rebone.analyse(motion))[-1] == -1
    np.testing.assert_allclose(mirrored.rotations[:, -1], turns[:, -1], atol=1e-12)
    np.testing.assert_allclose(mirrored.mirrored().positions, motion.positions, atol=1e-9)


def test_joints_that_move_change_sides(walk):
    own, rng = walk.skeleton, np.random.default_rng(4)
    body = rebone.analyse(walk)
    other = counterparts(body)
    free = {0, *(own.index(name) for name in ("LeftHand", "RightHand", "LeftLeg", "RightLeg", "Head", "LeftFoot"))}
    axes = ["xyz" if joint in free else "" for joint in range(len(own))]
    made = rebone.Skeleton.from_arrays(own.names, own.parents, own.offsets, translation_axes=axes)
    rest = rebone.Motion.from_arrays(made, walk.rotations, fps=60)
    paired = [joint for joint in sorted(free) if other[joint] in free]
    assert len(paired) == 6 and rest.moving.tolist() == sorted(free)
    off = rng.normal(scale=0.05, size=rest.translations.shape) * np.isin(rest.moving, paired)[:, None]
    motion = rebone.Motion.from_arrays(made, walk.rotations, rest.translations + off, fps=60)
    mirrored = motion.mirrored(body)
    np.testing.assert_allclose(mirrored.positions[:, other[paired]], motion.positions[:, paired] * [-1, 1, 1], atol=0.02)
    np.testing.assert_allclose(mirrored.mirrored().translations, motion.translations, atol=1e-12)


def test_windows_share_what_is_known_of_their_body(walk, monkeypatch):
    calls, body = [], rebone.analyse(walk)
    monkeypatch.setattr(rebone._mirror, "counterparts", lambda *given: calls.append(given) or counterparts(*given))
    parts = [part.mirrored(body) for part in walk.windows(32)]
    assert len(parts) == 10 and len(calls) == 1
    assert parts[0].canonical() == parts[0].canonical(body)


def test_contacts_of_a_mirrored_source_change_sides(walk, rig):
    left, right = (rebone.retarget(own, rig).contact_labels() for own in (walk, walk.mirrored()))
    assert (left["left foot"] == right["right foot"]).mean() > 0.95


@pytest.mark.parametrize("name", ["walk", "twist-zup-cm"])
def test_turned_motions_keep_heights_and_bones(walk, name):
    motion = moving(name, walk)
    body = rebone.analyse(motion)
    up = "XYZ".index(body.up[1])
    turned = motion.turned(0.7)
    np.testing.assert_allclose(turned.positions[..., up], motion.positions[..., up], atol=1e-9)
    np.testing.assert_allclose(turned.turned(-0.7).positions, motion.positions, atol=1e-9)
    np.testing.assert_allclose(turned.canonical().positions, motion.canonical().positions, atol=1e-6 * body.stature)
    # Counterclockwise from above: ahead goes to the left.
    quarter, ahead = motion.turned(np.pi / 2), motion.canonical()
    assert quarter.rotations.shape == motion.rotations.shape and len(ahead) == len(motion)
    with pytest.raises(rebone.InputError, match="angle: found 90, expected radians"):
        motion.turned(90)


def test_an_anatomy_has_to_be_of_the_skeleton(walk, rig):
    with pytest.raises(rebone.InputError, match="of another skeleton"):
        walk.mirrored(rebone.analyse(rig))
    with pytest.raises(TypeError, match="anatomy: found a dict"):
        walk.canonical({})
    with pytest.raises(rebone.InputError, match="found no frame"):
        walk[5:5].canonical()
    assert len(walk[5:5].mirrored()) == len(walk[5:5].turned(1)) == 0


def test_6d_rotations_come_back():
    turns = np.random.default_rng(5).normal(size=(10_000, 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    # Half turns and near ones.
    turns[:3], turns[3] = np.eye(4)[:3], [1.0, 0.0, 0.0, 1e-9]
    six = training.to_6d(turns)
    back = training.from_6d(six)
    error = np.minimum(np.abs(back - turns).max(axis=-1), np.abs(back + turns).max(axis=-1))
    assert error.max() < 1e-12
    np.testing.assert_allclose(training.to_6d(back), six, atol=1e-12)
    # Two columns: turned x and y.
    from rebone._arrays import rotate

    np.testing.assert_allclose(six[:, :3], rotate(turns, np.eye(3)[0]), atol=1e-12)
    np.testing.assert_allclose(six[:, 3:], rotate(turns, np.eye(3)[1]), atol=1e-12)
    # As a network gives it.
    scale = 1.0 + np.random.default_rng(6).random((10_000, 2))
    noisy = np.concatenate([six[:, :3] * scale[:, :1], six[:, 3:] * scale[:, 1:] + 0.5 * six[:, :3]], axis=-1)
    np.testing.assert_allclose(training.to_6d(training.from_6d(noisy)), six, atol=1e-12)
    single = training.to_6d(turns.astype(np.float32).reshape(100, 100, 4))
    assert single.shape == (100, 100, 6) and single.dtype == training.from_6d(single).dtype == np.float32
    np.testing.assert_allclose(single.reshape(-1, 6), six, atol=1e-6)


@pytest.mark.parametrize("columns", [np.zeros(6), [1.0, 0, 0, 2.0, 0, 0], [0, 0, 0, 1.0, 0, 0], [np.nan] * 6, np.zeros(5), "abcdef", 6.0])
def test_6d_rotations_that_are_none_are_refused(columns):
    with pytest.raises(rebone.InputError, match="rotations: found"):
        training.from_6d(columns)


def test_windows_are_no_copies(walk):
    rows = walk.rotations
    own = training.windows(rows, 64, 16)
    assert own.shape == ((len(walk) - 64) // 16 + 1, 64, 54, 4) and np.shares_memory(own, rows)
    for number, window in enumerate(own):
        assert np.array_equal(window, rows[16 * number : 16 * number + 64])
    assert training.windows(rows, 100).shape == (3, 100, 54, 4)
    assert training.windows(rows[:5], 6).shape == (0, 6, 54, 4)
    assert [len(part) for part in walk.windows(64, 16)] == [64] * len(own)
    for frames, step in ((0, 1), (3, 0), (True, 1), (2.0, 1), ("3", 1)):
        with pytest.raises(rebone.InputError, match="found"):
            training.windows(rows, frames, step)
        with pytest.raises(rebone.InputError, match="found"):
            list(walk.windows(frames, step))


def test_batches_are_padded(walk):
    parts = [walk[:10].positions, walk[:30].positions.astype(np.float32), walk[:0].positions]
    batch, mask = training.padded(parts)
    assert batch.shape == (3, 30, 54, 3) and batch.dtype == np.float64 and mask.sum(axis=1).tolist() == [10, 30, 0]
    assert np.array_equal(batch[0, :10], parts[0]) and not batch[0, 10:].any() and not batch[2].any()
    assert training.padded(parts, 40)[0].shape == (3, 40, 54, 3)
    assert training.padded([walk.positions[:3].astype(np.float32), np.ones((2, 54, 3), np.float32)])[0].dtype == np.float32
    for wrong, text in [([], "no array"), ([np.ones((2, 3)), np.ones((2, 4))], "one shape"), ([1.0], "one shape"), (["ab"], "array 0")]:
        with pytest.raises(rebone.InputError, match=text):
            training.padded(wrong)
    with pytest.raises(rebone.InputError, match="of 30 frames, expected at most 20"):
        training.padded(parts, 20)


def test_no_subject_is_in_two_parts():
    subjects = [f"s{k % 37:02}" for k in range(1000)]
    parts = training.split(subjects)
    assert sorted(np.concatenate(parts).tolist()) == list(range(1000))
    names = [{subjects[k] for k in part} for part in parts]
    assert not names[0] & names[1] and not names[0] & names[2] and not names[1] & names[2]
    np.testing.assert_allclose([len(part) / 1000 for part in parts], (0.8, 0.1, 0.1), atol=0.03)
    assert all(np.array_equal(own, other) for own, other in zip(parts, training.split(subjects)))
    assert any(not np.array_equal(own, other) for own, other in zip(parts, training.split(subjects, seed=1)))
    # Every part has a subject, be there as few as parts.
    assert [len(part) for part in training.split(["a", "b", "c"])] == [1, 1, 1]
    with pytest.raises(rebone.InputError, match="found 2 subjects, expected at least 3"):
        training.split(["a", "b", "a"])
    with pytest.raises(rebone.InputError, match="shares: found"):
        training.split(["a", "b"], (0.5, -0.5))


def dataset(monkeypatch: pytest.MonkeyPatch, real: bool) -> type:
    """The class of the page, with torch or with a stand-in for it."""
    if not real:
        torch, utils, data = ModuleType("torch"), ModuleType("torch.utils"), ModuleType("torch.utils.data")
        data.Dataset = type("Dataset", (), {})
        for module in (torch, utils, data):
            monkeypatch.setitem(sys.modules, module.__name__, module)
    (code,) = re.findall(r"^```python[^\n]*\n(from torch[^`]*)^```", PAGE.read_text(encoding="utf-8"), re.M)
    assert len([line for line in code.splitlines() if line.strip()]) <= 25
    names: dict[str, type] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    return names["Windows"]


@pytest.mark.parametrize("real", [False, True], ids=["stand-in", "torch"])
def test_the_dataset_of_the_page_gives_windows(walk, rig, tmp_path: Path, monkeypatch, real):
    if real:
        torch = pytest.importorskip("torch", reason="torch is not installed")
    result = rebone.retarget(walk, rig)
    result.write(tmp_path / "walk.npz")
    own = dataset(monkeypatch, real)([tmp_path / "walk.npz"] * 2, frames=60, step=30)
    joints = len(rig.skeleton)
    assert len(own) == 2 * len(training.windows(walk.rotations, 60, 30))
    window = own[1]
    assert window.shape == (60, 3 + 6 * joints + 2) and window.dtype == np.float32 and window.flags.writeable
    np.testing.assert_array_equal(window[:, 3:-2], training.to_6d(result.arrays()["rotations"])[30:90].reshape(60, -1))
    assert np.array_equal(window[:, -2] > 0, result.contact_labels()["left foot"][30:90])
    if real:
        batch = next(iter(torch.utils.data.DataLoader(own, batch_size=4, shuffle=True)))
        assert tuple(batch.shape) == (4, 60, 3 + 6 * joints + 2) and batch.dtype == torch.float32
