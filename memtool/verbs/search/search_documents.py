"""Search of documents: the chunks of the index that still are the text of their files, and large files."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.core.context.filled import filled_text
from memtool.core.records.document import Chunk
from memtool.core.records.hit import Hit, numbered_lines
from memtool.core.records.request import SearchRequest
from memtool.core.records.search import SearchResponse
from memtool.core.search.embedder import Embedder
from memtool.core.search.fusion import limit_by_path, reciprocal_rank_fusion
from memtool.core.search.query import Query, QueryFilter
from memtool.core.search.snippet import LineSnippet, best_snippet
from memtool.core.text.folding import search_fold
from memtool.core.text.stems import stem
from memtool.core.text.tokenizer import word_set
from memtool.errors import MemtoolError
from memtool.index.documents.document_index import Overlay, overlay
from memtool.index.engine import ChunkHit, DocumentRecord, FileStamp
from memtool.layouts.layout import Layout
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.document_diff import DocumentView, read_indexed
from memtool.verbs.indexing.documents import DocumentSync

if TYPE_CHECKING:
    from memtool.fleet.fleet_source import FleetSource

_RANKED_LINES = 2_000
"""Lines of a large file that are ranked: those that hold most of the words, the first of equals."""
_LINE_LENGTH = 800
"""Characters of such a line that are ranked."""
_DEEPER = 4
_DEEPEST = 64
"""Where one file has most of the hits, so many times more are asked for, up to so many times the limit."""


def search_documents(
    workspace: Workspace,
    request: SearchRequest,
    index: DocumentSync,
    query: Query,
    filters: Sequence[QueryFilter],
    limit: int,
    embedder: Embedder | None,
    fleet: FleetSource | None = None,
) -> SearchResponse:
    """The chunks of documents that answer a query, best first; of one file at most half (`limit_by_path`).

    Chunks that have only lines of the text that their file was created with are left out.
    With a fleet, its chunks are ranked among those of the workspace, as if they were in one index.
    """
    vectors_only = request.mode == "semantic"
    if fleet is not None:
        fleet.load_query(query, filters)

    def ask(view: DocumentView) -> tuple[tuple[list[ChunkHit], list[Hit]], list[str]]:
        searched = view.index if fleet is None else Overlay([*view.index.sources(), fleet])
        chunk_hits = _limited(
            workspace.layout,
            lambda depth: searched.query(
                query,
                depth,
                filters=filters,
                today=request.today,
                embedder=embedder,
                vectors_only=vectors_only,
            ),
            limit,
        )
        checked, changed = _check(workspace, view, chunk_hits, query, request.context, fleet)
        return (chunk_hits, checked), changed

    view, (engine_hits, hits), stale = index.search(ask)
    index.end_read()
    notices = [
        *view.notices,
        *(f"{path} was skipped, because it kept changing while it was being read" for path in stale),
    ]
    unread: list[str] = []
    if view.large:
        lines = overlay(None, _large_records(workspace, view.large, query, notices, unread))
        line_hits = lines.query(
            query, limit, filters=filters, today=request.today, embedder=embedder, vectors_only=vectors_only
        )
        lists = [hits, [_hit(line_hit, query) for line_hit in line_hits]]
        hits = limit_by_path([hit for hit, _ in reciprocal_rank_fusion(lists)], limit)
    is_incomplete = bool(view.unread or stale or unread)
    return SearchResponse(tuple(hits), (*notices, *unread), _details(view, engine_hits), is_incomplete)


def _limited(layout: Layout, ask: Callable[[int], Sequence[ChunkHit]], limit: int) -> list[ChunkHit]:
    """The best filled hits by `limit_by_path`; more are asked for where others leave no room for them."""
    depth = limit
    while True:
        hits = ask(depth)
        limited = limit_by_path([hit for hit in hits if _is_filled(layout, hit)], limit)
        has_others = len({hit.path for hit in limited}) > 1
        if len(hits) < depth or depth >= limit * _DEEPEST or (has_others and len(limited) == limit):
            return limited
        depth *= _DEEPER


def _is_filled(layout: Layout, hit: ChunkHit) -> bool:
    """Whether a chunk has more than its file had before anybody wrote to it."""
    return bool(filled_text(hit.text, unfilled_text(layout, PurePosixPath(hit.path), hit.role)))


def _check(
    workspace: Workspace,
    view: DocumentView,
    engine_hits: Sequence[ChunkHit],
    query: Query,
    context: int,
    fleet: FleetSource | None,
) -> tuple[list[Hit], list[str]]:
    """The hits whose file still is the text that was indexed, and the paths of the other files.

    Files of other trees cannot be checked: their hits say as of when they are.
    """
    texts: dict[str, list[str] | None] = {}
    hits: list[Hit] = []
    for engine_hit in engine_hits:
        path = engine_hit.path
        if fleet is not None and (origin := fleet.origins.get(path)):
            hit = _hit(engine_hit, query)
            as_of = origin.as_of.isoformat(timespec="seconds")
            hits.append(hit._replace(path=origin.path, tree=origin.tree, etag=origin.etag, as_of=as_of))
            continue
        if path not in texts:
            document = read_indexed(workspace, view, path)
            texts[path] = None if document is None else document.text.split("\n")
        lines = texts[path]
        if lines is not None:
            hit = _hit(engine_hit, query, lines, context)
            hits.append(hit if fleet is None else hit._replace(etag=view.stamps[path].etag))
    return hits, [path for path, lines in texts.items() if lines is None]


def _hit(engine_hit: ChunkHit, query: Query, lines: Sequence[str] = (), context: int = 0) -> Hit:
    snippet = best_snippet(engine_hit.text, query, stem)
    if engine_hit.title and not any(map(str.isalnum, snippet.text)):  # `---`: only title or tags match
        title = best_snippet(engine_hit.title, query, stem)
        snippet = LineSnippet(snippet.offset, title.text, title.spans)
    line = engine_hit.first + snippet.offset
    fact = _fact_id(engine_hit.role, lines, line)
    return Hit(
        path=engine_hit.path,
        line=line,
        end_line=engine_hit.last,
        role=engine_hit.role,
        source="document" if fact is None else "fact",
        score=engine_hit.score,
        snippet=snippet.text,
        spans=snippet.spans,
        text=engine_hit.text,
        title=engine_hit.title,
        date=engine_hit.day,
        group=engine_hit.group or None,
        before=numbered_lines(lines, line - context, line - 1) if context and lines else (),
        after=numbered_lines(lines, line + 1, line + context) if context and lines else (),
        id=fact,
    )


def _fact_id(role: str, lines: Sequence[str], line: int) -> str | None:
    """The id of the active fact on a line of a semantic file."""
    if role != "semantic" or not lines:
        return None
    from memtool.formats import semantic

    record = semantic.SemanticLine(lines[line - 1]).record
    if record is None or record.superseded:
        return None
    if record.id:  # as memtool writes it; the rest is imported for lines that people wrote
        return record.id
    from memtool.core.facts.identity import record_id

    return record_id(record)


def _details(view: DocumentView, engine_hits: Sequence[ChunkHit]) -> tuple[str, ...]:
    searched = f"documents searched: {len(view.stamps)}" + (
        f"; large files searched without the index: {len(view.large)}" if view.large else ""
    )
    return (
        searched,
        *(f"{hit.score:.3f}  {hit.path}:{hit.first}-{hit.last}  ({hit.role})" for hit in engine_hits),
    )


def _large_records(
    workspace: Workspace, paths: Sequence[str], query: Query, notices: list[str], unread: list[str]
) -> list[DocumentRecord]:
    """For each file that is too large for the index, the lines with a word of the query, as a document.

    Memory stays bounded however long the file; a file that cannot be read is named in `unread`.
    """
    words = sorted(word_set(search_fold(query.text)))
    records: list[DocumentRecord] = []
    for path in paths:
        located = workspace.role_of(path)
        if located is None:
            continue
        try:
            chunks = _matching_lines(workspace, path, words)
        except MemtoolError as error:
            unread.append(str(error))
            continue
        notices.append(
            f"{path} is too large for the index (search.max_file_bytes), so it was searched without the index"
        )
        stamp = FileStamp(0, 0, 0, 0, 0, "")
        role, group = located.role, located.group or ""
        records.append(DocumentRecord(path, stamp, chunks, role=role, group=group, day=located.day))
    return records


def _matching_lines(workspace: Workspace, path: str, words: Sequence[str]) -> tuple[Chunk, ...]:
    best: list[tuple[int, int, str]] = []
    for number, line in workspace.disk.read_lines(PurePosixPath(path)):
        folded = search_fold(line)
        count = sum(word in folded for word in words)
        if count:
            entry = (count, -number, line[:_LINE_LENGTH])
            if len(best) < _RANKED_LINES:
                heapq.heappush(best, entry)
            elif entry > best[0]:
                heapq.heapreplace(best, entry)
    in_order = sorted(best, key=lambda entry: -entry[1])
    return tuple(Chunk(-minus, -minus, (), line) for _, minus, line in in_order)  # of the scope's owners
