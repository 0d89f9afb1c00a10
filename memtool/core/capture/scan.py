"""Scanning a user message for WAL entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from memtool.core.capture.detail import MAX_DETAIL, EntryDetail, entry_detail
from memtool.core.capture.languages.suppositions import is_reported, is_supposed, is_unmarked_question
from memtool.core.capture.languages.tables import tables_for
from memtool.core.capture.languages.trigger import LanguageTable, Trigger
from memtool.core.capture.message_sentences import MessageSentences, split_message
from memtool.core.capture.names import is_followed_by_name, is_followed_by_thing
from memtool.core.capture.passing import is_passing
from memtool.core.capture.statement_model import RULE
from memtool.core.capture.triggers import (
    ANY_LANGUAGE,
    CATEGORIES,
    DEFAULT_TRIGGERS,
    STATED,
    SUPPOSABLE,
    EntryDestination,
    TriggerTable,
)
from memtool.core.capture.unmeant import is_unmeant
from memtool.core.records.entries import Owner, WalEntry
from memtool.core.text.folding import fold_in_place, is_continuous
from memtool.core.text.regex import regex
from memtool.core.text.sentences import SentenceSpan, SentenceText
from memtool.core.text.sign_index import short_parts

_POLITE = r"(?:\W|\b(?:please|pls|ok|okay|so|then|and|just|also|now|no|well)\b){0,12}"
_CLAUSE_MARK = r"(?:[,;:—–(…¿¡.!?，、；：。！？「（]|\s-(?=\s)|->)"
_WISHES = ("instruction", "preference", "remember")
"""Categories of which a sentence that the statement model takes for a rule may be already."""
_LEADING = 80
"""Characters before a trigger that are searched for the start of its clause."""
_WORD = r"[^\w\n]{0,9}[\w\x00\x01]|[^\S\n]*:"


class CapturedEntry(Struct, frozen=True):
    """An entry, where it goes besides the session state, and the span of its detail in the message."""

    entry: WalEntry
    destination: EntryDestination
    span: tuple[int, int]

    @property
    def durable(self) -> bool:
        """Whether it outlives the session, in long-term memory or as a rule of conduct."""
        return self.destination is not EntryDestination.SESSION_ONLY


class _TriggerMatch(Struct, frozen=True):
    sentence: int
    start: int
    end: int
    category: str
    is_user_defined: bool


def scan_message(
    message: str | MessageSentences,
    at: datetime,
    owner: Owner | None = None,
    triggers: TriggerTable = DEFAULT_TRIGGERS,
) -> tuple[CapturedEntry, ...]:
    """The entries of one message, in the order of its text.

    There is one entry for each category and sentence, and none with the same detail and category as another.
    A question yields no preference and no proper noun. Foreign text yields nothing, nor does a sentence about
    self-harm or violence, nor what the message asks not to store.
    The whole message is redacted before it is cut, so that no detail contains a secret. `span` counts
    characters of `message`. Time is linear in the length of the message.
    """
    split = split_message(message) if isinstance(message, str) else message
    text = split.text
    hits = _hits(split, triggers)
    if not hits:
        return ()
    from memtool.core.facts.duplicates import comparison_key  # most messages have no hit

    entries: list[CapturedEntry] = []
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        last = hit.sentence
        is_correction = hit.category == "correction" and not hit.is_user_defined
        if is_correction and not _names_something(text, last):
            last += 1
            if not _is_explained(split, hit.sentence) or any(
                other.sentence == last and other.category == hit.category for other in hits
            ):
                continue
        shown: EntryDetail = entry_detail(text, hit.sentence, hit.start, hit.end, last)
        identity = hit.category, comparison_key(shown.text)
        if not shown.text or identity in seen:
            continue
        seen.add(identity)
        span = split.span(shown.start, shown.end)
        entries.append(
            CapturedEntry(WalEntry(at, hit.category, shown.text, owner), CATEGORIES[hit.category], span)
        )
    return tuple(entries)


def _names_something(text: SentenceText, number: int) -> bool:
    from memtool.core.capture.vague import names_something  # few messages correct anything

    start, end, _ = text.sentences[number]
    return names_something(fold_in_place(text.masked[start : min(end, start + MAX_DETAIL * 2)]))


def _is_explained(split: MessageSentences, number: int) -> bool:
    """Whether a sentence that names nothing goes on in the next one: "No, that's wrong. It is on Friday." """
    text, following = split.text, number + 1
    if following >= len(text.sentences) or following in split.private:
        return False
    is_same_line = "\n" not in text.text[text.sentences[number].end : text.sentences[following].start]
    return is_same_line and not text.sentences[following].is_question and _names_something(text, following)


def _hits(split: MessageSentences, triggers: TriggerTable) -> list[_TriggerMatch]:
    """The first hit of each category in each sentence, in the order of the text."""
    text = split.text
    folded = fold_in_place(text.masked)
    signs_text = f" {' '.join(folded.split())} "
    tables = tables_for(folded)
    parts = short_parts(signs_text)
    rows = [
        (table.triggers[number], table)
        for table in tables
        for number in table.trigger_index.rows(signs_text, parts)
    ]
    rows += [
        (trigger, tables[0])
        for trigger in (*ANY_LANGUAGE, *triggers.rows)
        if not trigger.signs or any(sign in signs_text for sign in trigger.signs)
    ]
    first: dict[tuple[int, str], _TriggerMatch] = {}
    for trigger, table in rows:
        if not trigger.may_match(folded):
            continue
        for hit in _matches(trigger, table, text, folded):
            place = hit.sentence, hit.category
            if place not in first or hit.start < first[place].start:
                first[place] = hit
    for number, name in split.classes.items():
        if (
            name == RULE
            and not any((number, category) in first for category in _WISHES)
            and _is_meant(text, folded, number)
        ):
            start, end, _ = text.sentences[number]
            first[number, "instruction"] = _TriggerMatch(
                number, start, end, "instruction", is_user_defined=False
            )
    if not first:
        return []
    from memtool.core.privacy.distress import states_distress  # most messages have no hit

    hits = _without_repeated_wishes(first)
    left_out = split.private
    if states_distress(text.masked, tables):
        left_out |= {
            number
            for number in {hit.sentence for hit in hits}
            if states_distress(_sentence_text(text, number), tables)
        }
    return sorted(
        (hit for hit in hits if hit.sentence not in left_out), key=lambda hit: (hit.sentence, hit.start)
    )


def _is_meant(text: SentenceText, folded: str, number: int) -> bool:
    """Whether a whole sentence is an instruction by the conditions that triggers have, too."""
    start, end, is_question = text.sentences[number]
    sentence = folded[start:end]
    return not (
        is_passing("instruction", sentence, 0, 0, is_question=is_question)
        or is_unmeant("instruction", sentence, 0, 0)
    )


def _without_repeated_wishes(first: dict[tuple[int, str], _TriggerMatch]) -> list[_TriggerMatch]:
    """The hits without a preference that states an instruction: "I prefer that you always…"."""
    return [
        hit
        for (number, category), hit in first.items()
        if not (
            category == "preference"
            and (instruction := first.get((number, "instruction"))) is not None
            and instruction.start <= hit.end
            and hit.start <= instruction.end
        )
    ]


def _sentence_text(text: SentenceText, number: int) -> str:
    """A sentence with the lines that it announces, as its detail shows them."""
    sentence = text.sentences[number]
    return text.masked[sentence.start : sentence.end + MAX_DETAIL]


def _matches(
    trigger: Trigger, table: LanguageTable, text: SentenceText, folded: str
) -> Iterator[_TriggerMatch]:
    """The first match of a trigger in each sentence to which it applies."""
    pattern, position = trigger.pattern(), 0
    searched = folded if trigger.whole_words else text.masked
    while match := pattern.search(searched, position):
        start, end = match.span()
        number = text.sentence_at(start)
        if number is None or end == start or not _applies(trigger, table, text, folded, number, match.span()):
            position = start + 1
            continue
        yield _TriggerMatch(number, start, end, trigger.category, trigger.is_user_defined)
        position = max(end, text.sentences[number].end)


def _applies(
    trigger: Trigger,
    table: LanguageTable,
    text: SentenceText,
    folded: str,
    number: int,
    span: tuple[int, int],
) -> bool:
    """Whether a match fulfils the conditions of its trigger."""
    start, end = span
    sentence = text.sentences[number]
    if trigger.whole_words and not _is_whole(folded, start, end):
        return False
    if trigger.starts != "anywhere" and not _starts(trigger.starts, table, folded, sentence.start, start):
        return False
    if trigger.unless:
        before = folded[max(sentence.start, start - 40) : start].rstrip()
        if regex(rf"(?:{trigger.unless})$").search(before):
            return False
    if trigger.category in SUPPOSABLE and (
        is_supposed(folded, sentence.start, start)
        or is_unmarked_question(folded, (sentence.start, sentence.end), span, table.asked_inside)
    ):
        return False
    if sentence.is_question and _is_asked(trigger, table, folded, sentence, span):
        return False
    if is_passing(
        trigger.category,
        folded[sentence.start : sentence.end],
        start - sentence.start,
        end - sentence.start,
        is_question=sentence.is_question,
    ):
        return False
    if not _is_followed(trigger, text.masked, span) or is_unmeant(
        trigger.category,
        folded[sentence.start : sentence.end],
        start - sentence.start,
        end - sentence.start,
    ):
        return False
    if trigger.category == "decision" and not trigger.is_user_defined:
        from memtool.core.capture.vague import decides_nothing

        if decides_nothing(
            folded[sentence.start : sentence.end], start - sentence.start, end - sentence.start
        ):
            return False
    return trigger.category not in STATED or not is_reported(folded, sentence.start, start)


def _is_followed(trigger: Trigger, masked: str, span: tuple[int, int]) -> bool:
    """Whether what must follow a trigger follows its match."""
    start, end = span
    match trigger.then:
        case "word":
            return regex(_WORD).match(masked, end) is not None
        case "name" | "sure name":
            return is_followed_by_name(masked, start, end, sure=trigger.then == "sure name")
        case "thing":
            return is_followed_by_thing(masked, start, end)
        case _:
            return True


def _starts(place: str, table: LanguageTable, folded: str, first: int, start: int) -> bool:
    """Whether a sentence or a clause starts at `start`, politeness and other leading words aside."""
    window = max(first, start - _LEADING)
    before = folded[window:start] if window == first else "x" + folded[window:start]
    if place == "sentence":
        return regex(_POLITE, re.IGNORECASE).fullmatch(before) is not None
    if not before.strip():
        return True
    edge, gap = (r"\b", r"[^\w\n]{1,4}") if table.spaced else ("", r"[^\w\n]{0,4}")
    clause = (
        rf"(?:^|{_CLAUSE_MARK}|{edge}(?:{table.conjunctions}){edge})[^\w\n]{{0,4}}"
        rf"(?:{edge}(?:{table.leads}){edge}{gap}){{0,4}}$"
    )
    return regex(clause).search(before) is not None


def _is_asked(
    trigger: Trigger, table: LanguageTable, folded: str, sentence: SentenceSpan, span: tuple[int, int]
) -> bool:
    """Whether a match does not count because it belongs to the question that its sentence ends with.

    It does not if the question follows in a clause of its own, and the clause of the match begins with no
    question word. An instruction may be a question itself ("could you always…"), but no part of one.
    """
    start, end = span
    edge = r"\b" if table.spaced else ""
    question = rf"{edge}(?:{table.question_words}){edge}"
    if trigger.category == "instruction":
        return regex(question).search(folded, max(sentence.start, start - 200), start) is not None
    if trigger.category == "remember":
        return regex(rf"\W{{0,4}}{question}").match(folded, end) is not None
    if trigger.category not in STATED:
        return False
    asks_later = rf"{_CLAUSE_MARK}|{edge}(?:{table.conjunctions}){edge}[^\w\n]{{0,4}}{question}"
    if not regex(asks_later).search(folded, end, min(sentence.end - 1, end + 2000)):
        return True
    first = max(sentence.start, start - 300)
    marks = [match.end() for match in regex(_CLAUSE_MARK).finditer(folded, first, start)]
    clause = folded[marks[-1] if marks else first : start]
    leads = rf"\W{{0,4}}(?:{edge}(?:{table.leads}){edge}\W{{0,4}}){{0,3}}"
    return regex(leads + question).match(clause) is not None


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
