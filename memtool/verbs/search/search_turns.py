"""search in turns: the messages that answer, as their files say them at this moment."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.history.upgrade import Upgraded
from memtool.core.records.hit import Hit, numbered
from memtool.core.records.message_text import part_at, spoken
from memtool.core.records.turn import Message, Reasoning, Text, ToolCall, ToolResult
from memtool.core.search.query import Filter, Query
from memtool.core.search.snippet import Snippet, best_line
from memtool.core.text.stems import stem
from memtool.errors import OutsideWorkspace, Unreadable
from memtool.formats.syntax.json_places import line_of
from memtool.index.embed import Embedder
from memtool.index.transcripts.transcript_filters import ROLE
from memtool.index.transcripts.transcript_search import TranscriptHit
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turns import TurnSync, TurnView
from memtool.verbs.turns.turn_file import Current, read_turn

_LONGEST = 800
"""Characters of a message that a hit carries, around the line that was found; those of a document's chunk."""
_KEYS = {Text: "text", Reasoning: "text", ToolCall: "arguments", ToolResult: "content"}


class Found(Struct, frozen=True):
    """The hits in turns, best first; what is worth knowing; and whether something could not be looked at."""

    hits: tuple[Hit, ...]
    notices: tuple[str, ...]
    missed: bool
    looked: int


def search_turns(
    workspace: Workspace,
    shelf: TurnSync,
    query: Query,
    filters: Sequence[Filter],
    limit: int,
    context: int,
    today: date | None = None,
    embedder: Embedder | None = None,
) -> Found:
    """The messages that answer a query. One whose file has changed since it was indexed is never shown."""

    def ask(view: TurnView) -> tuple[list[Hit], list[str]]:
        if embedder is not None:
            shelf.understand(view, embedder)
        found = view.query(query, limit, filters, today, embedder)
        contents = _contents(workspace, found)
        hits = [_hit(one, query, contents[one.path], context) for one in found if one.path in contents]
        return hits, [one.path for one in found if one.path not in contents]

    view, hits, stale = shelf.search(ask)
    notices = [
        *view.notices,
        *(f"{path} changes faster than it can be read; left out" for path in stale),
    ]
    looked = view.index.count() if view.index else 0
    shelf.rest()
    return Found(tuple(hits), tuple(dict.fromkeys(notices)), bool(view.unread or stale), looked)


def _contents(workspace: Workspace, found: Sequence[TranscriptHit]) -> dict[str, bytes]:
    """What the files of hits say, by path: those that are what was indexed, each read once."""
    folders: dict[str, dict[str, str]] = {}
    for one in found:
        folders.setdefault(one.folder, {})[one.name] = one.etag
    contents: dict[str, bytes] = {}
    for folder, names in folders.items():
        with contextlib.suppress(Unreadable, OutsideWorkspace):
            for name, _, content in workspace.disk.files(PurePosixPath(folder), names):
                if isinstance(content, bytes) and etag_of(content) == names[name]:
                    contents[f"{folder}/{name}"] = content
    return contents


def _hit(one: TranscriptHit, query: Query, content: bytes, context: int) -> Hit:
    raw = content.decode("utf-8", "replace")
    match read_turn(content):
        case Current(turn):
            message = turn.messages[one.number]
            text = spoken(message)
            shown = best_line(text, query, stem)
            line = line_in_file(raw, message, one.number, shown.offset)
        case Upgraded(turn):  # in a file of an old shape messages may have other numbers
            text = spoken(turn.messages[one.number])
            shown = best_line(text, query, stem)
            line = best_line(raw, query, stem).offset + 1
        case _:
            text, shown = raw, best_line(raw, query, stem)
            line = shown.offset + 1
    lines = raw.split("\n") if context else []
    return Hit(
        path=one.path,
        line=line,
        end_line=line,
        role=ROLE,
        source="transcript",
        score=one.score,
        snippet=shown.text,
        spans=shown.spans,
        text=_around(text, shown),
        title="" if one.seq is None else f"turn {one.seq}, {one.called or one.speaker}",
        date=date.fromisoformat(one.day) if one.day else None,
        group=one.group or None,
        before=numbered(lines, line - context, line - 1) if context else (),
        after=numbered(lines, line + 1, line + context) if context else (),
        speaker=one.speaker or None,
        seq=one.seq,
        at=one.created_at or None,
    )


def line_in_file(raw: str, message: Message, number: int, offset: int) -> int:
    """The line of the file where the part stands that a line of the message's words is from."""
    part = part_at(message, offset)
    return line_of(raw, ["messages", number, "parts", part, _KEYS[type(message.parts[part])]])


def _around(text: str, shown: Snippet) -> str:
    """The text, or of a long one whole lines around the one that is shown."""
    if len(text) <= _LONGEST:
        return text
    lines = text.split("\n")
    first = last = min(shown.offset, len(lines) - 1)
    size = len(lines[first])
    while size < _LONGEST and (first > 0 or last < len(lines) - 1):
        if last < len(lines) - 1:
            last += 1
            size += len(lines[last]) + 1
        if first > 0 and size < _LONGEST:
            first -= 1
            size += len(lines[first]) + 1
    around = "\n".join(lines[first : last + 1])
    at = max(0, around.find(shown.text.strip("…")[:40]) - _LONGEST // 2)
    return around if len(around) <= 2 * _LONGEST else around[at : at + _LONGEST]
