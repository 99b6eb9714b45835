#!/usr/bin/env python3
"""A researcher's day: a library of mixed clips onto one SMPL skeleton, as arrays with contacts and verdicts.

    python tests/researcher.py make LIBRARY [--clips 1000] [--gltf 50] [--seed 1]
    python tests/researcher.py day LIBRARY WORK
    python tests/researcher.py ray LIBRARY WORK [--workers 2] [--shards 8]

`make` writes clips of 60 to 240 frames, cut and turned about up, from the motions below REBONE_CORPUS, or else of `data/`.
`day` retargets the library into the new folder WORK/arrays, filters it by verdicts, and plots it. `ray` makes the same in shards
on a local cluster, into WORK/shards. Both print seconds, processor time and peak memory of their process. Needs the module
`rebone`, and matplotlib or ray.
"""

import argparse
import inspect
import json
import os
import pathlib
import resource
import time
import warnings

import numpy as np

import rebone

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def motions(source):
    """All motions of at least 60 frames below a folder that rebone reads and understands, with their up."""
    found = []
    for path in sorted(pathlib.Path(source).rglob("*.bvh")):
        try:
            motion = rebone.read(path)
            if len(motion) >= 60:
                found.append((motion, rebone.analyse(motion).up))
        except rebone.ReboneError:
            pass
    return found


def turned(motion, up, angle):
    """A motion turned about the world's up: +X, -Z and so on."""
    axis = np.zeros(3)
    axis["XYZ".index(up[1])] = 1.0 if up[0] == "+" else -1.0
    v, w = axis * np.sin(angle / 2.0), np.cos(angle / 2.0)
    rotations, places = motion.rotations.copy(), motion.translations.copy()
    own = motion.rotations[:, 0]
    rotations[:, 0, :3] = w * own[:, :3] + own[:, 3:] * v + np.cross(v, own[:, :3])
    rotations[:, 0, 3] = w * own[:, 3] - own[:, :3] @ v
    if len(motion.moving) and motion.moving[0] == 0:
        across = 2.0 * np.cross(v, places[:, 0])
        places[:, 0] += w * across + np.cross(v, across)
    return rebone.Motion.from_arrays(motion.skeleton, rotations, places, fps=motion.fps)


def make(source, library, clips, gltf, seed):
    """Writes BVH clips, and some of them as GLB: the same files for the same source, numbers and seed."""
    rng = np.random.default_rng(seed)
    sources = motions(source)
    for number in range(clips + gltf):
        motion, up = sources[number % len(sources)]
        frames = min(len(motion), int(rng.integers(60, 241)))
        start = int(rng.integers(0, len(motion) - frames + 1))
        clip = turned(motion[start : start + frames], up, float(rng.uniform(-np.pi, np.pi)))
        folder = pathlib.Path(library) / f"{number % 10}"
        folder.mkdir(parents=True, exist_ok=True)
        clip.write(folder / f"{motion.name}-{number:05}.{'bvh' if number < clips else 'glb'}")


def arrays(library, work):
    """Clips onto one skeleton, into arrays, without those that viewers would complain of."""
    rebone.smpl.skeleton().rest_pose().write(work / "smpl.bvh")
    summary = rebone.batch(library, work / "smpl.bvh", work / "arrays", format="npz", accept_guesses=True)
    clips = [dict(np.load(path)) for path in summary.results("PASS", "LOOK")]
    poses = np.concatenate([clip["rotations"] for clip in clips])
    stands = np.concatenate([clip["contacts"] > 0 for clip in clips])
    return summary, clips, poses, stands


def plot(clips, stands, path):
    """Scores of the clips, and how often each part of the body is on the ground."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.hist([float(clip["score"]) for clip in clips], 40)
    right.barh(clips[0]["contact_parts"], stands.mean(0))
    left.set(xlabel="score", ylabel="clips")
    right.set(xlabel="part of the frames")
    figure.savefig(path)


def on_ray(library, work, workers=2, shards=8):
    """The same arrays in shards, a task each, on a local cluster."""
    import ray

    @ray.remote(num_cpus=1, max_retries=3)
    def shard(number):
        rebone.threads(1)
        part = (number, shards)
        return rebone.batch(library, rig, out, format="npz", accept_guesses=True, shard=part).failed

    rig, out = work / "smpl.bvh", work / "shards"
    rebone.smpl.skeleton().rest_pose().write(rig)
    rebone.batch(library, rig, out, cards=True, accept_guesses=True)
    ray.init(num_cpus=workers, include_dashboard=False, configure_logging=False)
    try:
        ray.get([shard.remote(number) for number in range(shards)])
    finally:
        ray.shutdown()
    return rebone.merge(out)


def lines(folder):
    """Lines of a folder's manifest, without their seconds."""
    found = []
    for line in (pathlib.Path(folder) / "manifest.jsonl").read_text().splitlines():
        own = json.loads(line)
        own.pop("seconds")
        found.append(own)
    return found


def code_lines(function):
    """Number of lines of a function between its documentation and its `return`."""
    body = [line.strip() for line in inspect.getsource(function).splitlines()]
    start = max(number for number, line in enumerate(body) if line.endswith('"""')) + 1
    return sum(bool(line) and not line.startswith("return") for line in body[start:])


def measured(args):
    """Does the day or the shards of the arguments, and prints what was made."""
    if args.mode == "ray":
        merged = on_ray(args.library, args.work, args.workers, args.shards)
        print(f"{merged.counts}, {merged.verdicts}; {code_lines(on_ray)} lines of code")
        return
    import matplotlib

    matplotlib.use("Agg")
    summary, clips, poses, stands = arrays(args.library, args.work)
    plot(clips, stands, args.work / "day.png")
    print(
        f"{len(summary.lines)} lines, {summary.failed} failed, {len(clips)} used; poses {poses.shape}, contacts "
        f"{stands.shape}; {code_lines(arrays)} lines of code, and {code_lines(plot)} for the picture"
    )


def main():
    warnings.simplefilter("ignore", rebone.ReboneWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["make", "day", "ray"])
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path, nargs="?")
    for name, default in [("clips", 1000), ("gltf", 50), ("seed", 1), ("workers", 2), ("shards", 8)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    if args.mode == "make":
        make(os.environ.get("REBONE_CORPUS", DATA), args.library, args.clips, args.gltf, args.seed)
        return
    if args.work is None:
        parser.error(f"{args.mode} needs WORK")
    args.work.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    measured(args)
    seconds, own = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_SELF)
    processor = own.ru_utime + own.ru_stime
    print(f"{seconds:.1f} s, {processor:.1f} s of processor time, peak {own.ru_maxrss / 1024:.0f} MB of this process")


if __name__ == "__main__":
    main()
