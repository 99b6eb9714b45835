"""Armatures as arrays: joints, rest transforms, sampled poses, and bases of pose bones.

All arrays are in the space of the armature's object, so scale and rotation of the object do not matter. A joint is a bone;
parents stand before their children. An armature with several bones without a parent gets a joint above them, `ROOT_NAME`.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from . import maths, scene
from .maths import Array
from .scene import bones_of, pose_of
from .steps import STEP_SECONDS, Steps, finish

ROOT_NAME = "rebone_root"
# Difference of a copied tail, in parts of its length: importers add a little.
MAX_COPY_ERROR = 0.02
# Least number of last bones, more than half of which have one tail, that say that it is made up.
MIN_LEAVES = 3
# Least distance of a child, in parts of the size, to which a bone can point.
MIN_CHILD_DISTANCE = 1e-4
# Least cosine of the angle between a bone and the way to a child that it points to: 20 degrees.
MIN_CHILD_COSINE = 0.94


@dataclass(frozen=True)
class Skeleton:
    """Joints of an armature.

    `bones` has the bone of each joint, `None` for an added root. `rest` (joints, 4, 4) has no scale. `lengths` are those of
    the bones. `moves` says which joints can have a translation other than that at rest.
    """

    bones: tuple[str | None, ...]
    parents: npt.NDArray[np.int64]
    rest: Array
    lengths: Array
    moves: npt.NDArray[np.bool_]

    @property
    def names(self) -> list[str]:
        return [ROOT_NAME if bone is None else bone for bone in self.bones]

    @property
    def positions(self) -> Array:
        """Positions of the joints at rest (joints, 3)."""
        return self.rest[:, :3, 3]

    @property
    def rotations(self) -> Array:
        """Rotations of the joints at rest (joints, 4)."""
        return maths.from_matrices(self.rest)

    @property
    def size(self) -> float:
        """Largest extent of the joints at rest."""
        return float(np.max(np.ptp(self.positions, axis=0)))


@dataclass(frozen=True)
class Poses:
    """Positions (frames, joints, 3) and rotations (frames, joints, 4) in the space of the object."""

    positions: Array
    rotations: Array

    def __len__(self) -> int:
        return len(self.positions)


def read(
    armature: bpy.types.Object, bones: Sequence[str] | None = None, parents: Mapping[str, str | None] | None = None
) -> Skeleton:
    """Joints of an armature: all its bones, or `bones`. `parents` names parents other than the nearest ancestor."""
    data = bones_of(armature)
    chosen = set(data.keys() if bones is None else bones)
    above: dict[str, str | None] = {}
    for name in chosen:
        stated = parents is not None and name in parents
        above[name] = parents[name] if parents is not None and stated else nearest_ancestor(data[name], chosen)
    order = parents_first(above, list(data.keys()))
    roots = [name for name in order if above[name] is None]
    joints: list[str | None] = [*order] if len(roots) == 1 else [None, *order]
    index = {name: k for k, name in enumerate(joints)}
    added = -1 if len(roots) == 1 else 0
    return Skeleton(
        bones=tuple(joints),
        parents=np.array([-1 if name is None else index.get(above[name], added) for name in joints]),
        rest=np.array([np.eye(4) if name is None else rigid(data[name].matrix_local) for name in joints]),
        lengths=np.array([0.0 if name is None else data[name].length for name in joints]),
        moves=np.array([name is None or not data[name].use_connect for name in joints]),
    )


def nearest_ancestor(bone: bpy.types.Bone, chosen: set[str]) -> str | None:
    """Nearest ancestor of a bone that is among `chosen`."""
    parent = bone.parent
    while parent is not None and parent.name not in chosen:
        parent = parent.parent
    return None if parent is None else parent.name


def parents_first(above: Mapping[str, str | None], order: Sequence[str]) -> list[str]:
    """Names in `order`, but parents before children."""
    done: dict[str, None] = {}
    for start in order:
        path = []
        name: str | None = start if start in above else None
        while name is not None and name not in done:
            path.append(name)
            name = above[name]
        done.update(dict.fromkeys(reversed(path)))
    return list(done)


def rigid(matrix: Matrix) -> Array:
    """A matrix without its scale."""
    result = np.array(matrix, dtype=np.float64)
    result[:3, :3] /= np.linalg.norm(result[:3, :3], axis=0)
    return result


def bone_matrices(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Array:
    """Evaluated pose matrices (bones, 4, 4) of all bones, in the order of the armature, in the space of the object."""
    pose = pose_of(armature.evaluated_get(depsgraph))
    flat = np.empty(16 * len(pose), dtype=np.float32)
    pose.foreach_get("matrix", flat)
    return flat.astype(np.float64).reshape(-1, 4, 4).swapaxes(1, 2)


def sample(armature: bpy.types.Object, skeleton: Skeleton, frames: Sequence[float], *, follow_object: bool = True) -> Poses:
    """Evaluated poses, all at once: see `matrices_at`."""
    return poses_of(finish(matrices_at(armature, skeleton.bones, frames, follow_object=follow_object)))


def poses_of(matrices: Array) -> Poses:
    """Poses of matrices (frames, joints, 4, 4)."""
    return Poses(matrices[..., :3, 3], maths.continuous(maths.from_matrices(matrices)))


def matrices_at(
    armature: bpy.types.Object, bones: Sequence[str | None], frames: Sequence[float], *, follow_object: bool = True
) -> Steps:
    """Evaluated pose matrices (frames, bones, 4, 4) in the space of the object, in steps: constraints, drivers and NLA count.

    Where the object moves, its movement since the first frame too, if `follow_object` says so. A bone `None` stays at the origin.
    """
    uid = armature.session_uid
    wanted = [k for k, name in enumerate(bones) if name is not None]
    matrices = np.tile(np.eye(4), (len(frames), len(bones), 1, 1))
    first = None
    places = places_of(armature, [str(bones[k]) for k in wanted])
    until = time.monotonic() + STEP_SECONDS
    with scene.alone(armature) as own:
        place = own.session_uid
        for row, frame in enumerate(frames):
            whole = math.floor(frame)
            own.frame_set(whole, subframe=frame - whole)
            depsgraph = scene.depsgraph_of(own)
            world = armature.evaluated_get(depsgraph).matrix_world.copy()
            first = world if first is None else first
            moved = np.array(first.inverted_safe() @ world) if follow_object else np.eye(4)
            matrices[row, wanted] = moved @ bone_matrices(armature, depsgraph)[places]
            if time.monotonic() > until:
                yield
                # Undo may have taken away what was there.
                own, armature = scene.with_identity(place), scene.found(uid)
                places = places_of(armature, [str(bones[k]) for k in wanted])
                until = time.monotonic() + STEP_SECONDS
    return matrices


def places_of(armature: bpy.types.Object, bones: Sequence[str]) -> list[int]:
    """Numbers of bones in the order of the armature."""
    order = {name: k for k, name in enumerate(pose_of(armature).keys())}
    if not all(name in order for name in bones):
        raise ValueError(f"bones of {armature.name} changed meanwhile")
    return [order[name] for name in bones]


def evaluated_pose(armature: bpy.types.Object, skeleton: Skeleton) -> Poses:
    """The pose as it is now, one frame."""
    scene.update()
    order = {name: k for k, name in enumerate(pose_of(armature).keys())}
    seen = bone_matrices(armature, bpy.context.evaluated_depsgraph_get())
    matrices = np.array([np.eye(4) if name is None else seen[order[name]] for name in skeleton.bones])[None]
    return Poses(matrices[..., :3, 3], maths.from_matrices(matrices))


def local(skeleton: Skeleton, poses: Poses) -> tuple[Array, Array]:
    """Translations (frames, joints, 3) and rotations (frames, joints, 4) against the parents."""
    translations, rotations = poses.positions.copy(), poses.rotations.copy()
    below = skeleton.parents >= 0
    above = skeleton.parents[below]
    to_parent = maths.inverse(poses.rotations[:, above])
    translations[:, below] = maths.rotate(to_parent, poses.positions[:, below] - poses.positions[:, above])
    rotations[:, below] = maths.multiply(to_parent, poses.rotations[:, below])
    return translations, rotations


def rest_local(skeleton: Skeleton) -> tuple[Array, Array]:
    """Translations (joints, 3) and rotations (joints, 4) at rest against the parents."""
    rest = Poses(skeleton.positions[None], skeleton.rotations[None])
    translations, rotations = local(skeleton, rest)
    return translations[0], rotations[0]


def world(skeleton: Skeleton, translations: Array, rotations: Array) -> Poses:
    """Poses of local translations (frames, joints, 3) and rotations (frames, joints, 4)."""
    positions, turned = translations.copy(), rotations.copy()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            positions[:, joint] = positions[:, parent] + maths.rotate(turned[:, parent], translations[:, joint])
            turned[:, joint] = maths.multiply(turned[:, parent], rotations[:, joint])
    return Poses(positions, turned)


def end_sites(skeleton: Skeleton) -> tuple[list[int], Array]:
    """Joints without children, and the tips of their bones in the joints' own axes (ends, 3), where they say how far it goes."""
    parents = set(skeleton.parents)
    leaves = [k for k in range(len(skeleton.bones)) if k not in parents and skeleton.bones[k] is not None]
    if not points_along(skeleton):
        leaves = []
    leaves = [leaf for leaf in without_common(skeleton, leaves) if not is_made_up(skeleton, leaf)]
    tips = np.zeros((len(leaves), 3))
    tips[:, 1] = skeleton.lengths[leaves]
    return leaves, tips


def without_common(skeleton: Skeleton, leaves: list[int]) -> list[int]:
    """Last bones without those that have one tail, where more than half of them do: the importer of BVH gives it to bones without
    an end site. Those of a body point to both sides, ahead and up."""
    tails = skeleton.rest[leaves, :3, 1] * skeleton.lengths[leaves, None]
    near = np.linalg.norm(tails[:, None] - tails, axis=-1) < MAX_COPY_ERROR * skeleton.lengths[leaves]
    is_common = near.sum(axis=1) > len(leaves) / 2
    return [leaf for leaf, common in zip(leaves, is_common, strict=True) if not (common and len(leaves) >= MIN_LEAVES)]


def is_made_up(skeleton: Skeleton, leaf: int) -> bool:
    """Returns whether the tail of a last bone is that of its parent: importers give it to a bone without one."""
    if skeleton.parents[leaf] < 0:
        return False
    own, other = (skeleton.rest[joint, :3, 1] * skeleton.lengths[joint] for joint in (leaf, skeleton.parents[leaf]))
    return bool(np.linalg.norm(own - other) < MAX_COPY_ERROR * np.linalg.norm(other))


def points_along(skeleton: Skeleton) -> bool:
    """Returns whether most bones point to where one of their children begins; else their tails say nothing of the body."""
    counts = [0, 0]
    for joint in range(len(skeleton.bones)):
        ways = skeleton.positions[skeleton.parents == joint] - skeleton.positions[joint]
        sizes = np.linalg.norm(ways, axis=-1)
        if skeleton.bones[joint] is None or not np.any(sizes > MIN_CHILD_DISTANCE * skeleton.size):
            continue
        cosines = ways @ skeleton.rest[joint, :3, 1] / np.maximum(sizes, MIN_CHILD_DISTANCE * skeleton.size)
        counts[int(cosines.max() > MIN_CHILD_COSINE)] += 1
    return counts[1] > counts[0]
