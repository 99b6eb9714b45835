"""Clips of a file, parts of a clip, regions of the body, and the places of actions."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
import rebone

from blender import actions, library, properties, retargeting, solving
from blender.retargeting import Settings

from . import rigs
from .test_check import jumpy_with_t_pose


@pytest.fixture
def clips(walk: Path, tmp_path: Path) -> Path:
    """A file with the clips walk and jump."""
    armature = rigs.humanoid("Maker", mesh=False)
    for name in ("walk", "jump"):
        retargeting.retarget(rebone.sample(name), armature, Settings({"fps": 24.0}))
    path = tmp_path / "clips.glb"
    bpy.ops.object.select_all(action="DESELECT")
    rigs.activate(armature)
    armature.animation_data.action = None
    for action in bpy.data.actions:
        actions.use(armature, action)
        actions.add_strip(armature, action)
    armature.animation_data.action = None
    bpy.ops.export_scene.gltf(filepath=str(path), use_selection=True, export_animation_mode="NLA_TRACKS")
    bpy.data.objects.remove(armature)
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    return path


def keyed_bones(owner: bpy.types.Object) -> set[str]:
    return {curve.data_path.split('"')[1] for curve in actions.fcurves(owner.animation_data.action)}


def keys(owner: bpy.types.Object) -> tuple[int, int]:
    return actions.frame_range(owner, (0, 0))


def shown(own: Any) -> tuple[str, list[tuple[str, int]]]:
    """Grade and findings of the panel, with their frames."""
    return own.level, [(finding.name, finding.frame) for finding in own.findings]


def checked(own: Any) -> tuple[str, float]:
    """Verdict of Check, after that of the retarget was the same."""
    before, score = shown(own), own.score
    assert bpy.ops.rebone.check() == {"FINISHED"}
    assert shown(own) == before
    assert own.score == pytest.approx(score, abs=0.005)
    return own.level, score


def test_one_clip_of_a_file_is_chosen(own: Any, clips: Path) -> None:
    rigs.humanoid()
    own.path = str(clips)
    assert sorted(properties.takes(own, None, "")) == ["jump", "walk"]
    assert properties.takes(own, None, "JU") == ["jump"]
    own.take = "jump"
    bpy.ops.rebone.retarget()
    assert [clip.name for clip in own.clips] == ["jump"]
    checked(own)
    own.take = ""
    bpy.ops.rebone.retarget()
    assert sorted(clip.name for clip in own.clips) == ["jump.001", "walk"]
    own.take = "run"
    with pytest.raises(RuntimeError, match="has no clip run: choose one of"):
        bpy.ops.rebone.retarget()
    assert library.clip_names("/nowhere.glb") == []


def test_a_part_of_a_file_is_retargeted_and_checked(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    own.path, own.part, own.part_first, own.part_last = str(walk), True, 60, 179
    bpy.ops.rebone.retarget()
    assert keys(armature) == (1, 48)
    assert checked(own)[0] == "PASS"
    own.part_first = -5
    with pytest.raises(RuntimeError, match="frames of a file are counted from 0"):
        bpy.ops.rebone.retarget()
    own.part_first = own.part_last = 60
    with pytest.raises(RuntimeError, match="Part of the Clip: found Last 60"):
        bpy.ops.rebone.retarget()


def test_findings_of_a_part_are_at_its_frames(own: Any, tmp_path: Path) -> None:
    rigs.humanoid()
    motion = jumpy_with_t_pose(tmp_path / "jumpy.bvh")
    own.path, own.scene_rate = str(tmp_path / "jumpy.bvh"), False
    own.part, own.part_first, own.part_last = True, 60, 179
    bpy.ops.rebone.retarget()
    frames = [finding.frame for finding in own.findings if "Head" in finding.name]
    assert frames == [round(1 + (101 - 60) * 24.0 / motion.fps)]
    checked(own)


def test_a_part_of_an_armature_stays_at_its_frames(own: Any, walk: Path) -> None:
    source = rigs.humanoid("Source")
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    target = rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    own.part, own.part_first, own.part_last = True, 30, 80
    bpy.ops.rebone.retarget()
    assert keys(target) == (30, 80)
    own.part = False
    assert checked(own)[0] == "PASS"
    own.part, own.part_first, own.part_last = True, 500, 600
    with pytest.raises(RuntimeError, match="found 500 to 600, but Source moves from 1 to 140"):
        bpy.ops.rebone.retarget()


@pytest.mark.parametrize("kind", ["FILE", "ARMATURE"])
@pytest.mark.parametrize("loop", ["BEST", "PART"])
def test_a_loop_ends_as_it_begins_and_passes_check(own: Any, walk: Path, loop: str, kind: str) -> None:
    armature = rigs.humanoid()
    own.path = str(walk)
    with pytest.raises(RuntimeError, match="Loop: The Part needs Part of the Clip"):
        own.loop = "PART"
        bpy.ops.rebone.retarget()
    own.loop, own.part_first, own.part_last = "OFF", 65, 258
    if kind == "ARMATURE":
        bpy.ops.rebone.retarget()
        own.source_kind, own.source, own.part_first, own.part_last = kind, armature, 27, 104
        armature = rigs.humanoid("Target")
    own.loop, own.part = loop, loop == "PART"
    bpy.ops.rebone.retarget()
    for curve in actions.fcurves(armature.animation_data.action):
        # The hips turn with the path.
        if "rotation" in curve.data_path and "Hips" not in curve.data_path:
            first, last = (curve.evaluate(frame) for frame in actions.key_range(armature))
            assert abs(abs(first) - abs(last)) < 1e-3, curve.data_path
    if kind == "ARMATURE" and loop == "PART":
        assert keys(armature) == (27, 104)
    own.part = False
    checked(own)


def test_only_some_regions_get_keys(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    armature.pose.bones["LeftUpperLeg"].rotation_quaternion = (0.9, 0.4, 0.0, 0.0)
    own.path, own.only = str(walk), {"arms"}
    bpy.ops.rebone.retarget()
    assert {"LeftUpperArm", "RightHand"} <= keyed_bones(armature)
    assert not any(name.endswith(("Leg", "Foot", "Toes", "Hips", "Spine", "Head")) for name in keyed_bones(armature))
    assert own.level == "PASS"
    with pytest.raises(RuntimeError, match="only Arms got keys: Check compares whole bodies"):
        bpy.ops.rebone.check()
    armature = rigs.controlled()
    bpy.ops.rebone.retarget()
    bones = list(rigs.layout())
    moved = {bones[int(name[3:])] for name in keyed_bones(armature) if name.startswith("ctl")}
    assert "LeftUpperArm" in moved and not moved & {"Hips", "LeftUpperLeg", "Head"}
    assert "body" not in keyed_bones(armature)


def test_goals_of_arms_and_legs_are_options(own: Any) -> None:
    assert not {"arms", "legs", "only", "frames", "loop"} & set(solving.settings_of(bpy.context).options)
    own.arms, own.legs, own.only = "position", "direction", {"arms", "legs"}
    options = solving.settings_of(bpy.context).options
    assert (options["arms"], options["legs"], options["only"]) == ("position", "direction", ["arms", "legs"])


def test_an_action_is_overwritten_where_that_is_asked_for(own: Any, walk: Path) -> None:
    armature, other = rigs.humanoid(), rigs.humanoid("Other")
    own.path, own.write_mode = str(walk), "OVERWRITE"
    bpy.ops.rebone.retarget()
    rigs.activate(armature)
    bpy.ops.rebone.retarget()
    action = armature.animation_data.action
    before = actions.dump(action)
    own.root = "IN_PLACE"
    bpy.ops.rebone.retarget()
    assert armature.animation_data.action == action
    assert len(bpy.data.actions) == 2
    assert other.animation_data.action != action
    assert actions.dump(action) != before
    own.root = "RIG"
    bpy.ops.rebone.retarget()
    assert actions.dump(action) == before
    assert actions.TRAVEL_PROPERTY not in action
    own.write_mode = "ADD"
    bpy.ops.rebone.retarget()
    assert armature.animation_data.action != action


def test_actions_go_to_nla_assets_and_the_range_of_the_scene(own: Any, walk: Path, tmp_path: Path) -> None:
    armature = rigs.humanoid()
    for name in ("jump", "walk"):
        rebone.sample(name).write(tmp_path / f"{name}.bvh")
    own.folder = str(tmp_path)
    bpy.ops.rebone.retarget_folder()
    assert not armature.animation_data.nla_tracks
    assert bpy.context.scene.frame_end == 250
    own.write_mode, own.to_nla, own.to_assets, own.set_range = "OVERWRITE", True, True, True
    for _ in range(2):
        bpy.ops.rebone.retarget_folder()
        tracks = armature.animation_data.nla_tracks
        assert [track.name for track in tracks] == ["jump", "walk"]
        assert [track.strips[0].action.name for track in tracks] == ["jump", "walk"]
    assert all(action.asset_data is not None for action in bpy.data.actions)
    last = max(action.frame_range[1] for action in bpy.data.actions)
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, int(last))
    armature.animation_data.action = None
    poses = []
    for frame in (5, 60):
        bpy.context.scene.frame_set(frame)
        poses.append(np.array(armature.pose.bones["LeftUpperLeg"].matrix))
    assert np.abs(poses[1] - poses[0]).max() > 0.01
