"""Preferences of the extension: threads."""

from typing import Any

import bpy
import rebone


def set_threads(preferences: "REBONE_Preferences", _context: bpy.types.Context | None = None) -> None:
    """Hands the number of threads to the library."""
    rebone.threads(preferences.threads)


class REBONE_Preferences(bpy.types.AddonPreferences):
    """Preferences of the extension"""

    bl_idname = __package__ or "rebone"

    threads: bpy.props.IntProperty(
        name="Threads", min=0, max=256, default=0, description="Threads that solve, 0 for one a processor", update=set_threads
    )  # type: ignore[valid-type]

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.prop(self, "threads")
        layout.label(text=f"library rebone {rebone.__version__}")


CLASSES = (REBONE_Preferences,)
