#!/usr/bin/env python3
"""What the Python module costs: beside the program, beside other readers of BVH, and to other threads.

    python tests/python_speed.py program REBONE SOURCE TARGET [--rounds 9]
    python tests/python_speed.py read FILE... [--rounds 9]
    python tests/python_speed.py folder LIBRARY
    python tests/python_speed.py threads

REBONE: the program. `program` compares processor time from two files to one, on one thread. `read` compares readers of BVH,
from a file to rotations (F, J, 4): those of pybvh, bvhsdk and fairmotion that are installed. `folder` has each of them read all
BVH of a library once. `threads` counts ticks of another thread, and measures Ctrl-C and memory. Needs the module `rebone`,
`read` and `folder` scipy as well.
"""

import argparse
import contextlib
import functools
import importlib.metadata
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import tempfile
import threading
import time

import numpy as np

import rebone


def processor(who):
    """Seconds of processor time so far."""
    own = resource.getrusage(who)
    return own.ru_utime + own.ru_stime


def cost(work, rounds, who=resource.RUSAGE_SELF):
    """Processor seconds of a piece of work: median and least of some rounds."""
    found = []
    for _ in range(rounds):
        begin = processor(who)
        work()
        found.append(processor(who) - begin)
    return statistics.median(found), min(found)


def resident():
    """Bytes of memory of this process."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def program(args):
    """Processor time of the module and of the program: same files, same bytes."""
    rebone.threads(1)
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = (pathlib.Path(folder) / name for name in ("ours.bvh", "theirs.bvh"))
        line = [args.rebone, "-q", "retarget", args.source, args.target, "-o", theirs, "--accept-guesses"]

        def module():
            source, target = rebone.read(args.source), rebone.read(args.target)
            rebone.retarget(source, target, accept_guesses=True).write(ours)

        def binary():
            subprocess.run([*line, "--overwrite"], check=True, env=environment)

        module()
        binary()
        assert ours.read_bytes() == theirs.read_bytes(), "results differ"
        pairs = [(cost(module, 1)[0], cost(binary, 1, resource.RUSAGE_CHILDREN)[0]) for _ in range(args.rounds)]
    own, other = (statistics.median(values) for values in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(
        f"module {own:.3f} s, program {other:.3f} s, median ratio {ratio:.3f}, ratio of the least "
        f"{min(a for a, _ in pairs) / min(b for _, b in pairs):.3f}"
    )


def read_rebone(path):
    return rebone.read(path).rotations


def read_pybvh(path):
    import pybvh

    return pybvh.read_bvh_file(path).to_quat()[1][..., [1, 2, 3, 0]]


def read_bvhsdk(path):
    from bvhsdk import bvh
    from scipy.spatial.transform import Rotation

    def rotations(joint):
        axes = ["XYZ".index(axis) for axis in joint.order]
        return Rotation.from_euler(joint.order, joint.rotation[:, axes], degrees=True).as_quat()

    # It prints a warning for each joint of another order than ZXY.
    with contextlib.redirect_stdout(None):
        joints = bvh.ReadFile(str(path)).getlistofjoints()
    return np.stack([rotations(joint) for joint in joints], axis=1)


def read_fairmotion(path):
    from fairmotion.data import bvh
    from scipy.spatial.transform import Rotation

    matrices = bvh.load(str(path)).rotations()
    return Rotation.from_matrix(matrices.reshape(-1, 3, 3)).as_quat().reshape(*matrices.shape[:2], 4)


READERS = {"rebone": read_rebone, "pybvh": read_pybvh, "bvhsdk": read_bvhsdk, "fairmotion": read_fairmotion}


def readers():
    """Readers that are installed, with their versions."""
    for name, read in READERS.items():
        try:
            yield name, importlib.metadata.version(name), read
        except importlib.metadata.PackageNotFoundError:
            print(f"{name} is not installed")


def difference(ours, theirs):
    """Largest difference of quaternions, whose signs do not count."""
    if ours.shape != theirs.shape:
        return f"shape {theirs.shape}, not {ours.shape}"
    return f"{np.minimum(np.abs(ours - theirs).max(-1), np.abs(ours + theirs).max(-1)).max():.0e}"


def read(args):
    for path in args.files:
        expected, least = read_rebone(path), None
        print(f"{path.name}: {expected.shape[0]} frames, {expected.shape[1]} joints")
        for name, version, reader in readers():
            try:
                found = difference(expected, reader(path))
                median, fastest = cost(functools.partial(reader, path), args.rounds)
            except Exception as error:  # Of other packages, whatever they raise.
                print(f"  {name} {version}: {type(error).__name__}: {error}")
                continue
            least = least or median
            print(
                f"  {name} {version}: {1e3 * median:.2f} ms, fastest {1e3 * fastest:.2f}; {median / least:.1f} times; "
                f"largest difference {found}"
            )


def folder(args):
    paths = sorted(args.library.rglob("*.bvh"))
    for name, version, reader in readers():
        frames = failed = 0
        begin, clock = processor(resource.RUSAGE_SELF), time.monotonic()
        for path in paths:
            try:
                frames += len(reader(path))
            except Exception:  # Of other packages, whatever they raise.
                failed += 1
        seconds = processor(resource.RUSAGE_SELF) - begin
        print(
            f"{name} {version}: {len(paths)} files, {failed} failed, {frames} frames: {seconds:.2f} s of processor time, "
            f"{time.monotonic() - clock:.2f} s"
        )


def ticks(work):
    """Ticks of 0.5 ms of another thread while some work runs, and the seconds of it."""
    count, done = [], threading.Event()

    def tick():
        while not done.is_set():
            count.append(None)
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    begin, before = time.perf_counter(), len(count)
    work()
    found = len(count) - before, time.perf_counter() - begin
    done.set()
    thread.join()
    return found


def interrupted(pair, motion, wait):
    """Seconds from a signal to the exception; none where the work was done before."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, send)
    timer.start()
    try:
        pair.retarget(motion)
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    finally:
        timer.cancel()
    return None


def other_threads(args):
    walk, rig = rebone.sample("walk"), rebone.sample("toy-a-pose")
    pair = rebone.Pair(walk, rig)
    pair.retarget(walk)
    for name, work in [("a retarget", lambda: pair.retarget(walk)), ("a sleep", lambda: time.sleep(0.08))]:
        found = [ticks(work) for _ in range(25)]
        rate = statistics.median(count / seconds for count, seconds in found)
        seconds = statistics.median(seconds for _, seconds in found)
        print(f"ticks in {name} of {1e3 * seconds:.0f} ms: {1e-3 * rate:.2f} a millisecond")
    part = walk[:40]
    for count in (100, 1000):
        before = resident()
        for _ in range(count):
            result = pair.retarget(part)
            assert len(result.motion.rotations) == 40 and result.report and result.verdict
        print(f"memory after {count} more retargets: {(resident() - before) / 1e6:+.2f} MB")
    turns, places = np.tile(walk.rotations, (120, 1, 1)), np.tile(walk.translations, (120, 1, 1))
    long = rebone.Motion.from_arrays(walk.skeleton, turns, places, fps=walk.fps)
    pair = rebone.Pair(long, rig)
    delays = [interrupted(pair, long, wait) for wait in np.linspace(0.1, 2.4, 24)]
    heard = [delay for delay in delays if delay is not None]
    print(f"Ctrl-C in {len(long)} frames, {len(heard)} times: median {statistics.median(heard):.3f} s, most {max(heard):.3f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    own = {"program": program, "read": read, "folder": folder, "threads": other_threads}
    for mode, names in (("program", ["rebone", "source", "target"]), ("read", []), ("folder", ["library"]), ("threads", [])):
        sub = modes.add_parser(mode)
        for name in names:
            sub.add_argument(name, type=pathlib.Path)
        if mode == "read":
            sub.add_argument("files", type=pathlib.Path, nargs="+")
        sub.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    own[args.mode](args)


if __name__ == "__main__":
    main()
