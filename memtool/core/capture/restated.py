"""Restated corrections: the entries of what a correction says in other words: `my name is Rob`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from memtool.core.capture.circumstances import CorrectingSentence
from memtool.core.capture.languages.correction_signs import OPENINGS
from memtool.core.capture.scan import CapturedEntry, scan_message
from memtool.core.capture.triggers import EntryDestination, TriggerTable
from memtool.core.records.entries import Owner, WalEntry
from memtool.core.text.regex import regex

_CATEGORY = "correction"


def restated_entries(
    hits: Sequence[CapturedEntry],
    corrections: Sequence[CorrectingSentence],
    at: datetime,
    owner: Owner | None,
    triggers: TriggerTable,
) -> tuple[CapturedEntry, ...]:
    """The entries of a message, with those of its restated corrections, in the order of its text.

    A correction that has a subject of its own is always an entry, and what it says instead may be one of
    long-term memory. So is one that begins with a contradiction ("No, …") and names both values.
    """
    entries = [*hits]
    for correction in corrections:
        start, end = correction.span
        if not correction.restated and not _contradicts(correction):
            continue
        nearby = [hit for hit in hits if start <= hit.span[0] < end]
        if not any(hit.entry.category == _CATEGORY for hit in nearby):
            entry = WalEntry(at, _CATEGORY, correction.sentence, owner)
            entries.append(CapturedEntry(entry, EntryDestination.SESSION_ONLY, correction.span))
        known = {hit.entry.category for hit in nearby}
        entries += [
            replace(hit, span=correction.span)
            for hit in scan_message(correction.restated, at, owner, triggers)
            if hit.destination is EntryDestination.LONG_TERM and hit.entry.category not in known
        ]
    return tuple(sorted(entries, key=lambda hit: hit.span[0]))


def _contradicts(correction: CorrectingSentence) -> bool:
    opening = regex(OPENINGS, re.IGNORECASE).match(correction.sentence)
    return bool(correction.correction.old) and opening is not None
