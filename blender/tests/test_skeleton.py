"""Armatures as arrays, and keys of poses, against Blender's evaluation."""

from pathlib import Path

import bpy
import numpy as np
import pytest
import rebone
from mathutils import Vector

from blender import actions, keys, maths, skeleton

from . import rigs

# Part of the body's size by which evaluated heads may differ: Blender evaluates in single precision.
TOLERANCE = 1e-5


def test_tips_that_importers_make_up_are_none() -> None:
    armature = rigs.humanoid(mesh=False)
    own = skeleton.read(armature)
    named = [own.names[leaf] for leaf in skeleton.end_sites(own)[0]]
    assert sorted(named) == ["Head", "LeftHand", "LeftToes", "RightHand", "RightToes"]
    # A hand as long as its forearm, in the same direction.
    rigs.activate(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    hand = armature.data.edit_bones["LeftHand"]
    hand.tail = hand.head + hand.parent.tail - hand.parent.head
    bpy.ops.object.mode_set(mode="OBJECT")
    own = skeleton.read(armature)
    assert "LeftHand" not in [own.names[leaf] for leaf in skeleton.end_sites(own)[0]]
    # All bones point up, as those of a VRM do: their tails say nothing.
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    for bone in armature.data.edit_bones:
        bone.tail = bone.head + Vector((0.0, 0.0, 0.1))
    bpy.ops.object.mode_set(mode="OBJECT")
    assert skeleton.end_sites(skeleton.read(armature))[0] == []


def test_tips_of_a_bvh_are_its_end_sites(tmp_path: Path) -> None:
    walk = rebone.sample("walk")[:10]
    own = walk.skeleton
    axes = ["xyz" if joint == 0 else "" for joint in range(len(own.names))]
    bare = rebone.Skeleton.from_arrays(own.names, own.parents, own.offsets, translation_axes=axes, unit="cm")
    motions = {"sites": walk, "bare": rebone.Motion.from_arrays(bare, walk.rotations, walk.translations[:, :1], fps=60.0)}
    for name, motion in motions.items():
        motion.write(tmp_path / f"{name}.bvh")
        bpy.ops.import_anim.bvh(filepath=str(tmp_path / f"{name}.bvh"))
        read = skeleton.read(bpy.context.object)
        assert len(skeleton.end_sites(read)[0]) == (len(own.end_sites) if name == "sites" else 0)


def test_parents_stand_before_children_and_rest_is_reproduced() -> None:
    own = skeleton.read(rigs.humanoid())
    assert all(parent < joint for joint, parent in enumerate(own.parents))
    translations, rotations = skeleton.rest_local(own)
    world = skeleton.world(own, translations[None], rotations[None])
    assert np.allclose(world.positions[0], own.positions, atol=1e-9)


def test_several_roots_hang_on_one() -> None:
    armature = rigs.new_armature("Two")
    rigs.add_bone(armature, "a", "", rigs.Vector((0, 0, 0)), rigs.Vector((0, 0, 1)))
    rigs.add_bone(armature, "b", "", rigs.Vector((1, 0, 0)), rigs.Vector((1, 0, 1)))
    bpy.ops.object.mode_set(mode="OBJECT")
    own = skeleton.read(armature)
    assert own.names == [skeleton.ROOT_NAME, "a", "b"]
    assert own.parents.tolist() == [-1, 0, 0]


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])
@pytest.mark.parametrize(("scale", "turn"), [(1.0, 0.0), (0.01, 0.0), (1.0, 1.3)])
def test_keys_of_sampled_poses_give_the_same_poses(mode: str, scale: float, turn: float) -> None:
    armature = rigs.humanoid(scale=scale, mesh=False)
    armature.rotation_euler = (turn, 0.5 * turn, 2.0 * turn)
    armature.data.bones["LeftUpperLeg"].use_inherit_rotation = False
    armature.data.bones["RightUpperLeg"].use_local_location = False
    rigs.random_pose(armature, 3)
    own = skeleton.read(armature)
    frames = list(range(1, 13))
    before = skeleton.sample(armature, own, frames)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    keyed, bound = keys.of_bones(armature, own, before, [])
    curves = keys.curves(armature, keyed, np.array(frames, dtype=float))
    actions.use(armature, actions.create(armature, "again", curves))
    after = skeleton.sample(armature, own, frames)
    assert not bound
    assert np.abs(after.positions - before.positions).max() < TOLERANCE * own.size
    assert maths.angles_between(after.rotations, before.rotations).max() < 1e-4


def test_a_moving_object_counts_as_motion() -> None:
    armature = rigs.humanoid(mesh=False)
    for frame, place in ((1, 0.0), (11, 2.0)):
        armature.location = (0.0, place, 0.0)
        armature.keyframe_insert("location", frame=frame)
    poses = skeleton.sample(armature, skeleton.read(armature), [1, 11])
    assert np.allclose(poses.positions[1] - poses.positions[0], [0.0, 2.0, 0.0], atol=1e-5)


def test_sampling_leaves_the_frame_as_it_was() -> None:
    armature = rigs.humanoid(mesh=False)
    bpy.context.scene.frame_set(7)
    skeleton.sample(armature, skeleton.read(armature), [1, 2])
    assert bpy.context.scene.frame_current == 7
