"""Fixtures: an empty scene for each test, and clips as files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
import rebone

import blender


@pytest.fixture(autouse=True)
def scene() -> Iterator[bpy.types.Scene]:
    """An empty scene at 24 frames a second, with the extension registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender.register()
    yield bpy.context.scene
    blender.unregister()


@pytest.fixture
def own(scene: bpy.types.Scene) -> Any:
    """Settings of the panel."""
    return scene.rebone


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk as a BVH file."""
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    rebone.sample("walk").write(path)
    return path


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of real motions and rigs, which is no part of the repository."""
    folder = os.environ.get("REBONE_CORPUS", "")
    if not folder:
        pytest.skip("REBONE_CORPUS is not set")
    return Path(folder)
