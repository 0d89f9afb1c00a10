"""A command that writes refuses a layout that memtool.toml contradicts; reading commands take any layout."""

from __future__ import annotations

import shutil

import pytest

from tests.trees import SAMPLE, contents, make, memtool

REFUSED = "memtool.toml says that this workspace has the native layout, not q15; nothing was written; "


@pytest.fixture
def root(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    return tmp_path / "w"


@pytest.mark.parametrize(
    "command",
    [
        ("save", "The kiln is hot"),
        ("append-daily", "--user-text", "Hello"),
        ("--dry-run", "append-daily", "--user-text", "Hello"),
        ("append-turn", "--user-text", "Hello"),
        ("note", "new", "Kilns"),
        ("scan", "-m", "My name is Nilufar"),
    ],
)
def test_a_command_that_writes_refuses_a_layout_that_the_settings_contradict(root, tmp_path, command):
    before = contents(root)
    by_option = memtool("--layout", "q15", *command, home=tmp_path, cwd=root)
    by_variable = memtool(*command, home=tmp_path, cwd=root, environment={"MEMTOOL_LAYOUT": "q15"})
    hint = "or change the layout with memtool migrate --to q15"
    assert (by_option.returncode, by_option.stderr) == (2, f"memtool: {REFUSED}omit --layout, {hint}\n")
    assert (by_variable.returncode, by_variable.stderr) == (
        2,
        f"memtool: {REFUSED}unset MEMTOOL_LAYOUT, {hint}\n",
    )
    assert contents(root) == before


def test_init_does_not_add_the_files_of_another_layout(root, tmp_path):
    before = contents(root)
    result = memtool("init", home=tmp_path, cwd=root, environment={"MEMTOOL_LAYOUT": "q15"})
    assert result.returncode == 2
    assert contents(root) == before


def test_a_layout_corrects_one_that_was_only_recognised(tmp_path):
    root = make(tmp_path / "w", {"MEMORY.md": "# Memory\n", "memory/2025-01-15.md": "# Day\n"})
    result = memtool("--layout", "openclaw", "append-daily", "--user-text", "Hello", home=tmp_path, cwd=root)
    assert result.returncode == 0


def test_the_same_layout_and_reading_with_another_are_no_conflict(root, tmp_path):
    assert memtool("--layout", "native", "save", "Kilns are hot", home=tmp_path, cwd=root).returncode == 0
    assert memtool("--layout", "openclaw", "get", "MEMORY.md", home=tmp_path, cwd=root).returncode == 0
    before = contents(root)
    found = memtool("--layout", "openclaw", "recall", "kilns", home=tmp_path, cwd=root)
    assert found.returncode in {0, 1}
    assert contents(root) == before
