"""Compares rebone-ik's bounded solver with scipy's `least_squares` on dumped problems.

    REBONE_DUMP=problems.json cargo run --release -p rebone-ik --example dump_problems
    python tests/scipy_check.py problems.json          (needs numpy and scipy)

Chains and residuals are rebuilt here from their definitions, Jacobians are finite differences:
nothing is translated from the Rust code. For each problem: the cost at our answer must be the one we claim,
our answer must be inside its box, and scipy, started from the same start and once more from our
answer, must not find a lower cost there (relative 1e-8). A lower cost from the same start but far
from our answer is another local minimum: it is listed, and counts as a failure only when scipy,
started from our answer, leaves it.
"""

import json
import sys

import numpy as np
from scipy.optimize import least_squares

# Everything works on many x at once: arrays (..., 3) of vectors, (..., 4) of quaternions x y z w.


def product(p, q):
    p, q = np.broadcast_arrays(p, q)
    u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
    vector = a * v + b * u + np.cross(u, v)
    return np.concatenate([vector, a * b - np.sum(u * v, axis=-1, keepdims=True)], axis=-1)


def inverse(q):
    return np.asarray(q) * [-1, -1, -1, 1]


def turned(q, v):
    u, w = q[..., :3], q[..., 3:]
    across = 2 * np.cross(u, v)
    return v + w * across + np.cross(u, across)


def from_vector(v):
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([v * np.sinc(angle / (2 * np.pi)) / 2, np.cos(angle / 2)], axis=-1)


def to_vector(q):
    q = np.where(q[..., 3:] < 0, -q, q)
    sin = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    safe = np.where(sin > 0, sin, 1)
    return q[..., :3] * np.where(sin > 0, 2 * np.arctan2(sin, q[..., 3:]) / safe, 2)


def motion_rotation(motion, x):
    zero = np.zeros(x.shape[:-1] + (1,))
    if motion == "fixed":
        return np.concatenate([zero, zero, zero, zero + 1], axis=-1)
    if motion == "rotation":
        return from_vector(x)
    if motion == "swing-twist":
        swing = np.concatenate([x[..., :1], zero, x[..., 1:2]], axis=-1)
        return product(from_vector(swing), from_vector(np.concatenate([zero, x[..., 2:], zero], axis=-1)))
    rotation = np.concatenate([zero, zero, zero, zero + 1], axis=-1)
    for k, axis in enumerate(motion):
        rotation = product(rotation, from_vector(x[..., k : k + 1] * np.array(axis)))
    return rotation


def kinematics(problem, x):
    base = tuple(np.array(part) for part in problem["base"])
    world, at = [], 0
    for link in problem["links"]:
        position, rotation = base if link["parent"] is None else world[link["parent"]]
        shifts, motion = 3 * link["translates"], link["motion"]
        named = {"fixed": 0, "rotation": 3, "swing-twist": 3}
        turns = named[motion] if isinstance(motion, str) else len(motion)
        offset = np.array(link["translation"]) + (x[..., at : at + 3] if shifts else 0)
        turn = motion_rotation(motion, x[..., at + shifts : at + shifts + turns])
        at += shifts + turns
        local = product(product(link["pre"], turn), link["post"])
        world.append((position + turned(rotation, offset), product(rotation, local)))
    assert at == x.shape[-1]
    return world


def position_of(world, points):
    return sum(world[link][0] + turned(world[link][1], np.array(offset)) for link, offset in points) / len(points)


def goal_residual(goal, world):
    if goal["kind"] == "position":
        return goal["weight"] * (position_of(world, goal["point"]) - goal["target"])
    scale = goal["weight"] * goal["lever"]
    if goal["kind"] == "direction":
        line = position_of(world, goal["to"]) - position_of(world, goal["from"])
        return scale * (line / np.linalg.norm(line, axis=-1, keepdims=True) - goal["target"])
    error = product(inverse(goal["target"]), product(world[goal["link"]][1], goal["frame"]))
    if goal["kind"] == "orientation":
        return scale * to_vector(error)
    angle = 2 * np.arctan2(error[..., 1:2], error[..., 3:])
    return scale * ((angle + np.pi) % (2 * np.pi) - np.pi)


def residual(problem, x):
    x = np.asarray(x)
    world = kinematics(problem, x)
    rows = [goal_residual(goal, world) for goal in problem["goals"]]
    return np.concatenate([np.broadcast_to(row, x.shape[:-1] + row.shape[-1:]) for row in rows], axis=-1)


def jacobian(problem, x, h=1e-3):
    """Central differences of sixth order; the formulas hold outside the box as well."""
    n = len(x)
    sides = np.array([1, -1, 2, -2, 3, -3])[:, None, None]
    r = residual(problem, x + h * sides * np.eye(n))
    near, middle, far = r[0] - r[1], r[2] - r[3], r[4] - r[5]
    return (45 * near - 9 * middle + far).T / (60 * h)


def best_of_scipy(problem, start, lower, upper):
    inside = np.clip(start, lower + 1e-12 * (upper - lower), upper - 1e-12 * (upper - lower))
    found = least_squares(
        lambda x: residual(problem, x),
        inside,
        jac=lambda x: jacobian(problem, x),
        bounds=(lower, upper),
        method="trf",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-12,
        max_nfev=300,
    )
    return found


def main():
    with open(sys.argv[1]) as file:
        problems = json.load(file)
    failures = elsewhere = 0
    for problem in problems:
        lower, upper, x = (np.array(problem[key]) for key in ("lower", "upper", "x"))
        ours = problem["cost"]
        claimed = 0.5 * np.sum(residual(problem, x) ** 2)
        wrong = []
        if abs(claimed - ours) > 1e-10 * max(ours, 1e-12):
            wrong.append(f"cost {ours} is {claimed}")
        if np.any(x < lower) or np.any(x > upper):
            wrong.append("outside the box")
        polished = best_of_scipy(problem, x, lower, upper)
        if ours > polished.cost * (1 + 1e-8) + 1e-20:
            wrong.append(f"scipy improves our answer: {ours} to {polished.cost}")
        theirs = best_of_scipy(problem, np.array(problem["start"]), lower, upper)
        note = "same"
        if ours > theirs.cost * (1 + 1e-8) + 1e-20:
            note, elsewhere = "scipy found another, lower minimum", elsewhere + 1
        elif theirs.cost > ours * (1 + 1e-8) + 1e-20:
            note = "scipy stopped higher"
        failures += bool(wrong)
        print(f"seed {problem['seed']:4d}  ours {ours:.12e}  scipy {theirs.cost:.12e}  {note}  {'; '.join(wrong)}", flush=True)
    print(f"{len(problems)} problems, {failures} wrong, {elsewhere} where scipy found a lower minimum elsewhere")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
