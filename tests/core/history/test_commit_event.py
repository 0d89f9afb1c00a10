"""Commit events: the kinds of change of a commit, by role, as the schema describes them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.history.commit_event import commit_event
from memtool.core.history.journal import (
    Appended,
    CommitAuthor,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
)
from memtool.store.config import schemas
from tests.core.history.test_journal import steps
from tests.trees import NOW

ROLES = {"MEMORY.md": "long-term", "a.md": "note", "b.md": "note"}


def event(*changes):
    author = CommitAuthor("session sweep --all", "ann", None, "codex")
    return commit_event(changes, NOW, author, "/w", ROLES.get)


def rows(*changes):
    return [tuple(row.values()) for row in event(*changes).as_json()["changes"]]


def test_a_file_has_one_kind_of_change_however_many_steps_it_took():
    grown = [Appended("a.md", 1, 1, "e", 1), Appended("a.md", 2, 1, "e", 1)]
    assert rows(*grown) == [("append", "a.md", "note")]
    assert rows(*grown, Replaced("a.md", "e", "f", 0, 1, b"x", (1, 1))) == [("replace", "a.md", "note")]
    assert rows(Created("x.md", "e", 1), *grown) == [("create", "x.md", None), ("append", "a.md", "note")]
    assert rows(Removed("MEMORY.md", "e", b"secret", 1)) == [("remove", "MEMORY.md", "long-term")]
    assert rows(Moved("a.md", "x.md", "e")) == [("move", "a.md", "note", "x.md", None)]
    assert rows(Permitted("b.md", 0o644, 0o600)) == [("permit", "b.md", "note")]


def test_of_some_roles_only_their_files_are_passed_on():
    both = event(Appended("MEMORY.md", 1, 1, "e", 1), Moved("x.md", "b.md", "e"))
    assert [row.change.path for row in both.of_roles(["note"]).changes] == ["x.md"]
    assert both.of_roles(["rules"]).changes == ()
    assert both.of_roles([]) == both


def test_an_event_names_the_command_and_who_called_it():
    record = event(Created("a.md", "e", 1)).as_json()
    assert (record["verb"], record["command"]) == ("session", "session sweep --all")
    assert record["actor"] == {"user": "ann", "session": None, "agent": "codex"}


@given(st.lists(steps, min_size=1, max_size=8))
def test_every_event_keeps_the_schema(changes):
    record = event(*changes).as_json()
    if record["changes"]:  # a file that was created and removed again did not change
        assert list(schemas.violations("write-hook", record)) == []
