"""Callbacks after a commit: in order, outside the lock, and without power over the commit."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from memtool.core.records.plan import Append, Create, Permit, Remove
from memtool.errors import StaleWrite
from memtool.store.lock import hold
from tests.trees import make, opened

FILES = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n"}
MEMORY = PurePosixPath("MEMORY.md")


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", FILES)


def commit(workspace, *plans):
    with workspace.lock():
        for plan in plans:
            workspace.commit(plan)


def paths(events):
    return [[(row.change.kind, row.change.path, row.role) for row in event.changes] for event in events]


def test_each_commit_is_passed_on_once_the_lock_is_released(root):
    workspace, events = opened(root), []

    def take_lock(_):
        with hold(str(root), 0.0):
            events.append("free")

    workspace.on_commit(events.append)
    workspace.on_commit(take_lock)
    with workspace.lock():
        workspace.commit([Append(MEMORY, "- a\n")])
        workspace.commit([Create(PurePosixPath("x.txt"), "1\n"), Append(MEMORY, "- b\n")])
        assert events == []
    assert events[1::2] == ["free", "free"]
    assert paths(events[::2]) == [
        [("append", "MEMORY.md", "long-term")],
        [("create", "x.txt", None), ("append", "MEMORY.md", "long-term")],
    ]
    assert events[0].root == str(root)


def test_a_callback_may_commit_and_is_not_called_for_that(root):
    workspace, calls = opened(root), []

    def callback(event):
        calls.append(event)
        commit(workspace, [Append(MEMORY, "- by the callback\n")])

    workspace.on_commit(callback)
    commit(workspace, [Append(MEMORY, "- a\n")])
    assert (root / "MEMORY.md").read_text() == "# Memory\n- a\n- by the callback\n"
    commit(workspace, [Append(MEMORY, "- b\n")])
    assert len(calls) == 2


def test_what_a_callback_raises_fails_nothing(root, caplog):
    workspace, events = opened(root), []

    def broken(_):
        raise ValueError("broken")

    workspace.on_commit(broken)
    workspace.on_commit(events.append)
    commit(workspace, [Append(MEMORY, "- a\n")])
    assert (root / "MEMORY.md").read_text() == "# Memory\n- a\n"
    assert len(events) == 1
    assert "ValueError: broken" in caplog.text


def test_only_what_was_committed_is_passed_on(root):
    workspace, events = opened(root), []
    workspace.on_commit(events.append)
    commit(workspace, [], [Permit(MEMORY, 0o600, 0o777)])
    first = paths(events)
    with pytest.raises(StaleWrite):
        commit(workspace, [Append(MEMORY, "- a\n")], [Remove(MEMORY, "another etag")])
    assert paths(events) == [*first, [("append", "MEMORY.md", "long-term")]]  # the other was refused
    workspace.writes = False
    commit(workspace, [Append(MEMORY, "- b\n")])
    assert len(events) == len(first) + 1


def test_a_workspace_with_settings_read_anew_keeps_its_callbacks(root):
    workspace, events = opened(root), []
    workspace.on_commit(events.append)
    commit(workspace.with_current_settings({}), [Append(MEMORY, "- a\n")])
    assert len(events) == 1
