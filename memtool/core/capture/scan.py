"""Scanning a user message for WAL entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from memtool.core.capture.detail import EntryDetail, entry_detail
from memtool.core.capture.names import is_followed_by_name, is_followed_by_thing
from memtool.core.capture.triggers import (
    CATEGORIES,
    DEFAULT_TRIGGERS,
    NOT_IN_QUESTIONS,
    EntryDestination,
    Trigger,
    TriggerTable,
)
from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Owner, WalEntry
from memtool.core.secrets.redact import redaction_edits
from memtool.core.text.clean import cleaning_edits
from memtool.core.text.edits import EditedText, apply_edits
from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex
from memtool.core.text.sentences import SentenceText, split_sentences

_POLITE = r"(?:\W|\b(?:please|pls|ok|okay|so|then|and|just|also|now)\b){0,12}"
_CLAUSE = r"(?:^|[,;:—–(]|\b(?:and|so|ok|va|unda|xo'p|mayli))\W{0,4}$"
_WORD = r"[^\w\n]{0,9}[\w\x00\x01]|[^\S\n]*:"


class CapturedEntry(NamedTuple):
    """An entry, where it goes besides the session state, and the span of its detail in the message."""

    entry: WalEntry
    destination: EntryDestination
    span: tuple[int, int]

    @property
    def durable(self) -> bool:
        """Whether it outlives the session, in long-term memory or as a rule of conduct."""
        return self.destination is not EntryDestination.SESSION_ONLY


class _TriggerMatch(NamedTuple):
    sentence: int
    start: int
    end: int
    category: str


def scan_message(
    message: str, at: datetime, owner: Owner | None = None, triggers: TriggerTable = DEFAULT_TRIGGERS
) -> tuple[CapturedEntry, ...]:
    """The entries of one message, in the order of its text.

    There is one entry for each category and sentence, and none with the same detail and category as another.
    A question yields no preference and no proper noun; a sentence that asks not to be stored yields nothing.
    The whole message is redacted before it is cut, so that no detail contains a secret. `span` counts
    characters of `message`. Time is linear in the length of the message.
    """
    steps = _cleaning_steps(message)
    text = split_sentences(steps[-1].text if steps else message)
    entries: list[CapturedEntry] = []
    seen: set[tuple[str, str]] = set()
    for hit in _hits(text, triggers):
        shown: EntryDetail = entry_detail(text, hit.sentence, hit.start, hit.end)
        identity = hit.category, comparison_key(shown.text)
        if not shown.text or identity in seen:
            continue
        seen.add(identity)
        span = shown.start, shown.end
        for step in reversed(steps):
            span = step.original_span(*span)
        entries.append(
            CapturedEntry(WalEntry(at, hit.category, shown.text, owner), CATEGORIES[hit.category], span)
        )
    return tuple(entries)


def _cleaning_steps(message: str) -> list[EditedText]:
    """The edits that clean and then redact the message, as successive texts."""
    steps: list[EditedText] = []
    for edits in (cleaning_edits, redaction_edits):
        while changes := tuple(edits(message)):
            steps.append(apply_edits(message, changes))
            message = steps[-1].text
    return steps


def _hits(text: SentenceText, triggers: TriggerTable) -> list[_TriggerMatch]:
    """The first hit of each category in each sentence, in the order of the text."""
    lowered = _lowered(text.masked)
    signs_text = " ".join(lowered.split())
    first: dict[tuple[int, str], _TriggerMatch] = {}
    for trigger in triggers.rows:
        if trigger.signs and not any(sign in signs_text for sign in trigger.signs):
            continue
        for hit in _matches(trigger, text, lowered):
            place = hit.sentence, hit.category
            if place not in first or hit.start < first[place].start:
                first[place] = hit
    if not first:
        return []
    from memtool.core.privacy.private_requests import is_private_request  # most messages have no hit

    private = {
        number
        for number in {number for number, _ in first}
        if is_private_request(_sentence_text(text, number))
    }
    hits = [hit for hit in first.values() if hit.sentence not in private]
    return sorted(hits, key=lambda hit: (hit.sentence, hit.start))


def _sentence_text(text: SentenceText, number: int) -> str:
    sentence = text.sentences[number]
    return text.masked[sentence.start : sentence.end]


def _lowered(masked: str) -> str:
    """Lower case of the same length: letters that would become two are unchanged."""
    lowered = masked.lower()
    if len(lowered) == len(masked):
        return lowered
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in masked)


def _matches(trigger: Trigger, text: SentenceText, lowered: str) -> Iterator[_TriggerMatch]:
    """The first match of a trigger in each sentence to which it applies."""
    pattern, position = trigger.pattern(), 0
    searched = lowered if trigger.whole_words else text.masked
    while match := pattern.search(searched, position):
        start, end = match.span()
        number = text.sentence_at(start)
        if number is None or end == start or not _applies(trigger, text, lowered, number, match.span()):
            position = start + 1
            continue
        yield _TriggerMatch(number, start, end, trigger.category)
        position = max(end, text.sentences[number].end)


def _applies(trigger: Trigger, text: SentenceText, lowered: str, number: int, span: tuple[int, int]) -> bool:
    """Whether a match fulfils the conditions of its trigger."""
    start, end = span
    sentence = text.sentences[number]
    if sentence.is_question and trigger.category in NOT_IN_QUESTIONS:
        return False
    if trigger.whole_words and not _is_whole(lowered, start, end):
        return False
    if trigger.starts != "anywhere":
        before = lowered[max(sentence.start, start - 40) : start]
        if trigger.starts == "sentence" and not regex(_POLITE, re.IGNORECASE).fullmatch(before):
            return False
        if trigger.starts == "clause" and before.strip() and not regex(_CLAUSE, re.IGNORECASE).search(before):
            return False
    if trigger.unless:
        before = lowered[max(sentence.start, start - 24) : start].rstrip()
        if regex(rf"(?:{trigger.unless})$").search(before):
            return False
    match trigger.then:
        case "word":
            return regex(_WORD).match(text.masked, end) is not None
        case "name" | "sure name":
            return is_followed_by_name(text.masked, start, end, sure=trigger.then == "sure name")
        case "thing":
            return is_followed_by_thing(text.masked, start, end)
        case _:
            return True


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word continues beyond either end, with a letter, or with `'` or `-` and a letter.

    Continuous scripts have no word ends; a number may have a suffix (`10000-ga`).
    """
    left, right = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    return not (_continues(text[start], left) or _continues(text[end - 1], right))


def _continues(edge: str, beyond: str) -> bool:
    if not beyond or not _is_letter(edge):
        return False
    joined = beyond[0] == "'" or (beyond[0] == "-" and edge.isalpha())
    return _is_letter(beyond[0]) or (joined and _is_letter(beyond[1:]))


def _is_letter(character: str) -> bool:
    return (character.isalnum() or character == "_") and not is_continuous(character)
