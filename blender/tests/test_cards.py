"""Corrections that are kept with a rig."""

from typing import Any

import bpy
import pytest
import rebone

from blender import cards, retargeting

from . import rigs


def test_a_correction_is_a_line_of_the_card_and_counts(own: Any) -> None:
    armature = rigs.humanoid()
    select(armature, [])
    with pytest.raises(RuntimeError, match="select the bone that plays leftToes"):
        bpy.ops.rebone.set_role(role="leftToes")
    assert cards.text_name(armature) not in bpy.data.texts
    assert bpy.ops.rebone.clear_role(role="leftToes") == {"FINISHED"}
    assert "leftToes = []" in cards.read(armature)
    assert "leftToes" not in [item.name for item in own.roles]
    assert bpy.data.texts[cards.text_name(armature)].as_string() == cards.read(armature)
    select(armature, ["LeftToes"])
    assert bpy.ops.rebone.set_role(role="leftToes") == {"FINISHED"}
    assert 'leftToes = "LeftToes"' in cards.read(armature)
    assert own.roles[own.active_role].name == "leftToes"
    assert bpy.ops.rebone.clear_card() == {"FINISHED"}
    assert cards.read(armature) == ""
    assert cards.text_name(armature) not in bpy.data.texts


def test_a_correction_that_does_not_fit_is_told_and_not_kept(own: Any) -> None:
    armature = rigs.humanoid()
    with pytest.raises(RuntimeError):
        bpy.ops.rebone.clear_role(role="leftUpperLeg")
    assert cards.read(armature) == ""


@pytest.mark.parametrize(
    "text",
    [
        '# mine\nroles = {"head" = "Head"} # known\n',
        '"roles".head = "Head" # known\nunit = "m"\n',
        '["roles"]\n"head" = "Head" # known\n[limits]\n',
        "\ufeff[roles]\r\nhead = 'Head'\r\n",
    ],
)
def test_cards_by_hand_stay_as_they_are_written(own: Any, text: str) -> None:
    armature = rigs.humanoid()
    cards.write(armature, text)
    before = cards.read(armature)
    assert bpy.ops.rebone.clear_role(role="leftToes") == {"FINISHED"}
    card = cards.read(armature)
    assert all(line.split(" #")[0].rstrip("}") in card for line in before.splitlines())
    assert "leftToes = []" in card
    assert len(rebone.Card(card).text.splitlines()) <= len(before.splitlines()) + 3


def test_a_card_that_is_none_is_told_and_kept(own: Any) -> None:
    armature = rigs.humanoid()
    cards.write(armature, "[[limits]]\n")
    with pytest.raises(RuntimeError, match="the card:1: found"):
        bpy.ops.rebone.clear_role(role="leftToes")
    assert cards.read(armature) == "[[limits]]\n"


def test_a_broken_card_can_be_forgotten(own: Any) -> None:
    armature = rigs.humanoid()
    cards.write(armature, "[[limits]]\n")
    assert bpy.ops.rebone.clear_card() == {"FINISHED"}
    assert cards.read(armature) == ""


def test_two_missing_roles_are_stated_one_after_the_other(own: Any) -> None:
    armature = rigs.humanoid(mesh=False)
    legs = [bone for bone in armature.data.bones if bone.name.endswith(("Leg", "Foot", "Toes"))]
    for number, bone in enumerate(legs):
        bone.name = f"x{number}"
    cards.write(armature, "[roles]\nleftFoot = []\nrightFoot = []\n")
    feet = [bone.name for bone in armature.data.bones if abs(bone.head_local.z - 0.09) < 0.001]
    left, right = sorted(feet, key=lambda name: -armature.data.bones[name].head_local.x)
    with pytest.raises(RuntimeError, match="no humanoid"):
        bpy.ops.rebone.analyse()
    select(armature, [left])
    assert bpy.ops.rebone.set_role(role="leftFoot") == {"FINISHED"}
    assert "rightFoot" in own.rig_message or "right foot" in own.rig_message
    assert f'leftFoot = "{left}"' in cards.read(armature)
    select(armature, [right])
    assert bpy.ops.rebone.set_role(role="rightFoot") == {"FINISHED"}
    assert {item.name: item.bone for item in own.roles}["leftFoot"] == left


def test_a_card_belongs_to_its_object_and_not_to_a_name() -> None:
    first = rigs.humanoid("A")
    cards.write(first, "[roles]\njaw = []\n")
    first.name = "B"
    bpy.data.texts["A.rebone.toml"].write("# by hand\n")
    assert cards.read(first).endswith("# by hand\n")
    assert cards.read(rigs.humanoid("A")) == ""
    copied = first.copy()
    assert cards.read(copied) == cards.read(first)
    cards.write(copied, "[roles]\n")
    assert cards.read(first).endswith("# by hand\n")
    cards.write(first, "")
    assert cards.read(copied) == "[roles]\n"
    assert [text.name for text in bpy.data.texts] == ["B.001.rebone.toml"]


def test_a_control_stands_for_the_bone_that_it_turns(own: Any) -> None:
    armature = rigs.controlled()
    retargeting.prepare(armature)
    control = next(bone.name for bone in armature.pose.bones if any(own.subtarget == bone.name for own in head_of(armature)))
    select(armature, [control])
    assert bpy.ops.rebone.set_role(role="head") == {"FINISHED"}
    assert 'head = "Head"' in cards.read(armature)
    select(armature, ["all"])
    with pytest.raises(RuntimeError, match="all turns no bone that deforms"):
        bpy.ops.rebone.set_role(role="head")


def head_of(armature: bpy.types.Object) -> Any:
    return armature.pose.bones["Head"].constraints


def select(armature: bpy.types.Object, names: list[str]) -> None:
    for bone in armature.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = bone.name in names


def test_the_pose_at_hand_becomes_the_calibration_pose(own: Any) -> None:
    armature = rigs.humanoid()
    arm = armature.pose.bones["LeftUpperArm"]
    arm.rotation_mode = "XYZ"
    arm.rotation_euler = (0.3, 0.0, 0.0)
    assert bpy.ops.rebone.set_pose() == {"FINISHED"}
    assert "LeftUpperArm = [17.18" in cards.read(armature)
