"""search: ask the index, check every hit against its file, and show the line that answers best."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.hit import Hit, numbered
from memtool.core.search.fusion import reciprocal_rank_fusion
from memtool.core.search.query import Days, Filter, Only, Query, parse_query
from memtool.core.search.snippet import best_line
from memtool.core.text.stems import stem
from memtool.errors import MemtoolError
from memtool.index.documents.documents import overlay
from memtool.index.embed import Embedder
from memtool.index.engine import EngineHit
from memtool.index.transcripts.transcript_filters import ROLE as TURNS
from memtool.index.vector_cache import CachingEmbedder
from memtool.store.files import private
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import heard, readable_groups
from memtool.verbs.indexing.documents import DocumentSync, DocumentView
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.search.answer import Answer, Question
from memtool.verbs.search.large import records
from memtool.verbs.search.search_turns import search_turns

_MOST = 2**31 - 1
"""No question is answered by more hits, and SQLite counts as far."""


class _Part(Struct, frozen=True):
    """What one kind of source has to say."""

    hits: list[Hit]
    notices: list[str]
    missed: bool
    details: tuple[str, ...]


def search(
    workspace: Workspace, question: Question, shelves: SearchIndexes, embedder: Embedder | None = None
) -> Answer:
    """What answers a question, best first, as the files say it at this moment.

    Documents and turns are searched apart, each in its own index, and their hits fused. A hit whose file has
    changed since it was indexed is never shown: the index is brought in line and asked again. With an
    embedder what means the like counts beside what says the same. Raises BadUsage for a role that the layout
    does not have, and DelegateFailed for an embedder that fails.
    """
    query = parse_query(question.text)
    if not (query.words or query.must or query.filters):
        return Answer((), ("there is nothing to look for: the query holds no word",))
    filters = _filters(workspace, question)
    if embedder is not None:
        if workspace.writes:
            folder = os.path.join(private.folder(workspace.root), "vectors")
            embedder = CachingEmbedder(embedder, folder)
        # its model has a name once it has answered; a command runs once for both that may be asked
        from memtool.core.search.address import addressed, capitalised

        embedder.questions([query.text, addressed(query.text, capitalised(query.text))])
    limit = min(question.limit or workspace.settings["search.limit"], _MOST)
    parts: list[_Part] = []
    if _asks(query, filters, lambda role: role != TURNS):
        parts.append(_documents(workspace, question, shelves.documents, query, filters, limit, embedder))
    if _asks(query, filters, lambda role: role == TURNS):
        found = search_turns(
            workspace,
            shelves.turns,
            query,
            filters,
            limit,
            question.context,
            question.today,
            embedder,
        )
        looked = f"looked into {found.looked} turns"
        parts.append(_Part([*found.hits], [*found.notices], found.missed, (looked, *_scores(found.hits))))
    if isinstance(embedder, CachingEmbedder):
        embedder.save()
    lists = [part.hits for part in parts if part.hits]
    hits = lists[0] if len(lists) == 1 else []
    if len(lists) > 1:
        hits = [replace(hit, score=score) for hit, score in reciprocal_rank_fusion(lists)][:limit]
    notices = [*_unknown_roles(workspace, query), *(one for part in parts for one in part.notices)]
    heads = "; ".join(part.details[0] for part in parts)
    details = (heads, *(line for part in parts for line in part.details[1:]))
    notices = heard(workspace, question.group, notices)
    return Answer(tuple(hits), tuple(notices), not hits and any(part.missed for part in parts), details)


def _asks(query: Query, filters: Sequence[Filter], kind: Callable[[str], bool]) -> bool:
    """Whether the question admits a role of this kind."""
    asked = [
        one.values
        for one in (*query.filters, *filters)
        if isinstance(one, Only) and one.field == "role" and not one.without
    ]
    return all(any(kind(role) for role in values) for values in asked)


def _documents(
    workspace: Workspace,
    question: Question,
    shelf: DocumentSync,
    query: Query,
    filters: Sequence[Filter],
    limit: int,
    embedder: Embedder | None,
) -> _Part:
    """The chunks of documents that answer, best first."""

    def ask(view: DocumentView) -> tuple[tuple[list[EngineHit], list[Hit]], list[str]]:
        found = view.index.query(query, limit, filters=filters, today=question.today, embedder=embedder)
        hits, stale = _checked(workspace, view, found, query, question.context)
        return (found, hits), stale

    view, (found, hits), stale = shelf.search(ask)
    notices = [*view.notices, *(f"{path} changes faster than it can be read; left out" for path in stale)]
    if view.large:
        through = overlay(None, records(workspace, view.large, query, notices))
        lines = through.query(query, limit, filters=filters, today=question.today, embedder=embedder)
        hits = [hit for hit, _ in reciprocal_rank_fusion([hits, [_hit(one, query) for one in lines]])][:limit]
    return _Part(hits, notices, bool(view.unread or stale), _details(view, found))


def _unknown_roles(workspace: Workspace, query: Query) -> list[str]:
    """A sentence for each role in the query itself that no file of this layout can have."""
    asked = [
        value
        for one in query.filters
        if isinstance(one, Only) and one.field == "role"
        for value in one.values
    ]
    name = workspace.layout.name
    return [f"the {name} layout has no role {role!r}" for role in asked if not workspace.has(role)]


def _filters(workspace: Workspace, question: Question) -> list[Filter]:
    filters: list[Filter] = []
    if question.roles and "all" not in question.roles:
        for role in question.roles:
            workspace.layout.place(role)
        filters.append(Only("role", question.roles))
    if question.path is not None:
        filters.append(Only("path", (question.path,)))
    if question.group is not None:
        filters.append(Only("group", readable_groups(workspace, question.group)))
    if question.since is not None or question.until is not None:
        filters.append(Days(question.since, question.until))
    return filters


def _checked(
    workspace: Workspace, view: DocumentView, found: Sequence[EngineHit], query: Query, context: int
) -> tuple[list[Hit], list[str]]:
    """The hits whose file still says what was indexed, and the paths of the others."""
    texts: dict[str, list[str] | None] = {}
    hits: list[Hit] = []
    for one in found:
        if one.path not in texts:
            texts[one.path] = _lines(workspace, view, one.path)
        lines = texts[one.path]
        if lines is None:
            continue
        hits.append(_hit(one, query, lines, context))
    return hits, [path for path, lines in texts.items() if lines is None]


def _hit(one: EngineHit, query: Query, lines: Sequence[str] = (), context: int = 0) -> Hit:
    shown = best_line(one.text, query, stem)
    line = one.first + shown.offset
    fact = _fact(one, lines, line)
    return Hit(
        path=one.path,
        line=line,
        end_line=one.last,
        role=one.role,
        source="document" if fact is None else "fact",
        score=one.score,
        snippet=shown.text,
        spans=shown.spans,
        text=one.text,
        title=one.title,
        date=one.day,
        group=one.group or None,
        before=numbered(lines, line - context, line - 1) if context and lines else (),
        after=numbered(lines, line + 1, line + context) if context and lines else (),
        id=fact,
    )


def _fact(one: EngineHit, lines: Sequence[str], line: int) -> str | None:
    """The id of the active fact that a line of a semantic file states."""
    if one.role != "semantic" or not lines:
        return None
    from memtool.formats import semantic

    record = semantic.Line(lines[line - 1]).record
    if record is None or record.superseded:
        return None
    if record.id:  # as memtool writes it; the rest is imported for lines that people wrote
        return record.id
    from memtool.core.facts.fact import name_of

    return name_of(record)


def _lines(workspace: Workspace, view: DocumentView, path: str) -> list[str] | None:
    """The lines of a file if it is the text that was indexed."""
    try:
        document = workspace.read(PurePosixPath(path))
    except MemtoolError:
        return None
    if document is None or document.etag != view.stamps[path].etag:
        return None
    return document.text.split("\n")


def _details(view: DocumentView, found: Sequence[EngineHit]) -> tuple[str, ...]:
    looked = f"looked into {len(view.stamps)} documents" + (
        f" and {len(view.large)} large files" if view.large else ""
    )
    return (looked, *(f"{hit.score:.3f}  {hit.path}:{hit.first}-{hit.last}  ({hit.role})" for hit in found))


def _scores(hits: Sequence[Hit]) -> tuple[str, ...]:
    return tuple(f"{hit.score:.3f}  {hit.path}:{hit.line}  ({hit.role})" for hit in hits)
