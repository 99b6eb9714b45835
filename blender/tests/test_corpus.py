"""Real rigs and motions, where a folder of them is at hand."""

from pathlib import Path

import bpy
import numpy as np
import pytest
import rebone

from blender import actions, retargeting, scene, skeleton
from blender.retargeting import Settings

from . import dump

RIGS = [
    "gltf/Xbot.glb",
    "gltf/mixamo-sample-rig.glb",
    "gltf/Soldier.glb",
    "gltf/rpm-brunette-t.glb",
    "gltf/human-male.glb",
    "gltf/Knight.glb",
    "gltf/cesium_man.gltf",
    "vrm/cryptovoxels-vrm0.vrm",
    "fbx/Geno_bind.fbx",
]
CLIP = "motions/cmu-cgspeed/12_01.bvh"


def imported(path: Path, folder: Path) -> bpy.types.Object:
    """The armature of a file, by Blender's own importers; a VRM is read as a GLB."""
    if path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    else:
        copy = folder / f"{path.stem}.glb" if path.suffix == ".vrm" else path
        if copy != path:
            copy.write_bytes(path.read_bytes())
        bpy.ops.import_scene.gltf(filepath=str(copy))
    armature = next(own for own in bpy.context.scene.objects if own.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    return armature


@pytest.mark.parametrize("name", RIGS)
def test_real_rigs_are_where_the_library_solved_them(name: str, corpus: Path, tmp_path: Path) -> None:
    armature = imported(corpus / "rigs" / name, tmp_path)
    for bone in armature.pose.bones:
        # Importers leave scales of 1.0001.
        bone.scale = (1.0, 1.0, 1.0)
    before, keys = dump.scene(), dump.all_actions()
    settings = Settings({"fps": scene.rate(), "leading_pose": "drop", "accept_guesses": True})
    solved, baked = retargeting.retarget(rebone.read(corpus / CLIP), armature, settings)
    own = skeleton.read(armature)
    seen = skeleton.sample(armature, own, range(1, len(solved.poses) + 1), follow_object=False)
    keyed = {path.split('"')[1] for path, _, _ in actions.dump(baked.action)}
    joints = [joint for joint, bone in enumerate(own.bones) if bone in keyed]
    error = float(np.abs(seen.positions - solved.poses.positions)[:, joints].max()) / own.size
    grade = solved.grade
    assert grade is not None
    print(f"{name}: {len(own.bones)} joints, error {error:.1e}, {grade.level} {grade.score:.2f}, {baked.warnings}")
    assert error < 1e-5
    assert dump.scene() == before
    assert {name: own for name, own in dump.all_actions().items() if name in keys} == keys
