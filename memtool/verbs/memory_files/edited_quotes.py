"""Edited quotes: the user's words on which facts rested before somebody edited these facts by hand."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec.structs import replace

from memtool.core.facts.identity import quote_states
from memtool.core.history.journal import Appended, Created, Replaced, line_digest, line_id
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.stems import content_stems
from memtool.errors import MemtoolError
from memtool.formats import semantic
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace

_FIRST = re.compile(r'^{"id": "m-(\w+)", "candidate": "c-\1", "quotes": (\[.*?\]), "session".*', re.MULTILINE)
"""The evidence with which a fact was first written: the fact has the candidate's digest in its id."""


def edited_quotes(
    workspace: Workspace, semantic_texts: Sequence[str], texts: Collection[str], fold: Callable[[str], str]
) -> set[str]:
    """The folded sentences in `texts` that active facts no longer state, though they were written from them.

    Such a fact is another one than the last command wrote, and has another quotation, or says something that
    its quotation does not. Facts without a quotation do not tell; facts that are not in a file any more
    count for none.
    """
    if not texts or not any(" ^m-" in text for text in semantic_texts):
        return set()
    try:
        document = workspace.read(workspace.layout.path("evidence"))
    except MemtoolError:  # other commands report it
        return set()
    folded = [" ".join(text.lower().split()) for text in texts]
    words = {word for text in folded for word in text.split(" ")}
    rows = {name: row for text in semantic_texts for name, row in _rows_by_id(text)}
    gone: set[str] = set()
    for match in _FIRST.finditer(document.text) if document else ():
        quotes = [fold(quote) for quote in json_text.loads(match[2])[0]]
        found = [
            quote
            for quote in quotes
            if quote
            and words.issuperset(quote.split(" ")[1:-1])  # of many facts, few have all these words
            and any(quote in text for text in folded)
        ]
        if found and (fact := _active_fact(row := rows.get(match[1], ""))) is not None:
            quote = fact.quote or ""
            is_same = fold(quote) in quotes or _has_words(quote, quotes)
            if not (is_same and quote_states(fact)) and _is_edited(workspace, row):
                gone.update(found)
    return gone


def without_old_quotes(workspace: Workspace, text: str) -> list[SemanticRecord]:
    """The records of a semantic file, without the quotations of those of which only the rest was edited."""
    file = semantic.parse(text)
    return [
        replace(record, fact=replace(record.fact, quote=None))
        if isinstance(record.fact, FactTriple)
        and record.fact.quote
        and record.superseded is None
        and not quote_states(record.fact)
        and _is_edited(workspace, line.raw)
        else record
        for line in file.lines
        if (record := line.record) is not None
    ]


def _rows_by_id(text: str) -> Iterator[tuple[str, str]]:
    for row in text.splitlines():
        _, mark, name = row.rstrip().rpartition(" ^m-")
        if mark:
            yield name, row


def _has_words(quote: str, quotes: Sequence[str]) -> bool:
    """Whether a quotation has all content words of one of the others, and perhaps more."""
    stems = content_stems(quote)
    return any(content_stems(other) <= stems for other in quotes)


def _active_fact(row: str) -> FactTriple | None:
    """The active fact of a line; None if it is none with a quotation."""
    record = semantic.SemanticLine(row).record
    fact = None if record is None or record.superseded else record.fact
    return fact if isinstance(fact, FactTriple) and fact.quote else None


def _is_edited(workspace: Workspace, row: str) -> bool:
    """Whether a line differs from what the last command wrote that wrote a line with its id."""
    line = row.encode("utf-8", "surrogateescape")
    name, digests = line_id(line), {line_digest(line), line_digest(line + b"\n")}
    with contextlib.suppress(MemtoolError):  # other commands report it
        for record in workspace.journal.newest_first() if name else ():
            for step in record.steps:
                written = step.written if isinstance(step, Created | Appended | Replaced) else None
                marks = [mark for mark in written.new if mark.id == name] if written else []
                if marks:
                    return digests.isdisjoint(mark.digest for mark in marks)
    return False
