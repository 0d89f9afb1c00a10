"""Every transcript in tests/sessions, and every console block of the README, prints what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtool.cli.table import COMMANDS
from tests.transcript import console_blocks, differences, steps

HERE = Path(__file__).parent
SESSIONS = sorted((HERE / "sessions").glob("*.txt"))
README = HERE.parent / "README.md"


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_prints_what_it_says(session, tmp_path):
    assert not list(differences(session.read_text(encoding="utf-8"), tmp_path))


def test_the_readme_prints_what_it_says(tmp_path):
    text = console_blocks(README.read_text(encoding="utf-8"))
    assert len(steps(text)) > 5
    assert not list(differences(text, tmp_path))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_session(command):
    assert (HERE / "sessions" / f"{command}.txt").exists()
