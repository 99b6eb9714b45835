"""Runs pytest and ends the process at once: a process with `bpy` may hang when it ends by itself after a failed test."""

import os
import sys

import pytest

code = pytest.main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.flush()
os._exit(int(code))
