"""The only file that knows the module `rebone`: armatures in, poses in the space of the object out."""

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import rebone

from . import controls, gltf, maths, skin, words
from .maths import Array
from .skeleton import Poses, Skeleton, end_sites

# Frames of a leading calibration pose that a result leaves out.
MAX_DROPPED_FRAMES = 2
# Part of the library's remark that a clip has no leading calibration pose to leave out, as most have none.
KEPT_POSE = "not like a reference pose: it was kept"
# Part of the library's message that asks for options of the command line.
NO_ROOT_BONE = "has no root bone above it"
# Advice for a source file in which roles or calibration are missing or not sure.
OF_SOURCE = "import the file, select its armature, state what is missing in the panel Rig, and take that armature as the source"
# Rates are the same within this part: times of keys are in single precision.
MAX_RATE_ERROR = 1e-4

Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Target:
    """Character of the scene as the library has it, without motion."""

    motion: rebone.Motion
    skeleton: Skeleton
    space: gltf.Space
    has_skin: bool


@dataclass(frozen=True)
class Finding:
    """One reason of a verdict, with its first and last frame of the result where it is of some frames."""

    text: str
    help: str
    level: str
    frames: tuple[int, int] | None


@dataclass(frozen=True)
class Grade:
    """Verdict on a result."""

    level: str
    score: float
    findings: list[Finding]
    defects: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Solved:
    """A retargeted clip: poses of the target's skeleton in the space of its object.

    `travel` (frames, 3) is the way of the body over the floor since the first frame, without the sway of its steps. `dropped`
    counts first frames of the source that were left out. `span` has the first and the last frame that was used, where not all
    were; `is_cycle` says that they are a cycle.
    """

    name: str
    fps: float
    poses: Poses
    travel: Array
    grade: Grade | None
    warnings: list[str]
    dropped: int = 0
    span: tuple[int, int] | None = None
    is_cycle: bool = False


def character(
    armature: bpy.types.Object,
    own: Skeleton,
    card: str = "",
    *,
    merged: Mapping[str, str] | None = None,
    with_skin: bool = True,
) -> Target:
    """A character of the scene, without a clip.

    Its meshes are read as they are at rest; without a mesh it has joints and tips alone. `merged` has bones that are no joints,
    and those that carry their weights.
    """
    parts = skin.meshes(armature, own, merged or {}) if with_skin else []
    to_file = gltf.space(armature)
    motion = read_once(armature.name, card, own, parts, to_file, with_tips=has_tips(armature, parts))
    return Target(motion, own, to_file, bool(parts))


def has_tips(armature: bpy.types.Object, parts: list[skin.Mesh]) -> bool:
    """Returns whether ends of last bones count: importers guess those of characters, those of a rig with controls were drawn."""
    return not parts or controls.has_controls(armature)


# Characters as the library read them, by what they were read of: a large mesh takes seconds.
read_before: dict[bytes, rebone.Motion] = {}
MAX_READ_BEFORE = 4


def read_once(
    name: str, card: str, own: Skeleton, parts: list[skin.Mesh], to_file: gltf.Space, *, with_tips: bool
) -> rebone.Motion:
    """A character; one that was read before where joints, meshes, card and space are the same."""
    digest = hashlib.blake2b(repr((name, card, own.names, to_file.scale, with_tips)).encode())
    skeleton = (own.parents, own.rest, own.lengths, own.moves, to_file.rotation)
    meshes = (array for part in parts for array in (part.vertices, part.joints, part.weights, part.triangles))
    for array in (*skeleton, *meshes):
        digest.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    key = digest.digest()
    if key not in read_before:
        while len(read_before) >= MAX_READ_BEFORE:
            del read_before[next(iter(read_before))]
        read_before[key] = stated(rebone.read(gltf.glb(own, parts, to_file, with_tips=with_tips), name=name), card)
    return read_before[key]


def source(armature: bpy.types.Object, own: Skeleton, card: str, clip: gltf.Clip) -> rebone.Motion:
    """A motion of the scene as a source. Without a mesh its tips are ends of bones, as in a BVH, and no joints."""
    parts = skin.meshes(armature, own, {})
    to_file = gltf.space(armature)
    if parts:
        content = gltf.glb(own, parts, to_file, clip, with_tips=has_tips(armature, parts))
        return stated(rebone.read(content, name=armature.name), card)
    translations, turns, moves = gltf.local_clip(own, to_file, clip)
    offsets, rest = gltf.rest_in_file(own, to_file)
    leaves, tips = end_sites(own)
    skeleton = rebone.Skeleton.from_arrays(
        own.names,
        own.parents,
        offsets,
        rest_rotations=rest,
        translation_axes=["xyz" if can_move else "" for can_move in moves],
        end_sites=[(leaf, list(tip)) for leaf, tip in zip(leaves, tips * to_file.scale, strict=True)],
        unit="m",
        name=clip.name,
    )
    motion = rebone.Motion.from_arrays(skeleton, turns, translations[:, moves], fps=clip.fps)
    return stated(motion, card)


def stated(motion: rebone.Motion, card: str) -> rebone.Motion:
    """A motion with what a rig card says of its skeleton."""
    return motion.with_statements(card=rebone.Card(card)) if card.strip() else motion


def clips(path: Path) -> list[rebone.Motion]:
    """All clips of a file."""
    return rebone.read_all(path)


@functools.lru_cache(maxsize=4)
def names_of(path: str, _changed: float) -> list[str]:
    """Names of the clips of a file that changed at a time."""
    return list(rebone.read(path).clip_names)


def clip_names(path: str) -> list[str]:
    """Names of all clips of a file; none where it cannot be read."""
    try:
        return names_of(path, Path(path).stat().st_mtime)
    except (OSError, rebone.ReboneError):
        return []


def take(path: Path, name: str) -> list[rebone.Motion]:
    """The clips of a file, or the one of a name."""
    found = clips(path)
    chosen = [clip for clip in found if not name or clip.name == name]
    if not chosen:
        raise ValueError(f"{path.name} has no clip {name}: choose one of {', '.join(clip.name for clip in found)}")
    return chosen


def retarget(source: rebone.Motion, onto: Target, options: Mapping[str, Any], progress: Progress | None = None) -> Solved:
    """Retargets one clip. Takes time; other threads run meanwhile. An exception in `progress` ends it."""
    wanted = options.get("fps") or source.fps
    is_same = abs(source.fps - wanted) < MAX_RATE_ERROR * wanted
    own = {key: value for key, value in options.items() if key != "fps" or not is_same}
    pair = rebone.Pair(source, onto.motion, **own)
    result = pair.retarget(source, progress=progress)
    dropped = int(result.report["leading_pose"] and options.get("leading_pose") == "drop")
    span = used_span(result, source, options.get("frames"))
    # Frames of a verdict are counted from the first frame of the source, at the rate of the result.
    begin = dropped if span is None else dropped + round(span[0] * wanted / source.fps)
    return Solved(
        name=source.name,
        fps=wanted,
        poses=object_poses(onto, result.motion),
        travel=object_travel(onto, result),
        grade=None if result.verdict is None else grade(result.verdict, begin),
        warnings=[words.of_panel(own) for own in [*pair.warnings, *result.warnings] if KEPT_POSE not in own],
        dropped=dropped,
        span=span,
        is_cycle=bool(result.report.get("loop")),
    )


def used_span(result: rebone.Result, source: rebone.Motion, frames: tuple[int, int] | None) -> tuple[int, int] | None:
    """First and last frame of the source that a result was made of: those of a cycle, or of the part that was asked for."""
    cycle = result.report.get("loop")
    if cycle:
        return int(cycle["frames"][0]), int(cycle["frames"][1])
    return None if frames is None else (frames[0], min(frames[1], len(source)) - 1)


def used(source: rebone.Motion, span: tuple[int, int] | None) -> rebone.Motion:
    """A source from the first to the last frame of a span, with what is known of it as a whole."""
    if span is None or span[0] >= len(source):
        return source
    card = rebone.analyse(source).card()
    return source[span[0] : span[1] + 1].with_statements(card=card)


def object_poses(onto: Target, motion: rebone.Motion) -> Poses:
    """Poses of the target's joints, by their names, in the space of its object."""
    index = {name: k for k, name in enumerate(motion.skeleton.names)}
    order = [index[name] for name in onto.skeleton.names]
    positions, rotations = onto.space.to_object(motion.positions[:, order], motion.world_rotations[:, order])
    return Poses(positions, maths.continuous(rotations))


def object_travel(onto: Target, result: rebone.Result) -> Array:
    """Travel of the body in the space of the object (frames, 3), zero where the library gives none."""
    path = result.root_path
    if path is None:
        return np.zeros((len(result.motion), 3))
    positions = np.array(path["positions"], dtype=np.float64)
    back = np.broadcast_to(maths.inverse(onto.space.rotation), (len(positions), 4))
    return maths.rotate(back, positions - positions[:1]) / onto.space.scale


def without_dropped(source: rebone.Motion, result: rebone.Motion) -> rebone.Motion:
    """A source at the rate of its result, without first frames that the result leaves out: it has so many fewer."""
    if abs(source.fps - result.fps) > MAX_RATE_ERROR * result.fps:
        source = source.resampled(result.fps)
    dropped = len(source) - len(result)
    if not 0 < dropped <= MAX_DROPPED_FRAMES:
        return source
    # The pose that is left out may be the only one that it can be calibrated on.
    card = rebone.analyse(source).card()
    return source[dropped:].with_statements(card=card)


def check(source: rebone.Motion, result: rebone.Motion) -> Grade:
    """Verdict on any result."""
    return grade(rebone.check(source, result))


def check_span(source: rebone.Motion, result: rebone.Motion, span: tuple[int, int] | None, *, is_cycle: bool) -> Grade:
    """Verdict on a result that was made of a span of a source."""
    if span is not None and is_cycle:
        return grade(rebone.check(source, result, loop=span))
    return check(without_dropped(used(source, span), result), result)


def grade(verdict: rebone.Verdict, begin: int = 0) -> Grade:
    """A verdict as plain data, in the words of the panel. Its frames are counted from frame `begin`."""

    def finding(reason: Mapping[str, Any]) -> Finding:
        frames = reason.get("frames")
        own = None if not frames else (max(0, int(frames[0]) - begin), max(0, int(frames[1]) - begin))
        text, advice = words.of_panel(reason["text"]), words.advice(reason.get("help") or "")
        return Finding(text, advice, reason.get("verdict") or "", own)

    defects = [finding(own) for own in verdict.report.get("source_defects", [])]
    return Grade(verdict.level, verdict.score, [finding(own) for own in verdict.reasons], defects)


@dataclass(frozen=True)
class RoleOfJoint:
    """Role of a bone, with its probability; `accepted` where it is used without asking."""

    bone: str
    role: str
    confidence: float
    accepted: bool
    reason: str


def roles(onto: Target) -> tuple[list[RoleOfJoint], str]:
    """Roles of the bones of a character, and a line on its calibration."""
    anatomy = rebone.analyse(onto.motion)
    bones = set(onto.skeleton.bones)
    found = [
        RoleOfJoint(
            joint["name"],
            joint["role"]["name"],
            joint["role"]["confidence"],
            joint["role"]["accepted"],
            joint["role"]["reason"],
        )
        for joint in anatomy.summary["joints"]
        if joint["role"] is not None and joint["name"] in bones
    ]
    return found, f"{anatomy.calibration}; {anatomy.confidence:.0%} sure"


def with_role(card: str, role: str, bones: list[str]) -> str:
    """A card that states which bones play a role; none says that no bone plays it."""
    return rebone.Card(card).with_role(role, bones).text


def with_pose(card: str, turns: Mapping[str, tuple[float, float, float]]) -> str:
    """A card that states the calibration pose by turns since the rest pose, in degrees, in place of any other."""
    return rebone.Card(card).with_pose(turns).text


def message(error: Exception, path: Path | None = None) -> str:
    """Text of an error with what helps, in the words of the panel. `path` is the file of the source, where it is one."""
    text = str(error) or type(error).__name__
    is_of_source = path is not None and str(path) in text
    if path is not None:
        text = text.replace(str(path), path.name)
    advice = ""
    if NO_ROOT_BONE in text:
        text = "the rig has no root bone above the body: choose another Root, such as Object"
    elif isinstance(error, rebone.UnsureError | rebone.NotUnderstood) and is_of_source:
        advice = OF_SOURCE + (", or accept guesses" if isinstance(error, rebone.UnsureError) else "")
    elif isinstance(error, rebone.UnsureError):
        advice = "look at the roles in the panel Rig and correct what is wrong, or turn on Accept Guesses in More Options"
    elif isinstance(error, rebone.NotUnderstood):
        advice = "state the missing roles: select a bone in pose mode, and its role in the panel Rig; again for each"
    elif isinstance(error, rebone.ReboneError):
        advice = words.advice(error.help or "")
    return "\n".join(part for part in (words.of_panel(text), advice) if part)
