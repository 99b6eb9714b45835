"""The program: `rebone`, or `python -m rebone`."""

from __future__ import annotations

import sys

from . import _rebone


def main() -> int:
    """Runs the program with the arguments of the process, and returns its exit code."""
    return _rebone.main(["rebone", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
