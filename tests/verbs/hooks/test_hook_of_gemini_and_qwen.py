"""Hooks of Gemini CLI and Qwen Code where their events differ from Claude Code's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hooks import context_of, event, hook, log_of

__all__ = ["hook"]

KILN = "- The kiln is fired to 1240 degrees"
HEADER = {"sessionId": "s1", "projectHash": "abc"}


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


@pytest.fixture
def transcript(tmp_path) -> Path:
    path = tmp_path / "chats" / "session-1.jsonl"
    path.parent.mkdir()
    return path


def write(path: Path, *records: dict) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in (HEADER, *records)))


def message(kind: str, id_: str, text: str) -> dict:
    return {"id": id_, "timestamp": "2025-01-15T10:30:00.000Z", "type": kind, "content": [{"text": text}]}


def gemini(transcript: Path, name: str, **fields: str) -> dict:
    return event(name, permission_mode=None, transcript_path=str(transcript), **fields)


def test_the_start_of_a_session_of_gemini_comes_with_its_first_prompt_alone(hook, root, transcript):
    assert hook(gemini(transcript, "SessionStart", source="startup")) == b""
    first = context_of(hook(gemini(transcript, "BeforeAgent", prompt="Let us go with cone 6.")))
    assert KILN in first
    assert hook(gemini(transcript, "BeforeAgent", prompt="Thank you.")) == b""
    assert hook(gemini(transcript, "SessionStart", source="resume")) == b""
    today = hook(gemini(transcript, "BeforeAgent", prompt="Thank you."))
    assert KILN.encode() not in today
    assert log_of(root) == ""


def test_a_conversation_that_gemini_compressed_gets_memory_once_more(hook, root, transcript):
    hook(gemini(transcript, "BeforeAgent", prompt="Let us go with cone 6."))
    turn = [message("user", "m1", "Let us go with cone 6."), message("gemini", "m2", "Good.")]
    snapshot = message("user", "x1", "<state_snapshot>cone 6</state_snapshot>")
    write(transcript, *turn)
    hook(gemini(transcript, "AfterAgent", prompt="Let us go with cone 6.", prompt_response="Good."))
    assert hook(gemini(transcript, "BeforeAgent", prompt="Thank you.")) == b""
    write(transcript, *turn, {"$set": {"messages": [snapshot]}})
    for number in range(2):
        hook(gemini(transcript, "AfterAgent", prompt="Thank you.", prompt_response="Gladly."))
        answer = hook(gemini(transcript, "BeforeAgent", prompt="Thank you."))
        assert (KILN.encode() in answer) == (number == 0)
    assert log_of(root) == ""


def test_a_result_of_a_tool_in_qwen_is_no_prompt(hook, root, tmp_path):
    path = str(tmp_path / "chats" / "s1.jsonl")
    assert hook(event("UserPromptSubmit", prompt="", transcript_path=path)) == b""
    asked = event("UserPromptSubmit", prompt="x\n\nI live in Rome.", transcript_path=path)
    assert KILN in context_of(hook({**asked, "submitted_prompt": "I prefer tea."}))
    text = (root / "MEMORY.md").read_text()
    assert "tea" in text
    assert "Rome" not in text
    assert log_of(root) == ""


def test_a_session_of_qwen_that_is_resumed_has_a_new_system_prompt(hook, root, tmp_path):
    path = str(tmp_path / "chats" / "s1.jsonl")
    for source in ("startup", "resume"):
        assert KILN in context_of(hook(event("SessionStart", source=source, transcript_path=path)))
        assert hook(event("UserPromptSubmit", prompt="Thank you.", transcript_path=path)) == b""
