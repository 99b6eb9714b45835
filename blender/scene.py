"""Parts of the scene with their types: what Blender's own types leave open is settled here, once."""

from typing import Literal

import bpy

OperatorResult = set[Literal["RUNNING_MODAL", "CANCELLED", "FINISHED", "PASS_THROUGH", "INTERFACE"]]
FINISHED: OperatorResult = {"FINISHED"}
CANCELLED: OperatorResult = {"CANCELLED"}
RUNNING: OperatorResult = {"RUNNING_MODAL"}
PASS_THROUGH: OperatorResult = {"PASS_THROUGH"}


def current() -> bpy.types.Scene:
    """The scene of the context."""
    scene = bpy.context.scene
    assert scene is not None
    return scene


def rate() -> float:
    """Frames a second of the scene."""
    render = current().render
    return float(render.fps) / float(render.fps_base)


def update() -> None:
    """Evaluates the scene anew."""
    layer = bpy.context.view_layer
    assert layer is not None
    layer.update()


def bones_of(armature: bpy.types.Object) -> bpy.types.ArmatureBones:
    """Bones of an armature at rest."""
    assert isinstance(armature.data, bpy.types.Armature)
    return armature.data.bones


def pose_of(armature: bpy.types.Object) -> "bpy.types.bpy_prop_collection[bpy.types.PoseBone]":
    """Bones of an armature in its pose."""
    assert armature.pose is not None
    return armature.pose.bones


def is_selected(bone: bpy.types.PoseBone) -> bool:
    """Returns whether a bone is selected; in 5.0 pose bones hold that."""
    return bool(bone.select if hasattr(bone, "select") else bone.bone.select)


def select_bone(armature: bpy.types.Object, name: str) -> None:
    """Selects one bone and no other."""
    for bone in pose_of(armature):
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name == name


def mesh_of(owner: bpy.types.Object) -> bpy.types.Mesh:
    """Mesh of an object."""
    assert isinstance(owner.data, bpy.types.Mesh)
    return owner.data


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active object, where it is an armature; that of an active mesh."""
    active = context.object
    if active is not None and active.type == "MESH":
        active = active.find_armature()
    return active if active is not None and active.type == "ARMATURE" else None


def has_armature(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Returns whether an armature is active; else Blender tells it where the pointer is over the button."""
    if active_armature(context) is None:
        operator.poll_message_set("Select an armature: it is the target")
        return False
    return True


def check_posed(armature: bpy.types.Object) -> None:
    """Refuses an armature that shows no pose."""
    if armature.mode == "EDIT":
        raise ValueError(f"leave edit mode of {armature.name} first")
    if isinstance(armature.data, bpy.types.Armature) and armature.data.pose_position == "REST":
        raise ValueError(f"{armature.name} is shown in its rest position: choose Pose Position in its data first")


def target(context: bpy.types.Context) -> bpy.types.Object:
    """The active armature; operators are only called where there is one."""
    armature = active_armature(context)
    if armature is None:
        raise ValueError("select an armature as the target")
    check_posed(armature)
    if armature.library is not None:
        raise ValueError(f"{armature.name} is linked from another file: make a library override first")
    return armature
