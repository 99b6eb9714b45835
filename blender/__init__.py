"""rebone for Blender: retargets motion onto armatures and rigs with controls."""

from . import analysis, operators, panel, preferences, properties

MODULES = (properties, preferences, operators, analysis, panel)


def register() -> None:
    for module in MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(MODULES):
        module.unregister()
