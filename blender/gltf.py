"""Armature, meshes and poses as a GLB in memory, which is how the library gets to see them.

The file has the joints of a `Skeleton` in metres and +Y up. Where a bone ends and nothing else shows how far the body goes, an
end joint carries the tip. Nothing in the scene changes, and nothing is written to disk.
"""

import json
import struct
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from . import maths, scene
from .maths import Array
from .skeleton import Poses, Skeleton, end_sites, local, rest_local
from .skin import Mesh

# A joint that moves against its parent by more, as a part of the armature's size, has keys of its translation.
MIN_MOVEMENT = 1e-4
FLOAT, USHORT, UINT = 5126, 5123, 5125
DTYPES = {FLOAT: np.float32, USHORT: np.uint16, UINT: np.uint32}


@dataclass(frozen=True)
class Space:
    """From the space of the object to that of the file: turned, then scaled to metres."""

    rotation: Array
    scale: float

    def position(self, positions: Array) -> Array:
        return self.scale * maths.rotate(np.broadcast_to(self.rotation, (*positions.shape[:-1], 4)), positions)

    def to_file(self, positions: Array, rotations: Array) -> tuple[Array, Array]:
        """Positions and rotations of the object in the space of the file."""
        return self.position(positions), maths.multiply(np.broadcast_to(self.rotation, rotations.shape), rotations)

    def to_object(self, positions: Array, rotations: Array) -> tuple[Array, Array]:
        """Positions and rotations of the file in the space of the object."""
        back = np.broadcast_to(maths.inverse(self.rotation), rotations.shape)
        return maths.rotate(back, positions) / self.scale, maths.multiply(back, rotations)


def space(armature: bpy.types.Object) -> Space:
    """Space of the file of an armature.

    The axis of the object that is nearest to the world's up becomes +Y. So the file says what is up, and how else the object is
    turned does not matter. Lengths are metres of the scene.
    """
    world = armature.matrix_world
    up = np.array(world, dtype=np.float64)[2, :3]
    axis = int(np.argmax(np.abs(up)))
    from_axis = np.zeros(3)
    from_axis[axis] = np.sign(up[axis]) or 1.0
    opposite = from_axis[1] < 0.0
    turn = np.array([1.0, 0.0, 0.0, 0.0]) if opposite else maths.shortest_arc(from_axis, np.array([0.0, 1.0, 0.0]))
    scale = float(np.mean(np.abs(np.array(world.to_scale()))))
    return Space(turn, max(scale * scene.current().unit_settings.scale_length, 1e-9))


class Buffer:
    """Binary part of a GLB, with its accessors."""

    def __init__(self) -> None:
        self.content = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, object]] = []

    def add(self, array: npt.NDArray[np.generic], kind: str, component: int, *, bounds: bool = False) -> int:
        """Adds an array and gives the number of its accessor."""
        values = np.ascontiguousarray(array, dtype=DTYPES[component])
        self.views.append({"buffer": 0, "byteOffset": len(self.content), "byteLength": values.nbytes})
        accessor: dict[str, object] = {
            "bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": kind
        }  # fmt: skip
        if bounds:
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self.content += values.tobytes() + b"\0" * (-values.nbytes % 4)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


@dataclass(frozen=True)
class Clip:
    """Poses of all joints at a rate, with a name."""

    name: str
    poses: Poses
    fps: float


def glb(skeleton: Skeleton, parts: list[Mesh], to_file: Space, clip: Clip | None = None, *, with_tips: bool = False) -> bytes:
    """The file: joints at rest, one skin, a mesh for each part, one animation where there is a clip, and tips of last bones."""
    buffer = Buffer()
    nodes = joint_nodes(skeleton, to_file, with_tips=with_tips)
    roots = [int(np.flatnonzero(skeleton.parents < 0)[0])]
    skin = {"joints": list(range(len(nodes))), "inverseBindMatrices": inverse_binds(buffer, nodes)}
    primitives = []
    for part in parts:
        attributes = {
            "POSITION": buffer.add(to_file.position(part.vertices), "VEC3", FLOAT, bounds=True),
            "JOINTS_0": buffer.add(part.joints, "VEC4", USHORT),
            "WEIGHTS_0": buffer.add(part.weights, "VEC4", FLOAT),
        }
        primitives.append({"attributes": attributes, "indices": buffer.add(part.triangles.ravel(), "SCALAR", UINT)})
    for number in range(len(primitives)):
        roots.append(len(nodes))
        nodes.append({"name": f"mesh {number}", "mesh": number, "skin": 0})
    animations = [] if clip is None else [animation(buffer, skeleton, to_file, clip)]
    document = {
        "asset": {"version": "2.0", "generator": "rebone for Blender"},
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "skins": [skin],
        "meshes": [{"primitives": [own]} for own in primitives],
        "animations": animations,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.content)}],
    }
    # Empty lists are not allowed in glTF.
    return pack({key: value for key, value in document.items() if value != []}, bytes(buffer.content))


def animation(buffer: Buffer, skeleton: Skeleton, to_file: Space, clip: Clip) -> dict[str, object]:
    """Keys of all joints in each frame: rotations, and translations of those that move."""
    translations, turns, moves = local_clip(skeleton, to_file, clip)
    times = buffer.add(np.arange(len(clip.poses))[:, None] / clip.fps, "SCALAR", FLOAT, bounds=True)
    samplers: list[dict[str, object]] = []
    channels: list[dict[str, object]] = []

    def add(joint: int, path: str, output: int) -> None:
        channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
        samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})

    for joint in range(len(skeleton.bones)):
        add(joint, "rotation", buffer.add(turns[:, joint], "VEC4", FLOAT))
        if moves[joint]:
            add(joint, "translation", buffer.add(translations[:, joint], "VEC3", FLOAT))
    return {"name": clip.name, "channels": channels, "samplers": samplers}


def local_clip(skeleton: Skeleton, to_file: Space, clip: Clip) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """Translations (frames, joints, 3) and rotations (frames, joints, 4) of a clip against the parents, in the space of the
    file, and the joints that move: the root is one."""
    positions, rotations = to_file.to_file(clip.poses.positions, clip.poses.rotations)
    translations, turns = local(skeleton, Poses(positions, maths.continuous(rotations)))
    rest = rest_local(skeleton)[0] * to_file.scale
    far = np.max(np.linalg.norm(translations - rest, axis=-1), axis=0)
    return translations, turns, (far > MIN_MOVEMENT * skeleton.size * to_file.scale) | (skeleton.parents < 0)


def rest_in_file(skeleton: Skeleton, to_file: Space) -> tuple[Array, Array]:
    """Translations and rotations of the joints against their parents at rest, in the space of the file."""
    translations, rotations = rest_local(skeleton)
    translations, rotations = translations * to_file.scale, rotations.copy()
    for root in np.flatnonzero(skeleton.parents < 0):
        translations[root] = to_file.position(skeleton.positions[root])
        rotations[root] = maths.multiply(to_file.rotation, rotations[root])
    return translations, rotations


def joint_nodes(skeleton: Skeleton, to_file: Space, *, with_tips: bool) -> list[dict[str, object]]:
    """Nodes of the joints, then those of the tips of last bones."""
    translations, rotations = rest_in_file(skeleton, to_file)
    nodes: list[dict[str, object]] = [
        {"name": name, "translation": translations[k].tolist(), "rotation": rotations[k].tolist()}
        for k, name in enumerate(skeleton.names)
    ]
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents):
        children.setdefault(int(parent), []).append(joint)
    leaves, tips = end_sites(skeleton) if with_tips else ([], np.zeros((0, 3)))
    for leaf, tip in zip(leaves, tips * to_file.scale, strict=True):
        children.setdefault(leaf, []).append(len(nodes))
        nodes.append({"name": f"{skeleton.names[leaf]}_end", "translation": tip.tolist()})
    for joint, below in children.items():
        if joint >= 0:
            nodes[joint]["children"] = below
    return nodes


def inverse_binds(buffer: Buffer, nodes: list[dict[str, object]]) -> int:
    """Inverse bind matrices of nodes at rest, column by column as glTF has them."""
    world = [np.eye(4)] * len(nodes)
    order = [k for k, _ in enumerate(nodes)]
    above = {child: parent for parent, node in enumerate(nodes) for child in node.get("children", [])}  # type: ignore[attr-defined]
    for k in order:
        local = np.eye(4)
        local[:3, :3] = maths.to_matrices(np.array(nodes[k].get("rotation", [0.0, 0.0, 0.0, 1.0])))
        local[:3, 3] = nodes[k]["translation"]
        world[k] = world[above[k]] @ local if k in above else local
    inverses = np.linalg.inv(np.array(world)).swapaxes(1, 2).reshape(-1, 16)
    return buffer.add(inverses, "MAT4", FLOAT)


def pack(document: dict[str, object], content: bytes) -> bytes:
    """GLB of a document and its buffer."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(content)
    header = struct.pack("<4sII", b"glTF", 2, size)
    return header + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(content), b"BIN\0") + content
