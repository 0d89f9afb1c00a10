"""Each group has a history of its own, and nobody's name makes a folder."""

from __future__ import annotations

import pytest

from memtool.errors import BadUsage, OutsideWorkspace
from memtool.verbs.access.scope import decide_scope
from memtool.verbs.history.upgrade_history import upgrade_history
from memtool.verbs.turns.append_turn import TurnDraft, append_turns, parse_turn_input
from memtool.verbs.turns.history import history_groups
from memtool.verbs.turns.replay import replay
from tests.trees import NOW, contents, make, memtool, opened


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"groups/family/MEMORY.md": "x\n", "groups/work/MEMORY.md": "x\n"})


def append(root, text, group=None):
    workspace = opened(root, "nano")
    draft = TurnDraft(NOW, parse_turn_input(f'{{"role": "user", "content": "{text}"}}').messages, {})
    return append_turns(workspace, [draft], NOW, group=group).turns[0]


def test_each_group_counts_and_is_found_by_itself(root):
    for group in (None, "family", "work", "family"):
        append(root, f"the picnic of {group}", group)
    assert [turn.seq for _, turn in replay(opened(root, "nano"), None, [], group="family")] == [1, 2]
    assert history_groups(opened(root, "nano")) == [None, "family", "work"]
    workspace = opened(root, "nano")
    found: list = []
    for group in history_groups(workspace):
        assert upgrade_history(workspace, NOW, group=group, report=found.append).current in {1, 2}
    assert not found


@pytest.mark.parametrize(
    ("group", "error"),
    [
        ("nobody", BadUsage),
        ("../family", OutsideWorkspace),
        (".", OutsideWorkspace),
        ("family/x", OutsideWorkspace),
        ("", BadUsage),
    ],
)
def test_what_is_no_group_is_refused_and_nothing_is_made(root, tmp_path, group, error):
    before = contents(root)
    for writes in (False, True):
        with pytest.raises(error):
            decide_scope(opened(root, "nano"), group, None, writes=writes)
    for arguments in (["append-turn"], ["replay"], ["upgrade-history"]):
        done = memtool("--layout", "nano", *arguments, "--group", group, home=tmp_path, cwd=root)
        assert done.returncode == error.exit_code
    assert contents(root) == before


def test_a_layout_without_groups_says_so(tmp_path):
    with pytest.raises(BadUsage, match="has no groups"):
        decide_scope(opened(make(tmp_path / "n", {}), "q15"), "family", None, writes=False)
