"""Samples of the repository, and the program of the wheel."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rebone

DATA = Path(__file__).resolve().parents[3] / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    return DATA


@pytest.fixture(scope="session")
def walk() -> rebone.Motion:
    return rebone.read(DATA / "clips/walk.bvh")


@pytest.fixture(scope="session")
def rig() -> rebone.Motion:
    return rebone.read(DATA / "rigs/toy-a-pose.bvh")


@pytest.fixture(scope="session")
def long(walk: rebone.Motion) -> rebone.Motion:
    """Tens of thousands of frames."""
    import numpy as np

    return rebone.Motion.from_arrays(
        walk.skeleton, np.tile(walk.rotations, (120, 1, 1)), np.tile(walk.translations, (120, 1, 1)), fps=walk.fps
    )


@pytest.fixture(scope="session")
def program() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program of the wheel."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "rebone", *map(str, words)]
        return subprocess.run(line, capture_output=True, text=True, timeout=120)

    return run
