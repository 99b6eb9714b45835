"""The panel in the sidebar of the 3D view, tab rebone."""

from typing import Any

import bpy

from . import cards, colours, preferences, properties, results, scene, solving

ICONS: dict[str, Any] = {"PASS": "CHECKMARK", "LOOK": "HIDE_OFF", "FAIL": "CANCEL", "ERROR": "ERROR", "": "DOT"}
# Roles below this confidence are marked: the library asks for a card there.
MIN_CONFIDENCE = 0.5
# Pixels of the sidebar beside its text, and of a character on average, at a scale of 1.
MARGIN_PIXELS = 60.0
CHARACTER_PIXELS = 6.5
# Part of the width that a finding has beside its frame.
FINDING_SHARE = 0.78
# Least number of characters of a line.
MIN_LENGTH = 16


class Side(bpy.types.Panel):
    """Place of all panels."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "rebone"


def options_layout(layout: Any) -> Any:
    """Sets a layout up for options: their names on the left, without buttons for keys."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def line_length(part: float = 1.0) -> int:
    """Characters of a line in a part of the width of the sidebar."""
    region, settings = bpy.context.region, bpy.context.preferences
    if region is None or settings is None:
        return MIN_LENGTH
    pixels = part * (region.width / settings.system.ui_scale - MARGIN_PIXELS)
    return max(MIN_LENGTH, int(pixels / CHARACTER_PIXELS))


def lines(text: str, length: int) -> list[str]:
    """A text in lines of at most so many characters, but for longer words."""
    result: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            if line and len(line) + len(word) >= length:
                result.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        result.append(line)
    return result


def write(layout: Any, text: str, icon: str = "NONE", part: float = 1.0) -> None:
    """Draws a text over as many lines as it needs in a part of the width."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, line in enumerate(lines(text, line_length(part))):
        column.label(text=line, icon=icon if number == 0 else "BLANK1" if icon != "NONE" else "NONE")


def verdict_line(own: properties.SceneSettings) -> str:
    """The verdict, and the rate at which the motion was seen."""
    return f"{own.level}, score {own.score:.2f}, at {own.rate:.4g} frames a second"


class REBONE_PT_main(Side):
    """Source, options, one button, the verdict"""

    bl_label = "Retarget"
    bl_idname = "REBONE_PT_main"

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        own = properties.of(context)
        layout.use_property_decorate = False
        hint = preferences.restart_hint()
        if hint:
            write(layout, hint, "ERROR")
        layout.row().prop(own, "source_kind", expand=True)
        layout.prop(own, "path" if own.source_kind == "FILE" else "source", text="")
        if own.source_kind == "FILE":
            layout.prop(own, "take", icon="ACTION")
        armature = scene.active_armature(context)
        text = "select the target's armature" if armature is None else f"onto {armature.name}"
        layout.label(text=text, icon="ARMATURE_DATA")
        column = layout.column()
        column.use_property_split = True
        for name in ("limbs", "contacts", "root"):
            column.prop(own, name)
        if solving.running() is not None:
            row = layout.row()
            row.enabled = False
            row.scale_y = 1.4
            row.prop(own, "progress", slider=True)
        else:
            row = layout.row()
            row.scale_y = 1.4
            row.operator("rebone.retarget", icon="ARMATURE_DATA")
        self.draw_verdict(layout, own)

    def draw_verdict(self, layout: Any, own: properties.SceneSettings) -> None:
        if own.clip:
            write(layout, own.clip, "ACTION")
        if own.level:
            write(layout, verdict_line(own), ICONS.get(own.level, "DOT"))
        for finding in own.findings:
            split = layout.split(factor=FINDING_SHARE)
            write(split, finding.name, ICONS.get(finding.level, "DOT"), FINDING_SHARE)
            if finding.frame >= 0:
                split.operator("rebone.go_to", text=str(finding.frame)).frame = finding.frame
            if finding.help:
                write(layout, finding.help, "BLANK1")
        if own.message:
            write(layout.box(), own.message)


class REBONE_PT_options(Side):
    """Options that are seldom changed"""

    bl_label = "More Options"
    bl_parent_id = "REBONE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, own = options_layout(self.layout), properties.of(context)
        layout.prop(own, "part")
        if own.part:
            row = layout.row(align=True)
            row.prop(own, "part_first")
            row.prop(own, "part_last")
        layout.prop(own, "loop")
        column = layout.column()
        column.use_property_split = False
        column.label(text="Only")
        column.grid_flow(columns=2, align=True).prop(own, "only")
        for name in ("arms", "legs", "limits", "travel", "ground", "states_floor"):
            layout.prop(own, name)
        if own.states_floor:
            layout.prop(own, "floor")
        for name in ("scene_rate", "drop_pose", "use_skin", "constraints_off", "accept_guesses"):
            layout.prop(own, name)


class REBONE_PT_result(Side):
    """Place of the actions"""

    bl_label = "Result"
    bl_parent_id = "REBONE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, own = options_layout(self.layout), properties.of(context)
        for name in ("write_mode", "to_nla", "to_assets", "set_range"):
            layout.prop(own, name)


class REBONE_PT_check(Side):
    """Grade what the armature does now, also after changes by hand"""

    bl_label = "Check"
    bl_parent_id = "REBONE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.operator("rebone.check", icon="VIEWZOOM")


class REBONE_PT_folder(Side):
    """A whole folder of files"""

    bl_label = "Folder"
    bl_parent_id = "REBONE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        own = properties.of(context)
        layout.prop(own, "folder", text="")
        layout.operator("rebone.retarget_folder", icon="FILE_FOLDER")
        for clip in own.clips:
            icon = ICONS.get(clip.level, "DOT")
            if clip.level == "ERROR":
                write(layout, results.named(clip.message, clip.name), icon)
            else:
                text = f"{clip.name}  {clip.level} {clip.score:.2f}"
                layout.operator("rebone.play", text=text, icon=icon, emboss=False).action = clip.name


class REBONE_UL_roles(bpy.types.UIList):
    """Roles with their bones, the least sure first"""

    bl_idname = "REBONE_UL_roles"

    def draw_item(  # type: ignore[override]
        self, _context: Any, layout: Any, _data: Any, item: Any, _icon: Any, _active: Any, _name: Any
    ) -> None:
        split = layout.split(factor=0.46)
        split.label(text=item.name)
        split = split.split(factor=0.72)
        split.label(text=item.label)
        split.alert = item.confidence < MIN_CONFIDENCE
        split.label(text=f"{item.confidence:.0%}{'!' if split.alert else ''}")


class REBONE_PT_rig(Side):
    """Roles and corrections of the active armature"""

    bl_label = "Rig"
    bl_idname = "REBONE_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        own = properties.of(context)
        row = layout.row(align=True)
        row.operator("rebone.analyse", icon="COLOR")
        armature = scene.active_armature(context)
        if armature is not None and armature.get(colours.PROPERTY):
            row.operator("rebone.hide_roles", text="", icon="X")
        if own.rig_message:
            write(layout, own.rig_message)
        if own.roles:
            layout.template_list("REBONE_UL_roles", "", own, "roles", own, "active_role", rows=6)
            active = own.roles[min(own.active_role, len(own.roles) - 1)]
            write(layout, f"{active.name}, {active.bone}: {active.reason}")
            layout.operator("rebone.set_role", text="Selected Bones Play It", icon="BONE_DATA").role = active.name
            layout.operator("rebone.clear_role", text="No Bone Plays It", icon="X").role = active.name
        layout.operator_menu_enum("rebone.set_role", "role", text="Selected Bones Play…", icon="BONE_DATA")
        layout.operator("rebone.set_pose", icon="ARMATURE_DATA")
        if armature is not None and cards.read(armature):
            layout.operator("rebone.clear_card", icon="TRASH")
            layout.label(text=f"card: text block {cards.text_name(armature)}")


CLASSES = (
    REBONE_PT_main,
    REBONE_PT_options,
    REBONE_PT_result,
    REBONE_PT_check,
    REBONE_PT_folder,
    REBONE_UL_roles,
    REBONE_PT_rig,
)
