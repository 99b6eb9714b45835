"""Work beside the interface: clips are solved in a thread, and a timer asks what is done."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import rebone

from . import library, retargeting
from .library import Solved
from .retargeting import Prepared, Settings
from .steps import Steps


class StoppedError(Exception):
    """The user stopped the work."""


@dataclass(frozen=True)
class Task:
    """Clips to solve. `load` reads them, in the thread; `path` is their file, where they are of one.

    `gather` samples the motion of an armature in steps on the main thread, in place of `load`; it begins at `first_frame` of the
    scene.
    """

    name: str
    load: Callable[[], Sequence[rebone.Motion]]
    path: Path | None = None
    gather: Callable[[], Steps] | None = None
    first_frame: float | None = None


@dataclass(frozen=True)
class Outcome:
    """A solved clip with its source, or why there is none. `first_frame` is that of the source in the scene, if it is of it."""

    name: str
    solved: Solved | None
    error: str = ""
    source: rebone.Motion | None = None
    first_frame: float | None = None


@dataclass
class Job:
    """Solves tasks one after another. `take` gives what was done since it was last asked."""

    onto: Prepared
    settings: Settings
    tasks: list[Task]
    outcomes: list[Outcome] = field(default_factory=list)
    fraction: float = 0.0
    taken: int = 0
    is_stopped: bool = False
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins in a thread."""
        self.thread = threading.Thread(target=self.run, name="rebone", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Asks the thread to stop: it does so at the next step of a clip."""
        self.is_stopped = True

    def wait(self, seconds: float) -> None:
        """Waits for the thread, at most so long."""
        if self.thread is not None:
            self.thread.join(seconds)

    @property
    def is_running(self) -> bool:
        """Returns whether the thread is at work."""
        return self.thread is not None and self.thread.is_alive()

    def run(self) -> None:
        """All tasks. An error of one does not end the others."""
        for number, task in enumerate(self.tasks):
            if self.is_stopped:
                return
            try:
                clips = task.load()
                for index, clip in enumerate(clips):
                    progress = self.progress_of(number + index / len(clips), 1.0 / len(clips))
                    solved = retargeting.solve(clip, self.onto, self.settings, progress)
                    self.outcomes.append(Outcome(task.name, solved, "", clip, task.first_frame))
            except StoppedError:
                return
            except Exception as error:  # whatever a file does, the others go on
                self.outcomes.append(Outcome(task.name, None, library.message(error, task.path)))
            self.fraction = (number + 1) / len(self.tasks)

    def progress_of(self, begin: float, part: float) -> library.Progress:
        """Takes the progress of a clip, which is a part of a task and begins so many tasks after the first one."""
        steps: list[str] = []

        def progress(step: str, done: int, every: int) -> None:
            if self.is_stopped:
                raise StoppedError
            if step not in steps:
                steps.append(step)
            # The number of steps is not known: each has half of the time that is left.
            left = 0.5 ** steps.index(step)
            own = 1.0 - left + 0.5 * left * done / max(every, 1)
            self.fraction = max(self.fraction, (begin + part * own) / len(self.tasks))

        return progress

    def take(self) -> list[Outcome]:
        """Outcomes that were not taken yet."""
        new = self.outcomes[self.taken :]
        self.taken += len(new)
        return new
