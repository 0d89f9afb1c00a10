"""A workspace that memtool 0.1 wrote opens: its files, its settings, its journal."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.trees import contents, make, memtool

WORKSPACE = Path(__file__).parent / "data" / "workspace-0.1.json"
"""Files that 0.1.0 wrote by `init`, `scan`, `append-turn`, `save` and `append-daily`, with its journal.

`memtool.toml` has four settings that later versions no longer read.
"""


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", json.loads(WORKSPACE.read_text(encoding="utf-8")))


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    result = memtool(*arguments, cwd=root, home=root.parent)
    assert result.returncode == 0, result.stderr
    return result


def test_everything_in_it_is_found(root):
    found = run(root, "search", "kiln").stdout
    assert "memory/history/turns/2026/11/22/00000000000000000001.json:12: Where is the kiln?" in found
    assert "memory/semantic/facts.md:3: " in found
    assert "facts.md:3: The kiln is fired to 1240 degrees" in run(root, "recall", "kiln").stdout
    assert "The glaze arrived" in run(root, "search", "glaze").stdout
    assert "Where is the kiln?" in run(root, "replay").stdout
    assert "Nilufar" in run(root, "get", "MEMORY.md").stdout


def test_opening_it_changes_no_file(root):
    before = contents(root)
    run(root, "search", "kiln")
    run(root, "status")
    run(root, "lint")
    assert contents(root) == before


def test_settings_that_are_no_longer_read_are_named_and_do_no_harm(root):
    message = run(root, "status").stderr
    for setting in ("compact.gap", "compact.summary_chars", "watch.debounce", "candidates.audit_days"):
        assert setting in message


def test_what_it_wrote_can_be_undone(root):
    assert [line.split("\t")[2] for line in run(root, "log").stdout.splitlines()] == [
        *("append-daily", "save", "append-turn", "scan", "init"),
    ]
    run(root, "undo", "2")
    assert "1240" not in contents(root)["memory/semantic/facts.md"].decode()
    assert "memory/2026-11-22.md" not in contents(root)
    assert "Where is the kiln?" in run(root, "replay").stdout


def test_new_entries_follow_the_old_ones(root):
    exchange = ("--user-text", "And the glaze?", "--agent-text", "In the cellar.")
    assert run(root, "append-turn", *exchange).stdout == "2\n"
    run(root, "save", "The glaze is in the cellar", "--category", "facts")
    found = run(root, "recall", "kiln glaze").stdout
    assert "fired to 1240 degrees" in found
    assert "in the cellar" in found
