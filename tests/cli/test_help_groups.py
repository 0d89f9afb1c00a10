"""The commands in the help: in groups, without plumbing unless it is asked for, each with a short summary."""

from __future__ import annotations

import pytest

from memtool.cli.other_names import OTHER_NAMES, OTHER_TOPICS
from memtool.cli.table import COMMANDS, GROUPS, PLUMBING, commands_of
from memtool.cli.topics import topic_names
from tests.trees import make, memtool


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


def test_a_hint_for_another_topic_names_a_topic():
    assert set(OTHER_TOPICS.values()) <= {*topic_names()}
    assert not OTHER_TOPICS.keys() & {*COMMANDS, *topic_names()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("cron", "did you mean 'memtool maintain'?"),
        ("help cron", "did you mean 'memtool help maintenance'?"),
        ("help privacy", "did you mean 'memtool help security'?"),
        ("help correct", "did you mean 'memtool help saved-facts'?"),
        ("help gc", "did you mean 'memtool help maintain'?"),
        ("correct x", "did you mean 'memtool facts edit x'?"),
        ("whoami", "did you mean 'memtool trace --all'?"),
        ("lint --errors-only", "did you mean '--severity error'?"),
        ("search --semantic kiln", "did you mean '--mode hybrid'?"),
        ("undo MEMORY.md:9", "memtool trace MEMORY.md:9 prints the entries to undo"),
        ("lint /", "memtool --root FOLDER lint"),
    ],
)
def test_a_call_of_another_program_is_answered_with_the_call_here(tmp_path, words, said):
    make(tmp_path, {"memtool.toml": 'layout = "native"\n'})
    done = memtool(*words.split(), home=tmp_path, cwd=tmp_path)
    assert done.returncode != 0
    assert said in done.stderr
