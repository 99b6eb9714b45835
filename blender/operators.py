"""Operators that retarget and check."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import rebone

from . import actions, library, properties, results, retargeting, scene
from .jobs import Job, Task
from .retargeting import Settings
from .scene import CANCELLED, FINISHED, PASS_THROUGH, RUNNING, OperatorResult

# Seconds from one look at the thread to the next: Escape is heard within that.
TIMER_SECONDS = 0.1
EXTENSIONS = {".bvh", ".fbx", ".glb", ".gltf", ".vrm", ".vrma", ".amc"}


def settings_of(context: bpy.types.Context) -> Settings:
    """Options of the panel."""
    own = properties.of(context)
    options: dict[str, Any] = {
        "limbs": own.limbs,
        "contacts": own.contacts,
        "limits": own.limits,
        "travel": own.travel,
        "leading_pose": "drop" if own.drop_pose else "keep",
        "accept_guesses": own.accept_guesses,
        "ground": own.ground,
    }
    if own.states_floor:
        options["floor"] = own.floor
    if own.scene_rate:
        options["fps"] = scene.rate()
    return Settings(options, own.root, float(scene.current().frame_start), own.constraints_off)


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
        if not own.path or not path.is_file():
            raise ValueError("choose a motion file")
        return Task(path.name, lambda: library.clips(path), path)
    if own.source is None or own.source == context.object:
        raise ValueError("choose another armature as the source")
    motion = retargeting.motion_of(own.source, source_frames(own.source))
    return Task(own.source.name, lambda: [motion])


def folder_tasks(folder: Path) -> list[Task]:
    """A task for each motion file of a folder."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in EXTENSIONS)
    if not files:
        raise ValueError(f"found no motion files in {folder.name}")
    return [Task(path.name, lambda path=path: library.clips(path), path) for path in files]  # type: ignore[misc]


def windows(context: bpy.types.Context) -> bpy.types.WindowManager:
    manager = context.window_manager
    assert manager is not None
    return manager


def can_solve(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is a target, and nothing is solved at the moment."""
    if not scene.has_armature(operator, context):
        return False
    if properties.of(context).is_running:
        operator.poll_message_set("A retarget is running: Escape stops it")
        return False
    return True


class Solving(bpy.types.Operator):
    """What operators that solve share: all at once in `execute`, beside the interface in `invoke`."""

    job: Job
    timer: bpy.types.Timer

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return can_solve(cls, context)

    def tasks(self, context: bpy.types.Context) -> Sequence[Task]:
        raise NotImplementedError

    def begin(self, context: bpy.types.Context) -> bool:
        """Reads the target and the source. Tells the user where that fails."""
        own = properties.of(context)
        try:
            tasks = self.tasks(context)
            onto = retargeting.prepare(scene.target(context), with_skin=own.use_skin)
        except (ValueError, OSError, rebone.ReboneError) as error:
            results.report_error(self, context, error)
            return False
        results.clear(own)
        self.job = Job(onto, settings_of(context), tasks)
        return True

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if not self.begin(context):
            return CANCELLED
        self.job.run()
        return self.end(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        if not self.begin(context):
            return CANCELLED
        properties.of(context).is_running = True
        manager = windows(context)
        self.timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.modal_handler_add(self)
        self.job.start()
        return RUNNING

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        if event.type == "ESC":
            self.job.stop()
        if event.type != "TIMER" and event.type != "ESC":
            return PASS_THROUGH
        own = properties.of(context)
        own.progress = self.job.fraction
        for area in context.screen.areas if context.screen is not None else []:
            area.tag_redraw()
        if self.job.is_running:
            return RUNNING
        windows(context).event_timer_remove(self.timer)
        own.is_running = False
        return self.end(context)

    def end(self, context: bpy.types.Context) -> OperatorResult:
        """Writes keys for all that was solved: one step of undo."""
        own = properties.of(context)
        errors = []
        for outcome in self.job.take():
            if outcome.solved is None:
                named = f"{outcome.name}:" in outcome.error
                errors.append(outcome.error if named else f"{outcome.name}: {outcome.error}")
                results.add_failure(own, outcome.name, outcome.error)
            else:
                try:
                    baked = retargeting.bake(self.job.onto, outcome.solved, self.job.settings)
                except (ValueError, KeyError) as error:
                    errors.append(f"{outcome.name}: {library.message(error)}")
                    break
                results.add_clip(own, outcome.solved, baked, self.job.settings.first_frame)
        is_done = any(clip.level != "ERROR" for clip in own.clips)
        for text in errors:
            self.report({"WARNING" if is_done else "ERROR"}, text)
        if self.job.is_stopped:
            self.report({"WARNING"}, "stopped")
        return FINISHED if is_done else CANCELLED


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
            frames, step = checked_frames(armature)
            result = retargeting.motion_of(armature, frames, step)
            clip = next((clip for clip in source if clip.name == result.name), source[0])
            clip = library.without_dropped(clip, result)
            grade = library.check(clip, result)
        except (ValueError, OSError, rebone.ReboneError) as error:
            return results.report_error(self, context, error, None if task is None else task.path)
        results.show_grade(properties.of(context), grade, frames[0], step)
        results.mark(scene.current(), grade, frames[0], step)
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


CLASSES = (REBONE_OT_retarget, REBONE_OT_retarget_folder, REBONE_OT_check, REBONE_OT_go_to)
