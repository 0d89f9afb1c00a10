"""Corrections that replace nothing, as statements: without an old value, or of what memory does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances
from memtool.core.capture.corrections import Correction
from memtool.core.capture.languages.not_modelled import is_refused
from memtool.core.capture.languages.suppositions import is_doubtful
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.statement_model import is_correcting_statement, states_what_lasts
from memtool.core.capture.statements import Statement, is_in_doubt, whole_claim
from memtool.core.records.entries import RecordedEntry
from memtool.core.text.folding import fold_in_place
from memtool.core.text.phrases import PhraseLists

PlacedStatement = tuple[Statement, tuple[int, int]]
"""A statement and its span of the message."""


def unnamed_corrections(
    hits: Sequence[CapturedEntry], said: MessageCircumstances | None
) -> Iterator[CorrectingSentence]:
    """The entries that are corrections and do not name what they replace."""
    spans = [found.span for found in said.corrections] if said else []
    for hit in hits:
        if hit.entry.category == "correction" and not any(overlap(hit.span, span) for span in spans):
            if is_doubtful(hit.entry.detail):
                continue
            statement = Correction("", "", frozenset(), statement=hit.entry.detail)
            yield CorrectingSentence(hit.entry.detail, statement, hit.span)


def as_correction(denial: PlacedStatement) -> CorrectingSentence:
    """The sentence of a denial as a correction that does not say what it replaces."""
    said, span = denial
    return CorrectingSentence(said.quote, Correction("", "", frozenset(), statement=said.quote), span)


def as_statement(found: CorrectingSentence) -> PlacedStatement:
    """The sentence of a correction as a statement about the user."""
    claim = whole_claim(found.sentence)
    return Statement(claim, found.sentence, "", *found.span, is_whole=True), found.span


def durability(said: Statement, phrases: PhraseLists) -> str:
    """The durability of a statement, as far as its sentence shows it: "stable", or "" for unknown."""
    about = "" if said.is_whole else said.claim.object
    return "stable" if states_what_lasts(said.quote, phrases, about) else ""


def overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans have a character in common."""
    return span[0] < other[1] and other[0] < span[1]


def stating_corrections(
    unapplied: Sequence[CorrectingSentence],
    all_of_them: Sequence[CorrectingSentence],
    entries: Iterable[RecordedEntry],
) -> list[CorrectingSentence]:
    """The corrections that superseded nothing and state something about the user, if no durable entry does.

    "Actually it's Porto, not Lisbon, where I live" tells more than that memory is wrong. None where another
    correction of the message superseded something: the two may be about the same value.
    """
    if any(not any(overlap(found.span, other.span) for other in unapplied) for found in all_of_them):
        return []
    kept = [entry.span for entry in entries if entry.durable]
    return [
        found
        for found in unapplied
        if is_correcting_statement(found.sentence)
        and not is_in_doubt(found.sentence)
        and not is_refused(fold_in_place(found.sentence), is_rule=False)
        and not any(overlap(found.span, span) for span in kept)
    ]
