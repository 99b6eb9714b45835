"""Operators that retarget and check."""

from collections.abc import Sequence
from pathlib import Path

import bpy
import rebone

from . import actions, library, properties, results, retargeting, scene
from .jobs import Task
from .scene import CANCELLED, FINISHED, OperatorResult
from .solving import Solving, can_solve

EXTENSIONS = {".bvh", ".fbx", ".glb", ".gltf", ".vrm", ".vrma", ".amc"}


def source_frames(armature: bpy.types.Object) -> range:
    """Frames of the action of an armature, or of the scene where it has none."""
    first, last = actions.frame_range(armature, (scene.current().frame_start, scene.current().frame_end))
    return range(first, last + 1)


def checked_frames(armature: bpy.types.Object) -> tuple[list[float], float]:
    """Frames of the scene at which an armature has keys, and those from one to the next; all frames where no key tells it."""
    action, step = actions.assigned(armature).action, actions.key_step(armature)
    if action is None or step == 1.0:
        return [float(frame) for frame in source_frames(armature)], 1.0
    first, last = float(action.frame_range[0]), float(action.frame_range[1])
    return [first + step * number for number in range(round((last - first) / step) + 1)], step


def source_task(context: bpy.types.Context) -> Task:
    """The source of the panel. A pose of the scene is sampled now; a file is read later, in the thread."""
    own = properties.of(context)
    if own.source_kind == "FILE":
        path = Path(bpy.path.abspath(own.path))
        if not own.path:
            raise ValueError("choose a motion file")
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        return Task(path.name, lambda: library.clips(path), path)
    if own.source is None or own.source == scene.active_armature(context):
        raise ValueError("choose another armature as the source")
    scene.check_posed(own.source)
    motion = retargeting.motion_of(own.source, source_frames(own.source))
    return Task(own.source.name, lambda: [motion])


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


class REBONE_OT_check(bpy.types.Operator):
    """Grade the motion of the active armature against the source, as it is evaluated in the scene"""

    bl_idname = "rebone.check"
    bl_label = "Check"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return can_solve(cls, context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        task = None
        try:
            task = source_task(context)
            source = list(task.load())
            armature = scene.target(context)
            if not actions.is_moved(armature):
                raise ValueError(f"nothing moves {armature.name}: it has no action, NLA track, driver or constraint")
            frames, step = checked_frames(armature)
            result = retargeting.motion_of(armature, frames, step)
            clip = next((clip for clip in source if clip.name == result.name), source[0])
            clip = library.without_dropped(clip, result)
            grade = library.check(clip, result)
        except (ValueError, OSError, rebone.ReboneError) as error:
            return results.report_error(self, context, error, None if task is None else task.path)
        own = properties.of(context)
        own.clip = result.name
        results.show_grade(own, grade, frames[0], step, scene.rate())
        results.mark(scene.current(), grade, frames[0], step)
        return FINISHED


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
