"""recover: offered once for each compaction, to whoever asks always, and the newest survives its bound."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.recover import SECTION_LIMIT, asks_for_recovery, newest_lines, visible_compaction
from memtool.core.records.turn import Message, TextPart, ToolResult
from memtool.verbs.compaction.buffer import buffer
from memtool.verbs.compaction.recover import record_recovery, recover
from tests.trees import NOW, SAMPLE, contents, make, memtool, opened

COMPACTED = "This session is being continued from a previous conversation that ran out of context."


def user(text: str) -> Message:
    return Message("user", (TextPart(text),))


@pytest.fixture
def root(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    return tmp_path / "w"


def run(root, *messages, **more):
    workspace = opened(root, "native")
    found = recover(workspace, messages, now=NOW, today=NOW.date(), **more)
    record_recovery(workspace, found)
    return found


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        ("<summary>what was said</summary>", True),
        ("[CONTEXT COMPACTION: 12 earlier messages were removed]", True),
        ("earlier messages were truncated", True),
        ("due to context limits", True),
        ("Here is a conversation summary:", True),
        ("A summary of our earlier conversation follows", True),
        (COMPACTED, True),
        ("Please summarise the report", False),
        ("the truncation is wrong", False),
        ("hello", False),
    ],
)
def test_a_compaction_shows_in_the_first_messages(text, shows):
    assert (visible_compaction([user(text)]) is not None) == shows
    ours = text.startswith("[CONTEXT COMPACTION:")  # behind a beginning of any length
    assert (visible_compaction([user("a"), user("b"), user("c"), user(text)]) is not None) == ours
    assert visible_compaction([Message("tool", (ToolResult("c", text), TextPart(text)))]) is None


@pytest.mark.parametrize(
    "text", ["Where were we?", "please continue where we left off", "What were we doing?"]
)
def test_the_newest_message_of_the_user_asks(text):
    assert asks_for_recovery([user("x"), user(text), Message("assistant", (TextPart("hm"),))])
    assert not asks_for_recovery([user(text), user("never mind")])


def test_it_is_offered_once_for_each_compaction(root):
    found = run(root, user(COMPACTED))
    assert [section.title for section in found.sections] == [
        "Working Buffer Recovery", "Session State", "Today's Notes",
    ]  # fmt: skip
    before = contents(root)
    assert not run(root, user(COMPACTED), user("next")).sections
    assert contents(root) == before
    assert run(root, user(COMPACTED + " Again.")).sections
    assert run(root, user(COMPACTED), user("where were we?")).sections
    assert run(root, user("hello"), again=True).sections


def test_a_broken_record_of_it_is_no_obstacle(root):
    run(root, user(COMPACTED))
    path = next((root / "memory/cognition").glob("recovered*"))
    for broken in ("", "[]", "null", '{"compaction": 5}'):
        path.write_text(broken)
        assert run(root, user(COMPACTED)).sections
        assert not run(root, user(COMPACTED)).sections


def test_nothing_to_bring_back_is_said_and_not_counted_as_offered(tmp_path):
    root = make(tmp_path / "w", {})
    found = run(root, user(COMPACTED))
    assert (found.sections, found.plan) == ((), ())
    assert "nothing to recover" in found.reason
    assert contents(root) == {}


def test_the_newest_part_survives(root):
    for number in range(200):
        at = NOW + timedelta(seconds=number)
        buffer(opened(root, "native"), user=f"question {number}", agent="x" * 100, used=9, limit=10, at=at)
    section = run(root, user(COMPACTED)).sections[0]
    assert len(section.text) <= SECTION_LIMIT
    assert "question 199" in section.text
    assert "question 1\n" not in section.text


@given(st.text(st.sampled_from("ab\n"), max_size=60), st.integers(1, 30))
def test_the_newest_lines_are_whole_lines(text, most):
    short = newest_lines(text, most)
    assert len(short) <= most
    assert text.endswith(short)
    if short != text and "\n" in text[-most - 1 : -1]:
        assert text[: len(text) - len(short)].endswith("\n")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('[{"content": "where were we?"}]', 0),
        ('{"content": "<summary>old context</summary>"}\n{"content": "go on"}\n', 0),
        ('[{"content": "hello"}]', 1),
        ('[{"text": "hello"}]', 2),
    ],
)
def test_a_message_that_names_nobody_is_the_users(root, tmp_path, said, code):
    done = memtool("--root", str(root), "recover", home=tmp_path / "home", stdin=said)
    assert done.returncode == code
