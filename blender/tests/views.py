"""Ways to a grade of one result: the program, its report, the module and Blender's Check. None of them reads a stored grade."""

import base64
import json
import os
import re
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
import rebone

from blender import actions, controls, results, words

from . import rigs

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
# Frames a second of the clips of rows: then each frame of the scene is one of the clip.
FPS = 60
# Keys of a grade in the manifest of a batch, and in an `.npz`.
STORED = ("verdict", "score", "reason", "source_defects", "metric_names", "metric_values")


class Reason(NamedTuple):
    """Text of a reason, in the words of the panel, and its frames, counted from 0 in the source: -1 is the whole clip, None what
    Blender does not show."""

    text: str
    first: int
    last: int | None


@dataclass(frozen=True)
class Grade:
    """A grade with its reasons, and behind them defects of the source."""

    level: str
    score: float
    reasons: list[Reason]


@dataclass
class Place:
    """A folder of one result. `check` and `python` are options of the program and the module; `first` is the first frame of the
    source that counts."""

    folder: Path
    source: Path
    result: Path = Path()
    rig: Path = Path()
    check: Sequence[str] = ()
    python: Mapping[str, Any] = field(default_factory=dict)
    first: int = 0

    @property
    def card(self) -> Path:
        path = self.folder / "rig.toml"
        if not path.exists():
            run("card", self.rig, "-o", path)
        return path


def program() -> Path | None:
    """The program: that of REBONE, else the one that is built in this clone."""
    path = Path(os.environ.get("REBONE", ROOT / "target/release/rebone"))
    return path if path.is_file() else None


def run(*arguments: object) -> str:
    """Standard output of a command of the program; a `ValueError` with what it says where it fails."""
    ran = subprocess.run([str(program()), *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60)
    if ran.returncode:
        raise ValueError(ran.stderr.strip())
    return ran.stdout


def grade(verdict: Mapping[str, Any], first: int = 0) -> Grade:
    """The grade of a verdict as JSON, whose frame 0 is frame `first` of the source."""

    def reason(own: Mapping[str, Any]) -> Reason:
        begin, end = (first + frame for frame in own["frames"]) if own["frames"] else (-1, -1)
        return Reason(words.of_panel(own["text"]), begin, end)

    return Grade(verdict["verdict"], verdict["score"], [reason(own) for own in verdict["reasons"] + verdict["source_defects"]])


def by_retarget(place: Place, options: Sequence[str]) -> Grade:
    """Grade that a retarget prints, which writes the result."""
    report = json.loads(run("retarget", place.source, place.rig, "-o", place.result, "--json", *options))
    return grade(report["result"]["verdict"])


def by_check(place: Place, *options: object) -> Grade:
    """Grade by `rebone check` of the two files alone."""
    return grade(json.loads(run("check", place.source, place.result, "--json", *place.check, *options)))


def with_card(place: Place) -> Grade:
    """Grade by `rebone check`, with the rig and its card."""
    card = ("--target-card", place.card)
    return by_check(place, *card) if "--rig" in place.check else by_check(place, "--rig", place.rig, *card)


def by_batch(place: Place, options: Sequence[str], others: Sequence[object] = ()) -> tuple[Path, Grade]:
    """Manifest of a batch of the source and of other clips, and the grade in it, without reasons, which is removed there."""
    manifest = place.folder / "batch/manifest.jsonl"
    run("batch", place.source, *others, "-t", place.rig, "--accept-guesses", "-o", manifest.parent, *options)
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    stored = next(line["result"] for line in lines if line["status"] == "done" and line["input"] == str(place.source))
    found = Grade(stored["verdict"], stored["score"], [])
    for line in lines:
        for key in STORED:
            line.get("result", {}).pop(key, None)
    manifest.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert holds_no_grade(manifest)
    return manifest, found


def holds_no_grade(path: Path) -> bool:
    """Returns whether no grade is stored in a file."""
    content = path.read_bytes()
    return not any(key.encode() in content for key in STORED)


def by_report(place: Place, manifest: Path) -> Grade:
    """Grade on the page of a report, which counts frames of the result."""
    page = place.folder / "report.html"
    run("report", manifest, "-o", page)
    text = page.read_text()
    data = re.search(r'\{"page":.*?(?=</script>)', text, re.DOTALL)
    assert data is not None
    row = next(own for own in json.loads(data[0])["clips"] if own["source"] == str(place.source))
    if row["verdict"] == "NONE":
        raise ValueError(row["error"] or row["note"])
    block, line = row["place"]
    details = text.split(f'id="block-{block}">')[1].split("</script>")[0].splitlines()[line]
    # Base64 of deflated JSON; behind it poses of the player.
    found = json.loads(zlib.decompress(base64.b64decode(details.split()[0]), wbits=-15))
    return grade(row | {key: found[key] for key in ("reasons", "source_defects")}, place.first)


def by_python(place: Place) -> Grade:
    """Grade by `rebone.check`."""
    options = dict(place.python)
    source, result = rebone.read(place.source), place.result
    if "frames" in options:
        first, end = options.pop("frames")
        source = source[first:end].with_statements(card=rebone.analyse(source).card())
    if result.suffix == ".npz":
        result = without_grade(result)
        result = rebone.Motion.from_npz(result, rebone.read(place.rig).skeleton)
    return grade(rebone.check(source, result, **options).report, place.first)


def without_grade(path: Path) -> Path:
    """Copy of an `.npz` without its grade."""
    bare = path.with_name("bare.npz")
    with np.load(path) as arrays:
        assert set(STORED) & set(arrays.files)
        np.savez(bare, **{key: arrays[key] for key in arrays.files if key not in STORED})
    return bare


def open_scene() -> Any:
    """Settings of the panel in an empty scene at the rate of the clips."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = FPS, 1.0
    return bpy.context.scene.rebone


def export(path: Path, armature: bpy.types.Object) -> None:
    """Writes an armature with its mesh and the action that it plays. Of a rig with controls these are the bones that deform, with
    tips, as the retarget had them."""
    has_controls = controls.has_controls(armature)
    bpy.context.scene.frame_end = 10_000
    bpy.ops.export_scene.gltf(
        filepath=str(path),
        export_animation_mode="ACTIVE_ACTIONS",
        export_def_bones=has_controls,
        export_leaf_bone=has_controls,
    )


def by_import(place: Place) -> Grade:
    """Grade by Check of Blender, after Blender has imported the result."""
    own = open_scene()
    if place.result.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(place.result))
    else:
        bpy.ops.import_scene.gltf(filepath=str(place.result))
    rig = next(owner for owner in bpy.context.scene.objects if owner.type == "ARMATURE")
    rigs.activate(rig)
    actions.use(rig, bpy.data.actions.get(place.source.stem, bpy.data.actions[0]))
    return by_operator(place, own)


def by_operator(place: Place, own: Any) -> Grade:
    """Grade by Check of Blender, of the active armature. The panel shows none before."""
    results.clear(own)
    own.path = str(place.source)
    if "frames" in place.python:
        first, end = place.python["frames"]
        own.part, own.part_first, own.part_last = True, first, end - 1
    if "loop" in place.python:
        own.part, own.loop, (own.part_first, own.part_last) = True, "PART", place.python["loop"]
    bpy.ops.rebone.check()
    return shown(own, place.first)


def shown(own: Any, first: int = 0) -> Grade:
    """Grade that the panel shows, of an action that begins at a frame of the source."""
    keys = actions.key_range(bpy.context.view_layer.objects.active)
    assert keys is not None
    late = first - round(keys[0])
    spans = [(item.frame + late, None) if item.frame >= 0 else (-1, -1) for item in own.findings]
    reasons = [Reason(item.name, *span) for item, span in zip(own.findings, spans, strict=True)]
    return Grade(own.level, own.score, reasons)
