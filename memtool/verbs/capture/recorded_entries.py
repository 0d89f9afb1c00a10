"""Recorded entries: what scan logs of statements, corrections, denials and withdrawals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memtool.core.capture.circumstances import CorrectingSentence, PlacedStatement
from memtool.core.records.entries import FACT_CATEGORY, Fact, RecordedEntry, WalEntry
from memtool.core.text.sanitise import one_line
from memtool.verbs.capture.correcting_sentences import overlap
from memtool.verbs.capture.message_source import MessageSource
from memtool.verbs.capture.superseding_lines import without_lead

if TYPE_CHECKING:  # few messages need it
    from memtool.core.capture.scan import CapturedEntry
    from memtool.verbs.capture.withdrawn import WithdrawnInstruction

_END_MARKS = " .!。！"
_RECORDED = frozenset({"written", "bumped", "superseded"})
"""The effects of statements that memory has now."""


def stated_entries(
    source: MessageSource, statements: Sequence[PlacedStatement], effects: Sequence[str]
) -> list[RecordedEntry]:
    """The entries of statements that memory has, now or before, or that are held.

    What is held is in no prompt, thus not in the log either.
    """
    entries: list[RecordedEntry] = []
    for (statement, span), effect in zip(statements, effects, strict=True):
        if effect not in {"dropped", "refused"}:
            entry = WalEntry(source.at, FACT_CATEGORY, one_line(statement.quote), source.owner)
            recorded = RecordedEntry(entry, span, effect != "held", effect in {"bumped", "none"})
            if not any(is_same_line(entry, other.entry) for other in entries):
                entries.append(recorded)
    return entries


def recorded_corrections(
    corrections: Sequence[CorrectingSentence],
    hits: Sequence[CapturedEntry],
    statements: Sequence[PlacedStatement],
    effects: Sequence[str],
) -> list[CorrectingSentence]:
    """The corrections whose sentence memory has now, as a line or as a fact."""
    spans = [hit.span for hit in hits if hit.durable]
    spans += [span for (_, span), effect in zip(statements, effects, strict=False) if effect in _RECORDED]
    return [
        found
        for found in corrections
        if (found.correction.old or found.correction.statement)
        and any(overlap(found.span, span) for span in spans)
    ]


def corrected_entries(
    source: MessageSource,
    corrections: Sequence[CorrectingSentence],
    endings: Sequence[CorrectingSentence],
    lines: Sequence[Fact],
    counts: Sequence[int],
) -> list[RecordedEntry]:
    """The entries of corrections that superseded something: `lines`, and as many facts and rules each."""
    sentences = (*corrections, *endings)
    spans = {found.sentence: found.span for found in sentences}
    said = {without_lead(found.sentence): found.sentence for found in sentences}
    spans |= {found.restated: found.span for found in corrections if found.restated}
    facts = [replace(line, detail=said.get(line.detail, line.detail)) for line in lines]
    facts += [
        Fact(FACT_CATEGORY, found.sentence, source.owner)
        for found, count in zip(sentences, counts, strict=False)
        if count
    ]
    return [
        RecordedEntry(
            WalEntry(source.at, fact.category, fact.detail, source.owner), spans[fact.detail], durable=True
        )
        for fact in facts
    ]


def denied_entries(
    source: MessageSource, denials: Sequence[PlacedStatement], ended: Sequence[int]
) -> list[RecordedEntry]:
    """The entries of denials that ended a fact."""
    return [
        RecordedEntry(
            WalEntry(source.at, FACT_CATEGORY, one_line(denial.quote), source.owner), span, durable=True
        )
        for (denial, span), count in zip(denials, ended, strict=False)
        if count
    ]


def withdrawn_entries(
    source: MessageSource, withdrawn: Sequence[WithdrawnInstruction]
) -> list[RecordedEntry]:
    """The entries of sentences that take instructions back; durable where a rule was archived."""
    return [
        RecordedEntry(
            WalEntry(source.at, "instruction", found.sentence, source.owner),
            found.span,
            found.rule is not None,
        )
        for found in withdrawn
    ]


def is_same_line(entry: WalEntry, other: WalEntry) -> bool:
    """Whether two entries of one message read the same, but for the marks at their ends."""
    details = [each.detail.rstrip(_END_MARKS) for each in (entry, other)]
    return entry.category == other.category and details[0] == details[1]
