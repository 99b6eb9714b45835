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
