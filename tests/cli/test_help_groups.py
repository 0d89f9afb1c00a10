"""The commands in the help: in groups, without plumbing unless it is asked for, each with a short summary."""

from __future__ import annotations

import pytest

from memtool.cli.other_names import OTHER_NAMES
from memtool.cli.table import COMMANDS, GROUPS, PLUMBING, commands_of
from tests.trees import memtool


def test_the_help_lists_all_groups_but_plumbing_and_help_all_lists_that_too(tmp_path):
    page = memtool("--help", home=tmp_path).stdout
    for group in GROUPS:
        assert (f"\n{group}:\n" in page) == (group != PLUMBING)
    names = {line.split()[0] for line in page.splitlines() if line[:2] == "  " and line[2:3].isalpha()}
    assert {name for group in GROUPS if group != PLUMBING for name, _ in commands_of(group)} <= names
    assert not names & dict(commands_of(PLUMBING)).keys()
    everything = memtool("help", "--all", home=tmp_path).stdout
    assert f"\n{PLUMBING}:\n  {commands_of(PLUMBING)[0][0]} " in everything


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_short_and_has_no_full_stop(name):
    summary = COMMANDS[name].summary
    assert len(summary) < 72
    assert not summary.endswith(".")


def test_a_hint_for_another_name_names_a_command():
    assert not OTHER_NAMES.keys() & COMMANDS.keys()
    for hint in OTHER_NAMES.values():
        assert hint.startswith("--") or hint.split()[0] in COMMANDS
