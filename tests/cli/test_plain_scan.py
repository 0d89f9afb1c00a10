"""A plain scan, which is run without click, does what click's does; all else is left to click."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.cli.plain_scan import run_plain_scan
from tests.trees import clean_environment, make, memtool

NOW = "2025-01-15T12:00:00Z"
MESSAGES = [
    "I prefer green tea.\nAlways run the linter before you commit.",
    "Actually, I prefer black tea, not green tea.",
    "Fix the failing test.",
    "  ",
    "My password is celadon-1240, and I live in Lima.",
]
REFUSED = [{"MEMTOOL_MODE": "loud"}, {"MEMTOOL_GROUP": "nobody"}, {"MEMTOOL_ROOT": "/nowhere"}]


def tree(folder: Path) -> Path:
    return make(folder, {"memtool.toml": 'layout = "native"\n'})


def scanned(root: Path, *arguments: str, stdin: str = "", **variables: str) -> tuple[int, str, str]:
    environment = {"MEMTOOL_NOW": NOW, **variables}
    result = memtool(*arguments, home=root.parent, cwd=root, stdin=stdin, environment=environment)
    return result.returncode, result.stdout, result.stderr


def texts(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in (root / "memory").rglob("*.md")}


def without_ids(log: str) -> str:
    return re.sub(r"\bj-\w+", "", log)


def test_a_message_is_recorded_and_reported_as_by_click(tmp_path):
    plain, parsed = tree(tmp_path / "plain/w"), tree(tmp_path / "parsed/w")
    for message in [*MESSAGES, *MESSAGES]:
        assert scanned(plain, "scan", "-m", message) == scanned(parsed, "scan", f"--message={message}")
        assert scanned(plain, "scan", stdin=message) == scanned(parsed, "scan", "-", stdin=message)
    assert texts(plain) == texts(parsed)
    assert len(texts(plain)) > 1
    log, log_of_parsed = (scanned(root, "log")[1] for root in (plain, parsed))
    assert without_ids(log) == without_ids(log_of_parsed)
    assert "scan" in log


@pytest.mark.parametrize("variables", REFUSED, ids=lambda each: next(iter(each)))
def test_an_error_is_reported_as_by_click(tmp_path, variables):
    root = tree(tmp_path / "w")
    failed = scanned(root, "scan", "-m", "I prefer tea", **variables)
    assert failed == scanned(root, "scan", "--message=I prefer tea", **variables)
    assert failed[0] > 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["scan", "-m"],
        ["scan", "-m", "--help"],
        ["scan", "-m", "I prefer tea", "--json"],
        ["scan", "--json"],
        ["scan", "--message=I prefer tea"],
        ["scan", "notes.txt"],
        ["--quiet", "scan", "-m", "I prefer tea"],
        ["append-daily", "-m", "I prefer tea"],
        [],
    ],
    ids=" ".join,
)
def test_every_other_command_line_is_left_to_click(arguments):
    assert run_plain_scan(arguments) is None


def test_completion_is_left_to_click(monkeypatch):
    monkeypatch.setenv("_MEMTOOL_COMPLETE", "bash_complete")
    assert run_plain_scan(["scan", "-m", "I prefer tea"]) is None


def test_click_is_not_imported(tmp_path):
    code = (
        "import sys\nfrom memtool.cli.plain_scan import run_plain_scan\n"
        "print(run_plain_scan(['scan', '-m', 'I prefer tea']), 'click' in sys.modules)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tree(tmp_path / "w"),
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.splitlines() == ["preference\tI prefer tea", "0 False"], result.stderr
