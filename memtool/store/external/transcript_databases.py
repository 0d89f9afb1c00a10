"""Databases of agents outside the tree: their conversations as lines of JSON, one reader an agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.errors import UnreadableFile


class TranscriptDatabase:
    """The SQLite database of an agent, as lines of JSON; with a `session`, only that one's, or that chat's.

    Of OpenClaw, each event is a line, after a line that names the session. Of opencode and Hermes, each
    session is a line in the form of their exports. Of nano, each message is a line, in the order of its chat.
    """

    is_complete = True

    def __init__(self, name: str, session: str | None = None) -> None:
        self.name = name
        self._session = session

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number; none of another program's database. Raises UnreadableFile."""
        import apsw

        try:
            flags = apsw.SQLITE_OPEN_READONLY
            with apsw.Connection(self.name, flags=flags) as database:
                database.set_busy_timeout(2000)
                database.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
                tables = {str(name) for (name,) in database.execute("SELECT name FROM sqlite_schema")}
                if "transcript_events" in tables:
                    read = _openclaw_lines
                elif {"session", "message", "part"} <= tables:
                    read = _opencode_lines
                elif {"sessions", "messages"} <= tables:
                    read = _hermes_lines
                elif "messages" in tables:
                    read = _nano_lines
                else:
                    return
                yield from enumerate(read(database, self._session), 1)
        except apsw.Error as error:
            raise UnreadableFile(
                f"{self.name} cannot be read as the database of a known agent: {error}"
            ) from error

    def blocks(self) -> Iterator[bytes]:
        """The same lines as blocks."""
        for _, line in self.lines():
            yield line + b"\n"


def _openclaw_lines(database: Any, session: str | None) -> Iterator[bytes]:
    last = None
    for id_, event in database.execute(
        "SELECT session_id, event_json FROM transcript_events"
        " WHERE ?1 IS NULL OR session_id = ?1 ORDER BY session_id, seq",
        (session,),
    ):
        if id_ != last:
            last = id_
            header = {"type": "session", "id": str(id_), "version": 3, "agent": "openclaw"}
            yield json.dumps(header).encode()
        yield event if isinstance(event, bytes) else str(event).encode("utf-8", "replace")


def _nano_lines(database: Any, session: str | None) -> Iterator[bytes]:
    keys = ("id", "chat_jid", "sender", "sender_name", "content", "timestamp", "is_from_me")
    rows = database.execute(
        f"SELECT {', '.join(keys)} FROM messages"  # noqa: S608
        " WHERE ?1 IS NULL OR chat_jid = ?1 ORDER BY chat_jid, timestamp, rowid",
        (session,),
    )
    for row in rows:
        yield json.dumps(dict(zip(keys, row, strict=True)), default=str).encode()


_OPENCODE_MESSAGES = """
    SELECT message.id, message.data FROM message JOIN session ON session.id = message.session_id
    WHERE session.id = ?1 AND NOT (
        message.time_created < session.time_created AND EXISTS (
            SELECT 1 FROM message AS original JOIN session AS source ON source.id = original.session_id
            WHERE original.time_created = message.time_created AND source.time_created < session.time_created
            AND json_extract(original.data, '$.role') = json_extract(message.data, '$.role')
        )
    )
    ORDER BY message.time_created, message.id
"""
"""The messages of a session, without those that a fork has copied, whose times are older than the fork.

Their ids are new, so they would be other turns; the session that they come from still has them.
"""


def _opencode_lines(database: Any, session: str | None) -> Iterator[bytes]:
    sessions = database.execute(
        "SELECT id FROM session WHERE ?1 IS NULL OR id = ?1 ORDER BY time_created, id", (session,)
    ).fetchall()
    for (id_,) in sessions:
        parts: dict[str, list[Any]] = {}
        for message, data in database.execute(
            "SELECT message_id, data FROM part WHERE session_id = ?1 ORDER BY message_id, id", (id_,)
        ):
            parts.setdefault(message, []).append(decoded(data))
        messages = [
            {"info": {**decoded(data), "id": message}, "parts": parts.get(message, [])}
            for message, data in database.execute(_OPENCODE_MESSAGES, (id_,))
        ]
        yield json.dumps({"info": {"id": id_}, "messages": messages}).encode()


def _hermes_lines(database: Any, session: str | None) -> Iterator[bytes]:
    sessions = database.execute(
        "SELECT id, source, started_at FROM sessions WHERE ?1 IS NULL OR id = ?1 ORDER BY started_at, id",
        (session,),
    ).fetchall()
    for id_, source, began in sessions:
        cursor = database.execute("SELECT * FROM messages WHERE session_id = ?1 ORDER BY id", (id_,))
        messages = [
            {key: value for key, value in row.items() if not isinstance(value, bytes)}
            for row in (
                dict(zip((column for column, *_ in cursor.get_description()), values, strict=True))
                for values in cursor
            )
            if row.get("active", 1) or row.get("compacted")  # others were taken back by the user
        ]
        yield json.dumps({"id": id_, "source": source, "started_at": began, "messages": messages}).encode()


def decoded(text: Any) -> dict[str, Any]:
    """The object that a JSON text is; empty for anything else."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
