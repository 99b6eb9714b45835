"""Compares rebone-ik's bounded solver with scipy's `least_squares` on dumped problems.

    REBONE_DUMP=problems.json cargo run --release -p rebone-ik --example dump_problems
    python tests/scipy_check.py problems.json          (needs numpy and scipy)

Chains and residuals are rebuilt here from their definitions with scipy's own rotations, not
translated from the Rust code. For each problem: the cost at our answer must be the one we claim,
our answer must be inside its box, and scipy, started from the same start and once more from our
answer, must not find a lower cost there (relative 1e-8). A lower cost from the same start but far
from our answer is another local minimum: it is listed, and counts as a failure only when scipy,
started from our answer, leaves it.
"""

import json
import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation


def local_rotation(motion, x):
    if motion == "fixed":
        return Rotation.identity()
    if motion == "rotation":
        return Rotation.from_rotvec(x)
    if motion == "swing-twist":
        return Rotation.from_rotvec([x[0], 0, x[1]]) * Rotation.from_rotvec([0, x[2], 0])
    rotation = Rotation.identity()
    for axis, angle in zip(motion, x):
        rotation = rotation * Rotation.from_rotvec(np.array(axis) * angle)
    return rotation


def variables_of(link):
    motion = link["motion"]
    turns = {"fixed": 0, "rotation": 3, "swing-twist": 3}.get(motion) if isinstance(motion, str) else len(motion)
    return 3 * link["translates"], turns


def kinematics(problem, x):
    base = np.array(problem["base"][0]), Rotation.from_quat(problem["base"][1])
    world, at = [], 0
    for link in problem["links"]:
        position, rotation = base if link["parent"] is None else world[link["parent"]]
        shifts, turns = variables_of(link)
        offset = np.array(link["translation"])
        if shifts:
            offset = offset + x[at : at + 3]
        turn = local_rotation(link["motion"], x[at + shifts : at + shifts + turns])
        at += shifts + turns
        local = Rotation.from_quat(link["pre"]) * turn * Rotation.from_quat(link["post"])
        world.append((position + rotation.apply(offset), rotation * local))
    assert at == len(x)
    return world


def place(world, points):
    return np.mean([world[link][0] + world[link][1].apply(offset) for link, offset in points], axis=0)


def goal_residual(goal, world):
    if goal["kind"] == "position":
        return goal["weight"] * (place(world, goal["place"]) - goal["wanted"])
    scale = goal["weight"] * goal["lever"]
    if goal["kind"] == "direction":
        line = place(world, goal["to"]) - place(world, goal["from"])
        return scale * (line / np.linalg.norm(line) - goal["wanted"])
    actual = world[goal["link"]][1] * Rotation.from_quat(goal["frame"])
    error = Rotation.from_quat(goal["wanted"]).inv() * actual
    if goal["kind"] == "orientation":
        return scale * error.as_rotvec()
    x, y, z, w = error.as_quat()
    angle = 2 * np.arctan2(y, w)
    return scale * np.array([(angle + np.pi) % (2 * np.pi) - np.pi])


def residual(problem, x):
    world = kinematics(problem, x)
    return np.concatenate([goal_residual(goal, world) for goal in problem["goals"]])


def jacobian(problem, x, h=1e-4):
    """Central differences of fourth order; the box does not matter to the formulas."""
    columns = []
    for k in range(len(x)):
        step = np.zeros(len(x))
        step[k] = h
        near = residual(problem, x + step) - residual(problem, x - step)
        far = residual(problem, x + 2 * step) - residual(problem, x - 2 * step)
        columns.append((8 * near - far) / (12 * h))
    return np.stack(columns, axis=1)


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
        max_nfev=3000,
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
        print(f"seed {problem['seed']:4d}  ours {ours:.12e}  scipy {theirs.cost:.12e}  {note}  {'; '.join(wrong)}")
    print(f"{len(problems)} problems, {failures} wrong, {elsewhere} where scipy found a lower minimum elsewhere")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
