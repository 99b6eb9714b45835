"""Peak memory of long retargets, and the forecast of it: python3 tests/memory.py REBONE

Each retarget says what it will need within 20 %, and needs no more than 11 kB a frame.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FRAMES = 25_000
MAX_BYTES_PER_FRAME = 11_000
MAX_OFF = 0.2
ROOT = Path(__file__).parent.parent


def repeated(clip: str, path: Path) -> None:
    """Writes a BVH of `FRAMES` frames: those of a clip, again and again."""
    head, motion = (ROOT / "data/clips" / clip).read_text().split("Frames:")
    _, time, *rows = motion.strip().splitlines()
    lines = [rows[frame % len(rows)] for frame in range(FRAMES)]
    path.write_text("\n".join([f"{head}Frames: {FRAMES}", time, *lines, ""]))


def peak(command: list[str]) -> tuple[int, str]:
    """The peak memory of a command in bytes, and what it prints."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_maxrss * 1024, text


def main(program: str) -> None:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "long.bvh"
        repeated("walk.bvh", source)
        for rig in ["rigs/toy-a-pose.bvh", "characters/person.glb"]:
            for ending in ["bvh", "glb", "npz"]:
                for options in [[], ["--contacts", "off"]]:
                    output = f"{folder}/out.{ending}"
                    command = [program, "retarget", str(source), str(ROOT / "data" / rig), "-o", output, "--overwrite"]
                    found, text = peak(command + options)
                    told = int(re.search(r"memory +about (\d+) MB", text)[1]) * 1e6
                    is_well = abs(told / found - 1) <= MAX_OFF and found <= MAX_BYTES_PER_FRAME * FRAMES
                    failures += not is_well
                    print(f"{found / 1e6:5.0f} MB, told {told / 1e6:4.0f}: {rig} {ending} {' '.join(options)}")
    if failures:
        sys.exit(f"{failures} retargets need more than 11 kB a frame, or other memory than they say")


if __name__ == "__main__":
    main(sys.argv[1])
