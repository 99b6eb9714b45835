"""Meshes that an armature deforms, as arrays: the library reads soles and surfaces off them."""

from collections.abc import Mapping
from dataclasses import dataclass

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
    joint_of_group = [index.get(group.name, -1) for group in owner.vertex_groups]
    vertices = scene.mesh_of(owner).vertices
    count = len(vertices)
    joints, weights = np.zeros((count, MAX_WEIGHTS), dtype=np.int64), np.zeros((count, MAX_WEIGHTS))
    for row, vertex in enumerate(vertices):
        own = [
            (element.weight, joint_of_group[element.group])
            for element in vertex.groups
            if element.group < len(joint_of_group) and joint_of_group[element.group] >= 0
        ]
        for place, (weight, joint) in enumerate(sorted(own, reverse=True)[:MAX_WEIGHTS]):
            joints[row, place], weights[row, place] = joint, weight
    total = weights.sum(axis=1, keepdims=True)
    return joints, np.divide(weights, total, out=weights, where=total > 0.0)
