"""Rigs for the tests, made by code: a plain humanoid, one with controls, and Rigify's human, which is kept as a file."""

import tempfile
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

# Head and tail of each bone in metres, of a body of 1.75 m with its arms out, that faces -Y; the left side, +X, and the middle.
MIDDLE = {
    "Hips": ("", (0, 0, 0.98), (0, 0, 1.08)),
    "Spine": ("Hips", (0, 0, 1.08), (0, 0, 1.25)),
    "Chest": ("Spine", (0, 0, 1.25), (0, 0, 1.45)),
    "Neck": ("Chest", (0, 0, 1.45), (0, -0.01, 1.54)),
    "Head": ("Neck", (0, -0.01, 1.54), (0, -0.01, 1.75)),
}
LEFT = {
    "Shoulder": ("Chest", (0.03, 0, 1.42), (0.17, 0, 1.42)),
    "UpperArm": ("Shoulder", (0.17, 0, 1.42), (0.45, 0.01, 1.42)),
    "LowerArm": ("UpperArm", (0.45, 0.01, 1.42), (0.71, 0, 1.42)),
    "Hand": ("LowerArm", (0.71, 0, 1.42), (0.80, 0, 1.42)),
    "UpperLeg": ("Hips", (0.09, 0, 0.93), (0.09, -0.01, 0.50)),
    "LowerLeg": ("UpperLeg", (0.09, -0.01, 0.50), (0.09, 0.02, 0.09)),
    "Foot": ("LowerLeg", (0.09, 0.02, 0.09), (0.09, -0.10, 0.03)),
    "Toes": ("Foot", (0.09, -0.10, 0.03), (0.09, -0.18, 0.02)),
}


def layout() -> dict[str, tuple[str, Vector, Vector]]:
    """Parent, head and tail of all bones, parents first."""
    bones = {name: (parent, Vector(head), Vector(tail)) for name, (parent, head, tail) in MIDDLE.items()}
    for side, sign in (("Left", 1), ("Right", -1)):
        for name, (parent, head, tail) in LEFT.items():
            above = parent if parent in MIDDLE else side + parent
            mirror = Vector((sign, 1, 1))
            bones[side + name] = (above, Vector(head) * mirror, Vector(tail) * mirror)
    return bones


def new_armature(name: str) -> bpy.types.Object:
    """An armature in edit mode."""
    owner = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(owner)
    activate(owner)
    bpy.ops.object.mode_set(mode="EDIT")
    return owner


def activate(owner: bpy.types.Object) -> None:
    """Makes an object the only selected one."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    owner.select_set(True)
    bpy.context.view_layer.objects.active = owner


def humanoid(name: str = "Hero", *, scale: float = 1.0, roll: float = 0.3, mesh: bool = True) -> bpy.types.Object:
    """A plain humanoid. Bones are `1 / scale` as long and the object is scaled by it, as importers leave it."""
    owner = new_armature(name)
    for bone, (parent, head, tail) in layout().items():
        add_bone(owner, bone, parent, head / scale, tail / scale, roll)
    bpy.ops.object.mode_set(mode="OBJECT")
    owner.scale = (scale,) * 3
    bpy.context.view_layer.update()
    if mesh:
        add_body(owner)
    return owner


def add_bone(owner: bpy.types.Object, name: str, parent: str, head: Vector, tail: Vector, roll: float = 0.0) -> None:
    """A bone of an armature in edit mode."""
    bone = owner.data.edit_bones.new(name)
    bone.head, bone.tail, bone.roll = head, tail, roll
    if parent:
        bone.parent = owner.data.edit_bones[parent]
        bone.use_connect = bool((bone.parent.tail - bone.head).length < 1e-6 and parent != "Hips")


def add_body(owner: bpy.types.Object) -> bpy.types.Object:
    """A mesh with a box around each bone that deforms, which follows the bone."""
    vertices, faces, groups = [], [], {}
    for bone in (own for own in owner.data.bones if own.use_deform):
        along = bone.matrix_local.to_3x3()
        thick = 0.25 * bone.length
        base = len(vertices)
        corners = [(x, y, z) for x in (-thick, thick) for y in (0.0, bone.length) for z in (-thick, thick)]
        vertices += [tuple(bone.head_local + along @ Vector(corner)) for corner in corners]
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        faces += [tuple(base + k for k in quad) for quad in quads]
        groups[bone.name] = list(range(base, base + 8))
    data = bpy.data.meshes.new("Body")
    data.from_pydata(vertices, [], faces)
    body = bpy.data.objects.new("Body", data)
    bpy.context.scene.collection.objects.link(body)
    for name, indices in groups.items():
        body.vertex_groups.new(name=name).add(indices, 1.0, "REPLACE")
    body.parent = owner
    body.modifiers.new("Armature", "ARMATURE").object = owner
    bpy.context.view_layer.update()
    return body


def controlled(name: str = "House") -> bpy.types.Object:
    """A rig of the house: deform bones copy controls, whose names say nothing, and hang on no control."""
    owner = new_armature(name)
    bones = layout()
    add_bone(owner, "all", "", Vector((0, 0, 0)), Vector((0, 0.3, 0)))
    add_bone(owner, "body", "all", Vector((0, 0, 1.0)), Vector((0, 0.3, 1.0)))
    number = {bone: f"ctl{k:02}" for k, bone in enumerate(bones)}
    for bone, (parent, head, tail) in bones.items():
        add_bone(owner, number[bone], number.get(parent, "body"), head, tail, 0.3)
    for bone, (parent, head, tail) in bones.items():
        add_bone(owner, bone, parent, head, tail, 0.3)
        owner.data.edit_bones[bone].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in ("all", "body", *number.values()):
        owner.data.bones[bone].use_deform = False
    for bone in bones:
        copy = owner.pose.bones[bone].constraints.new("COPY_TRANSFORMS")
        copy.target, copy.subtarget = owner, number[bone]
    bpy.context.view_layer.update()
    return owner


def add_ik(owner: bpy.types.Object, limbs: tuple[str, ...], above: str = "") -> None:
    """IK of both sides, whose handles are controls and deform nothing; `above` is a bone that carries all of the body."""
    activate(owner)
    bpy.ops.object.mode_set(mode="EDIT")
    handles = {side + limb: f"handle{side}{limb}" for side in ("Left", "Right") for limb in limbs}
    for bone, handle in handles.items():
        tail = owner.data.edit_bones[bone].tail.copy()
        add_bone(owner, handle, "", tail, tail + Vector((0, 0.1, 0)))
    if above:
        add_bone(owner, above, "", Vector((0, 0, 0)), Vector((0, 0.3, 0)))
        owner.data.edit_bones["Hips"].parent = owner.data.edit_bones[above]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone, handle in handles.items():
        ik = owner.pose.bones[bone].constraints.new("IK")
        ik.target, ik.subtarget, ik.chain_count = owner, handle, 2
    for bone in (*handles.values(), above):
        if bone:
            owner.data.bones[bone].use_deform = False
    bpy.context.view_layer.update()


def random_pose(owner: bpy.types.Object, seed: int, frames: int = 12) -> None:
    """An action of random turns of all bones, and a path of the root."""
    random = np.random.default_rng(seed)
    for frame in range(1, frames + 1):
        for bone in owner.pose.bones:
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Vector((4.0, *random.normal(size=3))).normalized()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        root = owner.pose.bones[0]
        root.location = random.normal(size=3)
        root.keyframe_insert("location", frame=frame)


def rigify() -> bpy.types.Object:
    """Rigify's human, opened from a file that is made once: generating it takes long."""
    path = Path(tempfile.gettempdir()) / "rebone-blender-tests" / f"rigify-{bpy.app.version_string.split()[0]}.blend"
    if not path.is_file():
        make_rigify(path)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    owner = bpy.data.objects["rig"]
    activate(owner)
    return owner


def make_rigify(path: Path) -> None:
    """Generates Rigify's human with a body, and saves it."""
    if "FINISHED" not in enable_rigify():
        pytest.skip("this Blender has no Rigify")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enable_rigify()
    bpy.ops.object.armature_human_metarig_add()
    bpy.ops.pose.rigify_generate()
    rig = bpy.data.objects["rig"]
    path.parent.mkdir(parents=True, exist_ok=True)
    assert rig.type == "ARMATURE"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def enable_rigify() -> set[str]:
    """Enables the bundled add-on, where there is one."""
    try:
        return set(bpy.ops.preferences.addon_enable(module="rigify"))
    except (RuntimeError, ImportError):
        return set()
