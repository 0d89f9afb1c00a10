"""Whose a line is: not of a user who only moved it; of the one whom the environment names."""

from __future__ import annotations

import shutil

import pytest

from tests.trees import SAMPLE, contents, memtool

CHAT = '[{"role": "user", "content": "Good morning"}, {"role": "assistant", "content": "Hello"}]'


@pytest.mark.parametrize(
    "commands",
    [
        [("session", "turn"), ("session-end",)],
        [("note", "mv", "celadon", "--title", "Celadon two")],
        [("rules", "archive", "r-1c9e02")],
    ],
    ids=["session-end", "note mv", "rules archive"],
)
def test_lines_that_a_user_moved_stay(tmp_path, commands):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)

    def run(*arguments: str):
        given = ("--root", str(root), "--user", "carl", *arguments)
        return memtool(*given, home=tmp_path, stdin=CHAT if "turn" in arguments else "")

    for command in commands:
        done = run("--session", "s9", *command)
        assert done.returncode == 0, done.stderr
    before = contents(root)
    done = memtool("--root", str(root), "forget", "--user", "carl", "--yes", home=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    changed = {path for path, content in contents(root).items() if before.get(path) != content}
    assert changed <= {"memory/cognition/forgotten.jsonl", "memory/cognition/digest.keys"}


def test_the_user_of_the_environment_owns_what_a_named_session_stores(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    given = ("--root", str(root), "--session", "s3", "save", "I own a lathe")
    assert memtool(*given, home=tmp_path, environment={"MEMTOOL_USER": "ann"}).returncode == 0
    facts = (root / "memory/semantic/facts.md").read_text()
    assert "[user:ann] I own a lathe" in facts
