"""The package, as Blender's own tool for extensions sees it."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import bpy
import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A file in place of a wheel."""
    path = tmp_path / "rebone-0.1.0-cp310-abi3-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(path, "w") as content:
        content.writestr("rebone/__init__.py", "")
    return path


def package(wheel: Path, folder: Path) -> Path:
    subprocess.run([sys.executable, ROOT / "package", wheel, "-o", folder], check=True)
    return next(folder.glob("rebone-*-linux-x64.zip"))


def test_the_package_lists_its_wheel(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(package(wheel, tmp_path / "out")) as own:
        manifest = tomllib.loads(own.read("blender_manifest.toml").decode())
        names = own.namelist()
    assert manifest["wheels"] == [f"./wheels/{wheel.name}"]
    assert manifest["platforms"] == ["linux-x64"]
    assert f"wheels/{wheel.name}" in names
    assert "__init__.py" in names
    assert not any("test" in name or name.startswith("__pycache__") for name in names)


def test_the_same_files_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert package(wheel, tmp_path / "a").read_bytes() == package(wheel, tmp_path / "b").read_bytes()


def test_blenders_own_tool_accepts_it(wheel: Path, tmp_path: Path) -> None:
    tool = next(Path(bpy.utils.resource_path("LOCAL")).glob("scripts/addons_core/bl_pkg/cli/blender_ext.py"), None)
    if tool is None:
        pytest.skip("this Blender has no tool for extensions")
    path = package(wheel, tmp_path / "out")
    result = subprocess.run([sys.executable, tool, "validate", path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_version_is_that_of_the_workspace() -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text())
    workspace = tomllib.loads((ROOT.parent / "Cargo.toml").read_text())
    assert manifest["version"] == workspace["workspace"]["package"]["version"]
    assert manifest["id"] == "rebone"
