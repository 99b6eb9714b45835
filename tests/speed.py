#!/usr/bin/env python3
"""What a retarget costs: this version against another, and by the length of the clip.

    python tests/speed.py [--against REF] [--rounds 5]     # the last tag, unless REF names another commit
    python tests/speed.py --lengths                        # 100 to 1,000,000 frames; takes 5 GB of disk

Runs samples and, where REBONE_CORPUS names the corpus, its clips. Instructions are counted by valgrind's callgrind, a
frame's as the difference of two lengths, so that they are the same from run to run; seconds of processor time are the
least and the median of rounds in which the versions take turns. One thread. Builds under target/speed. Needs git,
cargo, valgrind.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAIRS = [("reach onto seven-spine", "data/clips/reach.bvh", "data/rigs/seven-spine.bvh"),
         ("walk onto one-spine", "data/clips/walk.bvh", "data/rigs/one-spine.bvh")]
CORPUS = [("ZeroEGGS onto Ortiz", "zeroeggs/067_Speech_2_x_1_0.bvh", "mixamo/Ortiz-Salsa_Dancing.bvh"),
          ("LAFAN1 onto Ortiz", "lafan1/Lafan1_example.bvh", "mixamo/Ortiz-Salsa_Dancing.bvh"),
          ("CMU onto DAZ", "cmu-cgspeed/05_20.bvh", "cmu-daz/05_20-daz.bvh")]
# Functions that cost a part, by the names that versions have called them.
PARTS = {"read": r"bvh::read::Reader<.*>::into_document", "analyse": r"::(analyse|understand)_pair$",
         "frames": r"Retargeter::(checked_)?frame$", "write": r"Writer<.*>::write_pose"}
FRAMES = (40, 120)


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout.strip()


def built(ref):
    """The program of a commit, or of the checkout as it is."""
    target = ROOT / "target" / "speed"
    folder = ROOT
    if ref:
        folder = target / "checkout"
        git("worktree", "add", "--detach", str(folder), ref)
    command = ["cargo", "build", "--quiet", "--release", "-p", "rebone-cli", "--target-dir", target / "build"]
    try:
        subprocess.run(command, cwd=folder, check=True)
    finally:
        if ref:
            git("worktree", "remove", "--force", str(folder))
    program = target / ("other" if ref else "this")
    program.write_bytes((target / "build" / "release" / "rebone").read_bytes())
    program.chmod(0o755)
    return program


def command(program, pair, out, *more):
    return [program, "retarget", pair[1], pair[2], "-o", out, "-q", "--accept-guesses", *more]


def run(words):
    """Seconds of processor time and peak memory in MB (at least this script's own 22), on one thread."""
    process = subprocess.Popen(words, cwd=ROOT, env=os.environ | {"RAYON_NUM_THREADS": "1"})
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, words))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def instructions(program, pair, frames, folder):
    """Of the whole program and of its parts, those that they call included."""
    out = folder / "callgrind"
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             *command(program, pair, folder / "out.bvh", "--frames", f"0..{frames}")]
    subprocess.run(words, cwd=ROOT, capture_output=True, check=True, env=os.environ | {"RAYON_NUM_THREADS": "1"})
    words = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", out]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    counts = {"program": int(re.search(r"([\d,]+) .*PROGRAM TOTALS", text)[1].replace(",", ""))}
    lines = [re.match(r"\s*([\d,]+) \(.*?\)\s+\S*?:(.*?)( \[|$)", line) for line in text.splitlines()]
    for part, name in PARTS.items():
        costs = [int(line[1].replace(",", "")) for line in lines if line and re.search(name, line[2])]
        counts[part] = max(costs, default=None)
    return counts


def measure(programs, pair, rounds, folder):
    """Rows: what, and a number for each program."""
    rows = []
    counts = [[instructions(program, pair, frames, folder) for frames in FRAMES] for program in programs]
    for part in ("program", "frames", "write"):
        own = [None if None in (few[part], many[part]) else (many[part] - few[part]) / (FRAMES[1] - FRAMES[0])
               for few, many in counts]
        rows.append((f"instructions a frame, {part}", own))
    for part in ("read", "analyse"):
        rows.append((f"instructions, {part}", [few[part] for few, _ in counts]))
    runs = [[run(command(program, pair, folder / "out.bvh")) for program in programs] for _ in range(rounds)]
    seconds = [[seconds for seconds, _ in own] for own in zip(*runs)]
    rows.append(("seconds, least", [min(own) for own in seconds]))
    rows.append(("seconds, median", [statistics.median(own) for own in seconds]))
    return rows


def text(number):
    return "-" if number is None else f"{number:,.0f}" if number >= 1000 else f"{number:.3f}"


def versions(against, rounds):
    against = against or git("describe", "--tags", "--abbrev=0")
    programs = [built(None), built(against)]
    print(f"| pair | what | this | {against} | this : {against} |\n| --- | --- | --- | --- | --- |")
    corpus = os.environ.get("REBONE_CORPUS")
    pairs = PAIRS + [(name, *(f"{corpus}/motions/{file}" for file in files)) for name, *files in CORPUS if corpus]
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            for what, (this, other) in measure(programs, pair, rounds, pathlib.Path(folder)):
                ratio = f"{this / other:.3f}" if this and other else "-"
                print(f"| {pair[0]} | {what} | {text(this)} | {text(other)} | {ratio} |", flush=True)


def lengths():
    program = built(None)
    print("| frames | seconds | microseconds a frame | file, MB | peak memory, MB |\n| --- | --- | --- | --- | --- |")
    head, motion = (ROOT / PAIRS[1][1]).read_bytes().split(b"MOTION")
    time, *frames = motion.splitlines(keepends=True)[2:]
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
        clip, out = pathlib.Path(folder) / "clip.bvh", pathlib.Path(folder) / "out.bvh"
        for count in (100, 1_000, 10_000, 100_000, 1_000_000):
            with clip.open("wb") as file:
                file.write(head + b"MOTION\nFrames: %d\n" % count + time)
                file.writelines(frames[k % len(frames)] for k in range(count))
            seconds, peak = run(command(program, ("", clip, PAIRS[1][2]), out))
            row = (f"{count:,}", f"{seconds:.3f}", f"{1e6 * seconds / count:.1f}", f"{clip.stat().st_size / 1e6:,.1f}")
            print("|", " | ".join(row), f"| {peak:,.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="REF")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lengths", action="store_true")
    args = parser.parse_args()
    lengths() if args.lengths else versions(args.against, args.rounds)


if __name__ == "__main__":
    main()
