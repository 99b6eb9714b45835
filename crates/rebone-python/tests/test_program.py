"""The module gives the bytes of the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rebone

CASES = [
    ("walk", "toy-a-pose", {}),
    ("walk", "twist-zup-cm", {"limbs": "position"}),
    ("jump", "one-spine", {"contacts": "lock", "limits": "human"}),
    ("sit", "seven-spine", {"contacts": "all", "fps": 30}),
    ("climb", "chest-root", {"method": "copy"}),
    ("reach", "no-collar-no-neck", {"arms": 0.5, "frames": "10..90"}),
    ("walk", "ground-root", {"root": "root-bone", "root_smoothing": 0.4}),
    ("wave", "toy-a-pose", {"only": ["upper"], "decimals": 4}),
    ("walk", "one-channel", {"ground": "on", "travel": "leg-length", "accept_guesses": True}),
    ("walk", "toy-a-pose", {"loop": "auto"}),
    ("walk", "toy-a-pose", {"contact_detector": "threshold", "no_self_contact": True, "leading_pose": "drop"}),
]


def line(options: dict[str, object]) -> list[str]:
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, list):
            words.append(",".join(value))
        elif value is not True:
            words.append(str(value))
    return words


@pytest.mark.parametrize("clip, rig, options", CASES)
@pytest.mark.parametrize("suffix", ["bvh", "glb"])
def test_bytes_are_those_of_the_program(data, program, tmp_path: Path, clip, rig, options, suffix):
    if suffix == "glb" and "decimals" in options:
        options = {key: value for key, value in options.items() if key != "decimals"}
    files = [data / f"clips/{clip}.bvh", data / f"rigs/{rig}.bvh"]
    ours, theirs = tmp_path / f"ours.{suffix}", tmp_path / f"theirs.{suffix}"
    report = tmp_path / "report.json"
    done = program("-q", "retarget", *files, "-o", theirs, "--report", report, *line(options))
    assert done.returncode == 0, done.stderr
    result = rebone.retarget(rebone.read(files[0]), rebone.read(files[1]), **options)
    result.write(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    told = json.loads(report.read_text())["result"]
    assert result.report["limits"] == told["limits"] and result.report["contacts"] == told["contacts"]


def test_batches_are_those_of_the_program(data, program, tmp_path: Path):
    rigs = [data / "rigs/toy-a-pose.bvh", data / "rigs/one-spine.bvh"]
    words = [word for rig in rigs for word in ("-t", rig)]
    done = program("batch", data / "clips", *words, "-o", tmp_path / "theirs", "-q")
    assert done.returncode == 0, done.stderr
    lines, seen = [], []
    summary = rebone.batch(
        data / "clips", rigs, tmp_path / "ours", on_line=lines.append, progress=lambda *own: seen.append(own)
    )
    assert summary.failed == 0 and len(summary.lines) == len(lines) == 12
    assert seen[-1] == ("batch", 12, 12)
    ours = sorted(path.relative_to(tmp_path / "ours") for path in (tmp_path / "ours").glob("*.bvh"))
    assert len(ours) == 12
    for path in ours:
        assert (tmp_path / "ours" / path).read_bytes() == (tmp_path / "theirs" / path).read_bytes()
    again = rebone.batch(data / "clips", rigs, tmp_path / "ours")
    assert not again.lines and len(again.kept) == 12


def test_checks_are_those_of_the_program(data, program, tmp_path: Path, walk, rig):
    result = rebone.retarget(walk, rig)
    result.write(tmp_path / "out.bvh")
    done = program("check", data / "clips/walk.bvh", tmp_path / "out.bvh", "--json")
    assert done.returncode == 0, done.stderr
    verdict = rebone.check(walk, rebone.read(tmp_path / "out.bvh"))
    assert verdict.report == json.loads(done.stdout)
    assert all(len(values) == len(walk) for _, values in verdict.curves.values())


@pytest.mark.parametrize("has_rig", [False, True])
def test_checks_with_cards_are_those_of_the_program(data, program, tmp_path: Path, walk, rig, has_rig):
    rebone.retarget(walk, rig).write(tmp_path / "out.bvh")
    files = [data / "clips/walk.bvh", tmp_path / "out.bvh"]
    rig_file = {"rig": data / "rigs/toy-a-pose.bvh"} if has_rig else {}
    foot = next(iter(rebone.analyse(rig).roles["leftFoot"]))
    cards = {
        "source_card": rebone.Card('pose_from = "rest"\n[roles]\nleftToes = []\n'),
        "target_card": rebone.Card(f'pose_from = "rest"\n[roles]\nleftToes = []\nleftFoot = "{foot}"\n'),
    }
    plain, reports = rebone.check(*files, **rig_file).report, []
    for names in (["source_card"], ["target_card"], list(cards)):
        words = [word for own in rig_file.values() for word in ("--rig", own)]
        for name in names:
            cards[name].write(tmp_path / f"{name}.toml")
            words += ["--" + name.replace("_", "-"), tmp_path / f"{name}.toml"]
        done = program("check", *files, "--json", *words)
        assert done.returncode == 0, done.stderr
        verdict = rebone.check(*files, **rig_file, **{name: cards[name] for name in names})
        assert verdict.report == json.loads(done.stdout)
        assert verdict == rebone.check(*files, **rig_file, **{name: tmp_path / f"{name}.toml" for name in names})
        reports.append(verdict.report)
    assert plain not in reports and reports[0] != reports[1]


def test_the_program_ends_with_its_codes(program, tmp_path: Path):
    assert program("--version").stdout.split()[1] == rebone.__version__
    assert program("retarget").returncode == 2
    assert program("inspect", tmp_path / "none.bvh").returncode == 1


def test_cards_are_those_of_the_program(data, program, walk):
    done = program("card", data / "clips/walk.bvh")
    assert done.returncode == 0, done.stderr
    assert rebone.analyse(walk).card().text.strip() == done.stdout.strip()
