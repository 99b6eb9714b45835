"""Frames of sources and results, and how they are sampled."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender import actions, library, operators, retargeting, skeleton, skin, steps

from . import rigs


def moved(owner: bpy.types.Object) -> tuple[int, int]:
    return actions.frame_range(owner, (0, 0))


def test_the_result_begins_at_the_first_frame_of_the_armature(own: Any, walk: Path) -> None:
    source = rigs.humanoid("Source")
    own.path, bpy.context.scene.frame_start = str(walk), 50
    bpy.ops.rebone.retarget()
    bpy.context.scene.frame_start = 1
    assert moved(source)[0] == 50
    target = rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    bpy.ops.rebone.retarget()
    assert moved(target) == moved(source)
    assert bpy.ops.rebone.check() == {"FINISHED"}
    assert own.level == "PASS"


@pytest.mark.skipif(not actions.HAS_SLOTS, reason="actions have no slots")
def test_frames_are_those_of_the_slot(own: Any, walk: Path) -> None:
    source = rigs.humanoid("Source")
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    action = source.animation_data.action
    prop = bpy.data.objects.new("Prop", None)
    prop.animation_data_create().action = action
    prop.animation_data.action_slot = action.slots.new(id_type="OBJECT", name="Prop")
    before = operators.source_frames(source), operators.checked_frames(source)
    for frame in (-100, 2000):
        prop.keyframe_insert("location", frame=frame)
    assert action.frame_range[0] == -100
    assert (operators.source_frames(source), operators.checked_frames(source)) == before


def test_what_places_the_character_is_no_error_of_the_controls(own: Any, walk: Path) -> None:
    armature = rigs.controlled()
    place = armature.pose.bones["all"]
    place.location, place.rotation_mode, place.rotation_euler = (0.0, 2.0, 0.0), "XYZ", (0.0, 0.7, 0.0)
    place.scale = (1.2, 1.2, 1.2)
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    assert "off what was solved" not in own.message
    first = own.level, own.score
    bpy.ops.rebone.check()
    assert (own.level, own.score) == first


def test_weights_of_a_mesh_are_the_largest_four() -> None:
    armature = rigs.humanoid()
    body = bpy.data.objects["Body"]
    random = np.random.default_rng(3)
    for vertex in range(len(body.data.vertices)):
        for group in random.choice(len(body.vertex_groups), 6, replace=False):
            body.vertex_groups[int(group)].add([vertex], float(random.uniform(0.1, 1.0)), "REPLACE")
    index = {name: k for k, name in enumerate(skeleton.read(armature).bones) if name not in (None, "Head")}
    joints, weights = skin.read_weights(body, index)
    names = [group.name for group in body.vertex_groups]
    for row, vertex in enumerate(body.data.vertices):
        own = sorted(((own.weight, index[names[own.group]]) for own in vertex.groups if names[own.group] in index), reverse=True)
        total = sum(weight for weight, _ in own[:4])
        assert joints[row, : len(own)].tolist() == [joint for _, joint in own[:4]]
        assert weights[row, : len(own)] == pytest.approx([weight / total for weight, _ in own[:4]])
    assert [len(owners) for owners in (bpy.data.scenes, bpy.data.objects, bpy.data.node_groups)] == [1, 2, 0]


def test_weights_of_a_mesh_in_edit_mode_are_those_of_its_vertices() -> None:
    armature = rigs.humanoid()
    body = bpy.data.objects["Body"]
    index = {name: k for k, name in enumerate(skeleton.read(armature).bones) if name is not None}
    joints, weights = skin.read_weights(body, index)
    rigs.activate(body)
    bpy.ops.object.mode_set(mode="EDIT")
    again = skin.read_weights(body, index)
    assert np.array_equal(joints, again[0]) and np.array_equal(weights, again[1]) and weights.any()
    assert [mesh.name for mesh in bpy.data.meshes] == ["Body"]


def test_a_character_is_read_once_until_its_mesh_changes() -> None:
    armature = rigs.humanoid()
    first = retargeting.prepare(armature).target.motion
    assert retargeting.prepare(armature).target.motion is first
    bpy.data.objects["Body"].vertex_groups["Head"].add([0], 0.5, "REPLACE")
    second = retargeting.prepare(armature).target.motion
    assert second is not first
    bpy.data.objects["Body"].data.vertices[0].co.x += 0.01
    assert retargeting.prepare(armature).target.motion is not second
    assert len(library.read_before) <= library.MAX_READ_BEFORE


def test_sampling_goes_in_steps_and_evaluates_no_mesh(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = rigs.humanoid()
    rigs.random_pose(armature, 3)
    own = skeleton.read(armature)
    monkeypatch.setattr(skeleton, "STEP_SECONDS", 0.0)
    seen = []
    bpy.app.handlers.frame_change_post.append(lambda scene, depsgraph: seen.append([o.type for o in depsgraph.objects]))
    work = skeleton.matrices_at(armature, own.bones, range(1, 13))
    assert len(list(iter_steps(work))) == 12
    assert seen == [["ARMATURE"]] * 12
    assert bpy.context.scene.frame_current == 1
    assert len(bpy.data.scenes) == 1


def iter_steps(work: steps.Steps) -> Any:
    yield from work


def test_a_driver_that_reads_the_scene_counts() -> None:
    armature = rigs.humanoid()
    armature.pose.bones["Head"].rotation_mode = "XYZ"
    driver = armature.pose.bones["Head"].driver_add("rotation_euler", 0).driver
    variable = driver.variables.new()
    variable.type, variable.targets[0].id_type = "SINGLE_PROP", "SCENE"
    variable.targets[0].id, variable.targets[0].data_path = bpy.context.scene, "frame_current"
    variable.name, driver.expression = "at", "at * 0.1"
    poses = skeleton.sample(armature, skeleton.read(armature), [1, 11])
    assert np.abs(poses.rotations[1] - poses.rotations[0]).max() > 0.1
    assert bpy.context.scene.frame_current == 1
