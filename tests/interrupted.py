#!/usr/bin/env python3
"""Shows that a batch that is killed again and again ends as one that was left alone.

    python tests/interrupted.py REBONE LIBRARY RIG WORK [--kills 3] [--jobs 2] [--seed 1]

REBONE: the program. LIBRARY: a folder of clips (tests/library.py makes one). RIG: the target. WORK: an own, empty
folder. Runs the batch once undisturbed, and once killed by SIGKILL at random moments, each later than what was done
before, and then to its end. Compares results, cards and manifests, prints peak memory. Needs nothing but Python.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time


def finish(command):
    """Runs to the end: its code, seconds, peak memory in MB."""
    begin = time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_maxrss / 1024


def lines(folder):
    manifest = folder / "manifest.jsonl"
    return manifest.read_bytes().count(b"\n") if manifest.exists() else 0


def kill_between(command, folder, low, high, rng):
    """Kills a run at a random moment: some milliseconds after its manifest has some number of lines."""
    wanted, pause = rng.randint(low, high), rng.uniform(0.0, 0.3)
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while lines(folder) < wanted and run.poll() is None:
        time.sleep(0.005)
    time.sleep(pause)
    ended = run.poll() is not None
    if not ended:
        run.send_signal(signal.SIGKILL)
    run.wait()
    left = [path.name for path in folder.rglob("*") if ".rebone" in path.parts and path.name != "lock"]
    print(f"{'ended before it was killed' if ended else 'killed'} with {lines(folder)} lines, {len(left)} files half made")
    return not ended


def tree(folder):
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    manifest = [json.loads(line) for line in files.pop("manifest.jsonl").splitlines()]
    for line in manifest:
        line.pop("seconds")
    return files, sorted(json.dumps(line, sort_keys=True) for line in manifest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("rebone", "library", "rig", "work"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    whole, killed = args.work / "whole", args.work / "killed"

    def command(folder):
        return [args.rebone.resolve(), "batch", args.library, "-t", args.rig, "-o", folder, "-j", str(args.jobs)]

    code, seconds, peak = finish(command(whole))
    clips = lines(whole)
    print(f"undisturbed: exit {code}, {clips} lines in {seconds:.0f} s, peak {peak:.0f} MB")
    steps = [clips * k // (args.kills + 1) for k in range(args.kills + 1)]
    # At least one line is done anew before each kill, so that all of them fall into the work.
    kills = sum(kill_between(command(killed), killed, low + 1, high, rng) for low, high in zip(steps, steps[1:]))
    code, seconds, peak = finish(command(killed))
    print(f"to its end: exit {code}, in {seconds:.0f} s, peak {peak:.0f} MB")
    (files, manifest), (other_files, other_manifest) = tree(whole), tree(killed)
    names = {name for name in files.keys() | other_files.keys() if files.get(name) != other_files.get(name)}
    print(f"{len(files)} files; {len(names)} differ: {sorted(names)[:5]}; manifests equal: {manifest == other_manifest}")
    sys.exit(bool(names) or manifest != other_manifest or kills < args.kills)


if __name__ == "__main__":
    main()
