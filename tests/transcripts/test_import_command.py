"""`memtool import FILE` recognises a client's file by its content, and stores its turns."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import apsw
import pytest

from tests.hooks import PAGES
from tests.transcripts.sources import document, lines
from tests.trees import make, memtool

ASKED, ANSWERED, THANKED = "How hot is the kiln?", "At 1240 degrees.", "Thanks!"
AT, SECONDS = "2025-01-15T10:30:00.000Z", 1736937000.0


def hermes() -> bytes:
    messages = [{"role": role, "content": text} for role, text in speech("user", "assistant")]
    return document(
        {"session_id": "s1", "session_start": AT, "platform": "cli", "messages": messages}
    ).content


def claude_ai() -> bytes:
    messages = [
        {"uuid": f"m{number}", "sender": sender, "text": text, "created_at": AT}
        for number, (sender, text) in enumerate(speech("human", "assistant"))
    ]
    return document([{"uuid": "c1", "name": "Kilns", "chat_messages": messages}]).content


def chatgpt() -> bytes:
    nodes = {
        f"n{number}": {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else None,
            "children": [f"n{number + 1}"] if number < 2 else [],
            "message": {
                "id": f"n{number}",
                "author": {"role": role},
                "create_time": SECONDS + number,
                "content": {"content_type": "text", "parts": [text]},
                "recipient": "all",
            },
        }
        for number, (role, text) in enumerate(speech("user", "assistant"))
    }
    return document([{"conversation_id": "c1", "current_node": "n2", "mapping": nodes}]).content


def openlegion() -> bytes:
    return lines(
        *(
            {"role": role, "content": text, "ts": SECONDS + number}
            for number, (role, text) in enumerate(speech("user", "assistant"))
        )
    ).content


def nano() -> bytes:
    database = apsw.Connection(":memory:")
    database.execute(
        "CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT, sender_name TEXT, content TEXT,"
        " timestamp TEXT, is_from_me INTEGER, PRIMARY KEY (id, chat_jid))"
    )
    for number, (sender, text) in enumerate(speech("Olim", "FFT")):
        said = f"FFT: {text}" if sender == "FFT" else text
        row = (str(number), "a@g", sender, sender, said, f"2025-01-15T10:3{number}:00Z", sender == "FFT")
        database.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return database.serialize("main")


def speech(user: str, assistant: str) -> list[tuple[str, str]]:
    """Who says what in each of the files."""
    return [(user, ASKED), (assistant, ANSWERED), (user, THANKED)]


FILES = {
    "hermes": ("session.json", hermes),
    "claude-ai": ("conversations.json", claude_ai),
    "chatgpt": ("conversations.json", chatgpt),
    "nano": ("messages.db", nano),
    "openlegion": ("chat_transcript.jsonl", openlegion),
}


def imported(tmp_path: Path, file: Path) -> str:
    """What the import of a file into a new workspace prints."""
    root = make(tmp_path / "w", PAGES)
    done = memtool("--root", str(root), "import", str(file), home=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout


def replayed(tmp_path: Path) -> list[list[tuple[str, str]]]:
    """The role and text of each message of each turn of the workspace."""
    done = memtool("--json", "--root", str(tmp_path / "w"), "replay", home=tmp_path)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    return [
        [(message["role"], part["text"]) for message in turn for part in message["parts"]]
        for _, turn in itertools.groupby(messages, lambda message: message["seq"])
    ]


@pytest.mark.parametrize("client", FILES)
def test_a_file_is_imported_without_the_name_of_its_client(tmp_path, client):
    name, content = FILES[client]
    file = tmp_path / name
    file.write_bytes(content())
    assert imported(tmp_path, file) == f"{file}\t{client}\t2 imported\n"
    assert replayed(tmp_path) == [[("user", ASKED), ("assistant", ANSWERED)], [("user", THANKED)]]


OLD_CLINE = [
    {"role": "user", "content": [
        {"type": "text", "text": f"<task>\n{ASKED}\n</task>"},
        {"type": "text", "text": "<environment_details>\n# Visible Files\nkiln.md\n</environment_details>"}]},
    {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
    {"role": "user", "content": [
        {"type": "text", "text": "[read_file for 'kiln.md'] Result:"},
        {"type": "text", "text": "1240"},
        {"type": "text", "text": "<environment_details>\n# Current Time\n10:30\n</environment_details>"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    {"role": "user", "content": [
        {"type": "text", "text": f"[attempt_completion] Result:\n<feedback>\n{THANKED}\n</feedback>"}]},
]  # fmt: skip


def test_of_clines_older_files_only_what_the_user_typed_is_the_users(tmp_path):
    file = tmp_path / "1736937000" / "api_conversation_history.json"
    file.parent.mkdir()
    file.write_bytes(document(OLD_CLINE).content)
    assert imported(tmp_path, file) == f"{file}\tcline\t2 imported\n"
    said = [("user", ASKED), ("assistant", ANSWERED), ("assistant", "Done.")]
    assert replayed(tmp_path) == [said, [("user", THANKED)]]


GOOSE = [
    {"role": "user", "created": 1736937000, "content": [{"type": "text", "text": ASKED}]},
    {"role": "assistant", "created": 1736937001, "content": [
        {"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": {"name": "read"}}}]},
    {"role": "user", "created": 1736937002, "content": [
        {"type": "toolResponse", "id": "t1", "toolResult": {"status": "success", "value": []}}]},
    {"role": "assistant", "created": 1736937003, "content": [{"type": "text", "text": ANSWERED}]},
]  # fmt: skip


def test_a_session_of_goose_is_refused_and_its_tool_calls_are_never_stored_as_text(tmp_path):
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines(*GOOSE).content)
    root = make(tmp_path / "w", PAGES)
    refused = memtool("--root", str(root), "import", str(file), home=tmp_path)
    assert refused.returncode == 2
    assert "session.jsonl is not in a known transcript format" in refused.stderr
    named = memtool("--root", str(root), "import", "openai", str(file), home=tmp_path)
    assert (
        ":2: the record has a block of type 'toolRequest', which is not part of OpenAI's or Anthropic's format"
        in named.stderr
    )
    assert replayed(tmp_path) == [[("user", ASKED), ("assistant", ANSWERED)]]
