"""Compares the results of two programs to the byte: python3 tests/same_bytes.py OLD NEW [--more FOLDER] [--each N]

Retargets clips of data/ onto its rigs and characters, in each format that the rig can be written in, with a report, and checks
the results; and those of FOLDER/motions onto FOLDER/rigs. Of all runs each Nth is made.
Reports are compared as data: numbers may differ by 1e-9 of the larger, or of 1.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"
FORMATS = {".bvh": ["bvh", "npz"], ".glb": ["bvh", "glb", "vrma", "npz"], ".gltf": ["bvh", "glb"], ".vrm": ["vrm", "vrma"], ".fbx": ["bvh", "npz"]}
TOLERANCE = 1e-9


def runs(more, each):
    folders = [(DATA / "clips", DATA / "rigs"), (DATA / "clips", DATA / "characters")]
    folders += [(more / "motions", more / "rigs")] if more else []
    found = []
    for clips, rigs in folders:
        clips, rigs = ([path for path in sorted(folder.rglob("*")) if path.suffix.lower() in FORMATS] for folder in (clips, rigs))
        found += [(clip, rig, ending) for clip, rig in itertools.product(clips, rigs) for ending in FORMATS[rig.suffix.lower()]]
    return found[::each]


def made(program, run, folder):
    """Returns the bytes of the result, its report, and what the program says where it refuses."""
    clip, rig, ending = run
    folder.mkdir()
    command = [program, "retarget", clip, rig, "-o", f"result.{ending}", "--report", "report.json", "-q"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return None, None, done.stderr
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    if ending in ("bvh", "glb", "vrm"):
        checked = subprocess.run([program, "check", clip, f"result.{ending}", "--json"], cwd=folder, capture_output=True, text=True)
        report["check"] = [json.loads(checked.stdout) if checked.stdout else None, checked.stderr]
    return (folder / f"result.{ending}").read_bytes(), report, ""


def differences(old, new):
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return sum(differences(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return sum(map(differences, old, new))
    if isinstance(old, float) and isinstance(new, float):
        return abs(old - new) > TOLERANCE * max(abs(old), abs(new), 1)
    return old != new


def compared(programs, run):
    with tempfile.TemporaryDirectory() as folder:
        old, new = (made(program, run, Path(folder) / name) for program, name in zip(programs, ["old", "new"]))
    reports = differences(old[1], new[1])
    return {"bytes": old[0] != new[0], "report": reports > 0, "refusal": old[2] != new[2], "refused": old[0] is None}, run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs=2, type=Path)
    parser.add_argument("--more", type=Path)
    parser.add_argument("--each", type=int, default=1)
    arguments = parser.parse_args()
    programs = [program.resolve() for program in arguments.programs]
    counts = dict.fromkeys(["bytes", "report", "refusal", "refused"], 0)
    wanted = runs(arguments.more and arguments.more.resolve(), arguments.each)
    with ThreadPoolExecutor(2) as pool:
        for found, (clip, rig, ending) in pool.map(lambda run: compared(programs, run), wanted):
            counts = {key: counts[key] + found[key] for key in counts}
            if differing := [key for key in ("bytes", "report", "refusal") if found[key]]:
                print(f"{clip.name} on {rig.name} as {ending}: other {', '.join(differing)}", flush=True)
    print(f"{len(wanted)} runs, {counts['refused']} refused; different: {counts['bytes']} results, {counts['report']} reports, {counts['refusal']} refusals")
    sys.exit(1 if counts["bytes"] or counts["report"] or counts["refusal"] else 0)


if __name__ == "__main__":
    main()
