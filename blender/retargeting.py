"""A retarget in three steps: `prepare` and `bake` touch the scene and run on the main thread, `solve` does not."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
import rebone

from . import actions, cards, controls, gltf, keys, library, scene, skeleton
from .actions import Curve
from .controls import Controls
from .library import Progress, Solved, Target
from .maths import Array
from .scene import bones_of, pose_of
from .skeleton import Poses
from .steps import Steps, beside, finish

# Values of `Settings.root` that the library knows, by their names here.
LIBRARY_ROOTS = {"RIG": "world", "IN_PLACE": "in-place", "ROOT_BONE": "root-bone", "OBJECT": "world"}
# Frames at which evaluated poses are compared with the solved ones: where keys alone move the bones, and where more acts.
CHECKED_FRAMES, CHECKED_FRAMES_BOUND = 10, 200
# Evaluated joints that are farther off than this part of the rig's height are graded as they are evaluated.
MAX_POSE_ERROR = 1e-3
# Control rigs: keys that leave a joint farther off than this part of the rig's height get a warning.
MAX_CONTROL_ERROR = 0.02
# A pose bone is not scaled within this part: importers leave as much.
MAX_SCALE_ERROR = 0.01


@dataclass(frozen=True)
class Settings:
    """Options of the library by their names, where the root's motion goes, and the first frame in the scene.

    With `overwrites` an action that the armature has of the clip gets the new keys. `span` has the first and last frame of a
    source in the scene. `constraints_off` keys the influence of constraints to zero where they act on bones that get keys. `rate`
    is that of the scene that asked, frames a second; 0 is that of the current one.
    """

    options: dict[str, Any] = field(default_factory=dict)
    root: str = "RIG"
    first_frame: float = 1.0
    constraints_off: bool = False
    rate: float = 0.0
    overwrites: bool = False
    span: tuple[int, int] | None = None

    @property
    def scene_rate(self) -> float:
        """Frames a second of the scene that the keys are for."""
        return self.rate or scene.rate()

    def library_options(self) -> dict[str, Any]:
        return {**self.options, "root": LIBRARY_ROOTS[self.root]}


@dataclass(frozen=True)
class Prepared:
    """A target that was read from the scene. `body` are its bones with a role; `controls` where keys go on controls.

    The object has its identity here: undo and other work may replace it while a clip is solved.
    """

    name: str
    uid: int
    target: Target
    body: list[str]
    controls: Controls | None

    @property
    def armature(self) -> bpy.types.Object:
        return scene.found(self.uid)


@dataclass(frozen=True)
class Baked:
    """A new action with the frames of its keys, remarks on them, the grade of what is evaluated, and how far joints are off at
    some frames, in parts of the rig's height."""

    action: bpy.types.Action
    frames: Array
    warnings: list[str]
    grade: library.Grade | None = None
    errors: dict[str, float] = field(default_factory=dict)


def prepare(armature: bpy.types.Object, *, with_skin: bool = True) -> Prepared:
    """Reads the target: joints, skin, card, and controls where it has some."""
    own, has_controls = rig_skeleton(armature)
    card = cards.read(armature)
    target = library.character(armature, own, card, with_skin=with_skin)
    body = [found.bone for found in library.roles(target)[0]]
    found = controls.find(armature, body) if has_controls else None
    if found is None and has_controls:
        # No control moves the root: the bones themselves get keys.
        own = skeleton.read(armature)
        target = library.character(armature, own, card, with_skin=with_skin)
        body = [role.bone for role in library.roles(target)[0]]
    if found is not None and found.merged:
        own = skeleton.read(armature, [bone for bone in found.parents if bone not in found.merged], joint_parents(found))
        target = library.character(armature, own, card, merged=found.merged, with_skin=with_skin)
        body = [bone for bone in body if bone not in found.merged]
    return Prepared(armature.name, armature.session_uid, target, body, found)


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
    """Motion of an armature of the scene, all at once: see `motion_at`."""
    return finish(motion_at(armature, frames, step))


def motion_at(armature: bpy.types.Object, frames: Sequence[float], step: float = 1.0, *, with_travel: bool = False) -> Steps:
    """Motion of an armature of the scene with its skin, in steps: its evaluated pose in each frame, which are `step` apart.

    `with_travel` puts back the way over the floor that an action in place leaves out.
    """
    uid, rate = armature.session_uid, scene.rate()
    own, _ = rig_skeleton(armature)
    travel = actions.travel_at(armature, frames) if with_travel else np.zeros((len(frames), 3))
    poses = skeleton.poses_of((yield from skeleton.matrices_at(armature, own.bones, frames)))
    poses = Poses(poses.positions + travel[:, None], poses.rotations)
    armature = scene.found(uid)
    clip = gltf.Clip(actions.clip_name(armature), poses, rate / step)
    return library.source(armature, own, cards.read(armature), clip)


def solve(source: rebone.Motion, onto: Prepared, settings: Settings, progress: Progress | None = None) -> Solved:
    """Solves one clip. May run in a thread: it touches nothing of the scene."""
    return library.retarget(source, onto.target, settings.library_options(), progress)


def bake(onto: Prepared, solved: Solved, settings: Settings) -> Baked:
    """Writes the keys into a new action, which the armature uses from now on. `judge` grades it."""
    armature = onto.armature
    step = settings.scene_rate / solved.fps
    is_whole = not settings.options.get("only")
    frames = settings.first_frame + np.arange(len(solved.poses)) * step
    own: list[Curve] = []
    poses = solved.poses
    if settings.root == "OBJECT":
        poses, moved = split_travel(armature, solved)
        own += keys.channels("location", "Object Transforms", moved, frames)
    if onto.controls is None:
        body = onto.body if is_whole else None
        keyed, bound = keys.of_bones(armature, onto.target.skeleton, poses, body)
        warnings = warnings_of_bones(armature, keyed, [] if settings.constraints_off else bound)
        own += keys.constraint_curves(armature, bound, frames) if settings.constraints_off else []
    else:
        keyed = keys.ControlPoses(armature, onto.target.skeleton, poses, onto.controls, is_whole=is_whole).keyed()
        warnings = [f"no control moves {', '.join(onto.controls.unreached)}"] if onto.controls.unreached else []
        own += keys.switch_curves(onto.controls, frames)
    own, driven = keys.undriven(armature, own + keys.curves(armature, keyed, frames))
    if driven:
        warnings.append(f"drivers act on {', '.join(driven)}: these properties got no keys")
    over = actions.of_clip(armature, solved.name) if settings.overwrites else None
    action = actions.create(armature, solved.name, own, step, over)
    span = settings.span or solved.span
    if span is not None:
        action[actions.SPAN_PROPERTY] = [*span, int(solved.is_cycle)]
    if not is_whole:
        action[actions.ONLY_PROPERTY] = ", ".join(settings.options["only"])
    if settings.root == "IN_PLACE":
        action[actions.TRAVEL_PROPERTY] = solved.travel.ravel().tolist()
    actions.use(armature, action)
    return Baked(action, frames, warnings)


def judge(onto: Prepared, source: rebone.Motion, solved: Solved, baked: Baked) -> Steps:
    """Gives the keys the grade of what is evaluated, in steps: that of the solution where it is the same."""
    armature = onto.armature
    apart, errors = yield from compare(onto, solved, baked.frames)
    warnings = baked.warnings + (warnings_of_errors(onto, errors) if onto.controls is not None else [])
    grade = solved.grade
    # A part of the body has no verdict of its own: the library compares whole bodies.
    if grade is not None and apart > MAX_POSE_ERROR and baked.action.get(actions.ONLY_PROPERTY) is None:
        step = actions.step_of(baked.action)
        result = yield from motion_at(armature, baked.frames.tolist(), step, with_travel=True)
        grade = yield from beside(lambda: library.check_span(source, result, solved.span, is_cycle=solved.is_cycle))
    return replace(baked, warnings=warnings, errors=errors, grade=grade)


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


def compare(onto: Prepared, solved: Solved, frames: Array) -> Steps:
    """Largest distance of evaluated heads from solved joints at some frames, and that of each bone relative to what places the
    character, both in parts of the rig's height. In steps."""
    armature, own = onto.armature, onto.target.skeleton
    count = CHECKED_FRAMES_BOUND if actions.acts(armature) else CHECKED_FRAMES
    rows = np.unique(np.linspace(0, len(frames) - 1, min(count, len(frames))).round().astype(int))
    above = placing(armature, onto.controls)
    matrices = yield from skeleton.matrices_at(armature, (*own.bones, above), frames[rows].tolist())
    seen, solved_at = matrices[:, :-1, :3, 3], solved.poses.positions[rows]
    joints = [k for k, name in enumerate(own.bones) if name is not None]
    apart = float(np.linalg.norm(seen - solved_at, axis=-1)[:, joints].max(initial=0.0)) / own.size
    if above is not None:
        rest = np.array(bones_of(armature)[above].matrix_local, dtype=np.float64)
        back = rest @ np.linalg.inv(matrices[:, -1])
        seen = np.einsum("fij,fkj->fki", back[:, :3, :3], seen) + back[:, None, :3, 3]
    errors = np.linalg.norm(seen - solved_at, axis=-1).max(axis=0) / own.size
    return apart, {str(own.bones[k]): float(errors[k]) for k in joints}


def placing(armature: bpy.types.Object, found: Controls | None) -> str | None:
    """The bone above the carrier: with those above it it places the character."""
    carrier = None if found is None or found.carrier is None else pose_of(armature)[found.carrier]
    return None if carrier is None or carrier.parent is None else carrier.parent.name


def retarget(source: rebone.Motion, armature: bpy.types.Object, settings: Settings) -> tuple[Solved, Baked]:
    """All steps, one after the other."""
    onto = prepare(armature)
    solved = solve(source, onto, settings)
    return solved, finish(judge(onto, source, solved, bake(onto, solved, settings)))
