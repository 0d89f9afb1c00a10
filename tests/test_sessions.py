"""Transcripts in tests/sessions and console blocks of README and help topics print what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtool.cli.table import COMMANDS
from tests.transcript import README, TOPICS, console_blocks, differences, steps

HERE = Path(__file__).parent
SESSIONS = sorted((HERE / "sessions").glob("*.txt"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_prints_what_it_says(session, tmp_path):
    assert not list(differences(session.read_text(encoding="utf-8"), tmp_path))


def test_the_readme_shows_sessions():
    assert len(steps(console_blocks(README.read_text(encoding="utf-8")))) > 5


@pytest.mark.parametrize("page", [README, *TOPICS], ids=lambda path: path.stem)
def test_the_console_blocks_of_a_page_print_what_they_say(page, tmp_path):
    assert not list(differences(console_blocks(page.read_text(encoding="utf-8")), tmp_path))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_session(command):
    assert (HERE / "sessions" / f"{command}.txt").exists()
