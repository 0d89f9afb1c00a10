"""What a user message says that is worth keeping: message -> entries of the write-ahead log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from memtool.core.capture.detail import Detail, detail
from memtool.core.capture.triggers import CATEGORIES, DEFAULT, NOT_IN_QUESTIONS, Trigger, Triggers
from memtool.core.facts.dedup import key
from memtool.core.records.entry import Owner, WalEntry
from memtool.core.secrets.redact import redaction
from memtool.core.text.clean import cleaning
from memtool.core.text.edited import Edited, edit
from memtool.core.text.name import is_name, is_thing
from memtool.core.text.pattern import compiled
from memtool.core.text.sentence import Prose, prose
from memtool.core.text.text import is_continuous

_POLITE = r"(?:\W|\b(?:please|pls|ok|okay|so|then|and|just|also|now)\b){0,12}"
_CLAUSE = r"(?:^|[,;:—–(]|\b(?:and|so|ok|va|unda|xo'p|mayli))\W{0,4}$"
_WORD = r"[^\w\n]{0,9}[\w\x00\x01]|[^\S\n]*:"


class Found(NamedTuple):
    """An entry, whether its category is durable, and where in the message its detail stands."""

    entry: WalEntry
    durable: bool
    span: tuple[int, int]


class _Hit(NamedTuple):
    sentence: int
    start: int
    end: int
    category: str


def scan(
    message: str, at: datetime, owner: Owner | None = None, triggers: Triggers = DEFAULT
) -> tuple[Found, ...]:
    """The entries of one message, in the order of its text.

    One for each category and sentence, and never the same detail twice for a category; a question gives no
    preference and no proper noun, and a sentence that asks not to be kept gives nothing. Secrets are taken
    out of the whole message before anything is cut from it, so none can be in a detail. `span` counts
    characters of `message`. Linear in the length of the message.
    """
    steps = _steps(message)
    text = prose(steps[-1].text if steps else message)
    entries: list[Found] = []
    seen: set[tuple[str, str]] = set()
    for hit in _hits(text, triggers):
        cut: Detail = detail(text, hit.sentence, hit.start, hit.end)
        said = hit.category, key(cut.text)
        if not cut.text or said in seen:
            continue
        seen.add(said)
        span = cut.start, cut.end
        for step in reversed(steps):
            span = step.origin(*span)
        entries.append(Found(WalEntry(at, hit.category, cut.text, owner), CATEGORIES[hit.category], span))
    return tuple(entries)


def _steps(message: str) -> list[Edited]:
    """The message cleaned, then redacted, one edited text after the other."""
    steps: list[Edited] = []
    for edits in (cleaning, redaction):
        while rows := tuple(edits(message)):
            steps.append(edit(message, rows))
            message = steps[-1].text
    return steps


def _hits(text: Prose, triggers: Triggers) -> list[_Hit]:
    """The first hit of each category in each sentence, in the order of the text."""
    lowered = _lowered(text.masked)
    signs = " ".join(lowered.split())
    first: dict[tuple[int, str], _Hit] = {}
    for trigger in triggers.rows:
        if trigger.signs and not any(sign in signs for sign in trigger.signs):
            continue
        for hit in _matches(trigger, text, lowered):
            place = hit.sentence, hit.category
            if place not in first or hit.start < first[place].start:
                first[place] = hit
    if not first:
        return []
    from memtool.core.privacy.private import is_private  # most messages have no hit

    private = {number for number in {one for one, _ in first} if is_private(_said(text, number))}
    hits = [hit for hit in first.values() if hit.sentence not in private]
    return sorted(hits, key=lambda hit: (hit.sentence, hit.start))


def _said(text: Prose, number: int) -> str:
    sentence = text.sentences[number]
    return text.masked[sentence.start : sentence.end]


def _lowered(masked: str) -> str:
    """Lower case, letter for letter: the few letters that would become two stay one."""
    lowered = masked.lower()
    if len(lowered) == len(masked):
        return lowered
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in masked)


def _matches(trigger: Trigger, text: Prose, lowered: str) -> Iterator[_Hit]:
    """The first match of a trigger in each sentence where it speaks."""
    pattern, position = trigger.pattern(), 0
    searched = lowered if trigger.whole_words else text.masked
    while found := pattern.search(searched, position):
        start, end = found.span()
        number = text.sentence_at(start)
        if number is None or end == start or not _speaks(trigger, text, lowered, number, found.span()):
            position = start + 1
            continue
        yield _Hit(number, start, end, trigger.category)
        position = max(end, text.sentences[number].end)


def _speaks(trigger: Trigger, text: Prose, lowered: str, number: int, span: tuple[int, int]) -> bool:
    start, end = span
    sentence = text.sentences[number]
    if sentence.question and trigger.category in NOT_IN_QUESTIONS:
        return False
    if trigger.whole_words and not _is_whole(lowered, start, end):
        return False
    if trigger.starts != "anywhere":
        before = lowered[max(sentence.start, start - 40) : start]
        if trigger.starts == "sentence" and not compiled(_POLITE, re.IGNORECASE).fullmatch(before):
            return False
        if (
            trigger.starts == "clause"
            and before.strip()
            and not compiled(_CLAUSE, re.IGNORECASE).search(before)
        ):
            return False
    if trigger.unless:
        before = lowered[max(sentence.start, start - 24) : start].rstrip()
        if compiled(rf"(?:{trigger.unless})$").search(before):
            return False
    match trigger.then:
        case "word":
            return compiled(_WORD).match(text.masked, end) is not None
        case "name" | "sure name":
            return is_name(text.masked, start, end, sure=trigger.then == "sure name")
        case "thing":
            return is_thing(text.masked, start, end)
        case _:
            return True


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on beyond either end, by a letter or by `'` or `-` and a letter.

    Scripts without spaces have no such ends; a number may have a suffix (`10000-ga`).
    """
    left, right = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    return not (_goes_on(text[start], left) or _goes_on(text[end - 1], right))


def _goes_on(edge: str, beyond: str) -> bool:
    if not beyond or not _is_letter(edge):
        return False
    joined = beyond[0] == "'" or (beyond[0] == "-" and edge.isalpha())
    return _is_letter(beyond[0]) or (joined and _is_letter(beyond[1:]))


def _is_letter(character: str) -> bool:
    return (character.isalnum() or character == "_") and not is_continuous(character)
