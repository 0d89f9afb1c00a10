"""How far a transcript was read: what is new is read, and all of a transcript that is another one."""

from __future__ import annotations

import json

import pytest

from memtool.store.external.transcript_files import open_transcript
from memtool.verbs.hooks.read_positions import resume_reading
from tests.hooks import claude_log, event, hook
from tests.trees import opened

__all__ = ["hook"]

LONG = "It is 1240 degrees. " * 4_000


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def talk(count, answer=LONG):
    return [(f"question {number} about the kiln", f"answer {number}: {answer}") for number in range(count)]


def asked(root):
    turns = [json.loads(path.read_text()) for path in sorted(root.rglob("history/turns/**/*.json"))]
    return [turn["messages"][0]["parts"][0]["text"] for turn in turns]


def read_again(root, path):
    """The lines that the next hook reads of a transcript."""
    source = open_transcript(str(path))
    resume_reading(opened(root), source, "claude-code")
    return [json.loads(line)["message"]["content"] for _, line in source.lines()]


def test_the_next_stop_reads_from_the_last_turn_on(hook, root, tmp_path):
    path = tmp_path / "t" / "s1.jsonl"
    for count in (3, 4, 5):
        stop = event("Stop", transcript_path=str(claude_log(path, talk(count))))
        hook(stop)
        assert read_again(root, path)[0] == talk(count)[-1][0]
    assert asked(root) == [question for question, _ in talk(5)]


def test_a_transcript_that_was_cut_or_rewritten_is_read_whole(hook, root, tmp_path):
    path = tmp_path / "t" / "s1.jsonl"
    stop = event("Stop", transcript_path=str(claude_log(path, talk(5))))
    hook(stop)
    whole = path.read_text()
    for other in (
        "\n".join(whole.split("\n")[:7]) + "\n",
        whole.replace("question 4", "question X"),
        whole.replace("s1", "s9", 1),
    ):
        path.write_text(other)
        assert len(read_again(root, path)) >= 4
    changed = [("another kiln, another question", "yes"), *talk(5)]
    path.write_text(claude_log(path, changed).read_text().replace("-4000-8000-", "-4000-9000-"))
    hook(stop)
    assert asked(root)[5:] == [question for question, _ in changed]


def test_a_turn_that_grows_is_completed_from_where_it_begins(hook, root, tmp_path):
    path = tmp_path / "t" / "s1.jsonl"
    hook(event("Stop", transcript_path=str(claude_log(path, [*talk(4), ("How hot is it?", "")]))))
    hook(event("SessionEnd", transcript_path=str(claude_log(path, [*talk(4), ("How hot is it?", "Hot.")]))))
    [last] = [path for path in root.rglob("history/turns/**/*.json") if "How hot" in path.read_text()]
    assert "Hot." in last.read_text()
