"""A view of the turns as they are on disk now, ready to be searched."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from msgspec import Struct, field

from memtool.core.search.query import Filter, Query
from memtool.index.embed import Embedder
from memtool.index.transcripts.transcript_search import Search, TranscriptHit
from memtool.index.transcripts.transcript_vectors import Dense
from memtool.index.transcripts.transcripts import Transcripts, TurnRecord

BATCH = 2_000
"""Turns indexed at once, in one commit or in memory."""


class TurnView(Struct):
    """The index if there is one, and what of it no longer holds.

    `masked` are files of the index that are not what they were; `changed` the turns that are not in it.
    """

    index: Transcripts | None
    masked: list[int] = field(default_factory=list)
    changed: Callable[[], Iterator[TurnRecord]] = lambda: iter(())
    notices: list[str] = field(default_factory=list)
    unread: int = 0

    def query(
        self,
        query: Query,
        limit: int,
        filters: Sequence[Filter],
        today: date | None = None,
        embedder: Embedder | None = None,
    ) -> list[TranscriptHit]:
        """The best messages, best first, of the index and of what is not in it."""
        found: list[TranscriptHit] = []
        if self.index is not None:
            dense = None if embedder is None else Dense(self.index, embedder)
            found = Search(self.index, query, filters, self.masked, today, dense).run(limit)
        records = self.changed()
        while batch := [*itertools.islice(records, BATCH)]:
            memory = Transcripts.in_memory()
            memory.write(batch)
            dense = None if embedder is None else Dense(memory, embedder)
            if dense is not None:
                dense.fill(lambda: contextlib.nullcontext(enter_result=False))
            found = [*found, *Search(memory, query, filters, (), today, dense).run(limit)]
            found = sorted(found, key=lambda hit: -hit.score)[:limit]
            memory.close()
        return found
