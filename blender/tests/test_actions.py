"""Actions are new, named and kept."""

import bpy
import numpy as np

from blender import actions

from . import rigs


def curve(values: list[float]) -> actions.Curve:
    frames = np.arange(1.0, len(values) + 1.0)
    return actions.Curve('pose.bones["Hips"].location', 0, "Hips", frames, np.array(values))


def test_keys_are_written_and_read_back() -> None:
    armature = rigs.humanoid(mesh=False)
    action = actions.create(armature, "walk", [curve([0.0, 1.0, 4.0])])
    assert actions.dump(action) == [('pose.bones["Hips"].location', 0, [1.0, 0.0, 2.0, 1.0, 3.0, 4.0])]
    assert action.use_fake_user
    points = actions.fcurves(action)[0].keyframe_points
    assert [point.interpolation for point in points] == ["LINEAR"] * 3


def test_the_armature_plays_the_new_action_and_keeps_the_one_before() -> None:
    armature = rigs.humanoid(mesh=False)
    rigs.random_pose(armature, 1)
    before = armature.animation_data.action
    kept = actions.dump(before)
    name = before.name
    actions.use(armature, actions.create(armature, "walk", [curve([0.0, 1.0])]))
    assert armature.animation_data.action.name == "walk"
    assert actions.dump(bpy.data.actions[name]) == kept
    assert bpy.data.actions[name].use_fake_user
    bpy.context.scene.frame_set(2)
    assert abs(armature.pose.bones["Hips"].location[0] - 1.0) < 1e-6


def test_a_name_that_is_taken_gets_a_number() -> None:
    armature = rigs.humanoid(mesh=False)
    names = [actions.create(armature, "walk", [curve([0.0])]).name for _ in range(2)]
    assert names == ["walk", "walk.001"]


def test_a_slot_has_the_name_of_the_object() -> None:
    armature = rigs.humanoid("Hero", mesh=False)
    action = actions.create(armature, "walk", [curve([0.0])])
    if actions.HAS_SLOTS:
        assert [slot.name_display for slot in action.slots] == ["Hero"]
