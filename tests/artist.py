#!/usr/bin/env python3
"""A run from end to end in Blender: clips of a file onto a Rigify character and onto a VRM, by the operators of the extension.

    python tests/artist.py CORPUS OUT [CLIP...]

CORPUS: the folder of real clips and rigs (REBONE_CORPUS). CLIP: motion files; a dance of CMU and clips of a Mixamo glTF where none is
given. Prints for each clip and rig: seconds, the verdicts of what was solved and of what is evaluated, how far evaluated bones are from the solved ones, and whether anything else in the scene changed. Writes each
result as `OUT/CLIP-RIG.glb`, with boxes around the bones of a rig without a mesh. Needs Blender as a Python module (`bpy`) and the
module `rebone`.
"""

import os
import pathlib
import sys
import time

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import rebone  # noqa: E402

import blender  # noqa: E402
from blender import actions, controls, retargeting, scene, skeleton  # noqa: E402
from blender.tests import dump, rigs  # noqa: E402
from blender.tests.test_corpus import imported  # noqa: E402

CLIPS = ("motions/cmu-cgspeed/05_20.bvh", "rigs/gltf/Xbot.glb")
VRM = "rigs/vrm/cryptovoxels-vrm0.vrm"


def rigify(_corpus, _folder):
    """Rigify's human, with a box around each deform bone."""
    rig = rigs.rigify()
    rigs.add_body(rig)
    return rig


def vrm(corpus, folder):
    return imported(corpus / VRM, folder)


def furnished(make, corpus, folder):
    """A rig in a scene with an action of its own, as a person has it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rig = make(corpus, folder)
    if not hasattr(bpy.types.Scene, "rebone"):
        blender.register()
    for bone in rig.pose.bones:
        bone.scale = (1.0, 1.0, 1.0)
    other = next(iter(rig.pose.bones))
    other.keyframe_insert("location", frame=1)
    rigs.activate(rig)
    return rig


def bones_apart(rig, path, clip_name):
    """Largest distance, in metres of a body of 1.8 m, of an evaluated bone from the solved one; by the library, after the operator."""
    own = bpy.context.scene.rebone
    clip = next(clip for clip in rebone.read_all(path) if clip_name in (clip.name, None))
    settings = retargeting.Settings({"fps": scene.rate(), "accept_guesses": own.accept_guesses})
    solved, baked = retargeting.retarget(clip, rig, settings)
    if controls.has_controls(rig):
        onto = retargeting.prepare(rig)
        apart = {bone: 1.8 * baked.errors[bone] for bone in onto.body}
    else:
        read = skeleton.read(rig)
        seen = skeleton.sample(rig, read, range(1, len(solved.poses) + 1), follow_object=False)
        keyed = {path.split('"')[1] for path, _, _ in actions.dump(baked.action)}
        far = 1.8 * np.abs(seen.positions - solved.poses.positions).max(axis=(0, 2)) / read.size
        apart = {bone: far[joint] for joint, bone in enumerate(read.bones) if bone in keyed}
    worst = max(apart, key=apart.get)
    return float(apart[worst]), worst


def day(name, make, path, corpus, out):
    """Retargets all clips of a file onto a rig, checks the last one, and writes it."""
    rig = furnished(make, corpus, out)
    before, keys = dump.scene(), dump.all_actions()
    own = bpy.context.scene.rebone
    own.path, own.scene_rate, own.accept_guesses = str(path), True, True
    started = time.perf_counter()
    bpy.ops.rebone.retarget()
    seconds = time.perf_counter() - started
    solved = [(clip.name, clip.level, round(clip.score, 2)) for clip in own.clips]
    same = dump.scene() == before and {key: value for key, value in dump.all_actions().items() if key in keys} == keys
    started = time.perf_counter()
    bpy.ops.rebone.check()
    checking = time.perf_counter() - started
    first, last = (int(frame) for frame in actions.assigned(rig).action.frame_range)
    print(f"{path.stem} onto {name}: {seconds:.2f} s for {len(solved)} clips, last one {last - first + 1} frames")
    print(f"  solved {solved}; evaluated {own.level} {own.score:.2f} in {checking:.2f} s: {[finding.name for finding in own.findings]}")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = first, last
    bpy.ops.export_scene.gltf(
        filepath=str(out / f"{path.stem}-{name}.glb"),
        export_animation_mode="ACTIVE_ACTIONS",
        export_def_bones=controls.has_controls(rig),
    )
    far, worst = bones_apart(rig, path, solved[-1][0])
    print(f"  evaluated bones at most {100.0 * far:.4f} cm of a body of 1.8 m from the solved ones ({worst}); scene as before: {same}")


def main():
    corpus, out, *paths = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for path in paths or [corpus / clip for clip in CLIPS]:
        for name, make in (("rigify", rigify), ("vrm", vrm)):
            day(name, make, path, corpus, out)
    # A process with `bpy` may hang when it ends by itself.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
