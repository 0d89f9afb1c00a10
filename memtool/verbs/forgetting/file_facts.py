"""What is known of a file as a whole, before its records are looked at: its name, owner, session and day."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from memtool.core.forgetting.selection import RecordFacts
from memtool.core.records.document import Document
from memtool.formats import json_records
from memtool.formats.syntax import frontmatter
from memtool.layouts.layout import LocatedFile
from memtool.transcripts.transcript import TurnOrigin

NAMED_ROLES = frozenset({"note", "memories", "episode", "session-buffer", "session-turns", "daily-note"})
"""Roles whose files are named after what they say, by a person, a model or a session."""
_DATE_KEYS = ("ended_at", "created", "date")


def file_facts(document: Document, located: LocatedFile, name: PurePosixPath) -> RecordFacts:
    """What is known of a file as a whole: what it is called, and what its frontmatter says of it."""
    named = _name_of(name, located) if located.role in NAMED_ROLES else ""
    keys = frontmatter.keys_or_empty(document.text) if document.text.startswith(("---", "\ufeff---")) else {}
    owner = keys.get("owner")
    session = keys.get("session_id") or (
        located.slots.get("name") if located.role in {"session-buffer", "session-turns"} else ""
    )
    title = keys.get("title") if located.role == "note" else ""
    dates = [str(keys[key])[:10] for key in _DATE_KEYS if keys.get(key)]
    day = day_of(located) or (dates[0] if dates else "")
    return RecordFacts(
        f"{named}\n{title or ''}".strip(),
        str(document.path),
        owner if isinstance(owner, str) else "",
        session if isinstance(session, str) else "",
        day,
    )


def turn_facts(facts: RecordFacts, value: dict[str, Any]) -> RecordFacts:
    """What is known of a turn as a whole."""
    record = json_records.described({**value, "messages": []}, (), 0)
    source = value.get("source")
    source = source if isinstance(source, dict) else {}
    origin = TurnOrigin(*(str(source.get(key, "")) for key in ("agent", "session", "id")))
    session = record.session or (origin.session if source else "")
    day = record.day or facts.day
    return RecordFacts("", facts.path, record.owner, session, day, turn=origin.key if source else "")


def _name_of(path: PurePosixPath, located: LocatedFile) -> str:
    """The words of a file's name that its place leaves open."""
    words = [str(value) for key, value in located.slots.items() if key != "day"]
    if "rest" in located.slots:
        words = [*path.parts[-str(located.slots["rest"]).count("/") - 1 : -1], path.stem]
    return " ".join(word.replace("-", " ").replace("_", " ").replace("/", " ") for word in words)


def day_of(located: LocatedFile) -> str:
    return located.day.isoformat() if located.day else ""
