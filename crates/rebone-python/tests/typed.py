"""A use of the module that type checkers read: it is not run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import rebone


def places(path: str) -> npt.NDArray[np.float64]:
    walk, rig = rebone.read(path), rebone.sample("toy-a-pose")
    result = rebone.retarget(walk, rig, limbs="position", contacts="lock", frames=(0, 50), only=["upper"])
    verdict = result.verdict
    if verdict is not None:
        print(verdict.level, round(verdict.score, 2))
    return result.motion[10:20].positions


def roles(path: str) -> dict[str, list[str]]:
    return rebone.analyse(rebone.read(path), up="y").roles


def many(paths: list[str]) -> list[rebone.Result]:
    first, *others = (rebone.read(path) for path in paths)
    pair = rebone.Pair(first, rebone.sample("one-spine"), arms=0.5, loop=True)
    return [pair.retarget(motion, progress=True) for motion in others]


def windows(paths: list[str], skeleton: rebone.Skeleton) -> npt.NDArray[np.float64]:
    motions = [rebone.Motion.from_npz(path, skeleton).mirrored().turned(0.5) for path in paths]
    batch, mask = rebone.training.padded([rebone.training.to_6d(motion.rotations) for motion in motions])
    training, _ = rebone.training.split(paths, shares=(0.9, 0.1))
    print(batch.shape, mask.sum(), rebone.training.from_6d(batch).dtype, training.size)
    return rebone.training.windows(motions[0].positions, 64, step=16)
