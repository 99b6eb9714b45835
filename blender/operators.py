"""Operators that retarget and check."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import rebone

from . import actions, library, properties, results, retargeting, scene, solving
from .jobs import Task
from .scene import CANCELLED, FINISHED, OperatorResult
from .solving import ERRORS, Solving, Stepping
from .steps import Steps, beside

EXTENSIONS = {".bvh", ".fbx", ".glb", ".gltf", ".vrm", ".vrma", ".amc"}


def source_frames(armature: bpy.types.Object) -> range:
    """Frames of the action of an armature, or of the scene where it has none."""
    first, last = actions.frame_range(armature, (scene.current().frame_start, scene.current().frame_end))
    return range(first, last + 1)


def checked_frames(armature: bpy.types.Object) -> tuple[list[float], float]:
    """Frames of the scene at which an armature has keys, and those from one to the next; all frames where no key tells it."""
    keys, step = actions.key_range(armature), actions.key_step(armature)
    if keys is None or step == 1.0:
        return [float(frame) for frame in source_frames(armature)], 1.0
    first, last = keys
    return [first + step * number for number in range(round((last - first) / step) + 1)], step


def checked_span(armature: bpy.types.Object, own: Any) -> tuple[tuple[int, int] | None, bool]:
    """First and last frame of the source that an action was made of, None where of all, and if they are a cycle. Of an action of
    another program they are the part of the panel, where the source is a file."""
    if not own.part or own.source_kind != "FILE" or actions.is_ours(armature):
        return actions.span_of(armature)
    return solving.part_of(own), own.loop == "PART"


def source_task(context: bpy.types.Context, span: tuple[int, int] | None = None) -> Task:
    """The source of the panel: an armature of the scene is sampled in steps, a file read in the thread.

    Of an armature a span of frames counts, by default the part that the panel states.
    """
    own = properties.of(context)
    if own.source_kind == "FILE":
        path = Path(bpy.path.abspath(own.path))
        if not own.path:
            raise ValueError("choose a motion file")
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        name = own.take
        return Task(path.name, lambda: library.take(path, name), path)
    if own.source is None or own.source == scene.active_armature(context):
        raise ValueError("choose another armature as the source")
    scene.check_posed(own.source)
    name, uid, moved = own.source.name, own.source.session_uid, source_frames(own.source)
    if span is None and own.part:
        span = own.part_first, own.part_last
    frames = moved if span is None else range(max(span[0], moved[0]), min(span[1], moved[-1]) + 1)
    is_cut = span is not None and own.part and own.loop == "PART" and frames[-1:] != range(span[1], span[1] + 1)
    if not frames or is_cut:
        part = f"{own.part_first} to {own.part_last}"
        raise ValueError(f"Part of the Clip: found {part}, but {name} moves from {moved[0]} to {moved[-1]}")
    return Task(name, list, gather=lambda: retargeting.motion_at(scene.found(uid), frames), first_frame=float(frames[0]))


def folder_tasks(folder: Path) -> list[Task]:
    """A task for each motion file of a folder."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in EXTENSIONS)
    if not files:
        raise ValueError(f"found no motion files in {folder.name}")
    return [Task(path.name, lambda path=path: library.clips(path), path) for path in files]  # type: ignore[misc]


class REBONE_OT_retarget(Solving):
    """Retarget the source onto the active armature: a new action for each clip, the actions before stay"""

    bl_idname = "rebone.retarget"
    bl_label = "Retarget"
    bl_options = {"REGISTER", "UNDO"}

    def tasks(self, context: bpy.types.Context) -> Sequence[Task]:
        return [source_task(context)]


class REBONE_OT_retarget_folder(Solving):
    """Retarget all motion files of a folder onto the active armature, an action each. Escape stops"""

    bl_idname = "rebone.retarget_folder"
    bl_label = "Retarget Folder"
    bl_options = {"REGISTER", "UNDO"}

    def tasks(self, context: bpy.types.Context) -> Sequence[Task]:
        own = properties.of(context)
        folder = Path(bpy.path.abspath(own.folder))
        if not own.folder or not folder.is_dir():
            raise ValueError("choose a folder")
        return folder_tasks(folder)


class REBONE_OT_check(Stepping):
    """Grade the motion of the active armature against the source, as it is evaluated in the scene"""

    bl_idname = "rebone.check"
    bl_label = "Check"
    bl_options = {"REGISTER", "UNDO"}

    task: Task
    uid: int
    frames: list[float]
    step: float
    span: tuple[int, int] | None
    is_cycle: bool

    def begin(self, context: bpy.types.Context) -> bool:
        """Finds the source and the frames. Tells the user where that fails."""
        try:
            armature = scene.target(context)
            self.uid = armature.session_uid
            self.span, self.is_cycle = checked_span(armature, properties.of(context))
            self.task = source_task(context, self.span)
            regions = actions.regions_of(armature)
            if regions:
                names = [name for word, name, _ in properties.REGIONS if word in regions]
                raise ValueError(f"only {', '.join(names)} got keys: Check compares whole bodies")
            if not actions.is_moved(armature):
                raise ValueError(f"nothing moves {armature.name}: it has no action, NLA track, driver or constraint")
            self.frames, self.step = checked_frames(armature)
        except ERRORS as error:
            results.report_error(self, context, error)
            return False
        return True

    def steps(self) -> Steps:
        """Samples both motions, and compares them in a thread."""
        shown = scene.current()
        result = yield from retargeting.motion_at(scene.found(self.uid), self.frames, self.step, with_travel=True)
        try:
            if self.task.gather is not None:
                source = [(yield from self.task.gather())]
                self.span = (0, len(source[0]) - 1) if self.is_cycle else None
            else:
                source = yield from beside(lambda: list(self.task.load()))
            grade = yield from beside(lambda: graded(source, result, self.span, self.is_cycle))
        except ERRORS as error:
            return results.report_error(self, bpy.context, error, self.task.path)
        if self.work.is_stopped:
            return CANCELLED
        own = properties.of_scene(shown)
        own.clip = result.name
        results.show_grade(own, grade, self.frames[0], self.step, scene.rate())
        results.mark(shown, grade, self.frames[0], self.step)
        return FINISHED


def graded(source: Sequence[rebone.Motion], result: rebone.Motion, span: tuple[int, int] | None, is_cycle: bool) -> library.Grade:
    """Verdict on a result, by the clip of its name or the first one."""
    clip = next((clip for clip in source if clip.name == result.name), source[0])
    return library.check_span(clip, result, span, is_cycle=is_cycle)


class REBONE_OT_play(bpy.types.Operator):
    """Let the armature play the action of this clip"""

    bl_idname = "rebone.play"
    bl_label = "Play This Action"
    bl_options = {"REGISTER", "UNDO"}

    action: bpy.props.StringProperty()  # type: ignore[valid-type]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return scene.has_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        action = bpy.data.actions.get(self.action)
        if action is None:
            self.report({"ERROR"}, f"the action {self.action} is no longer there")
            return CANCELLED
        actions.use(scene.target(context), action)
        return FINISHED


class REBONE_OT_go_to(bpy.types.Operator):
    """Go to the frame of this finding"""

    bl_idname = "rebone.go_to"
    bl_label = "Go to Frame"
    bl_options = {"INTERNAL"}

    frame: bpy.props.IntProperty()  # type: ignore[valid-type]

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        scene.current().frame_set(self.frame)
        return FINISHED


CLASSES = (REBONE_OT_retarget, REBONE_OT_retarget_folder, REBONE_OT_check, REBONE_OT_play, REBONE_OT_go_to)
