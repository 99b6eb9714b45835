#!/usr/bin/env python3
"""Reads a result in .npz with NumPy, and compares it with the same result as BVH.

    python tests/npz_check.py REBONE [CLIP RIG]

REBONE: the program. CLIP and RIG: BVH files; those of data/ without them. Says that it was skipped where NumPy is not
installed. Positions are computed here, from the rotations of the .npz and from the channels of the BVH.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: NumPy is not installed"))


def turn(axis, degrees):
    """Matrices of rotations about a coordinate axis, (F, 3, 3)."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    a, b = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    matrix = np.zeros((len(degrees), 3, 3))
    matrix[:, range(3), range(3)] = 1
    matrix[:, a, a] = matrix[:, b, b] = cos
    matrix[:, a, b], matrix[:, b, a] = -sin, sin
    return matrix


def bvh_positions(text):
    """Names and world positions (F, J, 3) of the joints, in the file's units."""
    head, motion = text.split("MOTION")
    rows = np.array([line.split() for line in motion.strip().splitlines()[2:]], dtype=float)
    names, stack, positions, rotations, column, end = [], [], [], [], 0, False
    for words in map(str.split, head.splitlines()):
        if words[:1] in (["ROOT"], ["JOINT"]):
            names.append(words[1])
        elif words[:1] == ["End"]:
            end = True
        elif words[:1] == ["{"]:
            stack.append(-1 if end else len(names) - 1)
        elif words[:1] == ["}"]:
            stack.pop()
            end = False
        elif words[:1] == ["OFFSET"] and not end:
            offset = np.tile(np.array(words[1:4], dtype=float), (len(rows), 1))
        elif words[:1] == ["CHANNELS"]:
            local = np.tile(np.eye(3), (len(rows), 1, 1))
            for channel in words[2:]:
                if channel.endswith("position"):
                    offset[:, "XYZ".index(channel[0])] = rows[:, column]
                else:
                    local = local @ turn(channel[0], rows[:, column])
                column += 1
            parent = stack[-2] if len(stack) > 1 else None
            if parent is None:
                positions.append(offset)
                rotations.append(local)
            else:
                positions.append(positions[parent] + np.einsum("fij,fj->fi", rotations[parent], offset))
                rotations.append(rotations[parent] @ local)
    return names, np.stack(positions, axis=1)


def matrices(q):
    """Rotation matrices of quaternions x, y, z, w: (…, 4) to (…, 3, 3)."""
    x, y, z, w = np.moveaxis(q.astype(float), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(*q.shape[:-1], 3, 3)


def kinematics(a):
    """Positions (F, J, 3) from rotations, translations and offsets alone."""
    frames, joints = a["rotations"].shape[:2]
    local = matrices(a["rotations"])
    offsets = np.tile(a["offsets"].astype(float), (frames, 1, 1))
    offsets[:, a["moving"]] = a["translations"]
    world, positions = np.zeros((frames, joints, 3, 3)), np.zeros((frames, joints, 3))
    for joint, parent in enumerate(a["parents"]):
        if parent < 0:
            world[:, joint], positions[:, joint] = local[:, joint], offsets[:, joint]
        else:
            positions[:, joint] = positions[:, parent] + np.einsum("fij,fj->fi", world[:, parent], offsets[:, joint])
            world[:, joint] = world[:, parent] @ local[:, joint]
    return positions


def main():
    data = pathlib.Path(__file__).resolve().parent.parent / "data"
    usual = [data / "clips" / "walk.bvh", data / "rigs" / "toy-a-pose.bvh"]
    rebone, clip, rig = (sys.argv[1:] + usual)[:3] if len(sys.argv) < 4 else sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for end in ("npz", "bvh"):
            subprocess.run([rebone, "retarget", clip, rig, "-o", folder / f"out.{end}", "-q", "--accept-guesses"], check=True)
        with np.load(folder / "out.npz", allow_pickle=False) as file:
            a = {name: file[name] for name in file.files}
        names, expected = bvh_positions((folder / "out.bvh").read_text())
    frames, joints = a["rotations"].shape[:2]
    shapes = {
        "rotations": (frames, joints, 4), "positions": (frames, joints, 3), "root_positions": (frames, 3),
        "translations": (frames, len(a["moving"]), 3), "moving": (len(a["moving"]),), "offsets": (joints, 3),
        "rest_rotations": (joints, 4), "unit": (), "metres_per_unit": (), "names": (joints,), "parents": (joints,), "root": (), "up": (3,), "fps": (), "verdict": (), "score": (),
        "contacts": (frames, len(a["contact_parts"])), "touches": (frames, 2),
        "metric_names": (len(a["metric_values"]),),
    }
    for name, shape in shapes.items():
        assert a[name].shape == shape, (name, a[name].shape, shape)
    for name in ("rotations", "positions", "root_positions", "translations", "offsets"):
        assert a[name].dtype == np.float32 and np.isfinite(a[name]).all(), name
    assert list(a["names"]) == names, "names"
    assert str(a["unit"]) == "m" and a["metres_per_unit"] == 1.0, "unit"
    assert abs(np.linalg.norm(a["rotations"], axis=-1) - 1).max() < 1e-6, "unit quaternions"
    metres = np.linalg.norm(a["positions"][0].astype(float)) / np.linalg.norm(expected[0])
    off = abs(a["positions"] - expected * metres).max()
    own = abs(a["positions"] - kinematics(a)).max()
    assert off < 1e-5 and own < 1e-5, (off, own)
    assert np.array_equal(a["root_positions"], a["positions"][:, a["root"]])
    assert a["contacts"].max() < len(a["contact_kinds"]) and a["touches"].max() < len(a["touch_parts"])
    assert str(a["verdict"]) in ("PASS", "LOOK", "FAIL") and 0 <= a["score"] <= 1
    print(f"{frames} frames, {joints} joints, unit {metres:.4f} m: {off:.1e} m off the BVH, {own:.1e} m off its own rotations; "
          f"{(a['contacts'] > 0).any(axis=1).sum()} frames with contacts; {a['verdict']} {a['score']:.2f}")


main()
