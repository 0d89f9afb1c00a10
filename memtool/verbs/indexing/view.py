"""A view of the documents as they are on disk now, ready to be searched, and the look that it comes from."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from memtool.core.records.document import Listing, Stat
from memtool.errors import CouldNotTell
from memtool.index.engine import Searchable, Stamp


class IndexBehind(CouldNotTell):
    """There is more to be indexed than whoever asks has the time for."""


class IndexState(Struct, frozen=True):
    """How an index is: `fresh`, `behind` or `none`; `behind` counts the documents it has to catch up with."""

    state: str
    documents: int
    behind: int


class View(Struct, frozen=True):
    """The documents as they are on disk now, ready to be searched.

    `stamps` say which text of each is searched. `large` are files too large for the index, to be read
    through. `unread` counts what could not be looked at; `notices` say so, a sentence each.
    """

    index: Searchable
    stamps: Mapping[str, Stamp]
    large: tuple[str, ...]
    unread: int
    notices: tuple[str, ...]


class Look(Struct):
    """One look at the tree, while it is made: what is wanted in the index, and what is worth saying."""

    listing: Listing
    wanted: dict[str, Stat]
    large: tuple[str, ...]
    notices: list[str] = field(default_factory=list)
    unread: int = 0
