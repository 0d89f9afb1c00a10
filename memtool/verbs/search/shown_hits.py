"""Hits as they are shown to models and people."""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.privacy.recalled import text_for_model
from memtool.core.records.hit import Hit


def shown_hits(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits with their texts as `text_for_model` makes them; a snippet that it changes has no spans."""
    return tuple(map(_shown, hits))


def _shown(hit: Hit) -> Hit:
    snippet = _line(hit.snippet)
    return hit._replace(
        snippet=snippet,
        spans=hit.spans if snippet == hit.snippet else (),
        text=text_for_model(hit.text),
        title=_line(hit.title),
        before=tuple((number, _line(text)) for number, text in hit.before),
        after=tuple((number, _line(text)) for number, text in hit.after),
    )


def _line(text: str) -> str:
    return text_for_model(text).replace("\n", " ")
