"""Armatures that cannot be solved are refused with the reason before anything is solved, and never with a traceback."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender import actions, controls

from . import rigs


@pytest.mark.parametrize("shaped", ["", "ik", "all"])
@pytest.mark.parametrize("above", ["", "base"])
def test_ik_of_arms_and_legs_makes_no_rig_with_controls(own: Any, walk: Path, above: str, shaped: str) -> None:
    armature = rigs.humanoid()
    rigs.add_ik(armature, ("LowerLeg", "LowerArm"), above)
    for bone in armature.pose.bones:
        if shaped == "all" or (shaped and bone.name.startswith(shaped)):
            bone.custom_shape = bpy.data.objects["Body"]
    own.path, own.constraints_off = str(walk), True
    assert bpy.ops.rebone.retarget() == {"FINISHED"}
    assert not controls.has_controls(armature)
    assert own.level == "PASS"
    keyed = {curve.data_path.split('"')[1] for curve in actions.fcurves(armature.animation_data.action)}
    assert set(rigs.layout()) <= keyed
    assert bpy.ops.rebone.analyse() == {"FINISHED"}


def with_strip() -> tuple[bpy.types.Object, bpy.types.NlaTrack]:
    """An armature with an NLA strip and without an action."""
    armature = rigs.humanoid()
    rigs.random_pose(armature, 1)
    animation = armature.animation_data
    track = animation.nla_tracks.new()
    track.strips.new("strip", 1, animation.action)
    animation.action = None
    return armature, track


def test_tweak_mode_is_refused(own: Any, walk: Path) -> None:
    armature, _ = with_strip()
    armature.animation_data.use_tweak_mode = True
    own.path = str(walk)
    for operator in (bpy.ops.rebone.retarget, bpy.ops.rebone.check, bpy.ops.rebone.analyse):
        with pytest.raises(RuntimeError, match="leave tweak mode of Hero"):
            operator()


def test_a_soloed_track_is_refused_by_a_retarget_and_graded_by_check(own: Any, walk: Path) -> None:
    _, track = with_strip()
    track.is_solo = True
    own.path = str(walk)
    with pytest.raises(RuntimeError, match="NlaTrack of Hero is soloed"):
        bpy.ops.rebone.retarget()
    assert len(bpy.data.actions) == 1
    assert bpy.ops.rebone.check() == {"FINISHED"}


def exclude(owner: bpy.types.Object) -> None:
    own = bpy.data.collections.new("Out")
    bpy.context.scene.collection.children.link(own)
    own.objects.link(owner)
    bpy.context.scene.collection.objects.unlink(owner)
    bpy.context.view_layer.layer_collection.children["Out"].exclude = True


UNSEEN = {
    "not in the view layer": [exclude, lambda owner: bpy.context.scene.collection.objects.unlink(owner)],
    "disabled in viewports": [lambda owner: setattr(owner, "hide_viewport", True)],
}


@pytest.mark.parametrize(("reason", "hide"), [(reason, hide) for reason, ways in UNSEEN.items() for hide in ways])
@pytest.mark.parametrize("mesh", [True, False])
def test_a_source_that_is_not_evaluated_is_refused(own: Any, walk: Path, reason: str, hide: Any, mesh: bool) -> None:
    source = rigs.humanoid("Source", mesh=mesh)
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    hide(source)
    with pytest.raises(RuntimeError, match=f"Source is {reason}"):
        bpy.ops.rebone.retarget()


def test_a_target_that_is_disabled_is_refused_and_a_hidden_one_is_not(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    own.path = str(walk)
    armature.hide_set(True)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.rebone.retarget() == {"FINISHED"}
    armature.hide_viewport = True
    bpy.context.view_layer.objects.active = armature
    with pytest.raises(RuntimeError, match="Hero is disabled in viewports"):
        bpy.ops.rebone.retarget()
