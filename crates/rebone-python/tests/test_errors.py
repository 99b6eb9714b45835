"""Exceptions name what was found and expected."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import rebone


def test_files_that_are_not_there(tmp_path: Path):
    with pytest.raises(FileNotFoundError) as caught:
        rebone.read(tmp_path / "none.bvh")
    assert caught.value.filename == str(tmp_path / "none.bvh")
    with pytest.raises(FileNotFoundError):
        rebone.Card.read(tmp_path / "none.toml")


def test_files_that_are_broken(data):
    with pytest.raises(rebone.ReadError, match="odd.bvh:1") as caught:
        rebone.read(b"HIERARCHY ROOT", name="odd.bvh")
    assert caught.value.line == 1 and str(caught.value.path) == "odd.bvh" and isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.line == 1
    with pytest.raises(rebone.ReadError, match="jump"):
        rebone.read((data / "clips/walk.bvh").read_bytes(), clip="jump")


def test_options(walk, rig):
    with pytest.raises(TypeError, match="no option 'limb'; nearest: limbs"):
        rebone.retarget(walk, rig, limb="position")
    for word in ("jobs", "threads"):
        with pytest.raises(TypeError, match=rf"no option '{word}': rebone.threads\(n\) sets the number of threads"):
            rebone.batch("clips", "rig.bvh", "out", **{word: 1})
    with pytest.raises(rebone.InputError, match="found 2, expected 4 to 1000"):
        rebone.retarget(walk, rig, fps=2)
    with pytest.raises(rebone.InputError, match="unknown variant"):
        rebone.Pair(walk, rig, contacts="some")
    with pytest.raises(rebone.InputError, match="begin at 9999"):
        rebone.retarget(walk, rig, frames=(9999, None))
    assert rebone.Pair(walk, rig, fps=None, frames=range(5, 9)).options == {"frames": "5..9"}


def test_bodies(walk):
    toy = rebone.Skeleton.from_arrays(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    motion = rebone.Motion.from_arrays(toy, [[[0, 0, 0, 1]] * 2], fps=30)
    with pytest.raises(rebone.NotUnderstood, match="no humanoid"):
        rebone.retarget(walk, motion)
    with pytest.raises(rebone.InputError, match="only the first"):
        rebone.Skeleton.from_arrays(["a", "b"], [-1, -1], [[0, 0, 0], [0, 1, 0]])
    with pytest.raises(rebone.InputError, match="each once"):
        rebone.Skeleton.from_arrays(["a"], [-1], [[0, 0, 0]], rotation_axes=["xx"])
    with pytest.raises(rebone.InputError, match="only a skeleton|no clip|there is no clip"):
        rebone.retarget(walk[0:0], walk)


def test_guesses(data):
    nameless = rebone.read(data / "rigs/nameless.bvh")
    body = rebone.analyse(nameless)
    try:
        body.check()
    except rebone.UnsureError as error:
        assert error.card_lines and error.doubts
    assert 0 < body.confidence <= 1


def test_cards(walk, tmp_path: Path):
    with pytest.raises(rebone.CardError, match="the card:2") as caught:
        rebone.Card('up = "y"\nsize = 3')
    assert caught.value.line == 2
    with pytest.raises(rebone.CardError, match="no joint"):
        rebone.analyse(walk, card=rebone.Card('[roles]\nhips = "Pelvis7"'))
    with pytest.raises(rebone.InputError, match="up: expected an axis"):
        rebone.analyse(walk, up="w")
    card = rebone.analyse(walk).card()
    card.write(tmp_path / "walk.toml")
    assert rebone.Card.read(tmp_path / "walk.toml").text == card.text
    assert rebone.analyse(walk, card=tmp_path / "walk.toml").roles == rebone.analyse(walk).roles


def test_cards_are_changed_entry_by_entry(tmp_path: Path):
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b"# mine\r\nroles.head = 'Head'  # known\r\n")
    card = rebone.Card.read(mine)
    own = card.with_role("leftToes", []).with_role("spine", "Spine").with_role("head", None)
    assert own.text == '# mine\r\nroles.leftToes = []\r\nroles.spine = ["Spine"]\r\n'
    assert own.path == card.path and card.text.endswith("# known\r\n")
    posed = own.with_pose({"a\x7f\u2028": np.array([0.0, 0.0, 45.0])})
    assert posed.text == own.text + '\r\n[pose]\r\n"a\\u007F\u2028" = [0.0, 0.0, 45.0]\r\n'
    assert posed.with_pose({}).text == own.text + 'pose_from = "rest"\r\n'
    with pytest.raises(rebone.InputError, match='"leftArm" is no role; nearest: left'):
        card.with_role("leftArm", "a")
    with pytest.raises(rebone.CardError, match="played by one joint"):
        card.with_role("hips", ["a", "b"])
    with pytest.raises(rebone.InputError, match=r"turn of 'a': found the shape \(2,\)"):
        card.with_pose({"a": [0, 0]})
    with pytest.raises(rebone.CardError, match="expected a rotation vector"):
        card.with_pose({"a": [0, 0, float("nan")]})


def test_results_never_replace_inputs(data, walk, rig, tmp_path: Path):
    copy = tmp_path / "rig.bvh"
    copy.write_bytes((data / "rigs/toy-a-pose.bvh").read_bytes())
    result = rebone.retarget(walk, rebone.read(copy))
    with pytest.raises(rebone.WriteError, match="an input is never changed"):
        result.write(copy)
    with pytest.raises(rebone.WriteError, match="no VRM"):
        result.write(tmp_path / "out.vrm")
    with pytest.raises(rebone.WriteError):
        result.write(tmp_path / "out.xyz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rig.bvh"]


def test_options_without_effect_are_warned_of(walk, rig, tmp_path: Path):
    result = rebone.retarget(walk, rig, decimals=3)
    with pytest.warns(rebone.ReboneWarning, match="decimals has no effect: it needs a .bvh to write"):
        result.write(tmp_path / "out.glb")


def test_pairs_take_motions_of_their_source_alone(data, walk, rig):
    pair = rebone.Pair(walk, rig)
    with pytest.raises(rebone.InputError, match="other joints"):
        pair.retarget(rig)
    assert len(pair.retarget(rebone.read(data / "clips/jump.bvh"))) > 10


#: Values of other types, or beyond what they can be, each with a part of what is said.
WRONG = {
    "clip": (lambda own: rebone.read(own.bytes, clip=True), "clip: found True, expected an integer"),
    "clip of a motion": (lambda own: own.walk.with_clip(1.5), "clip: found 1.5"),
    "negative clip": (lambda own: own.walk.with_clip(-1), "clip: found -1, expected 0"),
    "large clip": (lambda own: own.walk.with_clip(10**30), "clip: found 1000"),
    "skin": (lambda own: rebone.read(own.bytes, skin=True), "skin: found True"),
    "joint": (lambda own: rebone.read(own.bytes, joint=3), "joint: found 3, expected a text"),
    "source": (lambda own: rebone.read(3), "source: found 3, expected a path"),
    "path": (lambda own: rebone.read("a\0b"), "without zero bytes"),
    "sample": (lambda own: rebone.sample(3), "name: found 3"),
    "frame": (lambda own: own.walk["a"], "frame: found 'a'"),
    "no frame": (lambda own: own.walk[True], "frame: found True"),
    "frames": (lambda own: own.walk["a":], "expected integers"),
    "fps": (lambda own: own.walk.resampled(1e300), "fps: found 1e.300, expected 0.001 to 100000 frames a second"),
    "fps of arrays": (lambda own: rebone.Motion.from_arrays(own.walk.skeleton, own.walk.rotations, fps=1e300), "fps: found 1e.300"),
    "fps of a rest pose": (lambda own: own.walk.skeleton.rest_pose(1e300), "fps: found 1e.300"),
    "true fps": (lambda own: own.walk.resampled(True), "fps: found True, expected a number"),
    "text fps": (lambda own: own.walk.resampled("30"), "fps: found '30'"),
    "array of fps": (lambda own: own.walk.resampled(np.array([30.0, 60.0])), "fps: found a ndarray"),
    "ragged": (lambda own: rebone.Motion.from_arrays(own.walk.skeleton, [[1], [2, 3]], fps=30), "rotations: found lists of unequal"),
    "no array": (lambda own: rebone.Motion.from_arrays(own.walk.skeleton, None, fps=30), "rotations: found a NoneType"),
    "moving": (lambda own: own.with_moving([99]), "moving: found .99., expected indices"),
    "negative moving": (lambda own: own.with_moving([-54]), "moving: found .-54."),
    "half moving": (lambda own: own.with_moving([0.5]), "moving: found an array of float64"),
    "names": (lambda own: rebone.Motion.from_arrays(own.walk.skeleton, own.walk.rotations, fps=30, names=3), "names: found no list"),
    "names of joints": (lambda own: rebone.Skeleton.from_arrays([1], [-1], [[0, 0, 0]]), "names: found 1, expected a text"),
    "one text": (lambda own: rebone.Skeleton.from_arrays("a", [-1], [[0, 0, 0]]), "names: found 'a', expected a list"),
    "surrogate": (lambda own: rebone.Skeleton.from_arrays(["\ud800"], [-1], [[0, 0, 0]]), "expected Unicode"),
    "ends": (lambda own: rebone.Skeleton.from_arrays(["a"], [-1], [[0, 0, 0]], end_sites=[3]), "end_sites: found 3"),
    "axes": (lambda own: rebone.Skeleton.from_arrays(["a"], [-1], [[0, 0, 0]], rotation_axes=[1]), "rotation_axes: found 1"),
    "root scale": (lambda own: own.walk.with_statements(root_scale=True), "root_scale: found True"),
    "card": (lambda own: own.walk.with_statements(card=3), "found 3, expected a path"),
    "option": (lambda own: rebone.Pair(own.walk, own.rig, floor=np.zeros(2)), "floor: found a ndarray"),
    "true option": (lambda own: rebone.Pair(own.walk, own.rig, fps=True), "fps: found True"),
    "map": (lambda own: rebone.Pair(own.walk, own.rig, map=3), "map: found 3"),
    "contacts": (lambda own: own.pair.retarget(own.walk, contacts_from=[3]), "contacts_from: found a list of other things"),
    "progress": (lambda own: own.pair.retarget(own.walk, progress=3), "progress: found a int"),
    "path to write": (lambda own: own.walk.write(3), "path: found 3"),
    "dtype": (lambda own: own.walk.arrays("nope"), "dtype: found 'nope'"),
    "integers": (lambda own: own.walk.arrays(np.int32), "dtype: found int32, expected float32 or float64"),
    "frames of a picture": (lambda own: own.walk.preview(-1), "frames: found -1"),
    "threads": (lambda own: rebone.threads(-1), "count: found -1"),
    "true threads": (lambda own: rebone.threads(True), "count: found True"),
    "no motion": (lambda own: rebone.analyse(3), "motion: found a int"),
    "one motion": (lambda own: rebone.learn(own.walk), "motions: found a Motion, expected a list"),
    "role": (lambda own: rebone.analyse(own.walk).index("x"), "no joint plays 'x'"),
    "text of a card": (lambda own: rebone.Card(3), "text: found 3"),
    "joints of a role": (lambda own: rebone.Card("").with_role("hips", 3), "joints: found 3, expected a list"),
    "turns": (lambda own: rebone.Card("").with_pose({"a": "b"}), "turn of 'a': found a str"),
    "quaternion": (lambda own: rebone.wxyz([1, 2, 3]), r"found an array of shape \(3,\), expected \(..., 4\)"),
    "vector": (lambda own: rebone.smpl.from_rotvec([1, 2]), r"expected \(..., 3\)"),
    "degrees": (lambda own: rebone.smpl.from_rotvec([0, 90, 0]), "found a rotation of 90 radians, .* are these degrees"),
    "degrees of SMPL": (lambda own: rebone.smpl.motion({"poses": np.full((9, 66), 30.0), "trans": np.zeros((9, 3)), "fps": 30}), "degrees"),
    "fps of SMPL": (lambda own: rebone.smpl.motion({"poses": np.zeros((9, 66)), "trans": np.zeros((9, 3)), "fps": 1e300}), "rate: found 1e.300"),
    "betas": (lambda own: rebone.smpl.skeleton(betas=[1.0]), "betas: without model= they have no effect"),
    "result of SMPL": (lambda own: rebone.smpl.write(3, "x.npz"), "result: found a int"),
    "shard": (lambda own: rebone.batch("a", "b", "c", shard=True), "shard: found True"),
    "half shard": (lambda own: rebone.batch("a", "b", "c", shard=(0,)), "shard: found 1 numbers"),
    "flag": (lambda own: rebone.batch("a", "b", "c", overwrite=3), "overwrite: found 3, expected True or False"),
    "inputs": (lambda own: rebone.batch(3, "b", "c"), "inputs: found 3"),
    "place": (lambda own: rebone.merge(3), "out: found 3"),
    "confidence": (lambda own: own.pair.retarget(own.walk).contact_labels(50), "least_confidence: found 50, expected 0 to 1"),
}


class Own:
    """Motions, and what a case makes of them."""

    def __init__(self, walk: rebone.Motion, rig: rebone.Motion, content: bytes) -> None:
        self.walk, self.rig, self.bytes, self.pair = walk, rig, content, rebone.Pair(walk, rig)

    def with_moving(self, moving: list[float]) -> rebone.Motion:
        return rebone.Motion.from_arrays(self.walk.skeleton, self.walk.rotations, self.walk.translations, fps=30, moving=moving)


@pytest.fixture(scope="module")
def own(data, walk, rig) -> Own:
    return Own(walk, rig, (data / "clips/walk.bvh").read_bytes())


@pytest.mark.parametrize("case", WRONG)
def test_values_that_mean_nothing_are_refused(own, case):
    do, said = WRONG[case]
    with pytest.raises(rebone.InputError, match=said) as caught:
        do(own)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and str(again) == str(caught.value)


def test_errors_are_of_the_kind_that_python_has_as_well(walk):
    assert issubclass(rebone.InputError, ValueError)
    for do, kind in [
        (lambda: walk[999], IndexError),
        (lambda: walk.resampled("30"), TypeError),
        (lambda: walk.skeleton.index("Tail"), KeyError),
        (lambda: rebone.analyse(walk).role_of("Tail"), KeyError),
    ]:
        with pytest.raises(kind) as caught:
            do()
        assert isinstance(caught.value, rebone.InputError) and not str(caught.value).startswith(("'", '"'))
    assert len(list(walk[:3])) == 3


def test_texts_that_are_none_are_named(walk, rig, tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_bytes(b"ab\xff")
    with pytest.raises(rebone.CardError, match="byte 2 is no UTF-8"):
        rebone.Card.read(broken)
    with pytest.raises(rebone.CardError, match="byte 2 is no UTF-8"):
        rebone.Pair(walk, rig, map=broken)
    with pytest.raises(rebone.InputError, match="byte 2 is no UTF-8"):
        rebone.Pair(walk, rig).retarget(walk, contacts_from=broken)
    with pytest.raises(rebone.CardError, match="cannot read"):
        rebone.Card.read(tmp_path)
    with pytest.raises(rebone.WriteError, match="No such file"):
        rebone.Card("").write(tmp_path / "none/card.toml")


def test_folders_are_no_files(tmp_path: Path, walk):
    for do in (rebone.read, lambda path: rebone.retarget(walk, path)):
        with pytest.raises(rebone.ReadError, match="cannot (read|open)"):
            do(tmp_path)
