"""The script of docs/blender.md runs as it stands there."""

from pathlib import Path
from typing import Any

import bpy
import rebone

from . import rigs

PAGE = Path(__file__).parents[2] / "docs/blender.md"


def test_the_script_of_the_documentation_runs(own: Any, tmp_path: Path) -> None:
    rigs.humanoid()
    for bone in bpy.data.objects["Hero"].pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = False
    (tmp_path / "takes").mkdir()
    for name in ("walk.bvh", "takes/jump.bvh"):
        rebone.sample(Path(name).stem).write(tmp_path / name)
    script = PAGE.read_text(encoding="utf-8").split('```python needs="Blender"\n')[1].split("```")[0]
    exec(script.replace("//", f"{tmp_path.as_posix()}/"), {})
    assert own.level in ("PASS", "LOOK", "FAIL")
    assert sorted(action.name for action in bpy.data.actions) == ["jump", "walk"]
