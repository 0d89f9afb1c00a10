"""Corrections that replace nothing, as statements: without an old value, or of what memory does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances, PlacedStatement
from memtool.core.capture.clauses import clauses
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.not_modelled import is_refused
from memtool.core.capture.languages.suppositions import is_doubtful
from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.shifted_values import is_time
from memtool.core.capture.statement_model import is_correcting_statement, states_what_lasts
from memtool.core.capture.statements import Statement, is_in_doubt, whole_claim
from memtool.core.capture.translated_statements import question_start
from memtool.core.records.entries import RecordedEntry
from memtool.core.text.discourse import without_opening
from memtool.core.text.folding import fold_in_place
from memtool.core.text.phrases import PhraseLists
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import one_line
from memtool.core.text.sentences import asks

if TYPE_CHECKING:  # it reads memory, which most messages do not need
    from memtool.verbs.capture.current_memory import CurrentStatement


def unnamed_corrections(
    hits: Sequence[CapturedEntry], said: MessageCircumstances | None
) -> Iterator[CorrectingSentence]:
    """The entries that are corrections and do not name what they replace."""
    spans = [found.span for found in said.corrections] if said else []
    for hit in hits:
        if hit.entry.category == "correction" and not any(overlap(hit.span, span) for span in spans):
            if is_doubtful(hit.entry.detail) or _is_asked(hit.entry.detail):
                continue
            statement = Correction("", "", frozenset(), statement=hit.entry.detail)
            yield CorrectingSentence(hit.entry.detail, statement, hit.span)


def _is_asked(sentence: str) -> bool:
    """Whether all of a sentence is a question, except for the words that lead to it: "Actually, …?"."""
    lead = regex(LEADS, re.IGNORECASE).match(sentence)
    return asks(sentence) and question_start(sentence[lead.end() if lead else 0 :].lower()) == 0


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
    if said.is_news:
        return "stable"
    about = "" if said.is_whole else said.claim.object
    return "stable" if states_what_lasts(said.quote, phrases, about) else ""


def overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans have a character in common."""
    return span[0] < other[1] and other[0] < span[1]


def unrecorded(
    statements: Sequence[PlacedStatement],
    hits: Sequence[CapturedEntry],
    corrections: Sequence[CorrectingSentence],
) -> list[PlacedStatement]:
    """The statements, without whole sentences that have a durable entry or correct memory."""
    spans = [hit.span for hit in hits if hit.durable or hit.entry.category == "correction"]
    spans += [found.span for found in corrections]
    return [
        (statement, span)
        for statement, span in statements
        if not (statement.is_whole and any(overlap(span, other) for other in spans))
    ]


def sentences_with_news(
    message: MessageSentences,
) -> Iterator[tuple[CorrectingSentence, tuple[int, int]]]:
    """The sentences of more than one clause that state something about the user, with their spans of the
    split text."""
    from memtool.core.text.stems import content_stems  # few messages correct anything

    text = message.text
    for start, end, is_question in text.sentences:
        sentence = one_line(text.text[start:end])
        parts = [part for part in clauses(sentence) if content_stems(sentence[slice(*part)])]
        if not is_question and len(parts) > 1 and _may_be_stated(sentence):
            correction = Correction("", "", frozenset(), statement=sentence)
            yield CorrectingSentence(sentence, correction, message.span(start, end)), (start, end)


def stating_corrections(
    unapplied: Sequence[CorrectingSentence],
    all_of_them: Sequence[CorrectingSentence],
    entries: Iterable[RecordedEntry],
    own_statements: Callable[[], Sequence[CurrentStatement]],
) -> list[CorrectingSentence]:
    """The corrections that superseded nothing and state something about the user, if no durable entry does.

    "Actually it's Porto, not Lisbon, where I live" tells more than that memory is wrong. One that is near
    what memory has of the user, who gives `own_statements`, needs less to be about the user, as does one that
    is a statement without "No, " and shares a word with what memory has of the user. None where
    another correction of the message superseded something: the two may be about the same value.
    """
    if any(not any(overlap(found.span, other.span) for other in unapplied) for found in all_of_them):
        return []
    kept = [entry.span for entry in entries if entry.durable]
    return [
        found
        for found in unapplied
        if not any(overlap(found.span, span) for span in kept)
        and (
            found.correction.is_shift  # it is near what memory has
            or _may_be_stated(found.sentence)
            or _tells_change(found)
            or (_may_be_stated(found.sentence, is_near=True) and _is_near(found.sentence, own_statements))
            or _is_of_users_own(without_opening(found.sentence), own_statements)
        )
    ]


def new_times(
    given: MessageCircumstances, said: MessageCircumstances, entries: Iterable[RecordedEntry]
) -> list[CorrectingSentence]:
    """The sentences that tell to which date, day or time something was moved that memory does not have.

    `said` is what is left of what a message gives: no such sentence is a correction of it. None that a
    durable entry or a statement says.
    """
    taken = [each.span for each in entries if each.durable] + [span for _, span in said.statements]
    return [
        found
        for found in given.corrections
        if found.correction.is_shift
        and not found.correction.is_renewal
        and found.correction.subject
        and found not in said.corrections
        and not any(overlap(found.span, span) for span in taken)
        and is_time(found.correction.new)
        and not is_in_doubt(found.sentence)
        and not is_refused(fold_in_place(found.sentence), is_rule=False)
    ]


def _may_be_stated(sentence: str, *, is_near: bool = False) -> bool:
    """Whether a sentence is surely about the user, or nearly so and `is_near` what memory has of the user."""
    from memtool.core.capture.fragments import is_fragment  # few sentences correct anything

    return (
        is_correcting_statement(sentence, is_near=is_near)
        and not is_fragment(sentence)
        and not is_in_doubt(sentence)
        and not is_refused(fold_in_place(sentence), is_rule=False)
    )


def _tells_change(found: CorrectingSentence) -> bool:
    """Whether a sentence tells what is new in the user's life: "I've gone back to part time"."""
    if not found.correction.statement or found.correction.subject or is_in_doubt(found.sentence):
        return False
    from memtool.core.capture.changes import told_change  # few sentences correct nothing

    return told_change(found.sentence) is not None


def _is_of_users_own(statement: str, own_statements: Callable[[], Sequence[CurrentStatement]]) -> bool:
    """Whether a statement in the first person is about what memory says of the user, too: `two sugars`."""
    if not _may_be_stated(statement):
        return False
    from memtool.core.capture.near_memory import shared_by_user

    return any(shared_by_user(statement, known.text) for known in own_statements())


def _is_near(sentence: str, own_statements: Callable[[], Sequence[CurrentStatement]]) -> bool:
    from memtool.core.capture.near_memory import nearness

    return any(nearness(sentence, known.text) for known in own_statements())
