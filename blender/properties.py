"""Settings of the panel, and results that it shows. Kept with the scene."""

from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from . import library, scene

LIMBS = [
    ("direction", "Directions", "Keep the directions of arms and legs"),
    ("position", "Positions", "Keep the scaled positions of hands and feet"),
]
LIMBS_OF = [("as-limbs", "As Limbs", "That of Limbs"), *LIMBS]
REGIONS = [
    ("upper", "Upper Body", "Trunk, arms and head"),
    ("lower", "Lower Body", "Hips and legs"),
    ("hips", "Hips", "Hips, and all joints that move the body"),
    ("trunk", "Trunk", "Spine"),
    ("head", "Head", "Neck and head"),
    ("arms", "Arms", "Collar bones to finger tips"),
    ("hands", "Hands", "Hands and fingers"),
    ("legs", "Legs", "Thighs to toes"),
]
LOOPS = [
    ("OFF", "Off", "The motion as it is"),
    ("BEST", "Best Cycle", "One cycle, found in the motion, with its seam closed"),
    ("PART", "The Part", "Part of the Clip is one cycle: its last frame repeats its first. The seam is closed"),
]
ACTIONS = [
    ("ADD", "New", "Each retarget makes a new action"),
    ("OVERWRITE", "Overwrite", "The action that the armature has of the clip gets the new keys"),
]
CONTACTS = [
    ("off", "Off", "Each frame stays as it was solved"),
    ("soft", "Soft", "Feet, as far as they can be kept smoothly"),
    ("feet", "Feet", "Feet in contact do not slide"),
    ("all", "All", "Feet, hands, knees, elbows, seat, back and head"),
    ("lock", "Lock", "All, without the small movement that the source has in contact"),
]
LIMITS = [
    ("source", "Source", "Human ranges, widened to hold what the source does"),
    ("human", "Human", "Human ranges"),
    ("strict", "Strict", "Ranges of the rig card, human ranges where it states none"),
]
ROOTS = [
    ("RIG", "As the Rig Has It", "The bone or control that moves the body also carries it over the floor"),
    ("IN_PLACE", "In Place", "The body stays where the rig stands"),
    ("ROOT_BONE", "Root Bone", "The root bone above the body carries it; for rigs without controls"),
    ("OBJECT", "Object", "The armature's object carries the body over the floor"),
]
GROUND = [
    ("auto", "Automatic", "On height zero where the source's floor is far from it, else as the source has it"),
    ("keep", "As the Source", "Heights of the source"),
    ("on", "On Height Zero", "The floor of the result is at height zero"),
]
TRAVEL = [
    ("leg-length", "By Leg Length", "Scale the way over the floor by the lengths of the legs"),
    ("metric", "Metric", "Keep the way over the floor in metres"),
]
SOURCES = [
    ("FILE", "File", "A motion file: BVH, FBX, glTF, VRM, VRMA, Acclaim"),
    ("ARMATURE", "Armature", "Another armature of the scene, in the pose that is evaluated in each frame"),
]


def takes(own: Any, _context: bpy.types.Context | None, text: str) -> list[str]:
    """Clips of the file of the panel whose names have a text in them."""
    path = bpy.path.abspath(own.path)
    return [name for name in library.clip_names(path) if text.lower() in name.lower()]


def is_other_armature(_self: Any, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


class FindingItem(bpy.types.PropertyGroup):
    """One reason of a verdict. `frame` is in the scene, -1 where the reason is of the whole clip."""

    help: StringProperty()  # type: ignore[valid-type]
    level: StringProperty()  # type: ignore[valid-type]
    frame: IntProperty(default=-1)  # type: ignore[valid-type]


class RoleItem(bpy.types.PropertyGroup):
    """Role of a bone; `name` is the role."""

    bone: StringProperty()  # type: ignore[valid-type]
    label: StringProperty()  # type: ignore[valid-type]
    confidence: FloatProperty()  # type: ignore[valid-type]
    reason: StringProperty()  # type: ignore[valid-type]


class ClipItem(bpy.types.PropertyGroup):
    """A clip that was retargeted, or a file that failed; `name` is that of the action or file."""

    level: StringProperty()  # type: ignore[valid-type]
    score: FloatProperty()  # type: ignore[valid-type]
    message: StringProperty()  # type: ignore[valid-type]


def select_bone(own: Any, context: bpy.types.Context) -> None:
    """Selects the bone of the active role alone, where bones can be seen."""
    armature = scene.active_armature(context)
    if armature is not None and armature.mode == "POSE" and own.active_role < len(own.roles):
        scene.select_bone(armature, own.roles[own.active_role].bone)


class SceneSettings(bpy.types.PropertyGroup):
    """All that the panel shows."""

    source_kind: EnumProperty(name="Source", items=SOURCES, default="FILE")  # type: ignore[valid-type]
    path: StringProperty(name="File", subtype="FILE_PATH", description="Motion file")  # type: ignore[valid-type]
    source: PointerProperty(name="Armature", type=bpy.types.Object, poll=is_other_armature)  # type: ignore[valid-type]
    take: StringProperty(
        name="Clip", description="Clip of the file; all of them where it is empty", search=takes, search_options={"SORT"}
    )  # type: ignore[valid-type]
    part: BoolProperty(
        name="Part of the Clip",
        default=False,
        description="First to Last alone: in a file frames are counted from 0, of an armature they are those of the scene",
    )  # type: ignore[valid-type]
    part_first: IntProperty(name="First", default=0, description="First frame of the part")  # type: ignore[valid-type]
    part_last: IntProperty(name="Last", default=100, description="Last frame of the part")  # type: ignore[valid-type]
    loop: EnumProperty(name="Loop", items=LOOPS, default="OFF")  # type: ignore[valid-type]
    only: EnumProperty(
        name="Only",
        items=REGIONS,
        options={"ENUM_FLAG"},
        default=set(),
        description="Only these get keys; none chosen: all",
    )  # type: ignore[valid-type]
    write_mode: EnumProperty(name="Action", items=ACTIONS, default="ADD")  # type: ignore[valid-type]
    to_nla: BoolProperty(name="NLA Strip", default=False, description="Put each action on an NLA track of its own, too")  # type: ignore[valid-type]
    to_assets: BoolProperty(name="Mark as Asset", default=False, description="Mark each action as an asset")  # type: ignore[valid-type]
    set_range: BoolProperty(
        name="Set Scene Range", default=False, description="The scene begins and ends with the frames of the results"
    )  # type: ignore[valid-type]
    folder: StringProperty(name="Folder", subtype="DIR_PATH", description="Folder of motion files")  # type: ignore[valid-type]
    limbs: EnumProperty(name="Limbs", items=LIMBS, default="direction")  # type: ignore[valid-type]
    arms: EnumProperty(name="Arms", items=LIMBS_OF, default="as-limbs")  # type: ignore[valid-type]
    legs: EnumProperty(name="Legs", items=LIMBS_OF, default="as-limbs")  # type: ignore[valid-type]
    contacts: EnumProperty(name="Contacts", items=CONTACTS, default="feet")  # type: ignore[valid-type]
    limits: EnumProperty(name="Limits", items=LIMITS, default="source")  # type: ignore[valid-type]
    root: EnumProperty(name="Root", items=ROOTS, default="RIG")  # type: ignore[valid-type]
    travel: EnumProperty(name="Travel", items=TRAVEL, default="leg-length")  # type: ignore[valid-type]
    ground: EnumProperty(name="Ground", items=GROUND, default="auto")  # type: ignore[valid-type]
    states_floor: BoolProperty(
        name="State the Floor", default=False, description="Take the height of the source's floor from here; else it is estimated"
    )  # type: ignore[valid-type]
    floor: FloatProperty(
        name="Floor",
        description="Height of the source's floor in the unit of its file, along its up axis; of an armature in metres",
    )  # type: ignore[valid-type]
    scene_rate: BoolProperty(
        name="Scene Frame Rate", default=True, description="One key a frame of the scene; else one a frame of the source"
    )  # type: ignore[valid-type]
    drop_pose: BoolProperty(
        name="Leave Out a Leading T-Pose", default=True, description="Begin after a calibration pose in the first frame"
    )  # type: ignore[valid-type]
    accept_guesses: BoolProperty(
        name="Accept Guesses", default=False, description="Go on where roles or calibration are uncertain"
    )  # type: ignore[valid-type]
    use_skin: BoolProperty(name="Use Meshes", default=True, description="Read soles and surfaces off the meshes of the armature")  # type: ignore[valid-type]
    constraints_off: BoolProperty(
        name="Constraints Off",
        default=False,
        description="On rigs without controls: key the influence of constraints to 0 where they act on bones that get keys",
    )  # type: ignore[valid-type]
    level: StringProperty()  # type: ignore[valid-type]
    score: FloatProperty()  # type: ignore[valid-type]
    rate: FloatProperty()  # type: ignore[valid-type]
    message: StringProperty()  # type: ignore[valid-type]
    clip: StringProperty()  # type: ignore[valid-type]
    progress: FloatProperty(name="Escape Stops", min=0.0, max=1.0, subtype="FACTOR", options={"SKIP_SAVE"})  # type: ignore[valid-type]
    findings: CollectionProperty(type=FindingItem)  # type: ignore[valid-type]
    roles: CollectionProperty(type=RoleItem)  # type: ignore[valid-type]
    active_role: IntProperty(min=0, update=select_bone)  # type: ignore[valid-type]
    rig_message: StringProperty()  # type: ignore[valid-type]
    clips: CollectionProperty(type=ClipItem)  # type: ignore[valid-type]


CLASSES = (FindingItem, RoleItem, ClipItem, SceneSettings)


def of(context: bpy.types.Context) -> Any:
    """Settings of the scene of the context."""
    return of_scene(context.scene)


def of_scene(owner: Any) -> Any:
    """Settings of a scene."""
    return owner.rebone


def attach() -> None:
    """Gives scenes their settings."""
    bpy.types.Scene.rebone = PointerProperty(type=SceneSettings)  # type: ignore[attr-defined,func-returns-value]


def detach() -> None:
    del bpy.types.Scene.rebone  # type: ignore[attr-defined]
