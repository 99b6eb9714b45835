"""Base class of operators that solve: a job beside the interface, its progress, and keys of its results."""

from collections.abc import Sequence
from typing import Any

import bpy
import rebone

from . import library, properties, results, retargeting, scene
from .jobs import Job, Task
from .retargeting import Settings
from .scene import CANCELLED, FINISHED, PASS_THROUGH, RUNNING, OperatorResult

# Seconds from one look at the thread to the next: Escape is heard within that.
TIMER_SECONDS = 0.1

# The job at work beside the interface. No property: undo and files would bring one back that has ended.
working: Job | None = None


def running() -> Job | None:
    """The job at work, if there is one."""
    return working if working is not None and working.is_running else None


def stop() -> None:
    """Stops the job at work, whose result is not wanted any more."""
    global working
    if working is not None:
        working.stop()
    working = None


def redraw_panels(context: bpy.types.Context) -> None:
    """Draws the sidebars anew, and not what is beside them."""
    for area in context.screen.areas if context.screen is not None else []:
        for region in area.regions if area.type == "VIEW_3D" else []:
            if region.type == "UI":
                region.tag_redraw()


def can_solve(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Returns whether there is a target, and nothing is solved at the moment."""
    if not scene.has_armature(operator, context):
        return False
    if running() is not None:
        operator.poll_message_set("A retarget is running: Escape stops it")
        return False
    return True


class Solving(bpy.types.Operator):
    """An operator that solves: all at once in `execute`, beside the interface in `invoke`."""

    job: Job
    timer: bpy.types.Timer
    scene_name: str

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
        self.scene_name = scene.current().name
        return True

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if not self.begin(context):
            return CANCELLED
        self.job.run()
        return self.end(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        if not self.begin(context):
            return CANCELLED
        global working
        working = self.job
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
        owner = bpy.data.scenes.get(self.scene_name)
        if owner is not None:
            properties.of_scene(owner).progress = self.job.fraction
        redraw_panels(context)
        if self.job.is_running:
            return RUNNING
        windows(context).event_timer_remove(self.timer)
        global working
        working = None
        return self.end(context)

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when it opens another file."""
        stop()
        windows(context).event_timer_remove(self.timer)

    def end(self, _context: bpy.types.Context) -> OperatorResult:
        """Writes keys for all that was solved: one step of undo."""
        # A scene that was renamed or removed meanwhile is not found: then the current one shows it.
        own = properties.of_scene(bpy.data.scenes.get(self.scene_name) or scene.current())
        errors = []
        for outcome in self.job.take():
            if outcome.solved is None:
                errors.append(results.named(outcome.error, outcome.name, self.job.onto.name))
                results.add_failure(own, outcome.name, outcome.error)
            else:
                try:
                    baked = retargeting.bake(self.job.onto, outcome.solved, self.job.settings)
                except (ValueError, KeyError) as error:
                    errors.append(f"{outcome.name}: {library.message(error)}")
                    break
                results.add_clip(own, outcome.solved, baked, self.job.settings)
        is_done = any(clip.level != "ERROR" for clip in own.clips)
        for text in errors:
            self.report({"WARNING" if is_done else "ERROR"}, text.splitlines()[0])
        if self.job.is_stopped:
            own.message = own.message or "stopped"
            self.report({"WARNING"}, "stopped")
        return FINISHED if is_done else CANCELLED


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
    return Settings(options, own.root, float(scene.current().frame_start), own.constraints_off, scene.rate())


def windows(context: bpy.types.Context) -> bpy.types.WindowManager:
    manager = context.window_manager
    assert manager is not None
    return manager
