"""Calls that go wrong: what was changed is said truly, and a wrong call changes nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.trees import clean_environment, make, memtool


@pytest.mark.parametrize("arguments", [("save", "The lamp is red"), ("search", "lamp")])
def test_a_full_output_is_an_error_that_says_whether_a_change_stays(tmp_path, arguments):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "The lamp is old.\n"})
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memtool", *arguments],
            cwd=root,
            env=clean_environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 19
    says_kept = "changes that the command made to files were kept" in done.stderr
    assert says_kept == (arguments[0] == "save")
    if says_kept:
        assert "The lamp is red" in memtool("recall", "lamp", home=tmp_path, cwd=root).stdout


def test_a_layout_that_the_workspace_is_not_in_is_not_converted(tmp_path):
    assert memtool("init", "w", home=tmp_path, cwd=tmp_path).returncode == 0
    root = tmp_path / "w"
    result = memtool("--layout", "openclaw", "migrate", "--to", "native", home=tmp_path, cwd=root)
    assert result.returncode == 2
    assert "memtool.toml names the layout native, not openclaw" in result.stderr
    assert (root / "memory/core/SOUL.md").exists()


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("--root w --root v maintain", "--root"),
        ("--root w maintain --root v", "--root"),
        ("maintain --root w --root=v", "--root"),
        ("--root w facts --user ann list --user bob", "--user"),
        ("--root w --user ann facts list --user bob", "--user"),
    ],
)
def test_two_values_of_an_option_that_says_whose_memory_is_meant_are_refused(tmp_path, arguments, option):
    for name in ("w", "v"):
        memtool("init", name, home=tmp_path, cwd=tmp_path)
    result = memtool(*arguments.split(), home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"memtool: {option} is given as ")
    assert ("run the command once for each workspace" in result.stderr) == (option == "--root")


def test_of_other_options_the_last_value_holds(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    result = memtool("--root", "w", "log", "-n", "3", "--limit", "1", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 0
    assert len(result.stdout.splitlines()) == 1


def test_an_option_may_be_repeated_with_the_same_value(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    result = memtool("--root", "w", "-v", "maintain", "-v", "--root", "w", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("search --top-k 3 lamp", "'--limit'"),
        ("lint --list-rules", "'--codes'"),
        ("forget -y", "'--yes'"),
        ("migrate --check", "'--dry-run'"),
        ("log -C w", "'--root'"),
        ("rules --add x", "'memtool rules add'"),
        ("facts list --forget x", "'memtool facts forget'"),
        ("--doctor", "'memtool doctor'"),
    ],
)
def test_an_option_of_other_tools_is_answered_with_the_one_here(tmp_path, arguments, meant):
    result = memtool(*arguments.split(), home=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert f"(did you mean {meant}?)" in result.stderr


@pytest.mark.parametrize("action", ["status", "list"])
def test_what_shows_the_hooks_is_named(tmp_path, action):
    result = memtool("hook", action, home=tmp_path, cwd=tmp_path)
    assert "memtool doctor shows whether hooks are installed" in result.stderr


def test_the_help_for_another_agent_is_named(tmp_path):
    result = memtool("hook", "install", "cursor", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert "memtool help hooks" in result.stderr


def test_folders_as_arguments_are_taken_for_workspaces(tmp_path):
    for name in ("w", "v"):
        memtool("init", name, home=tmp_path, cwd=tmp_path)
    result = memtool("maintain", "w", "v", home=tmp_path, cwd=tmp_path)
    assert "run the command once for each workspace: memtool --root w maintain" in result.stderr
    result = memtool("maintain", "w", home=tmp_path, cwd=tmp_path)
    assert "to name the workspace, run: memtool --root w maintain" in result.stderr
    assert "--root" not in memtool("maintain", "x", home=tmp_path, cwd=tmp_path).stderr


def test_a_range_is_no_line_of_a_hit(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "a\nb\nc\n"})
    result = memtool("get", "MEMORY.md:3-1", home=tmp_path, cwd=root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "--lines 3:1" in result.stderr
