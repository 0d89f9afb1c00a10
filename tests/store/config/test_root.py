"""The root: which folder is the workspace, seen from anywhere in it."""

from __future__ import annotations

import os
import re

import pytest

from memtool.errors import NoWorkspace
from memtool.store.root import command_in, find_root, user_folder
from tests.trees import contents, make, memtool


def test_a_vault_is_found_from_any_of_its_folders(tmp_path):
    make(tmp_path / "vault", {".obsidian/app.json": "{}", "Projects/2025/Kiln.md": "x\n"})
    assert find_root(str(tmp_path / "vault/Projects/2025"), None) == os.path.realpath(tmp_path / "vault")


def test_an_agents_tree_inside_a_vault_is_a_workspace_of_its_own(tmp_path):
    make(
        tmp_path / "vault",
        {".obsidian/app.json": "{}", "agent/memory/core/AGENT.md": "x\n", "agent/MEMORY.md": "x\n"},
    )
    assert find_root(str(tmp_path / "vault/agent/memory"), None) == os.path.realpath(tmp_path / "vault/agent")


def test_a_named_layout_takes_the_current_folder_unless_a_workspace_is_around_it(tmp_path):
    names = ("vault/.obsidian/app.json", "vault/a/b.md", "set/memtool.toml", "set/a/b.md")
    make(tmp_path, dict.fromkeys(names, ""))
    for start, layout, expected in (
        ("vault/a", "obsidian", "vault"),
        ("vault/a", "claude-code", "vault/a"),
        ("set/a", "claude-code", "set"),
    ):
        root = find_root(str(tmp_path / start), None, layout)
        assert root == os.path.realpath(tmp_path / expected)


@pytest.mark.parametrize(
    ("files", "likeness"),
    [
        (
            ["memory/MEMORY.md", "memory/topics/ops.md"],
            "a workspace with the claude-code layout (memory/MEMORY.md and memory/topics/); ",
        ),
        (
            ["memory/MEMORY.md", "memory/tea.md"],
            "a workspace with the claude-code layout (memory/MEMORY.md); ",
        ),
        (["MEMORY.md", "topics/ops.md"], "a workspace with the claude-code layout (MEMORY.md and topics/); "),
        (["SOUL.md", "AGENTS.md"], "a workspace with the openclaw layout ("),
        (["README.md", "docs/MEMORY.md"], ""),
    ],
)
def test_a_tree_that_nearly_has_a_layout_is_named_and_gets_no_second_memory(files, likeness, tmp_path):
    root = make(tmp_path / "w", dict.fromkeys(files, "x\n"))
    with pytest.raises(NoWorkspace, match=re.escape(f"looks like {likeness}") if likeness else "to create"):
        find_root(str(root), None)
    result = memtool("init", home=tmp_path, cwd=root)
    assert result.returncode == (2 if likeness else 0)
    assert (sorted(contents(root)) == sorted(files)) == bool(likeness)


@pytest.mark.parametrize(
    ("folders", "advice"),
    [
        (["memory"], "the folder contains the workspace memory; to use it, run memtool --root memory doctor"),
        (
            ["agent", "memory", "notes", "other"],
            (
                "the folder contains the workspaces agent, memory, notes and 1 more; "
                "choose one with --root or MEMTOOL_ROOT, for example: memtool --root agent doctor"
            ),
        ),
    ],
)
def test_the_workspaces_below_a_folder_are_named_with_a_command_that_works(tmp_path, folders, advice):
    make(tmp_path / "home", {f"{folder}/memtool.toml": 'layout = "native"\n' for folder in folders})
    refused = memtool("doctor", home=tmp_path, cwd=tmp_path / "home")
    assert (refused.returncode, refused.stderr.partition("; ")[2]) == (10, f"{advice}\n")
    words = advice.rpartition(" memtool ")[2].split()
    assert f"home/{words[1]}\n" in memtool(*words, home=tmp_path, cwd=tmp_path / "home").stdout


def test_init_names_a_memory_folder_that_is_a_workspace(tmp_path):
    make(tmp_path / "home/memory", {"memtool.toml": "", "memory/core/USER.md": "x\n"})
    refused = memtool("init", home=tmp_path, cwd=tmp_path / "home")
    assert refused.returncode == 2
    assert "home/memory is a workspace; to use it, give this path with --root; " in refused.stderr


def test_status_and_doctor_name_what_the_layout_does_not_read(tmp_path):
    root = make(tmp_path / "w", {"memory/topics/ops.md": "x\n", "docs/d.md": "x\n", "README.md": "x\n"})
    memtool("init", "--layout", "native", home=tmp_path, cwd=root)
    for command in ("status", "doctor"):
        shown = memtool(command, home=tmp_path, cwd=root).stdout
        assert "memory/topics/ops.md, README.md, docs/d.md" in shown


@pytest.mark.parametrize("home", [".", "here", "~"])
def test_nothing_of_the_user_is_looked_for_below_the_current_folder(home, monkeypatch):
    monkeypatch.setenv("HOME", home)
    assert user_folder({}, "XDG_CONFIG_HOME", ".config") == "/.config"
    assert user_folder({"XDG_CONFIG_HOME": "config"}, "XDG_CONFIG_HOME", ".config") == "/.config"
    assert user_folder({"XDG_CONFIG_HOME": "/etc/x"}, "XDG_CONFIG_HOME", ".config") == "/etc/x"


def test_a_command_names_the_workspace_unless_memtool_finds_it_from_the_folder(tmp_path):
    names = ("my memory/memtool.toml", "my memory/notes/a.md", "my memory/inner/memtool.toml", "other/a.md")
    make(tmp_path, dict.fromkeys(names, ""))
    root = os.path.realpath(tmp_path / "my memory")
    named = f"memtool --root '{root}'"
    commands = {name: command_in(f"{root}/../{name}", root) for name in ("my memory/notes", "other")}
    assert commands == {"my memory/notes": "memtool", "other": named}
    assert command_in(f"{root}/inner", root) == named  # there memtool finds another workspace
    assert command_in("", root) == named
    assert command_in(root, root, "nano") == f"{named} --layout nano"
