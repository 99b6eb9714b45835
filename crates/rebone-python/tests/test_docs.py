"""The examples of docs/python.md run."""

from __future__ import annotations

import doctest
import html
from pathlib import Path

import rebone

PAGE = Path(__file__).resolve().parents[3] / "docs/python.md"


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 15 and found.failed == 0


def test_notebooks_show_pictures(walk, rig):
    result = rebone.retarget(walk, rig)
    for shown in (walk, result):
        assert 'src="data:image/png;base64,' in shown._repr_html_()
    assert result.verdict.level in result._repr_html_()
    assert html.escape("leftUpperArm") in rebone.analyse(walk)._repr_html_()
    assert result.preview()[:8] == rebone.preview(walk, result.motion)[:8] == b"\x89PNG\r\n\x1a\n"
