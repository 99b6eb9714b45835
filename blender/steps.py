"""Work on the main thread in short steps, so that the interface answers between them."""

import threading
from collections.abc import Callable, Generator
from typing import Any

# Seconds of one step.
STEP_SECONDS = 0.05

# Work that yields between its steps and returns its result.
Steps = Generator[None, None, Any]


def finish(work: Steps) -> Any:
    """Runs all steps at once and returns the result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def beside(call: Callable[[], Any]) -> Steps:
    """Runs a call that touches nothing of the scene in a thread; steps wait for it. Its exceptions are raised here."""
    results: list[Any] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(call())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="rebone", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(STEP_SECONDS)
        yield
    if errors:
        raise errors[0]
    return results[0]
