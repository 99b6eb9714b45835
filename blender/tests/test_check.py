"""The verdict on what an armature does, and where its findings are."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
import rebone

from blender import actions, panel

from . import rigs


def test_check_grades_what_is_evaluated_and_marks_frames(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    assert bpy.ops.rebone.check() == {"FINISHED"}
    assert own.level == "PASS"
    arm = armature.pose.bones["LeftUpperArm"].constraints.new("LIMIT_ROTATION")
    arm.use_limit_x = arm.use_limit_y = arm.use_limit_z = True
    arm.owner_space = "LOCAL"
    assert bpy.ops.rebone.check() == {"FINISHED"}
    assert own.level in ("LOOK", "FAIL")
    assert any("left arm" in finding.name or "left hand" in finding.name for finding in own.findings)
    markers = [marker.name for marker in bpy.context.scene.timeline_markers]
    with_frames = [finding for finding in own.findings if finding.frame >= 0]
    assert len(markers) <= len(with_frames)
    bpy.ops.rebone.check()
    assert len(bpy.context.scene.timeline_markers) == len(markers)


def test_after_a_retarget_the_grade_is_that_of_the_evaluated_armature(own: Any, walk: Path) -> None:
    rigs.add_ik(rigs.humanoid(), ("LowerLeg",))
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    first = own.level, own.score, [(finding.name, finding.frame) for finding in own.findings]
    assert first[0] == own.clips[0].level == "FAIL"
    bpy.ops.rebone.check()
    assert (own.level, own.score, [(finding.name, finding.frame) for finding in own.findings]) == first


@pytest.mark.parametrize("maker", [rigs.humanoid, rigs.controlled])
@pytest.mark.parametrize("root", ["RIG", "IN_PLACE", "OBJECT"])
def test_check_says_what_the_retarget_said(own: Any, walk: Path, root: str, maker: Any) -> None:
    maker()
    own.path, own.root = str(walk), root
    bpy.ops.rebone.retarget()
    first = own.level, [(finding.name, finding.frame) for finding in own.findings]
    score = own.score
    bpy.ops.rebone.check()
    assert (own.level, [(finding.name, finding.frame) for finding in own.findings]) == first
    assert own.score == pytest.approx(score, abs=0.01)


def test_check_compares_with_the_clip_that_the_action_was_made_of(own: Any, tmp_path: Path) -> None:
    source = rigs.humanoid("Source")
    for name in ("jump", "walk"):
        rebone.sample(name).write(tmp_path / f"{name}.bvh")
        own.path = str(tmp_path / f"{name}.bvh")
        bpy.ops.rebone.retarget()
        bpy.ops.rebone.retarget()
    assert actions.clip_name(source) == "walk"
    assert source.animation_data.action.name == "walk.001"


def jumpy_with_t_pose(path: Path) -> rebone.Motion:
    """A walk behind a T pose, whose head jumps in frame 101 of the file."""
    walk = rebone.sample("walk")
    rotations = np.concatenate([walk.skeleton.rest_rotations[None], walk.rotations])
    head = walk.skeleton.names.index("Head")
    rotations[101, head] = [np.sin(0.7), 0.0, 0.0, np.cos(0.7)]
    translations = np.concatenate([walk.translations[:1], walk.translations])
    motion = rebone.Motion.from_arrays(walk.skeleton, rotations, translations, fps=walk.fps)
    motion.write(path)
    return motion


def test_retarget_and_check_list_the_same_frames_at_the_same_rate(own: Any, tmp_path: Path) -> None:
    armature = rigs.humanoid()
    motion = jumpy_with_t_pose(tmp_path / "jumpy.bvh")
    own.path, own.scene_rate = str(tmp_path / "jumpy.bvh"), False
    bpy.ops.rebone.retarget()
    step = 24.0 / motion.fps
    assert actions.key_step(armature) == pytest.approx(step, rel=1e-4)
    first = {finding.name: finding.frame for finding in own.findings}
    score = own.score
    assert round(1 + 100 * step) in first.values()
    assert bpy.ops.rebone.check() == {"FINISHED"}
    assert own.rate == pytest.approx(motion.fps, rel=1e-4)
    assert panel.verdict_line(own).endswith(f"at {motion.fps:.4g} frames a second")
    assert own.score == pytest.approx(score, abs=0.01)
    second = {finding.name: finding.frame for finding in own.findings}
    assert second == first
    marked = {marker.frame for marker in bpy.context.scene.timeline_markers}
    assert marked == {frame for frame in second.values() if frame >= 0}


def test_at_the_rate_of_the_scene_frames_are_those_of_check_too(own: Any, tmp_path: Path) -> None:
    armature = rigs.humanoid()
    jumpy_with_t_pose(tmp_path / "jumpy.bvh")
    own.path = str(tmp_path / "jumpy.bvh")
    bpy.ops.rebone.retarget()
    assert actions.key_step(armature) == 1.0
    assert own.rate == pytest.approx(24.0)
    first = {finding.name: finding.frame for finding in own.findings if finding.frame >= 0}
    bpy.ops.rebone.check()
    second = {finding.name: finding.frame for finding in own.findings if finding.frame >= 0}
    assert first and {name: second.get(name) for name in first} == first
