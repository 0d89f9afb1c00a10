"""Codex's logs."""

from __future__ import annotations

from datetime import UTC, datetime

from memtool.transcripts import codex
from tests.transcripts.sources import lines, said, skipped


def item(payload, at="2025-01-15T10:30:00.000Z"):
    return {"timestamp": at, "type": "response_item", "payload": payload}


def event(payload):
    return {"timestamp": "2025-01-15T10:30:00.000Z", "type": "event_msg", "payload": payload}


def message(role, text, kind="input_text"):
    return item({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})


META = {
    "timestamp": "2025-01-15T10:29:00Z",
    "type": "session_meta",
    "payload": {"id": "sess-1", "cwd": "C:\\x"},
}
CODEX = [
    META,
    message("developer", "You are Codex"),
    message("user", "<environment_context>\n<cwd>/x</cwd></environment_context>"),
    message("user", "List the files"),
    event({"type": "user_message", "message": "List the files"}),
    {"timestamp": "2025-01-15T10:30:00Z", "type": "turn_context", "payload": {"model": "gpt"}},
    item(
        {
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "ls will do"}],
            "encrypted_content": "x",
        }
    ),
    item({"type": "function_call", "name": "exec", "arguments": '{"cmd": "ls"}', "call_id": "c1"}),
    item({"type": "function_call_output", "call_id": "c1", "output": "Wall time: 0.1 s\nOutput:\na b"}),
    item({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin", "call_id": "c2"}),
    item(
        {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "ok"}]}
    ),
    item({"type": "local_shell_call", "call_id": "c3", "action": {"command": ["pwd"]}}),
    item({"type": "something_new", "x": 1}),
    item({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a and b"}]}),
    event({"type": "agent_message", "message": "a and b"}),
    message("user", "Thanks"),
]
TURN = [
    "user: List the files",
    "assistant: (ls will do) +encrypted_content",
    'assistant: exec{"cmd": "ls"}#c1',
    "tool: #c1 Wall time: 0.1 s\nOutput:\na b",
    "assistant: apply_patch*** Begin#c2",
    "tool: #c2 ok",
    'assistant: local_shell{"command": ["pwd"]}#c3',
    "assistant: a and b",
]


def test_a_session_becomes_turns_and_nothing_is_said_twice():
    found = list(codex.read(lines(*CODEX)))
    assert said(found) == [TURN, ["user: Thanks"]]
    assert found[0].origin.session == "sess-1"
    assert codex.recognises(lines(*CODEX))


def test_a_log_that_grows_keeps_its_origins():
    whole = list(codex.read(lines(*CODEX)))
    for count in range(5, len(CODEX)):
        part = list(codex.read(lines(*CODEX[:count])))
        assert [one.origin for one in part] == [one.origin for one in whole][: len(part)]


def test_events_are_read_where_there_are_no_items():
    events = [
        META,
        event({"type": "user_message", "message": "Hi"}),
        event({"type": "agent_reasoning", "text": "greet"}),
        event({"type": "agent_message", "message": "Hello"}),
        event({"type": "item_completed", "item": {"type": "UserMessage", "content": [{"type": "text", "text": "And?"}]}}),
        event({"type": "item_completed", "item": {"type": "AgentMessage", "content": [{"type": "Text", "text": "No."}]}}),
    ]  # fmt: skip
    assert said(list(codex.read(lines(*events)))) == [
        ["user: Hi", "assistant: (greet)", "assistant: Hello"],
        ["user: And?", "assistant: No."],
    ]


def test_the_oldest_logs_are_bare():
    bare = [{"id": "old", "timestamp": "2025-01-15T10:00:00Z", "instructions": None}]
    bare += [one["payload"] for one in CODEX if one["type"] == "response_item"]
    found = list(codex.read(lines(*bare)))
    assert said(found) == [TURN, ["user: Thanks"]]
    assert found[0].origin.session == "old"
    assert {turn.at for turn in found} == {datetime(2025, 1, 15, 10, tzinfo=UTC)}  # only the header knows
    assert codex.recognises(lines(*bare))


def test_a_corrupted_line_costs_that_line():
    found = list(codex.read(lines(*CODEX[:4], b'{"timestamp": "2025', *CODEX[4:], b'{"time')))
    assert said(found) == [TURN, ["user: Thanks"]]
    assert skipped(found) == [(5, "is truncated"), (len(CODEX) + 2, "is truncated")]
