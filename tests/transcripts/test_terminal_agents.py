"""Sessions of Qwen Code, Gemini CLI, opencode and Hermes, in the shapes that their sources document."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import apsw

from memtool.store.external.transcript_files import find_transcripts, open_transcript
from memtool.transcripts import gemini, hermes, opencode, qwen
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS, recognise_transcript
from tests.transcripts.sources import document, lines, said, skipped

AT = "2025-01-15T10:30:00.000Z"
MILLISECONDS = 1736937000000
SHOWN = [
    ["user: When is the kiln free?", "assistant: (look)", "assistant: Let me look.",
     'assistant: read{"p": "k.md"}#c1', "tool: #c1 Thursday", "assistant: On Thursday."],
    ["user: Thanks!", "assistant: You are welcome."],
]  # fmt: skip
"""What was said in each of the samples."""


# Qwen Code -----------------------------------------------------------------------------------------------


def qwen_line(kind, uuid, parent, *parts, **more):
    role = {"assistant": "model"}.get(kind, "user")
    return {"uuid": uuid, "parentUuid": parent, "sessionId": "s1", "timestamp": AT, "type": kind, "cwd": "/x",
            "version": "0.9", "message": {"role": role, "parts": list(parts)}, **more}  # fmt: skip


QWEN = [
    qwen_line("user", "u1", None, {"text": "When is the kiln free?"}),
    qwen_line("assistant", "a1", "u1", {"text": "look", "thought": True}, {"text": "Let me look."},
              {"functionCall": {"id": "c1", "name": "read", "args": {"p": "k.md"}}}),
    qwen_line("tool_result", "r1", "a1",
              {"functionResponse": {"id": "c1", "name": "read", "response": {"output": "Thursday"}}}),
    {"uuid": "y1", "parentUuid": "r1", "sessionId": "s1", "type": "system", "subtype": "ui_telemetry"},
    qwen_line("assistant", "a2", "y1", {"text": "On Thursday."}),
    qwen_line("user", "u2", "a2", {"text": "Never mind"}),
    qwen_line("user", "n1", "a2", {"text": "A task has ended."}, subtype="notification", provenance="system"),
    qwen_line("user", "u3", "n1", {"text": "Thanks!"}, provenance="real_user"),
    qwen_line("assistant", "a3", "u3", {"text": "You are welcome."}),
]  # fmt: skip


def test_qwens_lines_are_no_log_of_claude_code():
    log = lines(*QWEN)
    assert recognise_transcript(log) == "qwen"
    found = list(qwen.read(log))
    assert said(found) == SHOWN
    assert (found[0].origin.session, found[0].origin.id) == ("s1", "u1")
    assert found[0].at == datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


def test_what_a_hook_adds_to_a_prompt_of_qwen_is_not_the_users():
    added = "<qwen:user-prompt-submit-context>\n&lt;memory-context&gt;\nx\n</qwen:user-prompt-submit-context>"
    asked = qwen_line("user", "u1", None, {"text": "When is the kiln free?"}, {"text": added})
    assert said(list(qwen.read(lines(asked, *QWEN[1:])))) == SHOWN


# Gemini CLI ----------------------------------------------------------------------------------------------


def gemini_message(kind, id_, content, **more):
    return {"id": id_, "timestamp": AT, "type": kind, "content": content, **more}


GEMINI_HEAD = {"sessionId": "s1", "projectHash": "abc", "startTime": AT, "lastUpdated": AT}
CALL = {"id": "c1", "name": "read", "args": {"p": "k.md"}, "status": "success", "timestamp": AT, "result": [
    {"functionResponse": {"id": "c1", "name": "read", "response": {"output": "Thursday"}}}]}  # fmt: skip
GEMINI = [
    gemini_message("user", "m1", [{"text": "When is the kiln free?"}]),
    gemini_message("info", "m2", "Update available"),
    gemini_message("gemini", "m3", "Let me look.", thoughts=[{"subject": "look"}], toolCalls=[CALL]),
    gemini_message("gemini", "m4", "On Thursday."),
    gemini_message("user", "m5", "Thanks!"),
    gemini_message("gemini", "m6", [{"text": "You are welcome."}]),
]


def test_geminis_document_and_its_lines_are_the_same_turns():
    whole = document({**GEMINI_HEAD, "messages": GEMINI})
    changed = lines(
        GEMINI_HEAD,
        GEMINI[0],
        gemini_message("gemini", "m3", "Let me"),
        *GEMINI[1:4],
        gemini_message("user", "m9", "Never mind"),
        {"$rewindTo": "m9"},
        {"$set": {"lastUpdated": AT}},
        *GEMINI[4:],
    )
    listed = lines(GEMINI_HEAD, {"$set": {"messages": GEMINI[:2]}}, {"$set": {"messages": GEMINI}})
    for log in (whole, changed, listed):
        assert recognise_transcript(log) == "gemini"
        found = list(gemini.read(log))
        assert said(found) == SHOWN
        assert (found[0].origin.session, found[0].origin.id) == ("s1", "m1")


def gemini_hook(text):
    """A part with what a hook returned, as Gemini CLI 0.61 writes it."""
    return {
        "text": f"<hook_context>&lt;memory-context&gt;\n{text} & more\n&lt;/memory-context&gt;</hook_context>"
    }


def test_what_hooks_and_the_program_put_into_gemini_is_not_the_users():
    both = gemini_hook("one")["text"] + "\n\nWhen is the kiln free?"
    asked = gemini_message("user", "m1", [{"text": both}, gemini_hook("two")])
    repeated = gemini_message("user", "r1", CALL["result"])
    started = {"$set": {"messages": [gemini_message("user", "c1", [{"text": "<session_context>\nlinux"}])]}}
    alone = gemini_message("user", "h1", [gemini_hook("three")])
    log = lines(GEMINI_HEAD, started, alone, asked, *GEMINI[1:3], repeated, *GEMINI[3:])
    found = list(gemini.read(log))
    assert said(found) == SHOWN
    assert found[0].origin.id == "m1"


def test_a_session_of_gemini_that_was_compressed_and_resumed_has_each_turn_once():
    snapshot = gemini_message("user", "s1", [{"text": "<state_snapshot>kilns</state_snapshot>"}])
    thanks = gemini_message("gemini", "s2", [{"text": "Got it. Thanks for the additional context!"}])
    again = gemini_message("user", "s3", GEMINI[4]["content"])
    compressed = {"$set": {"messages": [snapshot, thanks, again]}}
    log = lines(GEMINI_HEAD, *GEMINI[:5], compressed, GEMINI[5])
    assert said(list(gemini.read(log))) == SHOWN
    resumed = lines(GEMINI_HEAD, *GEMINI[:4], GEMINI_HEAD, {"$set": {"messages": [GEMINI[3]]}}, *GEMINI[4:])
    found = list(gemini.read(resumed))
    assert said(found) == SHOWN
    assert [turn.origin.id for turn in found] == ["m1", "m5"]
    assert (gemini.newest_snapshot(log), gemini.newest_snapshot(resumed)) == ("s1", "")


def test_a_broken_line_of_gemini_costs_that_line():
    found = list(gemini.read(lines(GEMINI_HEAD, *GEMINI[:4], b"{", *GEMINI[4:])))
    assert said(found) == SHOWN
    assert [line for line, _ in skipped(found)] == [6]


def test_a_status_that_is_no_text_is_no_failure():
    calls = [{**CALL, "status": ["error"]}]
    found = list(
        gemini.read(lines(GEMINI_HEAD, GEMINI[0], gemini_message("gemini", "m3", "x", toolCalls=calls)))
    )
    assert not any(part.is_error for part in found[0].messages[-1].parts)
    tool = {"type": "tool", "callID": "c1", "tool": "read", "state": {"status": ["error"]}}
    messages = [OPENCODE["messages"][0], opencode_message("assistant", "msg_2", tool)]
    (turn,) = opencode.read(document({**OPENCODE, "messages": messages}))
    assert len(turn.messages) == 2  # without a result


# opencode ------------------------------------------------------------------------------------------------


def opencode_message(role, id_, *parts, **more):
    info = {"id": id_, "sessionID": "ses_1", "role": role, "time": {"created": MILLISECONDS}, **more}
    return {"info": info, "parts": [{"id": f"{id_}_{number}", **part} for number, part in enumerate(parts)]}


OPENCODE = {"info": {"id": "ses_1", "title": "Kilns"}, "messages": [
    opencode_message("user", "msg_1", {"type": "text", "text": "When is the kiln free?"},
                     {"type": "text", "text": "Called the Read tool", "synthetic": True}),
    opencode_message("assistant", "msg_2", {"type": "step-start"}, {"type": "reasoning", "text": "look"},
                     {"type": "text", "text": "Let me look."},
                     {"type": "tool", "callID": "c1", "tool": "read",
                      "state": {"status": "completed", "input": {"p": "k.md"}, "output": "Thursday"}}),
    opencode_message("assistant", "msg_3", {"type": "text", "text": "On Thursday."}),
    opencode_message("assistant", "msg_4", {"type": "text", "text": "A summary"}, summary=True),
    opencode_message("user", "msg_5", {"type": "text", "text": "Thanks!"}),
    opencode_message("assistant", "msg_6", {"type": "text", "text": "You are welcome."}),
]}  # fmt: skip


def opencode_database(path):
    with apsw.Connection(str(path)) as database:
        database.execute(
            "CREATE TABLE session (id, time_created);"
            "CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, session_id, data);"
            "INSERT INTO session VALUES ('ses_1', 1)"
        )
        for number, message in enumerate(OPENCODE["messages"]):
            info = {key: value for key, value in message["info"].items() if key not in {"id", "sessionID"}}
            row = (message["info"]["id"], "ses_1", number, json.dumps(info))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            for part in message["parts"]:
                row = (part["id"], message["info"]["id"], "ses_1", json.dumps(part))
                database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    return path


def test_what_a_fork_of_opencode_has_copied_is_read_with_the_session_that_it_comes_from(tmp_path):
    path = opencode_database(tmp_path / "opencode.db")
    with apsw.Connection(str(path)) as database:
        database.execute("INSERT INTO session VALUES ('ses_2', 50)")
        for id_, time, text in (("msg_8", 0, "When is the kiln free?"), ("msg_9", 60, "And in May?")):
            row = (id_, "ses_2", time, json.dumps({"role": "user", "time": {"created": time}}))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            part = json.dumps({"type": "text", "text": text})
            database.execute("INSERT INTO part VALUES (?, ?, 'ses_2', ?)", (f"prt_{id_}", id_, part))
    before = [turn.origin.key for turn in opencode.read(open_transcript(str(path), session="ses_1"))]
    forked = [turn.origin.id for turn in opencode.read(open_transcript(str(path), session="ses_2"))]
    assert (before[0], forked) == ("opencode\nses_1\nmsg_1", ["msg_9"])
    with apsw.Connection(str(path)) as database:
        database.execute("DELETE FROM message WHERE session_id = 'ses_1'")
    forked = [turn.origin.id for turn in opencode.read(open_transcript(str(path), session="ses_2"))]
    assert forked == ["msg_8", "msg_9"]  # nobody else has it now


def opencode_folders(folder):
    files = {f"session/global/{OPENCODE['info']['id']}.json": OPENCODE["info"]}
    for message in OPENCODE["messages"]:
        files[f"message/ses_1/{message['info']['id']}.json"] = message["info"]
        for part in message["parts"]:
            files[f"part/{message['info']['id']}/{part['id']}.json"] = part
    for name, value in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value))
    return folder


def test_opencodes_export_database_and_folders_are_the_same_turns(tmp_path):
    [session] = find_transcripts(str(opencode_folders(tmp_path / "storage")))
    database = open_transcript(str(opencode_database(tmp_path / "opencode.db")))
    for log in (document(OPENCODE, indent=2), database, open_transcript(session)):
        assert recognise_transcript(log) == "opencode"
        found = list(opencode.read(log))
        assert said(found) == SHOWN
        assert (found[0].origin.session, found[0].origin.id) == ("ses_1", "msg_1")


# Hermes --------------------------------------------------------------------------------------------------


HERMES = [
    {"role": "user", "content": "When is the kiln free?"},
    {"role": "assistant", "content": "Let me look.", "reasoning": "look", "finish_reason": "tool_calls",
     "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"p": "k.md"}'}}]},
    {"role": "tool", "content": "Thursday", "tool_call_id": "c1", "tool_name": "read"},
    {"role": "assistant", "content": "On Thursday."},
    {"role": "user", "content": "Thanks!"},
    {"role": "assistant", "content": "You are welcome."},
]  # fmt: skip


def hermes_database(path):
    with apsw.Connection(str(path)) as database:
        database.execute(
            "CREATE TABLE sessions (id, source, started_at);"
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content, tool_call_id, "
            "tool_calls, tool_name, timestamp, reasoning, active);"
            "INSERT INTO sessions VALUES ('20250115_103000_ab', 'cli', 1736937000.0)"
        )
        for message in [*HERMES[:4], {"role": "user", "content": "Never mind", "active": 0}, *HERMES[4:]]:
            calls = json.dumps(message["tool_calls"]) if "tool_calls" in message else None
            keys = ("role", "content", "tool_call_id", "tool_name", "reasoning")
            row = [message.get(key) for key in keys]
            database.execute(
                "INSERT INTO messages (session_id, role, content, tool_call_id, tool_name, reasoning, "
                "tool_calls, active, timestamp) VALUES ('20250115_103000_ab', ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, calls, message.get("active", 1), 1736937000.0),
            )
    return path


def test_hermes_database_and_session_file_are_the_same_turns(tmp_path):
    database = open_transcript(str(hermes_database(tmp_path / "state.db")))
    session = {"session_id": "20250115_103000_ab", "session_start": AT, "platform": "cli", "messages": HERMES}
    for log in (database, document(session, indent=2)):
        assert recognise_transcript(log) == "hermes"
        found = list(hermes.read(log))
        assert said(found) == SHOWN
        assert found[0].origin.session == "20250115_103000_ab"
        assert found[0].at == datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


def test_a_trajectory_of_hermes_is_a_conversation():
    shared = [{"from": "system", "value": "Help."}, {"from": "human", "value": "Hello"},
              {"from": "gpt", "value": "Hi"}]  # fmt: skip
    log = lines({"conversations": shared, "model": "m", "completed": True})
    assert recognise_transcript(log) == "hermes"
    assert said(list(hermes.read(log))) == [["system: Help.", "user: Hello", "assistant: Hi"]]


def test_another_programs_database_is_no_transcript(tmp_path):
    path = tmp_path / "shop.db"
    with apsw.Connection(str(path)) as database:
        database.execute("CREATE TABLE orders (id)")
    assert recognise_transcript(open_transcript(str(path))) is None
    for module in TRANSCRIPT_FORMATS.values():
        assert list(module.read(open_transcript(str(path)))) == []
