"""The crisis log: that a message states a crisis, and never its words."""

import json
from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.records.entries import Owner
from memtool.errors import MemtoolError
from memtool.verbs.capture.scan import scan
from memtool.verbs.memory_files.feedback import add_feedback, list_feedback
from memtool.verbs.memory_files.salience import decay
from tests.trees import NOW, contents, make, opened

ANN = Owner("user", "ann")
LOG = "memory/cognition/crisis.jsonl"
TREE = {"MEMORY.md": "# Memory\n", "memory/core/AGENT.md": "# Agent\n"}


@pytest.fixture
def workspace(tmp_path):
    return opened(make(tmp_path, TREE), "native")


def scanned(workspace, message, session=None, now=NOW):
    return scan(workspace, message, now=now, owner=ANN, triggers=DEFAULT_TRIGGERS, session=session)


@pytest.mark.parametrize(
    ("message", "level", "reason"),
    [
        ("I want to kill myself", 3, "self_harm"),
        ("Remember that I want to die. I like tea.", 2, "death_wish"),
        ("My husband hits me", 2, "violence"),
        ("Ich will mich umbringen", 3, "self_harm"),
        ("What are the signs of suicide?", 1, "self_harm"),
    ],
)
def test_a_crisis_is_logged_without_its_words_and_is_no_memory(workspace, tmp_path, message, level, reason):
    scanned(workspace, message, "s1")
    left = contents(tmp_path)
    record = json.loads(left.pop(LOG))
    assert (record["level"], record["reason"], record["at"]) == (level, reason, "2025-01-15T10:30:00Z")
    assert len(record["session"]) == 32
    words = [word for word in ("kill", "die", "hits", "umbringen", "suicide") if word in message]
    assert [path for path, content in left.items() if any(word.encode() in content for word in words)] == []


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/cognition/forgotten.jsonl"])
def test_a_crisis_is_logged_where_memory_cannot_be_read(tmp_path, path):
    workspace = opened(make(tmp_path, TREE), "native")
    (tmp_path / path).unlink(missing_ok=True)
    (tmp_path / path).mkdir(parents=True)
    with pytest.raises(MemtoolError):
        scanned(workspace, "I want to kill myself. Remember that I prefer green tea.")
    assert json.loads(contents(tmp_path)[LOG])["reason"] == "self_harm"


def test_the_digest_is_the_same_in_a_session_and_differs_between_sessions(workspace, tmp_path):
    for session in ("s1", "s1", "s2", None):
        scanned(workspace, "I want to kill myself", session)
    digests = [json.loads(line)["session"] for line in contents(tmp_path)[LOG].splitlines()]
    assert digests[0] == digests[1]
    assert len({*digests}) == 3


def test_nothing_else_is_logged_and_nothing_where_nothing_is_written(workspace, tmp_path):
    scanned(workspace, "I like tea. The process should die.")
    scanned(workspace.read_only(), "I want to kill myself")
    assert LOG not in contents(tmp_path)


def test_the_crisis_log_is_kept_for_90_days_and_feedback_for_180(workspace, tmp_path):
    for days in (181, 91, 89):
        scanned(workspace, "I want to kill myself", now=NOW - timedelta(days=days))
        add_feedback(workspace, "up", NOW - timedelta(days=days))
    decay(workspace, NOW)
    assert contents(tmp_path)[LOG].count(b"\n") == 1
    assert len(list_feedback(workspace)) == 2


def test_adding_feedback_removes_what_expired_long_ago(workspace):
    add_feedback(workspace, "down", NOW - timedelta(days=200))
    add_feedback(workspace, "5", NOW, note="good\nkey sk-ant-api03-" + "a1B2" * 24, target="m-1", owner=ANN)
    (left,) = list_feedback(workspace.seen_by({"user:ann"}))
    assert (left.rating, left.target, left.owner) == (5, "m-1", "user:ann")
    assert left.note.startswith("good key [REDACTED:")
    assert list_feedback(workspace.seen_by({"user:bob"})) == []
