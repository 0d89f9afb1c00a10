"""The commits by path: in the journal's order, and read only as far as they are new."""

from __future__ import annotations

from datetime import UTC, datetime

from memtool.core.history.journal import CommitAuthor, CommitRecord, Moved, Removed
from memtool.core.history.versions import CommitsByPath


def commit(number, *steps):
    return CommitRecord(str(number), datetime(2025, 1, 15, tzinfo=UTC), CommitAuthor(), str(number), steps)


def test_each_path_has_its_commits_newest_first_and_a_move_belongs_to_both():
    commits = [
        commit(1, Removed("a", "", None, 0), Removed("a", "", None, 0)),
        commit(2, Moved("a", "b", "")),
        commit(3, Removed("b", "", None, 0)),
    ]
    history = CommitsByPath()
    history.update(reversed(commits))
    assert [[record.id for record in history.of(path)] for path in "abc"] == [["2", "1"], ["3", "2"], []]


def test_an_update_reads_no_commit_before_the_newest_known_one():
    commits = [commit(number, Removed("a", "", None, 0)) for number in range(5)]
    history = CommitsByPath()
    history.update(reversed(commits[:3]))
    rest = iter(reversed(commits))
    history.update(rest)
    assert [record.id for record in history.of("a")] == ["4", "3", "2", "1", "0"]
    assert [record.id for record in rest] == ["1", "0"]
    history.update(reversed(commits))
    assert len([*history.of("a")]) == 5
