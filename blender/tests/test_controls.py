"""Rigs with controls."""

from pathlib import Path

import bpy
import numpy as np
import rebone

from blender import actions, controls, retargeting, skeleton
from blender.retargeting import Settings

from . import dump, rigs

OPTIONS = {"fps": 24.0}


def test_controls_are_found_by_what_they_move_and_not_by_names() -> None:
    armature = rigs.controlled()
    found = retargeting.prepare(armature).controls
    assert found is not None
    assert found.carrier in ("body", "ctl00")
    assert found.driven == {f"ctl{number:02}": bone for number, bone in enumerate(rigs.layout())}


def test_controls_that_were_found_are_kept_until_bones_change() -> None:
    armature = rigs.controlled()
    first = retargeting.prepare(armature).controls
    kept = armature[controls.PROPERTY]
    assert retargeting.prepare(armature).controls == first
    assert armature[controls.PROPERTY] == kept
    armature.data.bones["ctl03"].name = "renamed"
    again = retargeting.prepare(armature).controls
    assert again is not None
    assert "renamed" in again.driven


def test_what_is_kept_and_cannot_be_read_is_found_anew() -> None:
    armature = rigs.controlled()
    first = retargeting.prepare(armature).controls
    for text in ("", "{}", '{"version": 1, "bones": []}', "no json"):
        armature[controls.PROPERTY] = text
        assert retargeting.prepare(armature).controls == first


def test_a_rig_without_constraints_has_no_controls() -> None:
    assert not controls.has_controls(rigs.humanoid(mesh=False))


def test_keys_on_controls_put_deform_bones_where_they_were_solved(walk: Path) -> None:
    armature = rigs.controlled()
    before = dump.scene()
    solved, baked = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    assert max(baked.errors.values()) < 1e-4
    assert dump.scene() == before
    keyed = {own.data_path.split('"')[1] for own in actions.fcurves(baked.action)}
    assert not keyed & set(rigs.layout())
    assert solved.grade is not None
    assert solved.grade.level == "PASS"


def test_looking_for_controls_leaves_pose_and_action_as_they_were() -> None:
    armature = rigs.controlled()
    rigs.random_pose(armature, 7, frames=3)
    bpy.context.scene.frame_set(2)
    armature.pose.bones["ctl03"].location = (0.1, 0.2, 0.3)
    before = [[*bone.location, *bone.rotation_quaternion] for bone in armature.pose.bones]
    action = armature.animation_data.action
    retargeting.prepare(armature)
    assert [[*bone.location, *bone.rotation_quaternion] for bone in armature.pose.bones] == before
    assert armature.animation_data.action == action


def test_a_character_that_its_topmost_control_places_stays_placed(walk: Path) -> None:
    armature = rigs.controlled()
    armature.pose.bones["all"].location = (0.0, 2.0, 0.0)
    solved, _ = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    own, _ = retargeting.rig_skeleton(armature)
    seen = skeleton.sample(armature, own, [1])
    moved = seen.positions[0] - solved.poses.positions[0]
    assert np.allclose(moved, moved[0], atol=1e-4)
    assert abs(np.linalg.norm(moved[0]) - 2.0) < 1e-3
