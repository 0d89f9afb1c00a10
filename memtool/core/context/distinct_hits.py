"""Hits that show the same statement, as one hit with the places of the others."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.context.statements import is_known, statements
from memtool.core.records.hit import Hit
from memtool.core.search.fusion import limit_by_path

DEPTH = 4
"""So many times more hits are looked through than are returned: a statement of a conversation is often in the
session state, long-term memory, the daily note and the turn."""


def distinct_hits(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The first `limit` hits that show something new, in their order, by `limit_by_path`.

    A hit whose statements all are in an earlier one is among the places in `also` of that one.
    """
    distinct: list[Hit] = []
    known: list[frozenset[str]] = []
    for hit in hits:
        same = next((number for number, shown in enumerate(known) if is_known(hit.snippet, shown)), None)
        if same is None:
            distinct.append(hit)
            known.append(statements(hit.snippet))
        else:
            first = distinct[same]
            distinct[same] = first._replace(also=(*first.also, f"{hit.shown_path}:{hit.line}"))
    return limit_by_path(distinct, limit)
