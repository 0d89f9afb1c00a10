"""Outdated sentences: corrections and endings of the past, of what the user has stated anew since."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances
from memtool.core.capture.other_value import other_value
from memtool.core.capture.scan import CapturedEntry
from memtool.core.records.entries import is_same_user
from memtool.core.records.semantic import FactTriple
from memtool.store.workspace import Workspace
from memtool.verbs.capture.correcting_sentences import unnamed_corrections
from memtool.verbs.capture.current_memory import (
    CurrentStatement,
    corrected_statements,
    current_statements,
)
from memtool.verbs.capture.message_source import MessageSource
from memtool.verbs.capture.withdrawn import without_spans
from memtool.verbs.memory_files.said_times import SaidTimes


def without_outdated(
    workspace: Workspace,
    source: MessageSource,
    hits: Sequence[CapturedEntry],
    said: MessageCircumstances | None,
    said_times: SaidTimes,
) -> tuple[Sequence[CapturedEntry], MessageCircumstances | None]:
    """The entries and circumstances of a message of the past without its outdated sentences.

    A correction is outdated if the statement that it would correct was made later, or one with a third value.
    """
    found_all = [*(said.corrections if said else ()), *unnamed_corrections(hits, said)]
    found_all += said.endings if said else ()
    if not found_all:
        return hits, said
    own = [
        known
        for known in current_statements(workspace, source.group)
        if is_same_user(known.fact.owner, source.owner)
    ]
    later = [known for known in own if _is_later(said_times, known)]
    outdated = [
        found.span
        for found in found_all
        if {known.text for known in later} & corrected_statements(found, own, ())
        or any(_has_other_value(found, known) for known in later)
    ]
    return without_spans(hits, said, outdated) if outdated else (hits, said)


def _has_other_value(found: CorrectingSentence, known: CurrentStatement) -> bool:
    """Whether a statement says what a correction does, with another value than the old and the new one."""
    statement = "" if found.is_renewal else found.correction.statement
    return bool(statement) and other_value(statement, known.own_words) is not None


def _is_later(said_times: SaidTimes, known: CurrentStatement) -> bool:
    if known.is_fact:
        return said_times.is_later_fact(known.place)
    assert not isinstance(known.fact, FactTriple)
    return said_times.is_later_line(known.fact)
