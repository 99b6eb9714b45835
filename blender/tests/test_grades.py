"""One grade of one result, whichever way it is looked at: a matrix of results and of ways to look. `-s` prints it.

A cell without a grade of its result has the reason instead, as the tool says it. The program is that of the environment variable
REBONE, else `target/release/rebone`.
"""

import functools
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy
import pytest

from . import rigs, views
from .views import DATA, Grade, Place, Reason

COLUMNS = ("retarget", "check", "with card", "report", "Python", "Blender")
# Largest difference of two scores of one result.
MAX_DIFFERENCE = 0.005
# Results of each grade but PASS that the matrix has at least.
MIN_EACH = 3
NUMBER = re.compile(r"\d+(?:\.\d+)?")

# A grade of the result, or why there is none.
Cell = Grade | str
Cells = Callable[[str], dict[str, Cell]]


@dataclass(frozen=True)
class Row:
    """A result: its clip, its rig and options of the program; or the maker of an armature, and settings of the panel.

    `check` and `python` are what a look needs to know, `first` is the first frame of the source that counts. `gaps` has the
    columns that cannot grade the result, with a part of the reason.
    """

    clip: str
    rig: str = ""
    options: str = ""
    kind: str = ""
    check: str = ""
    python: Mapping[str, Any] = field(default_factory=dict)
    first: int = 0
    maker: Callable[[], bpy.types.Object] = rigs.humanoid
    panel: Mapping[str, Any] = field(default_factory=dict)
    gaps: Mapping[str, str] = field(default_factory=dict)


NO_RIG = {"Blender": "holds joints alone: Check grades them as check without --rig does"}
NO_BATCH = {"report": "name the manifest.jsonl of a batch"}
NOT_READ = "arrays are not read back"
ARRAYS = {"check": NOT_READ, "with card": NOT_READ, "report": "Arrays are not read back", "Blender": "Bad glTF"}
TOY, BROAD, CHILD = (f"characters/{name}.glb" for name in ("toy", "broad", "child"))
ROWS = {
    "BVH": Row("jump", TOY, "--method copy", "bvh", "--rig", gaps=NO_RIG),
    "BVH of a BVH": Row("climb", "rigs/one-spine.bvh"),
    "GLB": Row("walk", TOY, "--limbs position --contacts off"),
    "VRM": Row("climb", "characters/avatar.vrm"),
    "one file": Row("jump", CHILD, "--method copy"),
    "animation-only": Row("climb", CHILD, "--animation-only", check="--rig", gaps=NO_RIG),
    "root bone": Row("walk", BROAD, "--method copy --root root-bone"),
    "added root": Row("walk", CHILD, "--method copy --root root-bone --add-root"),
    "loop": Row("walk", TOY, "--loop=120..190", check="--loop=120..190", python={"loop": (120, 190)}, first=120),
    "frames": Row(
        "walk", BROAD, "--method copy --frames 100..300", check="--frames 100..300", python={"frames": (100, 300)}, first=100
    ),
    "npz": Row("walk", TOY, "--method copy", "npz", gaps=ARRAYS),
    "Blender plain": Row("climb", panel={"limbs": "position", "limits": "human"}, gaps=NO_BATCH),
    "Blender with controls": Row("climb", maker=rigs.controlled, gaps=NO_BATCH),
}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Cells:
    """Cells of a row by column, computed once."""
    if views.program() is None:
        pytest.skip("no program rebone: REBONE names none, and target/release/rebone is not built")
    return functools.cache(lambda name: cells_of(ROWS[name], tmp_path_factory.mktemp("grades")))


def cells_of(row: Row, folder: Path) -> dict[str, Cell]:
    """Makes a result and looks at it in all ways."""
    place = Place(folder, Path(shutil.copy(DATA / f"clips/{row.clip}.bvh", folder)), python=row.python, first=row.first)
    made, report, blender = from_program(row, place) if row.rig else from_blender(row, place)
    assert place.result.suffix == ".npz" or views.holds_no_grade(place.result)
    looks = [lambda: views.by_check(place), lambda: views.with_card(place), report, lambda: views.by_python(place), blender]
    return {"retarget": made} | {column: cell(look) for column, look in zip(COLUMNS[1:], looks, strict=True)}


def cell(look: Callable[[], Grade]) -> Cell:
    """The grade of a look, or why there is none."""
    try:
        return look()
    except (ValueError, RuntimeError) as error:
        return str(error)


Made = tuple[Grade, Callable[[], Grade], Callable[[], Grade]]


def from_program(row: Row, place: Place) -> Made:
    """A result of the program: its grade, and the looks of a report and of Blender."""
    place.rig = Path(shutil.copy(DATA / row.rig, place.folder))
    place.result = place.folder / f"result.{row.kind or place.rig.suffix[1:]}"
    place.check = row.check.split()
    if row.check == "--rig":
        place.check, place.python = [row.check, str(place.rig)], {"rig": place.rig}
    options = row.options.split()
    made = views.by_retarget(place, options)
    others = []
    if row == ROWS["one file"]:
        others = [shutil.copy(DATA / f"clips/{clip}.bvh", place.folder) for clip in ("walk", "climb")]
        options += ["--one-file"]
    manifest, stored = views.by_batch(place, [*options, *(["--format", row.kind] if row.kind else [])], others)
    assert is_one(made, replace(stored, reasons=made.reasons))
    if others:
        place.result = manifest.parent / place.rig.name
    blender = blender_without_rig if row.gaps == NO_RIG else views.by_import
    return made, lambda: views.by_report(place, manifest), lambda: blender(place)


def blender_without_rig(place: Place) -> Grade:
    """No grade of the result: Blender has its joints alone. The grade of these is that of `check`."""
    bare = replace(place, check=[], python={})
    one, other = views.by_check(bare), views.by_import(bare)
    assert is_one(one, other), f"{one}\n{other}"
    raise ValueError(f"{place.result.name} {NO_RIG['Blender']}")


def from_blender(row: Row, place: Place) -> Made:
    """A result of Blender, which it exports: its grade, and the looks of a report and of Blender."""
    own = views.open_scene()
    rig = row.maker()
    if not any(child.type == "MESH" for child in rig.children):
        rigs.add_body(rig)
    place.rig, place.result = place.folder / "rig.glb", place.folder / "result.glb"
    views.export(place.rig, rig)
    own.path = str(place.source)
    for key, value in row.panel.items():
        setattr(own, key, value)
    rigs.activate(rig)
    bpy.ops.rebone.retarget()
    made = views.shown(own)
    views.export(place.result, rig)
    return made, lambda: views.by_report(place, place.result), lambda: views.by_operator(place, own)


def is_one(one: Grade, other: Grade) -> bool:
    """Returns whether two grades are one: level, score, and the texts and frames of all reasons."""
    if one.level != other.level or abs(one.score - other.score) >= MAX_DIFFERENCE or len(one.reasons) != len(other.reasons):
        return False
    return all(is_one_reason(*pair) for pair in zip(one.reasons, other.reasons, strict=True))


def is_one_reason(one: Reason, other: Reason) -> bool:
    """Returns whether two reasons are one. Blender poses in single precision: the last digit of a number may differ."""
    if one.first != other.first or NUMBER.sub("", one.text) != NUMBER.sub("", other.text):
        return False
    if one.last is not None and other.last is not None:
        return one == other
    pairs = zip(NUMBER.findall(one.text), NUMBER.findall(other.text), strict=True)
    return all(abs(float(a) - float(b)) < 1.5 * 10.0 ** -len(a.partition(".")[2]) for a, b in pairs)


@pytest.mark.parametrize("name", ROWS)
def test_a_result_has_one_grade_in_all_ways_of_looking(matrix: Cells, name: str) -> None:
    cells, gaps = matrix(name), ROWS[name].gaps
    made = cells["retarget"]
    assert isinstance(made, Grade)
    for column, found in cells.items():
        if column in gaps:
            assert isinstance(found, str) and gaps[column] in found, f"{column}: {found}"
            continue
        assert isinstance(found, Grade), f"{column}: {found}"
        assert is_one(made, found), f"{column}: found {found}, expected {made}"


def test_the_matrix_has_results_of_all_grades(matrix: Cells) -> None:
    print(f"\n{'':22}" + "".join(f"{column:13}" for column in COLUMNS) + "first reason and its frames")
    notes, made = [], Counter[str]()
    for name in ROWS:
        cells = matrix(name)
        texts = []
        for column in COLUMNS:
            found = cells[column]
            if isinstance(found, str):
                notes.append(f"({len(notes) + 1}) {name}, {column}: {ROWS[name].gaps.get(column, found)}")
            texts.append(f"({len(notes)})" if isinstance(found, str) else f"{found.level} {found.score:.4f}")
        grade = cells["check"] if isinstance(cells["check"], Grade) else cells["retarget"]
        assert isinstance(grade, Grade)
        made[grade.level] += 1
        reasons = [] if grade.level == "PASS" else grade.reasons
        first = next((f"{own.text}, {own.first} to {own.last}" for own in reasons), "").removesuffix(", -1 to -1")
        print(f"{name:22}" + "".join(f"{text:13}" for text in texts) + first)
    print("\n".join(notes))
    assert made["PASS"] and made["LOOK"] >= MIN_EACH and made["FAIL"] >= MIN_EACH
