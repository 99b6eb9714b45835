"""Counts lines of code: python3 tests/lines.py [REVISION]

Rust, TypeScript, JavaScript and Python that git holds at REVISION (default: HEAD), comments and unit tests included, without
folders called tests, benches or examples. Prints each crate and folder of programs, the folders with the most source files
below crates/*/src, and all.
"""

import collections
import subprocess
import sys
from pathlib import PurePosixPath

ENDINGS = {".rs", ".ts", ".tsx", ".py", ".js", ".mjs"}
LEFT_OUT = {"tests", "benches", "examples"}


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True).stdout


def main():
    revision = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    lines, folders = collections.Counter(), collections.Counter()
    for name in git("ls-tree", "-r", "--name-only", "-z", revision).decode().split("\0"):
        path = PurePosixPath(name)
        if path.suffix not in ENDINGS or LEFT_OUT & set(path.parts):
            continue
        parts = path.parts[: 2 if path.parts[0] == "crates" else 1]
        lines["/".join(parts)] += git("show", f"{revision}:{name}").count(b"\n")
        folders[str(path.parent)] += path.parts[0] == "crates"
    for part, count in sorted(lines.items()):
        print(f"{count:8,} {part}")
    print("source files in a folder: " + ", ".join(f"{count} {folder}" for folder, count in folders.most_common(12)))
    print(f"{lines.total():8,} lines")


if __name__ == "__main__":
    main()
