"""A retarget in three steps: `prepare` and `bake` touch the scene and run on the main thread, `solve` does not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
import rebone

from . import actions, cards, controls, gltf, keys, library, scene, skeleton
from .actions import Curve
from .controls import Controls
from .library import Progress, Solved, Target
from .maths import Array
from .scene import pose_of
from .skeleton import Poses

# Values of `Settings.root` that the library knows, by their names here.
LIBRARY_ROOTS = {"RIG": "world", "IN_PLACE": "in-place", "ROOT_BONE": "root-bone", "OBJECT": "world"}
# Frames at which keys on controls are compared with the solved poses.
CHECKED_FRAMES = 10
# Control rigs: keys that leave a joint farther off than this part of the rig's height get a warning.
MAX_CONTROL_ERROR = 0.02
# A pose bone is not scaled within this part: importers leave as much.
MAX_SCALE_ERROR = 0.01


@dataclass(frozen=True)
class Settings:
    """Options of the library by their names, where the root's motion goes, and the first frame in the scene.

    `constraints_off` keys the influence of constraints to zero where they act on bones that get keys. `rate` is that of the
    scene that asked, frames a second; 0 is that of the current one.
    """

    options: dict[str, Any] = field(default_factory=dict)
    root: str = "RIG"
    first_frame: float = 1.0
    constraints_off: bool = False
    rate: float = 0.0

    @property
    def scene_rate(self) -> float:
        """Frames a second of the scene that the keys are for."""
        return self.rate or scene.rate()

    def library_options(self) -> dict[str, Any]:
        return {**self.options, "root": LIBRARY_ROOTS[self.root]}


@dataclass(frozen=True)
class Prepared:
    """A target that was read from the scene. `body` are its bones with a role; `controls` where keys go on controls.

    The object has its name here: undo and other work may replace it while a clip is solved.
    """

    name: str
    target: Target
    body: list[str]
    controls: Controls | None

    @property
    def armature(self) -> bpy.types.Object:
        found = bpy.data.objects.get(self.name)
        if found is None or found.type != "ARMATURE":
            raise ValueError(f"the armature {self.name} is no longer there")
        return found


@dataclass(frozen=True)
class Baked:
    """A new action, with remarks on its keys, and how far joints are off at some frames, in parts of the rig's height."""

    action: bpy.types.Action
    warnings: list[str]
    errors: dict[str, float]


def prepare(armature: bpy.types.Object, *, with_skin: bool = True) -> Prepared:
    """Reads the target: joints, skin, card, and controls where it has some."""
    own, has_controls = rig_skeleton(armature)
    card = cards.read(armature)
    target = library.character(armature, own, card, with_skin=with_skin)
    body = [found.bone for found in library.roles(target)[0]]
    if not has_controls:
        return Prepared(armature.name, target, body, None)
    found = controls.find(armature, body)
    if found.merged:
        own = skeleton.read(armature, [bone for bone in found.parents if bone not in found.merged], joint_parents(found))
        target = library.character(armature, own, card, merged=found.merged, with_skin=with_skin)
        body = [bone for bone in body if bone not in found.merged]
    return Prepared(armature.name, target, body, found)


def joint_parents(found: Controls) -> dict[str, str | None]:
    """Parents of the deform bones that are joints: what hangs on a merged bone hangs on the one that it is merged into."""
    return {
        bone: parent if parent is None else found.merged.get(parent, parent)
        for bone, parent in found.parents.items()
        if bone not in found.merged
    }


def rig_skeleton(armature: bpy.types.Object) -> tuple[skeleton.Skeleton, bool]:
    """Joints that are solved: all bones, or of a rig with controls the deform bones as they hang on each other."""
    if not controls.has_controls(armature):
        return skeleton.read(armature), False
    parents = controls.deform_parents(armature)
    return skeleton.read(armature, list(parents), parents), True


def motion_of(armature: bpy.types.Object, frames: Sequence[float], step: float = 1.0) -> rebone.Motion:
    """Motion of an armature of the scene with its skin: its evaluated pose in each frame, which are `step` apart."""
    own, _ = rig_skeleton(armature)
    clip = gltf.Clip(actions.clip_name(armature), skeleton.sample(armature, own, frames), scene.rate() / step)
    return library.source(armature, own, cards.read(armature), clip)


def solve(source: rebone.Motion, onto: Prepared, settings: Settings, progress: Progress | None = None) -> Solved:
    """Solves one clip. May run in a thread: it touches nothing of the scene."""
    return library.retarget(source, onto.target, settings.library_options(), progress)


def bake(onto: Prepared, solved: Solved, settings: Settings) -> Baked:
    """Writes the keys into a new action, which the armature uses from now on."""
    armature = onto.armature
    step = settings.scene_rate / solved.fps
    frames = settings.first_frame + np.arange(len(solved.poses)) * step
    own: list[Curve] = []
    poses = solved.poses
    if settings.root == "OBJECT":
        poses, moved = split_travel(armature, solved)
        own += keys.channels("location", "Object Transforms", moved, frames)
    if onto.controls is None:
        keyed, bound = keys.of_bones(armature, onto.target.skeleton, poses, onto.body)
        warnings = warnings_of_bones(armature, keyed, [] if settings.constraints_off else bound)
        own += keys.constraint_curves(armature, bound, frames) if settings.constraints_off else []
    else:
        keyed = keys.ControlPoses(armature, onto.target.skeleton, poses, onto.controls).keyed()
        warnings = [f"no control moves {', '.join(onto.controls.unreached)}"] if onto.controls.unreached else []
        own += keys.switch_curves(onto.controls, frames)
    own, driven = keys.undriven(armature, own + keys.curves(armature, keyed, frames))
    if driven:
        warnings.append(f"drivers act on {', '.join(driven)}: these properties got no keys")
    action = actions.create(armature, solved.name, own, step)
    actions.use(armature, action)
    errors = compare(onto, poses, frames) if onto.controls is not None else {}
    return Baked(action, warnings + warnings_of_errors(onto, errors), errors)


def warnings_of_bones(armature: bpy.types.Object, keyed: list[keys.Keyed], bound: list[str]) -> list[str]:
    """Remarks on bones whose keys do not have the effect that was solved."""
    scaled = [own.bone for own in keyed if is_scaled(pose_of(armature)[own.bone])]
    warnings = []
    if scaled:
        warnings.append(f"{', '.join(scaled)} have a scale in the pose: what hangs on them is not where it was solved")
    if bound:
        warnings.append(f"constraints act on {', '.join(bound)} and go before keys: Constraints Off keys them off")
    return warnings


def warnings_of_errors(onto: Prepared, errors: dict[str, float]) -> list[str]:
    """A remark where controls do not put bones of the body where they were solved."""
    far = {bone: error for bone, error in errors.items() if error > MAX_CONTROL_ERROR and bone in onto.body}
    if not far:
        return []
    worst = max(far, key=lambda bone: far[bone])
    return [f"off what was solved by up to {far[worst]:.1%} of the height: {', '.join(far)}"]


def is_scaled(bone: bpy.types.PoseBone) -> bool:
    return bool(np.abs(np.array(bone.scale) - 1.0).max() > MAX_SCALE_ERROR)


def split_travel(armature: bpy.types.Object, solved: Solved) -> tuple[Poses, Array]:
    """Takes the horizontal travel out of the poses: gives the poses, and the locations of the object (frames, 3)."""
    world = np.array(armature.matrix_world, dtype=np.float64)[:3, :3]
    travel = solved.travel @ world.T
    travel = travel * np.array([1.0, 1.0, 0.0])
    in_object = travel @ np.linalg.inv(world).T
    poses = Poses(solved.poses.positions - in_object[:, None], solved.poses.rotations)
    # `matrix_world = above · basis`: the location is in the space above.
    above = np.array(armature.matrix_world @ armature.matrix_basis.inverted_safe(), dtype=np.float64)[:3, :3]
    return poses, np.array(armature.location) + travel @ np.linalg.inv(above).T


def compare(onto: Prepared, poses: Poses, frames: Array) -> dict[str, float]:
    """Largest distance of each evaluated bone's head from the solved joint, in parts of the rig's height, at some frames."""
    rows = np.unique(np.linspace(0, len(frames) - 1, min(CHECKED_FRAMES, len(frames))).round().astype(int))
    whole = [row for row in rows if float(frames[row]).is_integer()] or [0]
    own = onto.target.skeleton
    seen = skeleton.sample(onto.armature, own, [int(frames[row]) for row in whole], follow_object=False)
    apart = np.linalg.norm(seen.positions - poses.positions[whole], axis=-1).max(axis=0) / own.size
    return {name: float(apart[k]) for k, name in enumerate(own.bones) if name is not None}


def retarget(source: rebone.Motion, armature: bpy.types.Object, settings: Settings) -> tuple[Solved, Baked]:
    """All steps, one after the other."""
    onto = prepare(armature)
    solved = solve(source, onto, settings)
    return solved, bake(onto, solved, settings)
