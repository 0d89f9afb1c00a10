"""The root: which folder is the workspace, seen from anywhere in it."""

from __future__ import annotations

import os

from memtool.store.root import find_root
from tests.trees import make


def test_a_vault_is_found_from_any_of_its_folders(tmp_path):
    make(tmp_path / "vault", {".obsidian/app.json": "{}", "Projects/2025/Kiln.md": "x\n"})
    assert find_root(str(tmp_path / "vault/Projects/2025"), None) == os.path.realpath(tmp_path / "vault")


def test_an_agents_tree_inside_a_vault_is_a_workspace_of_its_own(tmp_path):
    make(
        tmp_path / "vault",
        {".obsidian/app.json": "{}", "agent/memory/core/AGENT.md": "x\n", "agent/MEMORY.md": "x\n"},
    )
    assert find_root(str(tmp_path / "vault/agent/memory"), None) == os.path.realpath(tmp_path / "vault/agent")
