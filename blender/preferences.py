"""Preferences of the extension: threads."""

import functools
import importlib.metadata
from typing import Any

import bpy
import rebone


def set_threads(preferences: "REBONE_Preferences", _context: bpy.types.Context | None = None) -> None:
    """Hands the number of threads to the library."""
    rebone.threads(preferences.threads)


def apply_saved_threads() -> None:
    """Hands the number of threads that was saved to the library."""
    preferences = bpy.context.preferences
    addon = None if preferences is None else preferences.addons.get(__package__ or "rebone")
    if addon is not None and isinstance(addon.preferences, REBONE_Preferences):
        set_threads(addon.preferences)


@functools.cache
def restart_hint() -> str:
    """Asks to start Blender again where the library that is loaded is not the one that is installed; empty where it is."""
    try:
        installed = importlib.metadata.version("rebone")
    except importlib.metadata.PackageNotFoundError:
        return ""
    if installed == rebone.__version__:
        return ""
    return f"Start Blender again: rebone {installed} is installed, {rebone.__version__} is loaded"


class REBONE_Preferences(bpy.types.AddonPreferences):
    """Preferences of the extension"""

    bl_idname = __package__ or "rebone"

    threads: bpy.props.IntProperty(
        name="Threads", min=0, max=256, default=0, description="Threads that solve, 0 for one a processor", update=set_threads
    )  # type: ignore[valid-type]

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.prop(self, "threads")
        layout.label(text=restart_hint() or f"library rebone {rebone.__version__}")


CLASSES = (REBONE_Preferences,)
