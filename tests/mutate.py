"""Runs the program on damaged files of all formats, with all commands, and expects results or named errors.

python3 tests/mutate.py --program target/release/rebone --runs 300 --seed 1 --jobs 2 [FOLDER]...

Inputs are made from data/ and tests/fuzz/seeds/, and from the files of the folders. Each run damages one or two of them,
starts one command with limits of memory and time, and looks at what is left: its exit code, its messages, its outputs and
its inputs. Prints the runs of each command by exit code, then each finding with the seed of its run; --only SEED repeats one.
Ends with 1 if there is a finding.
"""

from __future__ import annotations

import argparse
import collections
import copy
import dataclasses
import json
import math
import multiprocessing
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEMORY_BYTES = 2 << 30
SECONDS = 10
MAX_INPUT_BYTES = 3 << 20
CLIP_FRAMES = 24
NAMED_CODES = {0, 1, 2, 3, 4}
PANIC = re.compile(rb"panicked|stack overflow|memory allocation|RUST_BACKTRACE|internal error")
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
NOT_FINITE = re.compile(rb"(?i)(?<![\w\".])-?(?:nan|inf(?:inity)?)(?![\w\"])")
TOKENS: list[bytes] = [b"0", b"-1", b"1e18", b"1e308", b"-1e308", b"1e-320", b"1e39", b"nan", b"inf", b"65536",
                       b"4294967295", b"4294967296", b"9223372036854775807", b"18446744073709551615",
                       b"18446744073709551616", b"0.1.2", b"", b"{", b"}", b"\xff", b"1e999999999"]
VALUES: list[Any] = [None, 0, -1, 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**64 - 1, 1e300, -1e300, 1e-300, 0.5, True,
                     "", "a" * 300, [], {}, [[]], "\u0000", "../x", "data:;base64,AAAA"]
WORDS: list[int] = [0, 1, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x10000]

FLOATS: list[float] = [0.0, -1.0, 1e9, 1e20, 3e38, -3e38, 1e-40, math.inf, math.nan]


@dataclasses.dataclass
class Finding:
    seed: int
    command: list[str]
    what: str
    text: str


@dataclasses.dataclass
class Outcome:
    command: str
    code: int
    findings: list[Finding]


# Base inputs


def shortened(text: bytes, frames: int) -> bytes:
    """A BVH with at most so many frames."""
    head, time, motion = text.partition(b"Frame Time:")
    lines = motion.split(b"\n")
    kept = [line for line in lines[1:] if line.strip()][:frames]
    head = re.sub(rb"Frames:\s*\d+", b"Frames: %d" % len(kept), head)
    return head + time + b"\n".join([lines[0], *kept]) + b"\n"


def glb_parts(data: bytes) -> tuple[Any, bytes] | None:
    """JSON and binary data of a GLB."""
    if data[:4] != b"glTF" or len(data) < 20:
        return None
    length = struct.unpack_from("<I", data, 12)[0]
    try:
        return json.loads(data[20 : 20 + length]), data[20 + length + 8 :]
    except ValueError:
        return None


def glb(value: Any, binary: bytes) -> bytes:
    text = json.dumps(value).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if binary:
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def make_base(program: str, folder: Path, extra: list[Path]) -> None:
    """Fills a folder with small valid files: kind/name."""
    for kind in ("motion", "rig", "card", "map", "contacts", "manifest", "rules"):
        (folder / kind).mkdir(parents=True)
    for path in sorted((ROOT / "data/clips").glob("*.bvh")):
        (folder / "motion" / path.name).write_bytes(shortened(path.read_bytes(), CLIP_FRAMES))
    for path in sorted((ROOT / "data/rigs").glob("*.bvh")):
        shutil.copy(path, folder / "rig")
    seeds = ROOT / "tests/fuzz/seeds"
    for kind in ("card", "map", "contacts"):
        for path in (seeds / kind).iterdir():
            shutil.copy(path, folder / kind)
    for path in [*(seeds / "gltf").iterdir(), *(seeds / "fbx").iterdir()]:
        shutil.copy(path, folder / "rig")

    skeleton, motion = (seeds / "acclaim/leg").read_bytes().split(b"\0")
    for kind in ("motion", "rig"):
        (folder / kind / "leg.asf").write_bytes(skeleton)
    (folder / "motion/leg_01.amc").write_bytes(motion)

    def run(*args: str | Path) -> None:
        subprocess.run([program, *map(str, args), "-q"], check=True, stdout=subprocess.DEVNULL)

    walk, rig = folder / "motion/walk.bvh", folder / "rig/toy-a-pose.bvh"
    for end in ("glb", "gltf", "vrma"):
        run("retarget", walk, rig, "-o", folder / f"motion/toy.{end}")
        shutil.copy(folder / f"motion/toy.{end}", folder / "rig")
    value, binary = glb_parts((folder / "motion/toy.vrma").read_bytes()) or ({}, b"")
    value["extensions"] = {"VRMC_vrm": value["extensions"]["VRMC_vrm_animation"]}
    value["extensionsUsed"] = ["VRMC_vrm"]
    (folder / "rig/toy.vrm").write_bytes(glb(value, binary))
    value, binary = glb_parts((folder / "motion/toy.glb").read_bytes()) or ({}, b"")
    value["buffers"][0]["uri"] = "toy.bin"
    for kind in ("motion", "rig"):
        (folder / kind / "beside.gltf").write_text(json.dumps(value))
        (folder / kind / "toy.bin").write_bytes(binary)
    run("card", folder / "rig/one-spine.bvh", "-o", folder / "card/one-spine.toml")
    run("retarget", walk, rig, "-o", folder / "x.bvh", "--write-contacts", folder / "contacts/walk-own.json")
    run("batch", walk, "-t", rig, "-o", folder / "batch")
    shutil.copy(folder / "batch/manifest.jsonl", folder / "manifest")
    (folder / "rules/rules.toml").write_text('[[clips]]\nname = "wal*"\nfps = 30\ncontacts = "all"\n[[clips]]\nname = "*"\nroot = "in-place"\n')
    ends = {".bvh": "motion", ".glb": "rig", ".gltf": "rig", ".vrm": "rig", ".fbx": "rig", ".vrma": "motion"}
    for index, path in enumerate(sorted(path for one in extra for path in one.rglob("*"))):
        kind = ends.get(path.suffix.lower())
        if kind and path.is_file() and path.stat().st_size <= MAX_INPUT_BYTES:
            data = path.read_bytes()
            data = shortened(data, CLIP_FRAMES) if path.suffix.lower() == ".bvh" else data
            (folder / kind / f"{index}-{path.name}").write_bytes(data)


# Mutations


def spoil_bytes(rng: random.Random, data: bytes, others: list[Path]) -> bytes:
    own = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at = rng.randrange(len(own) + 1)
        size = rng.choice([1, 4, 16, 100, 5000])
        match rng.randrange(8):
            case 0 | 1 if own:
                own[at % len(own)] ^= 1 << rng.randrange(8)
            case 2:
                del own[at : at + size]
            case 3:
                own[at:at] = own[at : at + size]
            case 4:
                at -= at % 4
                own[at : at + 4] = rng.choice([struct.pack("<I", rng.choice(WORDS)), struct.pack("<f", rng.choice(FLOATS))])
            case 5:
                own[at:at] = rng.choice(TOKENS)
            case 6:
                own = own[:at]
            case _:
                other = rng.choice(others).read_bytes()
                begin = rng.randrange(len(other) + 1)
                own[at : at + size] = other[begin : begin + size]
    return bytes(own)


def spoil_tokens(rng: random.Random, data: bytes) -> bytes:
    for _ in range(rng.choice([1, 1, 2, 6])):
        found = list(NUMBER.finditer(data[: 1 << 18])) if rng.random() < 0.6 else list(re.finditer(rb"[^\s,]+", data[: 1 << 18]))
        if not found:
            return data
        own = rng.choice(found[:300] if rng.random() < 0.5 else found)
        near = [own.group() * 2, rng.choice(found).group(), b"-" + own.group(), b"0", b"1e11", b"1e-9", b"%d" % rng.randrange(400)]
        new = rng.choice(near if rng.random() < 0.7 else TOKENS)
        data = data[: own.start()] + new + data[own.end() :]
    if rng.random() < 0.3:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        lines[at : at + rng.choice([0, 1, 2])] = rng.sample(lines, min(len(lines), rng.choice([0, 1, 3])))
        data = b"\n".join(lines)
    return data


def spoil_json(rng: random.Random, value: Any) -> Any:
    for _ in range(rng.choice([1, 1, 2, 4])):
        own = value
        while isinstance(own, (dict, list)) and own:
            keys = list(own) if isinstance(own, dict) else list(range(len(own)))
            key = rng.choice(keys)
            inner = own[key]
            if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.15:
                match rng.randrange(6):
                    case 0:
                        del own[key]
                    case 1 if isinstance(inner, (int, float)) and not isinstance(inner, bool):
                        own[key] = inner + rng.choice([1, -1, 1000, 2**31])
                    case 2 if isinstance(own, list):
                        own.append(copy.deepcopy(inner))
                    case _:
                        own[key] = copy.deepcopy(rng.choice(VALUES))
                break
            own = inner
    return value


def spoil(rng: random.Random, path: Path, others: list[Path]) -> None:
    """Damages a file in place."""
    data = path.read_bytes()
    parts = glb_parts(data)
    how = rng.random()
    if parts and how < 0.6:
        data = glb(spoil_json(rng, parts[0]), parts[1])
        if rng.random() < 0.2:
            at = rng.choice([8, 12, len(data) - len(parts[1]) - 8])
            data = data[:at] + struct.pack("<I", rng.choice(WORDS)) + data[at + 4 :]
    elif path.suffix in (".gltf", ".json") and how < 0.6:
        try:
            data = json.dumps(spoil_json(rng, json.loads(data))).encode()
        except ValueError:
            data = spoil_tokens(rng, data)
    elif path.suffix == ".jsonl" and how < 0.6:
        lines = data.splitlines()
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(spoil_json(rng, json.loads(lines[at]))).encode()
        data = b"\n".join(lines) + b"\n"
    elif b"\0" not in data[:1000] and how < 0.8:
        data = spoil_tokens(rng, data)
    else:
        data = spoil_bytes(rng, data, others)
    path.write_bytes(data)


# Commands


class Work:
    """One run: a folder with copies of the inputs, some damaged."""

    def __init__(self, rng: random.Random, base: Path, folder: Path) -> None:
        self.rng, self.base, self.folder = rng, base, folder
        self.inputs: list[Path] = []
        self.all = [path for path in sorted(base.glob("*/*")) if path.is_file() and path.suffix != ".bin"]

    def input(self, *kinds: str) -> str:
        """A copy of a valid file of one of the kinds."""
        path = self.rng.choice([path for path in self.all if path.parent.name in kinds])
        place = self.folder / f"in{len(self.inputs)}"
        place.mkdir()
        if path.name == "beside.gltf":
            shutil.copy(path.with_name("toy.bin"), place)
            self.inputs.append(place / "toy.bin")
        if path.suffix == ".amc":
            shutil.copy(path.with_name("leg.asf"), place)
            self.inputs.append(place / "leg.asf")
        shutil.copy(path, place)
        self.inputs.append(place / path.name)
        return str(self.inputs[-1])

    def out(self, name: str) -> str:
        return str(self.folder / "out" / name)

    def some(self, share: float, make: Callable[[], list[str]]) -> list[str]:
        return make() if self.rng.random() < share else []

    def hints(self) -> list[str]:
        rng = self.rng
        return [
            *self.some(0.2, lambda: ["--source-card", self.input("card")]),
            *self.some(0.2, lambda: ["--target-card", self.input("card")]),
            *self.some(0.15, lambda: ["--map", self.input("map")]),
            *self.some(0.1, lambda: ["--pose-from", self.input("rig", "motion") + rng.choice(["", ":0", ":5"])]),
        ]

    def options(self) -> list[str]:
        rng = self.rng
        pick: list[list[str]] = [
            ["--contacts", rng.choice(["off", "feet", "all"])], ["--decimals", rng.choice(["0", "2", "6"])],
            ["--fps", rng.choice(["1", "30", "144", "999"])], ["--frames", rng.choice(["0..1", "1..", "3..9", "100..200"])],
            ["--loop"], ["--root", rng.choice(["in-place", "root-bone"])], ["--root", "root-bone", "--add-root"], ["--ground", "on"],
            ["--limits", "strict"], ["--tolerance", rng.choice(["0,0", "5,50"])], ["--animation-only"],
            ["--only", rng.choice(["hips", "arms", "lower"])], ["--leading-pose", "drop"], ["--method", "copy"],
            ["--travel", "metric"], ["--floor", rng.choice(["0", "1e9", "-3"])], ["--up", rng.choice(["+Y", "+Z", "-X"])],
        ]
        return [*self.some(0.9, lambda: ["--accept-guesses"]), *sum(rng.sample(pick, rng.choice([0, 0, 1, 2])), [])]

    def command(self) -> list[str]:
        rng = self.rng
        motion, rig = ("motion", "rig"), ("rig", "motion")
        match rng.choices(["retarget", "batch", "card", "check", "inspect", "preview", "report", "export", "doctor", "demo"],
                          [40, 8, 8, 8, 8, 6, 6, 5, 10, 0.2])[0]:
            case "retarget":
                end = rng.choice(["bvh", "bvh", "glb", "gltf", "vrm", "vrma"])
                return ["retarget", self.input(*motion), self.input(*rig), "-o", self.out(f"x.{end}"), *self.hints(), *self.options(),
                        *self.some(0.2, lambda: ["--contacts-from", self.input("contacts")]),
                        *self.some(0.1, lambda: ["--write-contacts", self.out("c.json")]),
                        *self.some(0.1, lambda: ["--report", self.out("r.json")]),
                        *self.some(0.1, lambda: ["--root-path", self.out("p.json")]),
                        *self.some(0.05, lambda: ["--preview", self.out("p.png")])]
            case "batch":
                return ["batch", self.input(*motion), "-t", self.input(*rig), "-o", self.out("batch"), "-j", "1", *self.options(),
                        *self.some(0.4, lambda: ["--options", self.input("rules")])]
            case "card":
                return ["card", self.input(*rig), "-o", self.out("card.toml"),
                        *self.some(0.3, lambda: ["--write-pose", self.out("pose.glb")])]
            case "check":
                return ["check", self.input(*motion), self.input(*motion), *self.hints(), *self.some(0.3, lambda: ["--csv", self.out("t.csv")])]
            case "inspect":
                return ["inspect", self.input(*rig), *self.some(0.3, lambda: ["--json"]), *self.some(0.2, lambda: ["--preview", self.out("p.png")])]
            case "preview":
                return ["preview", self.input(*motion), "-o", self.out("p.png")]
            case "report":
                shutil.copytree(self.base / "batch", self.folder / "in-batch")
                shutil.copy(self.input("manifest"), self.folder / "in-batch/manifest.jsonl")
                self.inputs.append(self.folder / "in-batch/manifest.jsonl")
                return ["report", str(self.inputs[-1]), "-o", self.out("r.html")]
            case "export":
                return ["export", self.input(*motion), self.input(*rig), "-o", self.out("t.json"), *self.hints()]
            case "doctor":
                return ["doctor", self.input(*rig), *self.some(0.5, lambda: ["--fix", "-o", self.out("d.bvh")])]
            case _:
                return ["demo", self.out("demo")]


# What is left


def not_finite(text: str) -> Any:
    raise ValueError(f"it holds {text}")


def fault_of_output(path: Path) -> str | None:
    """What is wrong with a file that was written."""
    data = path.read_bytes()
    if path.name.startswith("."):
        return None if path.name == ".rebone.lock" else "a temporary file"
    match path.suffix:
        case ".bvh":
            motion = data.partition(b"\nMOTION\n")[2]
            count = re.search(rb"Frames: (\d+)", motion)
            if not count or int(count[1]) != len(motion.splitlines()) - 2:
                return "not all of its frames"
            return "not finite" if NOT_FINITE.search(motion) else None
        case ".json" | ".gltf" | ".jsonl":
            try:
                lines = data.splitlines() if path.suffix == ".jsonl" else [data]
                [json.loads(line, parse_constant=not_finite) for line in lines]
            except ValueError as error:
                return str(error)
        case ".glb" | ".vrm" | ".vrma":
            parts = glb_parts(data)
            if not parts or struct.unpack_from("<I", data, 8)[0] != len(data):
                return "no whole GLB"
            value, binary = parts
            new = value["accessors"] if path.suffix == ".vrma" else []
            for own in [*new, *value.get("animations", [])[-1:]]:
                for sampler in own.get("samplers", []):
                    accessor = value["accessors"][sampler["output"]]
                    view = value["bufferViews"][accessor["bufferView"]]
                    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
                    count = accessor["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
                    if view.get("buffer", 0) == 0 and accessor["componentType"] == 5126 and "uri" not in value["buffers"][0]:
                        if not all(map(math.isfinite, struct.unpack_from(f"<{count}f", binary, at))):
                            return "not finite"
        case ".png":
            return None if data.endswith(b"IEND\xaeB`\x82") else "no whole PNG"
        case ".html":
            return None if data.rstrip().endswith(b"</html>") else "no whole page"
    return None


def examine(work: Work, command: list[str], code: int, out: bytes, err: bytes, before: dict[Path, bytes]) -> list[str]:
    """What is wrong with a run."""
    faults = []
    if code not in NAMED_CODES:
        faults.append(f"exit code {code}")
    if PANIC.search(err) or PANIC.search(out):
        faults.append("a panic")
    if code in (1, 2, 4) and not re.search(rb"(?m)^(error|warning|[^ \n]+:)|\berror\b", err) and command[0] != "doctor":
        faults.append("no named error")
    if "--json" in command and code == 0:
        try:
            json.loads(out, parse_constant=not_finite)
        except ValueError as error:
            faults.append(f"standard output: {error}")
    changed = [path for path, bytes_of in before.items() if not path.is_file() or path.read_bytes() != bytes_of]
    faults.extend(f"{path.name} was changed" for path in changed)
    written = [path for path in (work.folder / "out").rglob("*") if path.is_file()]
    if code in (1, 2, 4) and command[0] not in ("batch", "card", "demo", "doctor") and written:
        faults.append(f"an error, and {written[0].name} was written")
    for path in written:
        fault = fault_of_output(path)
        if fault:
            faults.append(f"{path.name}: {fault}")
        if path.name == "manifest.jsonl" and PANIC.search(path.read_bytes()):
            faults.append("a panic in the manifest")
    return faults


PROGRAM, BASE, KEEP = "", Path(), None


def limit(program: str, base: Path, keep: Path | None) -> None:
    global PROGRAM, BASE, KEEP
    PROGRAM, BASE, KEEP = program, base, keep
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(seed: int) -> Outcome:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        work = Work(rng, BASE, Path(name))
        (work.folder / "out").mkdir()
        command = work.command()
        for path in rng.sample(work.inputs, min(len(work.inputs), rng.choice([1, 1, 1, 2]))):
            spoil(rng, path, work.all)
        before = {path: path.read_bytes() for path in work.inputs}
        try:
            done = subprocess.run([PROGRAM, *command], capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, err = -999, late.stdout or b"", b"no end within %d s" % SECONDS
        faults = examine(work, command, code, out, err, before)
        text = err.decode(errors="replace")[-600:]
        if KEEP:
            shutil.copytree(work.folder, KEEP, dirs_exist_ok=True)
        return Outcome(command[0], code, [Finding(seed, command, fault, text) for fault in faults])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/rebone"))
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="the seed of one run, whose files are kept")
    parser.add_argument("folders", type=Path, nargs="*")
    args = parser.parse_args()
    program = str(Path(args.program).resolve())
    codes: collections.Counter[tuple[str, int]] = collections.Counter()
    found: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="mutate-base-") as name:
        base = Path(name) / "base"
        make_base(program, base, args.folders)
        seeds = range(args.seed * 1_000_000, args.seed * 1_000_000 + args.runs) if args.only is None else [args.only]
        keep = Path(f"mutate-{args.only}") if args.only is not None else None
        with multiprocessing.Pool(args.jobs, limit, (program, base, keep)) as pool:
            for outcome in pool.imap_unordered(run, seeds, chunksize=8):
                codes[outcome.command, outcome.code] += 1
                for finding in outcome.findings:
                    found.append(finding)
                    print(f"seed {finding.seed}: {finding.what}\n  {' '.join(finding.command)}\n  {finding.text}", flush=True)
    for command in sorted({own[0] for own in codes}):
        counts = sorted((code, count) for (own, code), count in codes.items() if own == command)
        print(f"{command:<9}", ", ".join(f"exit {code}: {count}" for code, count in counts))
    print(f"{sum(codes.values())} runs, {len(found)} findings")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
