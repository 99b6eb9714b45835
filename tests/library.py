#!/usr/bin/env python3
"""Makes a library of BVH clips to try batches on, no two of them equal.

    python tests/library.py OUT FOLDER… [--clips 2000] [--frames 1500000] [--broken 20] [--seed 1]

Takes the BVH files below each FOLDER (data, a collection of motions) in turn. Each copy begins somewhere else
(trimmed, and repeated where it is too short), is turned about the axis that is up in its file, and is another size.
Broken files are cut off, or have a word where a number belongs. Needs nothing but Python.
"""
import argparse
import math
import pathlib
import random


def read(path):
    """Head (lines of the hierarchy), frame time, frames (texts), or None where the file is not simple enough."""
    text = path.read_bytes().decode("latin-1")
    head, found, motion = text.partition("MOTION")
    lines = [line for line in motion.splitlines() if line.strip()]
    if not found or len(lines) < 4 or "Frames" not in lines[0] or "Time" not in lines[1]:
        return None
    channels = [line.split()[1:] for line in head.splitlines() if line.split()[:1] == ["CHANNELS"]]
    names = [name for own in channels for name in own[1:]]
    frames = lines[2:]
    moves = [k for k, name in enumerate(names) if name.endswith("position")]
    if moves != [0, 1, 2] or len(frames) < 20 or any(len(f.split()) != len(names) for f in frames[:3]):
        return None
    return head, lines[1], frames, names[:6]


def rotation(order, degrees):
    """The matrix of Euler angles, channel by channel."""
    matrix = [[float(i == j) for j in range(3)] for i in range(3)]
    for axis, angle in zip(order, degrees):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for row in matrix:
            row[i], row[j] = row[i] * c + row[j] * s, row[j] * c - row[i] * s
    return matrix


def angles(order, m):
    """Euler angles of a matrix, three different axes."""
    a, b, c = order
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    middle = math.asin(max(-1.0, min(1.0, sign * m[a][c])))
    first = math.atan2(-sign * m[b][c], m[c][c])
    last = math.atan2(-sign * m[a][b], m[a][a])
    return [math.degrees(x) for x in (first, middle, last)]


def turned(frame, names, up, turn, size):
    """A frame whose root is turned about an axis and scaled."""
    words = frame.split(None, 6)
    place = [0.0] * 3
    for name, word in zip(names[:3], words):
        place["XYZ".index(name[0])] = float(word) * size
    order = ["XYZ".index(name[0]) for name in names[3:6]]
    about = rotation([up], [turn])
    own = rotation(order, [float(word) for word in words[3:6]])
    both = [[sum(about[i][k] * own[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    place = [sum(about[i][k] * place[k] for k in range(3)) for i in range(3)]
    words[:3] = [f"{place['XYZ'.index(name[0])]:.6f}" for name in names[:3]]
    words[3:6] = [f"{angle:.6f}" for angle in angles(order, both)]
    return " ".join(words)


def upright(frames, names):
    """The axis that is likely to be up: along which the root keeps furthest from 0 for how much it moves."""
    def score(axis):
        column = [name[0] for name in names[:3]].index("XYZ"[axis])
        values = [float(frame.split(None, 3)[column]) for frame in frames[:: max(1, len(frames) // 50)]]
        return abs(sum(values) / len(values)) - (max(values) - min(values))

    return max((1, 2), key=score)


def scaled(head, size):
    """The hierarchy at another size."""
    lines = []
    for line in head.splitlines():
        words = line.split()
        if words[:1] == ["OFFSET"]:
            line = line[: line.index("OFFSET")] + "OFFSET " + " ".join(f"{float(w) * size:.6f}" for w in words[1:])
        lines.append(line)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    for name, usual in (("clips", 2000), ("frames", 1_500_000), ("broken", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    args = parser.parse_args()
    paths = sorted(path for folder in args.folders for path in folder.rglob("*.bvh"))
    sources = [(path.stem, source) for path in paths if (source := read(path))]
    draw = random.Random(args.seed)
    left = args.frames
    for clip in range(args.clips):
        stem, (head, time, frames, names) = sources[clip % len(sources)]
        count = left // (args.clips - clip)
        left -= count
        size, turn = draw.uniform(0.5, 2.0), draw.uniform(-180.0, 180.0)
        first, up = draw.randrange(len(frames)), upright(frames, names)
        text = [turned(frames[(first + k) % len(frames)], names, up, turn, size) for k in range(count)]
        folder = args.out / f"{clip % 20:02}"
        folder.mkdir(parents=True, exist_ok=True)
        motion = f"MOTION\nFrames: {count}\n{time}\n" + "\n".join(text) + "\n"
        (folder / f"{clip:04}-{stem}.bvh").write_bytes((scaled(head, size) + "\n" + motion).encode("latin-1"))
    for number in range(args.broken):
        _, (head, time, frames, _) = sources[number % len(sources)]
        text = f"{head}MOTION\nFrames: 2\n{time}\n{frames[0]}\n{frames[1]}\n"
        place = draw.randrange(len(head)) if number % 2 else text.rindex(" ") - draw.randrange(3)
        text = text[:place] + ("" if number % 2 else " not-a-number\n")
        (args.out / f"broken-{number:02}.bvh").write_bytes(text.encode("latin-1"))


if __name__ == "__main__":
    main()
