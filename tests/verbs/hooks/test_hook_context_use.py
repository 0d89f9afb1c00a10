"""A prompt is warned once its session fills the context, and an overflow teaches its size."""

from __future__ import annotations

import json

import pytest

from memtool.verbs.compaction.context_window import context_window
from tests.hooks import claude_log, context_of, hook, prompt  # noqa: F401
from tests.trees import opened


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def log_with(path, **record):
    claude_log(path, [("hello", "hi")])
    row = json.loads(path.read_text().splitlines()[-1])
    row["message"].update(record.pop("message", {}))
    with path.open("a") as file:
        file.write(json.dumps({**row, **record, "uuid": "9"}) + "\n")
    return str(path)


def test_a_session_is_warned_once_from_80_percent_of_its_context_and_again_from_90(hook, tmp_path):  # noqa: F811
    path = tmp_path / "t/s1.jsonl"
    seen = []
    for tokens in (150_000, 161_000, 165_000, 185_000):
        log = log_with(path, message={"usage": {"input_tokens": tokens}})
        answer = hook(prompt("where is the kiln?", transcript_path=log))
        seen.append("of your 200,000-token context window" in (context_of(answer) if answer else ""))
    assert seen == [False, True, False, True]


def test_a_context_larger_than_the_assumed_window_is_no_cause_to_warn(hook, root, tmp_path):  # noqa: F811
    for session, settings, warned in (("s1", "", False), ("s2", "[context]\nlimit = 300000\n", True)):
        log = log_with(tmp_path / f"t/{session}.jsonl", message={"usage": {"input_tokens": 400_030}})
        (root / "memtool.toml").write_text(f'layout = "native"\n{settings}')
        answer = hook(prompt("where is the kiln?", session_id=session, transcript_path=log))
        assert ("-token context window is used" in (context_of(answer) if answer else "")) is warned


def test_a_transcript_of_odd_types_leaves_the_prompt_its_memory(hook, tmp_path):  # noqa: F811
    log = log_with(tmp_path / "t/s1.jsonl", message={"content": 7}, isApiErrorMessage=True)
    assert "1240" in context_of(hook(prompt("where is the kiln?", transcript_path=log)))


def test_an_overflow_in_the_transcript_teaches_the_window(hook, root, tmp_path):  # noqa: F811
    text = "API Error: 400 prompt is too long: 108310 tokens > 100000 maximum"
    said = log_with(tmp_path / "t/s0.jsonl", message={"role": "user", "content": text}, type="user")
    hook(prompt("hello", transcript_path=said))
    assert context_window(opened(root)).tokens == 200_000  # a person's words are no error of a provider
    content = [{"type": "text", "text": text}]
    log = log_with(tmp_path / "t/s1.jsonl", message={"content": content}, isApiErrorMessage=True)
    answer = hook(prompt("hello", transcript_path=log))
    assert "More than 90% of your 100,000-token context window" in context_of(answer)
    assert context_window(opened(root)).tokens == 100_000
