"""Samples of the repository, and the program of the wheel."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import rebone

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "data"


def script(name: str) -> ModuleType:
    """A script of `tests/` of the repository, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tests/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
