#!/usr/bin/env python3
"""Shows that shards of a library give one result, and what a merge of many lines costs.

    python tests/shards.py run REBONE LIBRARY RIG WORK [--shards 1 7 64] [--seed 1]
    python tests/shards.py merge REBONE WORK [--lines 10000000] [--shards 512]

REBONE: the program. LIBRARY: a folder of clips (tests/library.py makes one). RIG: the target. WORK: an own, empty folder.

`run` makes the library in each number of shards, in random order, two at once, each killed twice by SIGKILL at random
moments and then run to its end, and merges. Compares results, cards and merged manifests but for `seconds`; prints the
seconds, and the peak memory of a shard. `merge` makes up the manifests of shards, in which each tenth clip failed, merges
them, and prints seconds, processor time and peak memory. Needs nothing but Python.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time


def finish(command):
    """Runs to the end: its code, seconds, processor seconds, peak memory in MB, what it printed."""
    begin = time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = run.stdout.read()
    _, status, usage = os.wait4(run.pid, 0)
    processor = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, processor, usage.ru_maxrss / 1024, text


def kill(command, rng):
    """Kills a run at a random moment; returns whether it was still at work."""
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.0, 0.4))
    ended = run.poll() is not None
    if not ended:
        run.send_signal(signal.SIGKILL)
    run.wait()
    return not ended


def tree(folder):
    """Hash of each file but the manifests of shards; lines of the merged manifest without seconds, in their order."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in ("manifest", ".rebone", "manifest.jsonl"):
            files[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = []
    for line in (folder / "manifest.jsonl").open():
        line = json.loads(line)
        line.pop("seconds")
        manifest.append(json.dumps(line))
    return files, manifest


def shards(args):
    rng = random.Random(args.seed)
    expected = None
    for count in args.shards:
        out = args.work / "out"
        shutil.rmtree(out, ignore_errors=True)
        base = [args.rebone, "batch", args.library, "-t", args.rig, "-o", out, "--accept-guesses", "-q", "-j", "1"]
        print(f"{count} shards; cards: exit code {finish([*base, '--cards-only'])[0]}", end="", flush=True)
        order = list(range(count))
        rng.shuffle(order)

        def work(number, own):
            command = [*base, "--shard", f"{number}/{count}"]
            kills = sum(kill(command, own) for _ in range(2))
            return kills, finish(command)

        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(work, order, [random.Random(rng.random()) for _ in order]))
        seconds = time.monotonic() - begin
        codes = {run[0] for _, run in done}
        assert codes <= {0, 3}, [run[4] for _, run in done if run[0] not in (0, 3)]
        code, *_, text = finish([args.rebone, "merge", out])
        assert code == 0, text
        found = tree(out)
        print(f"; {sum(kills for kills, _ in done)} kills, {seconds:.0f} s, {max(run[3] for _, run in done):.0f} MB a shard; "
              f"{len(found[0])} files, {len(found[1])} lines")
        if expected is None:
            expected = found
        assert found[0] == expected[0], "files differ"
        assert found[1] == expected[1], "manifests differ"
    print("all the same")


def made_up(number, kind):
    """A line of a manifest of some 850 bytes."""
    digest = hashlib.md5(str(number).encode()).hexdigest()
    line = {"input": f"clips/{number // 1000:05}/take-{number:08}.bvh", "target": "rigs/hero.bvh",
            "output": f"{number // 1000:05}/take-{number:08}.npz"}
    provenance = {"clip": digest, "rig": "0" * 32, "source_card": "cards/take.toml", "source_card_hash": "1" * 32,
                  "target_card": "cards/hero.toml", "target_card_hash": "2" * 32, "options": "3" * 32}
    if kind == "failed":
        line |= {"status": "failed", "error": {"kind": "no motion file that can be read", "message": "line 7: expected a number"}}
    else:
        line |= {"file": digest, "status": "done", "from": provenance, "result": {
            "bytes": 74312, "frames": 100, "first": 0, "confidence": [0.93, 0.88], "furthest": "left arm", "mean_off": 0.0123,
            "worst_off": 0.0456, "worst_frame": number % 100, "limits": 2, "unconverged": 0,
            "verdict": "LOOK" if number % 7 == 0 else "PASS", "score": (number * 7919 % 100003) / 100003,
            "reason": "right foot is rotated 20 degrees against the source's"}}
    return json.dumps(line | {"warnings": ["the target has only 6 of the source's 10 fingers"], "seconds": 0.021},
                      separators=(",", ":")) + "\n"


def merge(args):
    out = args.work / "out"
    shutil.rmtree(out, ignore_errors=True)
    (out / "manifest").mkdir(parents=True)
    (out / "manifest" / "count").write_text(f"{args.shards[0]}\n")
    files = [(out / "manifest" / f"{k}-of-{args.shards[0]}.jsonl").open("w", buffering=1 << 12) for k in range(args.shards[0])]
    for number in range(args.lines):
        files[number * 2654435761 % args.shards[0]].write(made_up(number, "failed" if number % 10 == 0 else "done"))
    for file in files:
        file.close()
    code, seconds, processor, memory, text = finish([args.rebone, "merge", out])
    assert code == 0, text
    size = (out / "manifest.jsonl").stat().st_size
    last, count = "", 0
    for line in (out / "manifest.jsonl").open():
        name = line[:60]
        assert name > last, "sorted, each once"
        last, count = name, count + 1
    assert count == args.lines, count
    print(f"{args.lines} lines of {args.shards[0]} shards, {size / 1e9:.2f} GB: {seconds:.1f} s, {processor:.1f} s of processor "
          f"time, {memory:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode, names in (("run", ["rebone", "library", "rig", "work"]), ("merge", ["rebone", "work"])):
        own = modes.add_parser(mode)
        for name in names:
            own.add_argument(name, type=pathlib.Path)
        own.add_argument("--shards", type=int, nargs="+", default=[1, 7, 64] if mode == "run" else [512])
        own.add_argument("--seed", type=int, default=1)
        own.add_argument("--lines", type=int, default=10_000_000)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    shards(args) if args.mode == "run" else merge(args)


main()
