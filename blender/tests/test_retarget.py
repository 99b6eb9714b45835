"""Clips onto plain armatures."""

import re
from pathlib import Path

import bpy
import numpy as np
import pytest
import rebone

from blender import actions, cards, library, retargeting, scene, skeleton
from blender.retargeting import Settings

from . import dump, rigs

OPTIONS = {"fps": 24.0}
# Part of the body's size by which evaluated heads may differ from the library's kinematics.
TOLERANCE = 1e-5


def distance(onto: bpy.types.Object, solved: library.Solved) -> float:
    """Largest distance of evaluated heads from solved joints, in parts of the size."""
    own = skeleton.read(onto)
    frames = range(1, len(solved.poses) + 1)
    seen = skeleton.sample(onto, own, frames, follow_object=False)
    return float(np.abs(seen.positions - solved.poses.positions).max()) / own.size


@pytest.mark.parametrize(("scale", "turn"), [(1.0, 0.0), (0.01, 0.0), (1.0, 2.5)])
def test_evaluated_bones_are_where_the_library_solved_them(walk: Path, scale: float, turn: float) -> None:
    armature = rigs.humanoid(scale=scale)
    armature.rotation_euler = (0.0, 0.0, turn)
    bpy.context.view_layer.update()
    solved, baked = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    assert solved.grade is not None
    assert solved.grade.level == "PASS"
    assert distance(armature, solved) < TOLERANCE
    assert baked.warnings == []


@pytest.mark.parametrize("has_tips", [True, False])
def test_an_imported_file_is_the_source_that_the_file_is(walk: Path, tmp_path: Path, has_tips: bool) -> None:
    path = tmp_path / "walk.bvh"
    text = walk.read_text()
    path.write_text(text if has_tips else re.sub(r"(End Site\s*{\s*OFFSET)[^\n]*", r"\1 0 0 0", text))
    hero = rigs.humanoid()
    bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True)
    source = bpy.context.object
    assert source is not None
    motion = retargeting.motion_of(source, range(1, 350))
    rigs.activate(hero)
    options = {"fps": scene.rate()}
    (ours, _), (theirs, _) = (retargeting.retarget(own, hero, Settings(options)) for own in (motion, rebone.read(path)))
    size = skeleton.read(hero).size
    frames = min(len(ours.poses), len(theirs.poses))
    apart = np.linalg.norm(ours.poses.positions[:frames] - theirs.poses.positions[:frames], axis=-1) / size
    # Of each joint: fingertips, too.
    assert np.median(apart, axis=0).max() < 0.01
    assert ours.grade is not None
    assert theirs.grade is not None
    assert ours.grade.level == theirs.grade.level


def test_scale_and_turn_of_the_object_change_no_pose(walk: Path) -> None:
    plain, other = rigs.humanoid("Plain"), rigs.humanoid("Other", scale=0.01)
    other.rotation_euler = (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    clip = rebone.read(walk)
    first, second = (retargeting.retarget(clip, own, Settings(OPTIONS))[0].poses.positions for own in (plain, other))
    assert np.abs(first - second * 0.01).max() < 1e-4


def test_the_skin_is_read() -> None:
    with_mesh, without = rigs.humanoid("A"), rigs.humanoid("B", mesh=False)
    assert retargeting.prepare(with_mesh).target.has_skin
    assert not retargeting.prepare(without).target.has_skin
    assert not retargeting.prepare(with_mesh, with_skin=False).target.has_skin


def test_nothing_else_changes(walk: Path) -> None:
    armature = rigs.humanoid()
    limit = armature.pose.bones["Head"].constraints.new("LIMIT_ROTATION")
    limit.influence = 0.0
    driver = armature.pose.bones["LeftToes"].driver_add("rotation_euler", 0)
    driver.driver.expression = "0.1"
    rigs.random_pose(armature, 5, frames=3)
    before, keys = dump.scene(), dump.all_actions()
    retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    assert dump.scene() == before
    assert {name: own for name, own in dump.all_actions().items() if name in keys} == keys


def test_bones_under_constraints_and_drivers_are_named(walk: Path) -> None:
    armature = rigs.humanoid()
    armature.pose.bones["LeftHand"].constraints.new("LIMIT_ROTATION")
    armature.pose.bones["RightHand"].driver_add("rotation_quaternion", 0)
    _, baked = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    paths = {(own.data_path, own.array_index) for own in actions.fcurves(baked.action)}
    assert ('pose.bones["RightHand"].rotation_quaternion', 0) not in paths
    assert any("LeftHand" in text for text in baked.warnings)
    assert any("RightHand" in text for text in baked.warnings)


def test_constraints_are_keyed_off_where_that_is_asked_for(walk: Path) -> None:
    armature = rigs.humanoid()
    ik = armature.pose.bones["LeftLowerLeg"].constraints.new("IK")
    ik.target = bpy.data.objects.new("Goal", None)
    ik.chain_count = 2
    clip = rebone.read(walk)
    solved, baked = retargeting.retarget(clip, armature, Settings(OPTIONS))
    assert any("LeftUpperLeg" in text and "LeftLowerLeg" in text for text in baked.warnings)
    assert distance(armature, solved) > 0.01
    solved, baked = retargeting.retarget(clip, armature, Settings(OPTIONS, constraints_off=True))
    assert distance(armature, solved) < TOLERANCE
    assert baked.warnings == []


def test_rotation_modes_stay(walk: Path) -> None:
    armature = rigs.humanoid()
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = ("QUATERNION", "YZX", "AXIS_ANGLE")[number % 3]
    solved, _ = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    assert distance(armature, solved) < TOLERANCE


def test_quaternions_do_not_change_sides(walk: Path) -> None:
    _, baked = retargeting.retarget(rebone.read(walk), rigs.humanoid(), Settings(OPTIONS))
    keys = {(path, index): values[1::2] for path, index, values in actions.dump(baked.action)}
    for path in {path for path, _ in keys if path.endswith("rotation_quaternion")}:
        q = np.array([keys[path, index] for index in range(4)])
        assert (np.sum(q[:, 1:] * q[:, :-1], axis=0) > 0.0).all(), path


def test_in_place_stays_and_the_object_carries_the_same_way(walk: Path) -> None:
    clip = rebone.read(walk)
    ways = {}
    for root in ("RIG", "IN_PLACE", "OBJECT"):
        armature = rigs.humanoid(root)
        solved, _ = retargeting.retarget(clip, armature, Settings(OPTIONS, root=root))
        seen = skeleton.sample(armature, skeleton.read(armature), range(1, len(solved.poses) + 1))
        ways[root] = seen.positions[:, 0] - seen.positions[0, 0]
    assert np.linalg.norm(ways["RIG"][-1, :2]) > 1.0
    assert np.abs(ways["IN_PLACE"][:, :2]).max() < 0.2
    assert np.abs(ways["OBJECT"] - ways["RIG"]).max() < 1e-4


def test_travel_is_that_of_the_source_by_the_length_of_the_legs(walk: Path) -> None:
    clip = rebone.read(walk)
    armature = rigs.humanoid()
    solved, _ = retargeting.retarget(clip, armature, Settings(OPTIONS))
    seen = skeleton.sample(armature, skeleton.read(armature), [1, len(solved.poses)])
    up = rebone.analyse(clip)
    legs = np.linalg.norm(clip.skeleton.offsets[[up.index("leftLowerLeg"), up.index("leftFoot")]], axis=-1).sum()
    hips = clip.resampled(24.0).positions[:, up.index("hips")]
    source = np.linalg.norm((hips[len(solved.poses) - 1] - hips[0])[[0, 2]])
    own = np.linalg.norm((seen.positions[1] - seen.positions[0])[0, :2])
    bones = armature.data.bones
    assert abs(own / (source * (bones["LeftUpperLeg"].length + bones["LeftLowerLeg"].length) / legs) - 1.0) < 0.01


def test_locations_have_keys_only_where_a_bone_moves(walk: Path) -> None:
    armature = rigs.humanoid()
    armature.pose.bones["LeftShoulder"].location = (0.1, 0.0, 0.0)
    solved, baked = retargeting.retarget(rebone.read(walk), armature, Settings(OPTIONS))
    assert distance(armature, solved) < TOLERANCE
    curves = [own for own in actions.fcurves(baked.action) if own.data_path.endswith("location")]
    assert {own.data_path.split('"')[1] for own in curves} == {"Hips", "LeftShoulder"}


def test_another_armature_is_a_source(walk: Path) -> None:
    source, target = rigs.humanoid("Source"), rigs.humanoid("Target", roll=-1.0, scale=0.01)
    solved, _ = retargeting.retarget(rebone.read(walk), source, Settings(OPTIONS))
    motion = retargeting.motion_of(source, range(1, len(solved.poses) + 1))
    again, baked = retargeting.retarget(motion, target, Settings(OPTIONS))
    assert np.abs(again.poses.positions * 0.01 - solved.poses.positions).max() < 0.03
    assert baked.action.name == "walk.001"


def test_a_baked_result_passes_the_check(walk: Path) -> None:
    clip, armature = rebone.read(walk), rigs.humanoid()
    solved, _ = retargeting.retarget(clip, armature, Settings(OPTIONS))
    grade = library.check(clip, retargeting.motion_of(armature, range(1, len(solved.poses) + 1)))
    assert grade.level == "PASS"
    assert solved.grade is not None
    assert abs(grade.score - solved.grade.score) < 0.05


def test_a_stated_pose_is_the_calibration_pose(walk: Path) -> None:
    """Arms that hang 40 degrees lower at rest than the card says come out as if the rest pose were so."""
    armature = rigs.humanoid()
    cards.write(armature, library.with_pose("", {"LeftUpperArm": (0.0, 0.0, -40.0), "RightUpperArm": (0.0, 0.0, 40.0)}))
    assert "[pose]" in cards.read(armature)
    stated = retargeting.prepare(armature)
    assert stated.body
    line = library.roles(stated.target)[1]
    assert "rest pose" not in line


def test_what_is_no_humanoid_is_refused_with_the_reason() -> None:
    armature = rigs.new_armature("Chain")
    for number in range(4):
        head, tail = rigs.Vector((0, 0, number)), rigs.Vector((0, 0, number + 1))
        rigs.add_bone(armature, f"b{number}", f"b{number - 1}" if number else "", head, tail)
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(rebone.ReboneError):
        retargeting.prepare(armature)
