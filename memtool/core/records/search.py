"""The arguments of a search and its response, as they travel between a command and the watcher.

Both are named tuples, as hits are: a search that the watcher answers takes 50 ms, and msgspec would add 10.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from memtool.core.records.hit import Hit, read_hit


class SearchArguments(NamedTuple):
    """The arguments of a search as a caller wrote them, not yet read against a workspace.

    `since` and `until` are days (`2025-01-15`) or how long ago (`30d`); `embedder` is a command. Of
    `sessions`, `speakers` and `chats`, messages alone are hits. `lists_files` says that the caller lists
    files and not hits, so that an exact search has no other limit than `limit`. With `fleet`, the trees of
    the fleet are searched, too.
    """

    text: str
    roles: tuple[str, ...] = ()
    path: str | None = None
    since: str | None = None
    until: str | None = None
    group: str | None = None
    limit: int | None = None
    context: int = 0
    exact: bool = False
    mode: str | None = None
    embedder: str | None = None
    sessions: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    lists_files: bool = False
    fleet: bool = False


class SearchResponse(NamedTuple):
    """The hits, best first, and sentences on how they were found.

    `is_incomplete` says that something which may hold a hit could not be read. `details` begin with how much
    was searched.
    """

    hits: tuple[Hit, ...] = ()
    notices: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    is_incomplete: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether there may be hits although none was found."""
        return self.is_incomplete and not self.hits


def read_response(values: list[Any]) -> SearchResponse:
    """The response from its JSON values, an array of its fields."""
    hits, notices, details, is_incomplete = values
    return SearchResponse(tuple(map(read_hit, hits)), tuple(notices), tuple(details), is_incomplete)
