"""Standing instructions of a group without rules are in every prompt of it."""

from __future__ import annotations

import pytest

from tests.trees import make
from tests.trees import memtool as run_memtool

TOLD = "Always answer alpha in riddles."


def memtool(root, *arguments):
    return run_memtool("--root", str(root), *arguments, home=root.parent)


@pytest.fixture
def root(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "nano"\n', "groups/alpha/SOUL.md": ""})
    memtool(root, "scan", "--group", "alpha", "-m", TOLD)
    return root


def context(root, *arguments):
    return memtool(root, *arguments, "context", "--group", "alpha", "--prompt", "hello").stdout


def test_an_instruction_to_a_group_is_in_its_prompts_and_in_no_other(root):
    assert TOLD in context(root)
    assert TOLD not in memtool(root, "context", "--prompt", "hello").stdout


def test_an_instruction_that_a_newer_one_replaced_is_not(root):
    memtool(root, "scan", "--group", "alpha", "-m", "From now on answer alpha in prose, not in riddles.")
    text = context(root)
    assert "in prose" in text
    assert TOLD not in text


def test_an_instruction_of_another_user_is_not(root):
    memtool(root, "--user", "ann", "scan", "--group", "alpha", "-m", "Never use emojis.")
    assert "emojis" in context(root, "--user", "ann")
    assert "emojis" not in context(root, "--user", "bob")


def test_a_statement_stands_in_the_prompt_once(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    memtool(root, "scan", "-m", "I live in Berlin.")
    text = memtool(root, "context", "--prompt", "Where do I live, in Berlin?").stdout
    assert text.count("I live in Berlin.") == 1
