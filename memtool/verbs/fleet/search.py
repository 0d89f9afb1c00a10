"""search --fleet: the documents of other trees ranked among those of this one."""

from __future__ import annotations

from msgspec.structs import replace

from memtool.core.records.request import SearchRequest
from memtool.core.records.search import SearchResponse
from memtool.core.search.query import parse_query
from memtool.errors import BadUsage
from memtool.fleet.connection import FleetUnavailable, connected
from memtool.fleet.fleet_source import FleetSource
from memtool.store.external.fleet_key import FleetKey
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.search.search import search


def search_with_fleet(
    workspace: Workspace, key: FleetKey, request: SearchRequest, indexes: SearchIndexes
) -> SearchResponse:
    """The hits for a request, best first, in this workspace and in the trees that it may read.

    Files of the workspace are searched as they are; of the other trees, what they pushed. Where the database
    cannot be reached, the workspace alone is searched, and the response is incomplete. Raises BadUsage for a
    request by meaning or of messages, which the fleet does not have.
    """
    if request.mode == "semantic":
        raise BadUsage("a search of the fleet matches words only; omit --mode semantic, or omit --fleet")
    if request.is_of_messages:
        raise BadUsage(
            "the fleet contains no messages; omit --session, --speaker and --chat, or omit --fleet"
        )
    notices: tuple[str, ...] = ()
    if request.mode == "hybrid":
        request = replace(request, mode="lexical")
        notices = ("a search of the fleet matches words only; hybrid mode was ignored",)
    if not parse_query(request.text).positive_items:
        notices += ("the query contains only filters or excluded words, so only this workspace was searched",)
    is_down = False
    try:
        with connected(key.dsn) as connection:
            source = FleetSource(connection, request.scope.owner_values)
            response = search(workspace, request, indexes, fleet=source)
            response = response._replace(
                details=(*response.details, f"chunks searched in other trees of the fleet: {source.count()}")
            )
    except FleetUnavailable as error:
        is_down = True
        notices += (f"{error}; only this workspace was searched",)
        response = search(workspace, request, indexes)
    return response._replace(
        hits=tuple(hit if hit.tree else hit._replace(tree=key.name) for hit in response.hits),
        notices=(*notices, *response.notices),
        is_incomplete=is_down or response.is_incomplete,
    )
