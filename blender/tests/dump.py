"""All of a scene that a retarget has to leave as it is, as plain data to compare."""

from typing import Any

import bpy

from blender import actions


def plain(value: Any) -> Any:
    """A value of a property that can be compared."""
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if hasattr(value, "__len__") and not isinstance(value, str):
        return [plain(own) for own in value]
    return value if isinstance(value, int | float | str | bool) or value is None else repr(type(value))


def properties(owner: Any) -> dict[str, Any]:
    """Properties that can be set."""
    names = [own.identifier for own in owner.bl_rna.properties if not own.is_readonly]
    return {name: plain(getattr(owner, name)) for name in names}


def rig(owner: bpy.types.Object) -> dict[str, Any]:
    """Constraints, drivers, modifiers, rest pose, and settings of bones. What a driver sets is left out."""
    animation = owner.animation_data
    drivers = [] if animation is None else animation.drivers
    driven = {own.data_path for own in drivers}
    bones = owner.data.bones

    def constraint(own: bpy.types.Constraint) -> dict[str, Any]:
        path = own.path_from_id()
        return {name: value for name, value in properties(own).items() if f"{path}.{name}" not in driven}

    return {
        "constraints": {bone.name: [constraint(own) for own in bone.constraints] for bone in owner.pose.bones},
        "drivers": [(own.data_path, own.array_index, own.driver.expression) for own in drivers],
        "rest": {bone.name: [list(row) for row in bone.matrix_local] for bone in bones},
        "parents": {bone.name: None if bone.parent is None else bone.parent.name for bone in bones},
        "modes": {bone.name: bone.rotation_mode for bone in owner.pose.bones},
        "locks": {bone.name: list(bone.lock_location) for bone in owner.pose.bones},
    }


def scene() -> dict[str, Any]:
    """All armatures, modifiers of all objects, and meshes."""
    objects = bpy.data.objects
    return {
        "rigs": {own.name: rig(own) for own in objects if own.type == "ARMATURE"},
        "modifiers": {own.name: [properties(modifier) for modifier in own.modifiers] for own in objects},
        "vertices": {own.name: [list(vertex.co) for vertex in own.vertices] for own in bpy.data.meshes},
    }


def all_actions() -> dict[str, Any]:
    """Keys of all actions."""
    return {own.name: actions.dump(own) for own in bpy.data.actions}
