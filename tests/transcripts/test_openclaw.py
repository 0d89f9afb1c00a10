"""OpenClaw's and pi's logs."""

from __future__ import annotations

from datetime import UTC, datetime

from memtool.transcripts import openclaw, pi
from memtool.verbs.history.import_ import recognise_transcript
from tests.transcripts.sources import lines, said, skipped


def entry(id_, parent, message, **more):
    return {"type": "message", "id": id_, "parentId": parent, "timestamp": "2025-01-15T10:30:00.000Z", "message": message, **more}  # fmt: skip


PI_HEAD = {"type": "session", "version": 3, "id": "s1", "timestamp": "2025-01-15T10:29:00.000Z", "cwd": "/x"}
HEAD = {**PI_HEAD, "cwd": "/home/a/.openclaw/workspace"}
OPENCLAW = [
    HEAD,
    {"type": "model_change", "id": "e0", "parentId": None, "modelId": "m"},
    entry("e1", "e0", {"role": "user", "content": [{"type": "text", "text": "List"}], "timestamp": 1736937000000}),
    entry("e2", "e1", {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "ls"}, {"type": "toolCall", "id": "c1", "name": "ls", "arguments": {"p": "."}}]}),
    entry("e3", "e2", {"role": "toolResult", "toolCallId": "c1", "toolName": "ls", "isError": True, "content": [
        {"type": "text", "text": "no"}, {"type": "image", "data": "QUJD", "mimeType": "image/png"}]}),
    {"type": "compaction", "id": "e4", "parentId": "e3", "summary": "…"},
    entry("e5", "e4", {"role": "assistant", "content": "It failed"}),
    entry("e6", "e5", {"role": "user", "content": "Thanks"}),
]  # fmt: skip
TURNS = [
    ["user: List", "assistant: (ls)", 'assistant: ls{"p": "."}#c1', "tool: #c1 failed no\n[image: image/png, 3 bytes]",
     "assistant: It failed"],
    ["user: Thanks"],
]  # fmt: skip


def test_a_session_becomes_turns():
    found = list(openclaw.read(lines(*OPENCLAW)))
    assert said(found) == TURNS
    assert found[0].origin.session == "s1"
    assert found[0].at == datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


def test_a_log_is_openclaws_where_something_names_it_and_else_pis():
    named = [
        lines(*OPENCLAW),
        lines(PI_HEAD, *OPENCLAW[1:], name="/home/a/.openclaw/agents/main/sessions/s1.jsonl"),
        lines(PI_HEAD, {"type": "custom", "id": "e9", "customType": "openclaw:bootstrap"}, *OPENCLAW[1:]),
    ]
    assert [recognise_transcript(log) for log in named] == ["openclaw"] * 3
    about = entry("e1", None, {"role": "user", "content": "What is OpenClaw?"})
    for log in (lines(PI_HEAD, *OPENCLAW[1:]), lines(PI_HEAD, about), lines(*OPENCLAW[3:])):
        assert recognise_transcript(log) == "pi"
    [one, _] = pi.read(lines(PI_HEAD, *OPENCLAW[1:]))
    assert one.origin.agent == "pi"
    assert one.origin.key == next(openclaw.read(lines(*OPENCLAW))).origin.key  # known when it was openclaw's


def test_only_the_branch_that_ends_last_was_said():
    other = [*OPENCLAW, entry("e7", "e5", {"role": "user", "content": "No, wait"})]
    assert said(list(openclaw.read(lines(*other)))) == [TURNS[0], ["user: No, wait"]]


def test_sessions_in_one_stream_are_kept_apart():
    second = [{**HEAD, "id": "s2"}, entry("e1", None, {"role": "user", "content": "Another"})]
    found = list(openclaw.read(lines(*OPENCLAW, *second)))
    assert said(found) == [*TURNS, ["user: Another"]]
    assert [one.origin.session for one in found] == ["s1", "s1", "s2"]


def test_old_entries_without_ids_are_kept():
    old = [
        HEAD,
        *(
            {key: value for key, value in one.items() if key not in {"id", "parentId"}}
            for one in OPENCLAW[1:]
        ),
    ]
    assert said(list(openclaw.read(lines(*old)))) == TURNS


def test_a_corrupted_line_costs_that_line():
    found = list(openclaw.read(lines(*OPENCLAW[:4], b"{", *OPENCLAW[4:])))
    assert said(found) == TURNS
    assert skipped(found) == [(5, "is truncated")]


def test_what_a_fork_of_pi_has_copied_are_turns_of_the_session_that_it_comes_from():
    head = {"type": "session", "version": 3, "cwd": "/home/me"}
    first = {**head, "id": "s1", "timestamp": "2025-01-15T10:00:00Z"}
    fork = {**head, "id": "s2", "timestamp": "2025-01-15T11:00:00Z"}
    fork["parentSession"] = "/home/me/.pi/agent/sessions/--home-me--/2025-01-15T10-00-00-000Z_s1.jsonl"

    def message(role, id_, parent, hour):
        content = [{"type": "text", "text": id_}]
        entry = {"type": "message", "id": id_, "parentId": parent, "timestamp": f"2025-01-15T{hour}:00Z"}
        return {**entry, "message": {"role": role, "content": content}}

    said_before = [message("user", "a", None, "10:01"), message("assistant", "b", "a", "10:02")]
    said_after = [message("user", "c", "b", "11:01"), message("assistant", "d", "c", "11:02")]
    [original] = pi.read(lines(first, *said_before))
    [copy, new] = pi.read(lines(fork, *said_before, *said_after))
    assert copy.origin == original.origin
    assert (new.origin.session, new.origin.id) == ("s2", "c")
