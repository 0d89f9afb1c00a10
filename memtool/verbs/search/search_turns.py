"""Search of turns: the messages of the index that still are in their files."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath

from memtool.core.history.upgrade import UpgradedTurn
from memtool.core.records.document import etag_of
from memtool.core.records.hit import Hit, numbered_lines
from memtool.core.records.message_text import part_at, searchable_text
from memtool.core.records.request import SearchRequest
from memtool.core.records.search import SearchResponse
from memtool.core.records.turn import Message, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.core.search.embedder import Embedder
from memtool.core.search.query import Query, QueryFilter
from memtool.core.search.snippet import LineSnippet, best_snippet
from memtool.core.text.stems import stem
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats.syntax.json_text import line_of
from memtool.index.transcripts.transcript_filters import ROLE
from memtool.index.transcripts.transcript_hits import TranscriptHit
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turns import TurnSync, TurnView
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

_TEXT_LENGTH = 800
"""Characters of a message in a hit, around its snippet; as many as a chunk of a document has."""
_KEYS = {TextPart: "text", ReasoningPart: "text", ToolCall: "arguments", ToolResult: "content"}


def search_turns(
    workspace: Workspace,
    request: SearchRequest,
    index: TurnSync,
    query: Query,
    filters: Sequence[QueryFilter],
    limit: int,
    embedder: Embedder | None,
) -> SearchResponse:
    """The messages that answer a query, best first. One whose file has changed since is never returned."""

    def ask(view: TurnView) -> tuple[list[Hit], list[str]]:
        if embedder is not None:
            index.embed_messages(view, embedder)
        vectors_only = request.mode == "semantic"
        turn_hits = view.query(query, limit, filters, request.today, embedder, vectors_only=vectors_only)
        contents = current_contents(workspace, turn_hits)
        checked = [
            _hit(turn_hit, query, contents[turn_hit.path], request.context)
            for turn_hit in turn_hits
            if turn_hit.path in contents
        ]
        return checked, [turn_hit.path for turn_hit in turn_hits if turn_hit.path not in contents]

    view, hits, stale = index.search(ask)
    notices = [
        *view.notices,
        *(f"{path} was skipped, because it kept changing while it was being read" for path in stale),
    ]
    searched = f"turns searched: {view.index.count() if view.index else 0}"
    index.end_read()
    scores = (f"{hit.score:.3f}  {hit.path}:{hit.line}  ({hit.role})" for hit in hits)
    return SearchResponse(
        tuple(hits), tuple(dict.fromkeys(notices)), (searched, *scores), bool(view.unread or stale)
    )


def current_contents(workspace: Workspace, turn_hits: Sequence[TranscriptHit]) -> dict[str, bytes]:
    """The bytes of the files that still are what was indexed, by path, each read once."""
    folders: dict[str, dict[str, str]] = {}
    for turn_hit in turn_hits:
        folders.setdefault(turn_hit.folder, {})[turn_hit.name] = turn_hit.etag
    contents: dict[str, bytes] = {}
    for folder, etags in folders.items():
        with contextlib.suppress(UnreadableFile, OutsideWorkspace):
            for name, _, content in workspace.disk.read_files(PurePosixPath(folder), etags):
                if isinstance(content, bytes) and etag_of(content) == etags[name]:
                    contents[f"{folder}/{name}"] = content
    return contents


def _hit(turn_hit: TranscriptHit, query: Query, content: bytes, context: int) -> Hit:
    raw = content.decode("utf-8", "replace")
    number = turn_hit.number
    match read_turn(content):
        case CurrentTurn(turn):
            message = turn.messages[number]
            text = searchable_text(message)
            snippet = best_snippet(text, query, stem)
            line = line_in_file(raw, message, number, snippet.offset)
        case UpgradedTurn(turn):  # in a file of an old shape messages may have other numbers
            text = searchable_text(turn.messages[number])
            snippet = best_snippet(text, query, stem)
            line = best_snippet(raw, query, stem).offset + 1
        case _:
            text, snippet = raw, best_snippet(raw, query, stem)
            line = snippet.offset + 1
    lines = raw.split("\n") if context else []
    seq, speaker = turn_hit.seq, turn_hit.speaker_name or turn_hit.speaker
    return Hit(
        path=turn_hit.path,
        line=line,
        end_line=line,
        role=ROLE,
        source="transcript",
        score=turn_hit.score,
        snippet=snippet.text,
        spans=snippet.spans,
        text=_around(text, snippet),
        title="" if seq is None else f"turn {seq}, {speaker}",
        date=date.fromisoformat(turn_hit.day) if turn_hit.day else None,
        group=turn_hit.group or None,
        before=numbered_lines(lines, line - context, line - 1) if context else (),
        after=numbered_lines(lines, line + 1, line + context) if context else (),
        speaker=turn_hit.speaker or None,
        seq=seq,
        at=turn_hit.created_at or None,
    )


def line_in_file(raw: str, message: Message, number: int, offset: int) -> int:
    """The line of a turn's file with the part of message `number` that holds line `offset` of its text."""
    part = part_at(message, offset)
    return line_of(raw, ["messages", number, "parts", part, _KEYS[type(message.parts[part])]])


def _around(text: str, snippet: LineSnippet) -> str:
    """The text, or of a long one whole lines around the snippet."""
    if len(text) <= _TEXT_LENGTH:
        return text
    lines = text.split("\n")
    first = last = min(snippet.offset, len(lines) - 1)
    size = len(lines[first])
    while size < _TEXT_LENGTH and (first > 0 or last < len(lines) - 1):
        if last < len(lines) - 1:
            last += 1
            size += len(lines[last]) + 1
        if first > 0 and size < _TEXT_LENGTH:
            first -= 1
            size += len(lines[first]) + 1
    around = "\n".join(lines[first : last + 1])
    start = max(0, around.find(snippet.text.strip("…")[:40]) - _TEXT_LENGTH // 2)
    return around if len(around) <= 2 * _TEXT_LENGTH else around[start : start + _TEXT_LENGTH]
