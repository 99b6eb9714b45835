"""Meshes that an armature deforms, as arrays: the library reads soles and surfaces off them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from . import scene
from .maths import Array
from .skeleton import Skeleton

# Weights of a vertex that glTF keeps.
MAX_WEIGHTS = 4


@dataclass(frozen=True)
class Mesh:
    """Vertices (n, 3) in the space of the armature, joints and weights (n, MAX_WEIGHTS), triangles (m, 3)."""

    vertices: Array
    joints: npt.NDArray[np.int64]
    weights: Array
    triangles: npt.NDArray[np.int64]


def meshes(armature: bpy.types.Object, skeleton: Skeleton, merged: Mapping[str, str]) -> list[Mesh]:
    """Meshes that an armature deforms, at rest. A mesh without weights on the joints is left out.

    `merged` has bones that are no joints, and the bones whose joints carry their weights.
    """
    index = {name: k for k, name in enumerate(skeleton.bones) if name is not None}
    index |= {name: index[into] for name, into in merged.items() if into in index}
    found = []
    for owner in scene.current().objects:
        uses = any(isinstance(own, bpy.types.ArmatureModifier) and own.object == armature for own in owner.modifiers)
        if owner.type == "MESH" and uses and scene.mesh_of(owner).vertices:
            mesh = read_mesh(armature, owner, index)
            if mesh is not None:
                found.append(mesh)
    return found


def read_mesh(armature: bpy.types.Object, owner: bpy.types.Object, index: Mapping[str, int]) -> Mesh | None:
    """Vertices of a mesh with the joints that they follow."""
    joints, weights = read_weights(owner, index)
    if not np.any(weights):
        return None
    data = scene.mesh_of(owner)
    flat = np.empty(3 * len(data.vertices), dtype=np.float32)
    data.vertices.foreach_get("co", flat)
    to_armature = np.array(armature.matrix_world.inverted_safe() @ owner.matrix_world)
    vertices = flat.reshape(-1, 3).astype(np.float64) @ to_armature[:3, :3].T + to_armature[:3, 3]
    data.calc_loop_triangles()
    triangles = np.empty(3 * len(data.loop_triangles), dtype=np.int32)
    data.loop_triangles.foreach_get("vertices", triangles)
    return Mesh(vertices, joints, weights, triangles.reshape(-1, 3).astype(np.int64))


def read_weights(owner: bpy.types.Object, index: Mapping[str, int]) -> tuple[npt.NDArray[np.int64], Array]:
    """The largest weights of each vertex on the joints of `index`; zero where it has none."""
    count = len(scene.mesh_of(owner).vertices)
    names = [group.name for group in owner.vertex_groups if group.name in index]
    rows, joints, weights = [], [], []
    for name, values in zip(names, group_weights(owner, names), strict=True):
        own = np.flatnonzero(values > 0.0)
        rows.append(own)
        weights.append(values[own].astype(np.float64))
        joints.append(np.full(len(own), index[name], dtype=np.int64))
    result = np.zeros((count, MAX_WEIGHTS), dtype=np.int64), np.zeros((count, MAX_WEIGHTS))
    if not rows:
        return result
    row, joint, weight = np.concatenate(rows), np.concatenate(joints), np.concatenate(weights)
    order = np.lexsort((-joint, -weight, row))
    row, joint, weight = row[order], joint[order], weight[order]
    place = np.arange(len(row)) - np.searchsorted(row, row)
    kept = place < MAX_WEIGHTS
    result[0][row[kept], place[kept]], result[1][row[kept], place[kept]] = joint[kept], weight[kept]
    total = result[1].sum(axis=1, keepdims=True)
    return result[0], np.divide(result[1], total, out=result[1], where=total > 0.0)


def group_weights(owner: bpy.types.Object, names: Sequence[str]) -> list[npt.NDArray[np.float32]]:
    """Weights of all vertices in vertex groups, a group at a time.

    A copy of the object in a scene of its own evaluates nodes that store them as attributes, which Python reads as arrays: of
    vertex groups it gets one weight at a time, 6 seconds for 600,000 vertices.
    """
    is_edited = owner.mode == "EDIT"
    if is_edited:
        owner.update_from_editmode()
    count = len(scene.mesh_of(owner).vertices)
    if not names:
        return []
    tree, own, copied = stored_groups(names), bpy.data.scenes.new("rebone"), owner.copy()
    try:
        if is_edited:
            # The mesh itself has no attributes then.
            copied.data = scene.mesh_of(owner).copy()
        copied.parent, copied.hide_viewport = None, False
        copied.modifiers.clear()
        copied.constraints.clear()
        copied.animation_data_clear()
        own.collection.objects.link(copied)
        modifier: Any = copied.modifiers.new("rebone", "NODES")
        modifier.node_group = tree
        own.view_layers[0].update()
        attributes = scene.mesh_of(copied.evaluated_get(scene.depsgraph_of(own))).attributes
        result = []
        for number in range(len(names)):
            values, attribute = np.zeros(count, dtype=np.float32), attributes.get(f"rebone_{number}")
            if attribute is not None and len(attribute.data) == count:
                attribute.data.foreach_get("value", values)
            result.append(values)
        return result
    finally:
        data = scene.mesh_of(copied)
        bpy.data.objects.remove(copied)
        if data.users == 0:
            bpy.data.meshes.remove(data)
        bpy.data.scenes.remove(own)
        bpy.data.node_groups.remove(tree)


def stored_groups(names: Sequence[str]) -> bpy.types.NodeTree:
    """Nodes that store vertex groups as the attributes `rebone_0`, `rebone_1` and so on."""
    tree: Any = bpy.data.node_groups.new("rebone", "GeometryNodeTree")
    for side in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    last = tree.nodes.new("NodeGroupInput").outputs[0]
    for number, name in enumerate(names):
        group, store = tree.nodes.new("GeometryNodeInputNamedAttribute"), tree.nodes.new("GeometryNodeStoreNamedAttribute")
        group.data_type, store.data_type, store.domain = "FLOAT", "FLOAT", "POINT"
        group.inputs["Name"].default_value, store.inputs["Name"].default_value = name, f"rebone_{number}"
        tree.links.new(last, store.inputs["Geometry"])
        tree.links.new(group.outputs["Attribute"], store.inputs["Value"])
        last = store.outputs["Geometry"]
    tree.links.new(last, tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree
