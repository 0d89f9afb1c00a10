"""OpenLegion's transcript and nano's database."""

from __future__ import annotations

import apsw

from memtool.store.external.transcript_files import open_transcript
from memtool.transcripts import nano, openai, openlegion
from memtool.verbs.history.import_ import recognise_transcript
from tests.transcripts.sources import lines, said, skipped

OPENLEGION = [
    {"role": "user", "content": "Book the kiln", "ts": 1736937000.25},
    {"role": "assistant", "content": "Looking", "ts": 1736937001.0, "turn_id": "t1", "partial": True},
    {"role": "system", "content": "a note", "ts": 1736937001.5},
    {
        "role": "assistant", "content": "It is booked", "ts": 1736937009.0, "turn_id": "t1",
        "tools": [{"name": "calendar", "status": "done", "inputPreview": '{"d": 1}', "outputPreview": "ok"}],
    },
    {"role": "user", "content": "Thanks", "ts": 1736937100.0},
]  # fmt: skip


def test_of_the_lines_of_a_turn_of_openlegion_the_last_counts_at_the_place_of_the_first():
    source = lines(*OPENLEGION)
    found = list(openlegion.read(source))
    assert said(found) == [
        [
            "user: Book the kiln",
            'assistant: calendar{"inputPreview": "{\\"d\\": 1}"}#t1-1',
            "tool: #t1-1 ok",
            "assistant: It is booked",
            "system: a note",
        ],
        ["user: Thanks"],
    ]
    assert [turn.at.timestamp() for turn in found] == [1736937000.25, 1736937100.0]
    assert found[0].origin.id == "1736937000.250000"
    assert recognise_transcript(source) == "openlegion"
    assert not openlegion.recognises(lines({"role": "user", "content": "x"}))


def test_a_time_of_openlegion_may_be_a_text():
    (turn,) = openlegion.read(lines({"role": "user", "content": "x", "ts": "2025-01-15T10:30:00.5Z"}))
    assert turn.origin.id == "1736937000.500000"


def test_a_line_of_openlegion_that_is_no_message_costs_that_line():
    found = list(openlegion.read(lines({"role": "user", "content": None, "ts": 1}, OPENLEGION[0])))
    assert skipped(found) == [(1, "the record is not an OpenLegion message")]
    assert said(found) == [["user: Book the kiln"]]


def test_each_chat_of_nanos_database_is_a_session_with_its_speakers(tmp_path):
    path = tmp_path / "messages.db"
    with apsw.Connection(str(path)) as database:
        database.execute(
            "CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT, sender_name TEXT, content TEXT,"
            " timestamp TEXT, is_from_me INTEGER, PRIMARY KEY (id, chat_jid))"
        )
        database.executemany(
            "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                ("2", "a@g", "fft", "FFT", "FFT: At noon", "2025-01-15T10:31:00.000Z", 1),
                ("1", "a@g", "7", "Nilufar", "When is the firing?", "2025-01-15T10:30:00.000Z", 0),
                ("1", "b@g", "8", "Olim", "Hello", "2025-01-14T10:30:00.000Z", 0),
            ],
        )
    database.close()
    source = open_transcript(str(path))
    found = list(nano.read(source))
    assert said(found) == [["user: When is the firing?", "assistant: At noon"], ["user: Hello"]]
    assert [(turn.origin.session, turn.messages[0].more["name"]) for turn in found] == [
        ("a@g", "Nilufar"),
        ("b@g", "Olim"),
    ]
    assert recognise_transcript(source) == "nano"
    assert not openai.recognises(source)
