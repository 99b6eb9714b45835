"""Base classes of operators that take long: work in steps beside the interface, its progress, and keys of its results."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import rebone

from . import actions, library, properties, results, retargeting, scene
from .jobs import Job, Outcome, Task
from .retargeting import Settings
from .scene import CANCELLED, FINISHED, PASS_THROUGH, RUNNING, OperatorResult
from .steps import STEP_SECONDS, Steps, finish

# Seconds from one look at the work to the next: Escape is heard within that.
TIMER_SECONDS = 0.1
# Errors that have a message for the user.
ERRORS = (ValueError, KeyError, OSError, ReferenceError, rebone.ReboneError)


@dataclass
class Work:
    """Work beside the interface. `fraction` tells the progress, 0 to 1."""

    steps: Steps | None = None
    job: Job | None = None
    is_stopped: bool = False

    def stop(self) -> None:
        """Asks to stop: a thread does so at the next step of a clip."""
        self.is_stopped = True
        if self.job is not None:
            self.job.stop()

    @property
    def fraction(self) -> float:
        return 0.0 if self.job is None else self.job.fraction


# The work beside the interface. No property: undo and files would bring one back that has ended.
working: Work | None = None


def running() -> Work | None:
    """The work beside the interface, if there is some."""
    return working


def stop() -> None:
    """Stops the work beside the interface, whose result is not wanted any more."""
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


class Stepping(bpy.types.Operator):
    """An operator that works in steps: all at once in `execute`, beside the interface in `invoke`."""

    work: Work
    timer: bpy.types.Timer
    scene_name: str
    # Calls and events of the interface, as tests replace them.
    begin: Callable[[bpy.types.Context], bool]
    steps: Callable[[], Steps]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return can_solve(cls, context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        self.work, self.scene_name = Work(), scene.current().name
        if not self.begin(context):
            return CANCELLED
        try:
            return finish(self.steps())
        except ERRORS as error:
            return results.report_error(self, context, error)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        global working
        self.work, self.scene_name = Work(), scene.current().name
        if not self.begin(context):
            return CANCELLED
        working = self.work
        self.work.steps = self.steps()
        manager = windows(context)
        self.timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.modal_handler_add(self)
        return RUNNING

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        if event.type == "ESC":
            self.work.stop()
        if event.type != "TIMER" and event.type != "ESC":
            return PASS_THROUGH
        owner = bpy.data.scenes.get(self.scene_name)
        if owner is not None:
            properties.of_scene(owner).progress = self.work.fraction
        redraw_panels(context)
        assert self.work.steps is not None
        until = time.monotonic() + STEP_SECONDS
        try:
            while time.monotonic() < until:
                next(self.work.steps)
            return RUNNING
        except StopIteration as end:
            ended: OperatorResult = end.value
        except ERRORS as error:
            ended = results.report_error(self, context, error)
        self.cancel(context)
        return ended

    def cancel(self, context: bpy.types.Context) -> None:
        """Ends the work: it is done, or Blender opens another file."""
        stop()
        windows(context).event_timer_remove(self.timer)


class Solving(Stepping):
    """An operator that solves clips and writes their keys."""

    tasks: Callable[[bpy.types.Context], Sequence[Task]]

    def begin(self, context: bpy.types.Context) -> bool:
        """Reads the target and the source. Tells the user where that fails."""
        own = properties.of(context)
        try:
            armature = scene.target(context)
            scene.check_not_soloed(armature)
            tasks = self.tasks(context)
            settings = settings_of(context, of_file=all(task.gather is None for task in tasks))
            onto = retargeting.prepare(armature, with_skin=own.use_skin)
        except ERRORS as error:
            results.report_error(self, context, error)
            return False
        results.clear(own)
        self.work.job = Job(onto, settings, list(tasks))
        return True

    def steps(self) -> Steps:
        """Samples sources, solves in a thread, and writes keys: one step of undo."""
        job = self.work.job
        assert job is not None
        for number, task in enumerate(job.tasks):
            if task.gather is not None and not self.work.is_stopped:
                motions = [(yield from task.gather())]
                job.tasks[number] = replace(task, load=motions.copy, gather=None)
        if not self.work.is_stopped:
            job.start()
        while job.is_running:
            job.wait(STEP_SECONDS)
            yield
        return (yield from self.end(job))

    def end(self, job: Job) -> Steps:
        """Writes keys for all that was solved, and grades them."""
        # A scene that was renamed or removed meanwhile is not found: then the current one shows it.
        own = properties.of_scene(bpy.data.scenes.get(self.scene_name) or scene.current())
        errors = []
        for outcome in job.take():
            if outcome.solved is None or outcome.source is None:
                errors.append(results.named(outcome.error, outcome.name, job.onto.name))
                results.add_failure(own, outcome.name, outcome.error)
                continue
            try:
                settings = placed(job, outcome)
                baked = retargeting.bake(job.onto, outcome.solved, settings)
                baked = yield from retargeting.judge(job.onto, outcome.source, outcome.solved, baked)
            except ERRORS as error:
                errors.append(f"{outcome.name}: {library.message(error)}")
                break
            results.add_clip(own, outcome.solved, baked, settings)
            publish(own, job.onto.armature, baked)
        is_done = any(clip.level != "ERROR" for clip in own.clips)
        for text in errors:
            self.report({"WARNING" if is_done else "ERROR"}, text.splitlines()[0])
        if self.work.is_stopped:
            own.message = own.message or "stopped"
            self.report({"WARNING"}, "stopped")
        return FINISHED if is_done else CANCELLED


def publish(own: Any, armature: bpy.types.Object, baked: retargeting.Baked) -> None:
    """Puts an action where the panel wants it: on an NLA track, among the assets, and in the range of the scene."""
    if own.to_nla:
        actions.add_strip(armature, baked.action)
    if own.to_assets:
        baked.action.asset_mark()
    if own.set_range:
        shown: Any = own.id_data
        first, last = int(baked.frames[0]), math.ceil(baked.frames[-1])
        shown.frame_start, shown.frame_end = (
            (first, last) if len(own.clips) == 1 else (min(first, shown.frame_start), max(last, shown.frame_end))
        )


def placed(job: Job, outcome: Outcome) -> Settings:
    """Settings with the first frame of a result: that of an armature's motion, or the first of the scene."""
    assert outcome.solved is not None
    if outcome.first_frame is None:
        return job.settings
    solved, source, first = outcome.solved, outcome.source, int(outcome.first_frame)
    assert source is not None
    begin, end = solved.span or (0, len(source) - 1)
    # Frames of the source are those of the scene; a leading pose that is left out is a frame of it or of the result.
    late = begin + solved.dropped * job.settings.scene_rate / solved.fps
    return replace(job.settings, first_frame=first + late, span=(first + begin, first + end))


def settings_of(context: bpy.types.Context, *, of_file: bool = True) -> Settings:
    """Options of the panel, for a source that is a file or an armature."""
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
    options |= {name: getattr(own, name) for name in ("arms", "legs") if getattr(own, name) != "as-limbs"}
    if own.only:
        options["only"] = [region for region, _, _ in properties.REGIONS if region in own.only]
    if own.part:
        part_of(own, of_file=of_file)
    if own.loop == "PART":
        if not own.part:
            raise ValueError("Loop: The Part needs Part of the Clip, with First and Last")
        first = own.part_first if of_file else 0
        options["loop"] = (first, first + own.part_last - own.part_first)
    else:
        options |= {"frames": (own.part_first, own.part_last + 1)} if own.part and of_file else {}
        options |= {"loop": True} if own.loop == "BEST" else {}
    first_frame = float(scene.current().frame_start)
    overwrites = own.write_mode == "OVERWRITE"
    return Settings(options, own.root, first_frame, own.constraints_off, scene.rate(), overwrites=overwrites)


def part_of(own: Any, *, of_file: bool = True) -> tuple[int, int]:
    """First and last frame of the part of the panel, of a source that is a file or an armature."""
    if own.part_last <= own.part_first:
        raise ValueError(f"Part of the Clip: found Last {own.part_last}, expected more than First, {own.part_first}")
    if of_file and own.part_first < 0:
        raise ValueError(f"Part of the Clip: found First {own.part_first}, but frames of a file are counted from 0")
    return own.part_first, own.part_last


def windows(context: bpy.types.Context) -> bpy.types.WindowManager:
    manager = context.window_manager
    assert manager is not None
    return manager
