"""Rigify's human."""

import time
from pathlib import Path

import rebone

from blender import controls, retargeting
from blender.retargeting import Settings

from . import dump, rigs

# Centimetres of a body of 1.8 m.
MAX_CM = 0.05


def test_a_walk_goes_onto_the_controls(walk: Path) -> None:
    rig = rigs.rigify()
    before = dump.scene()
    started = time.monotonic()
    solved, baked = retargeting.retarget(rebone.read(walk), rig, Settings({"fps": 24.0}))
    print(f"first retarget {time.monotonic() - started:.1f} s")
    assert dump.scene() == before
    assert solved.grade is not None
    assert solved.grade.level == "PASS"
    onto = retargeting.prepare(rig)
    cm = {bone: 180.0 * baked.errors[bone] for bone in onto.body}
    assert {"DEF-hand.L", "DEF-foot.R", "DEF-spine.003", "DEF-spine.006"} <= set(cm)
    assert max(cm.values()) < MAX_CM, cm


def test_controls_are_those_that_artists_use() -> None:
    found = retargeting.prepare(rigs.rigify()).controls
    assert found is not None
    assert found.carrier == "torso"
    limbs = {"hand_fk.L", "forearm_fk.R", "upper_arm_fk.L", "thigh_fk.R", "shin_fk.L", "foot_fk.R"}
    assert limbs | {"shoulder.L", "head", "neck"} <= set(found.driven)
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in [*found.driven, *found.still])


def test_the_metarig_is_a_plain_armature(walk: Path) -> None:
    rigs.rigify()
    metarig = rigs.bpy.data.objects["metarig"]
    assert not controls.has_controls(metarig)
    solved, _ = retargeting.retarget(rebone.read(walk), metarig, Settings({"fps": 24.0}))
    assert solved.grade is not None
    assert solved.grade.level == "PASS"
