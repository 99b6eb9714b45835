"""Parts of the scene with their types: what Blender's own types leave open is settled here, once."""

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def alone(armature: bpy.types.Object) -> Iterator[bpy.types.Scene]:
    """A scene in which an armature is evaluated with what it depends on, but without the meshes that follow it.

    It is a new one, removed afterwards, with the rate of the current scene. Where drivers read a scene it is the current one,
    which afterwards is at its frame again.
    """
    shown = current()
    if reads_scene(armature):
        frame, subframe = shown.frame_current, shown.frame_subframe
        try:
            yield shown
        finally:
            shown.frame_set(frame, subframe=subframe)
        return
    own = bpy.data.scenes.new("rebone")
    uid = own.session_uid
    try:
        own.render.fps, own.render.fps_base = shown.render.fps, shown.render.fps_base
        own.render.frame_map_old, own.render.frame_map_new = shown.render.frame_map_old, shown.render.frame_map_new
        own.unit_settings.scale_length = shown.unit_settings.scale_length
        own.collection.objects.link(armature)
        yield own
    finally:
        left = [other for other in bpy.data.scenes if other.session_uid == uid]
        for other in left:
            bpy.data.scenes.remove(other)


def reads_scene(armature: bpy.types.Object) -> bool:
    """Returns whether drivers of an armature read a scene."""
    owners = [armature.animation_data, armature.data.animation_data if armature.data is not None else None]
    drivers = [own.driver for data in owners if data is not None for own in data.drivers]
    variables = [own for driver in drivers if driver is not None for own in driver.variables]
    return any(
        own.type == "CONTEXT_PROP" or (own.type == "SINGLE_PROP" and any(target.id_type == "SCENE" for target in own.targets))
        for own in variables
    )


def depsgraph_of(own: bpy.types.Scene) -> bpy.types.Depsgraph:
    """Evaluated state of a scene, for the current scene as it is shown."""
    depsgraph = bpy.context.evaluated_depsgraph_get() if own == current() else own.view_layers[0].depsgraph
    assert depsgraph is not None
    return depsgraph


def with_identity(uid: int) -> bpy.types.Scene:
    """The scene with an identity of the session."""
    for own in bpy.data.scenes:
        if own.session_uid == uid:
            return own
    raise ValueError("the scene was changed by undo meanwhile: try again")


def found(uid: int) -> bpy.types.Object:
    """The armature with an identity of the session: undo replaces objects, and names change."""
    for own in bpy.data.objects:
        if own.session_uid == uid and own.type == "ARMATURE":
            return own
    raise ValueError("the armature is no longer there")


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
    layer = bpy.context.view_layer
    if layer is None or layer.objects.get(armature.name) != armature:
        raise ValueError(f"{armature.name} is not in the view layer: link it to the scene, in a collection that is not excluded")
    if armature.hide_viewport or not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        raise ValueError(f"{armature.name} is disabled in viewports: enable it or its collection in the outliner")
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
    if armature.animation_data is not None and armature.animation_data.use_tweak_mode:
        raise ValueError(f"leave tweak mode of {armature.name} in the NLA editor first (key Tab)")
    return armature


def check_not_soloed(armature: bpy.types.Object) -> None:
    """Refuses an armature on which a soloed NLA track keeps actions without effect."""
    animation = armature.animation_data
    for track in [] if animation is None else list(animation.nla_tracks):
        if track.is_solo:
            raise ValueError(f"the NLA track {track.name} of {armature.name} is soloed and plays alone: end its solo first")
