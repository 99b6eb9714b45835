"""Verdicts, as the panel and the timeline show them."""

from pathlib import Path
from typing import Any

import bpy

from . import actions, library, properties, scene
from .library import Finding, Grade, Solved
from .retargeting import Baked, Settings

# End of a marker's name, as the timeline shows the beginning alone.
MARKER_SUFFIX = " [rebone]"
# Characters of a marker's name before it.
MARKER_LENGTH = 50


def clear(own: Any) -> None:
    """Takes results away from the panel."""
    own.clips.clear()
    own.findings.clear()
    own.level, own.score, own.rate, own.message, own.clip, own.progress = "", 0.0, 0.0, "", "", 0.0


def show_error(own: Any, message: str) -> None:
    """Shows why there is no result."""
    clear(own)
    own.message = message


def report_error(
    operator: bpy.types.Operator, context: bpy.types.Context, error: Exception, path: Path | None = None
) -> scene.OperatorResult:
    """Shows why there is no result, in the panel and where Blender shows errors. `path` is the file of the source."""
    message = library.message(error, path)
    show_error(properties.of(context), message)
    # Blender shows it in one line beside the pointer; the panel has all of it.
    operator.report({"ERROR"}, message.splitlines()[0])
    return scene.CANCELLED


def named(message: str, *names: str) -> str:
    """A message that begins with the first of some names, where it has none of them."""
    return message if any(f"{name}:" in message for name in names) else f"{names[0]}: {message}"


def add_failure(own: Any, name: str, message: str) -> None:
    """Lists a file without a result."""
    item = own.clips.add()
    item.name, item.level, item.message = name, "ERROR", message
    if not own.level:
        own.message = message


def add_clip(own: Any, solved: Solved, baked: Baked, settings: Settings) -> None:
    """Lists a result, and shows its verdict."""
    item = own.clips.add()
    item.name = baked.action.name
    item.message = "\n".join([*solved.warnings, *baked.warnings])
    if baked.grade is not None:
        item.level, item.score = baked.grade.level, baked.grade.score
        show_grade(own, baked.grade, settings.first_frame, actions.step_of(baked.action), settings.scene_rate)
    own.message, own.clip = item.message, item.name


def show_grade(own: Any, grade: Grade, first: float, step: float, rate: float) -> None:
    """Shows a verdict with its reasons. A frame of the result is `first + step · frame` in the scene, at `rate` a second."""
    own.findings.clear()
    own.level, own.score, own.rate, own.message = grade.level, grade.score, rate / step, ""
    for finding in [*grade.findings, *grade.defects]:
        item = own.findings.add()
        item.name, item.help, item.level = finding.text, finding.help, finding.level
        item.frame = scene_frame(finding, first, step)


def scene_frame(finding: Finding, first: float, step: float) -> int:
    """Frame of a finding in the scene, -1 where it is of the whole clip."""
    return -1 if finding.frames is None else round(first + step * finding.frames[0])


def mark(timeline: bpy.types.Scene, grade: Grade, first: float, step: float) -> None:
    """Marks findings and defects of the source on the timeline, in place of earlier marks."""
    for marker in [own for own in timeline.timeline_markers if own.name.endswith(MARKER_SUFFIX)]:
        timeline.timeline_markers.remove(marker)
    for finding in [*grade.findings, *grade.defects]:
        if finding.frames is not None:
            name = f"{finding.text[:MARKER_LENGTH]}{MARKER_SUFFIX}"
            timeline.timeline_markers.new(name, frame=scene_frame(finding, first, step))
