"""rebone for Blender: retargets motion onto armatures and rigs with controls."""

import bpy

from . import analysis, operators, panel, preferences, properties, solving

CLASSES = (
    *properties.CLASSES, *preferences.CLASSES, *operators.CLASSES, *analysis.CLASSES, *panel.CLASSES,
)  # fmt: skip


def register() -> None:
    for own in CLASSES:
        bpy.utils.register_class(own)
    properties.attach()
    preferences.apply_saved_threads()


def unregister() -> None:
    solving.stop()
    properties.detach()
    for own in reversed(CLASSES):
        bpy.utils.unregister_class(own)
