"""Pickles, threads, processes, progress, Ctrl-C and memory."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import rebone
from conftest import script


def digest(motion: rebone.Motion) -> str:
    return hashlib.sha256(motion.rotations.tobytes() + motion.translations.tobytes()).hexdigest()


def work(pair: rebone.Pair, motion: rebone.Motion) -> str:
    return digest(pair.retarget(motion).motion)


def result_of(pair: rebone.Pair, motion: rebone.Motion) -> rebone.Result:
    return pair.retarget(motion)


@pytest.fixture(scope="module")
def pair(walk, rig) -> rebone.Pair:
    return rebone.Pair(walk, rig, limbs="position")


def test_all_types_are_pickled(walk, rig, pair, tmp_path: Path):
    def again(value):
        return pickle.loads(pickle.dumps(value))

    assert again(walk) == walk and again(walk[3:9]) == walk[3:9] and again(walk.skeleton) == walk.skeleton
    stated = walk.with_statements(up="y", unit="cm")
    assert again(stated).metres_per_unit == 0.01
    card = rebone.analyse(walk).card()
    assert again(card) == card
    result = pair.retarget(walk)
    copy = again(result)
    assert copy.report == result.report and copy.contacts_text == result.contacts_text
    assert copy.motion == result.motion and copy.preview() == result.preview()
    assert again(copy).motion == result.motion
    for name, own in [("a.bvh", result), ("b.bvh", copy), ("c.bvh", again(pair).retarget(again(walk)))]:
        own.write(tmp_path / name)
    bytes_of = [(tmp_path / name).read_bytes() for name in ("a.bvh", "b.bvh", "c.bvh")]
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]


def test_a_pickled_file_keeps_what_is_beside_the_motion(walk, rig, tmp_path: Path):
    rebone.retarget(walk, rig).write(tmp_path / "rig.glb")
    hero = rebone.read(tmp_path / "rig.glb")
    copy = pickle.loads(pickle.dumps(hero))
    (tmp_path / "rig.glb").rename(tmp_path / "moved.glb")
    for name, own in [("a.glb", hero), ("b.glb", copy)]:
        rebone.retarget(walk, own).write(tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_equal_results_are_equal_after_pickling(walk, rig, pair):
    def again(value):
        return pickle.loads(pickle.dumps(value))

    result, body = pair.retarget(walk), rebone.analyse(walk, up="y")
    for own in (result, result.motion, result.verdict, pair, body, *pair.anatomies, rebone.check(walk, result.motion)):
        copy = again(own)
        assert copy == own and not copy != own and hash(copy) == hash(own), own
        assert again(copy) == own
    assert again(body).card() == body.card() and np.array_equal(again(body).t_pose, body.t_pose)
    assert result == pair.retarget(walk) and result != pair.retarget(walk[:50])
    assert result.verdict != rebone.retarget(walk[:100], rig).verdict and body != rebone.analyse(rig)
    assert pair != rebone.Pair(walk, rig) and pair == rebone.Pair(walk, rig, limbs="position")
    assert walk.canonical(again(body)) == walk.canonical(body)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_give_the_same_bits(walk, pair, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    expected = work(pair, walk)
    parts = [walk, walk[50:200], walk]
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(work, [pair] * 3, parts))
        result = pool.submit(result_of, pair, walk).result()
    assert found == [expected, work(pair, walk[50:200]), expected] and digest(result.motion) == expected


def test_threads_give_the_same_bits(walk, pair):
    expected = work(pair, walk)
    before = rebone.threads()
    try:
        for count in (1, 3):
            assert rebone.threads(count) == count
            with ThreadPoolExecutor(4) as pool:
                assert set(pool.map(work, [pair] * 8, [walk] * 8)) == {expected}
    finally:
        rebone.threads(0)
    assert rebone.threads() == before
    with pytest.raises(rebone.InputError):
        rebone.threads(10**6)


def test_other_threads_run_meanwhile(long, rig):
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    pair = rebone.Pair(long, rig, contacts="off")
    start = len(ticks)
    pair.retarget(long[:10_000])
    count = len(ticks) - start
    done.set()
    thread.join()
    assert count > 50


def test_progress_is_told_and_changes_nothing(long, rig):
    part = long[:6000]
    pair, seen = rebone.Pair(part, rig), []
    with_progress = pair.retarget(part, progress=lambda *own: seen.append(own))
    assert {step for step, _, _ in seen} & {"solve", "contacts"}
    assert all(0 <= done <= all_ for _, done, all_ in seen)
    assert digest(with_progress.motion) == digest(pair.retarget(part).motion)


def test_an_exception_in_progress_ends_the_work(long, rig):
    class Enough(Exception):
        pass

    def stop(*_: object) -> None:
        raise Enough("here")

    pair = rebone.Pair(long, rig)
    start = time.perf_counter()
    with pytest.raises(Enough, match="here"):
        pair.retarget(long, progress=stop)
    stopped = time.perf_counter() - start
    # Far below the seconds of the whole.
    assert stopped < 2.0


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_is_heard_in_each_step(long, rig):
    """Sends the signal at several times; prints how long it took to be heard."""
    interrupted = script("python_speed").interrupted
    pair = rebone.Pair(long, rig)
    found = [interrupted(pair, long, wait) for wait in (0.2, 0.6, 1.2)]
    delays = [delay for delay in found if delay is not None]
    print("Ctrl-C was heard after", [f"{delay:.3f} s" for delay in delays])
    assert delays


def test_a_fork_with_a_pool_at_work_does_not_hang(walk, rig):
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    script = textwrap.dedent(
        """
        import os, sys, threading, rebone
        walk, rig = rebone.sample("walk"), rebone.sample("toy-a-pose")
        pair = rebone.Pair(walk, rig)
        pair.retarget(walk)
        workers = [threading.Thread(target=lambda: [pair.retarget(walk) for _ in range(5)]) for _ in range(3)]
        [own.start() for own in workers]
        for _ in range(4):
            child = os.fork()
            if child == 0:
                os._exit(0 if len(pair.retarget(walk)) == len(walk) else 1)
            if os.waitpid(child, 0)[1] != 0:
                sys.exit(1)
        [own.join() for own in workers]
        """
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], timeout=100, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_memory_stays(walk, rig):
    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc here")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    part = walk[:40]
    pair = rebone.Pair(part, rig)

    def round_trip() -> None:
        result = pair.retarget(part, progress=lambda *_: None)
        result.motion.rotations, result.report, pickle.loads(pickle.dumps(part))
        with pytest.raises(rebone.InputError):
            pair.retarget(rig)

    for _ in range(100):
        round_trip()
    before = resident()
    for _ in range(400):
        round_trip()
    grown = resident() - before
    print(f"memory grew by {grown / 1e6:.2f} MB in 400 retargets")
    assert grown < 8e6


def test_arrays_outlive_their_motion(walk, rig):
    positions = rebone.retarget(walk, rig).motion.positions
    rebone.retarget(walk, rig)
    assert np.isfinite(positions).all()
