"""Fitted corrections: which value of a line a correcting sentence replaces, told by the rest of the line.

`I studied physics in Leuven, not chemistry` says what takes the place of `chemistry` only together with `I
studied chemistry in Leuven`: the words before and after the value are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from memtool.core.capture.clauses import LineWord, clauses_around, line_words
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.languages.compared_words import (
    AGE_WORDS,
    ARTICLES,
    COPULAS,
    FIRST_PERSON,
    HAVING,
    PLACING,
    POSSESSIVES,
)
from memtool.core.capture.languages.correction_signs import HABITUAL, LEADS, NOW
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.other_value import other_value
from memtool.core.capture.respelling import other_spelling
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.same_frame import in_other_form, in_same_frame
from memtool.core.capture.shifted_values import shifted
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LONGEST = 5
"""The most words of a value."""
_LEAST_BEFORE = 2
"""Words before the value that a sentence and a line share, unless one of them is a name."""
_MOST_IN_APPOSITION = 3
"""The most words before a name that say who it is: `my older sister`."""
_NUMERAL = r"\d[\d.,:/]*(?:st|nd|rd|th|am|pm|h|º)?"
_UNITS = AGE_WORDS | {"am", "pm", "uhr", "o'clock"}
"""Words after a number that do not say of what it is the value."""
_ADVERBS = frozenset(["now", "still", "just", "only", "about", "around", "already", "jetzt", "erst"])
_OF_AGE = frozenset(["turns", "turned", "turning", "wird", "wurde", "cumple", "faz"])
_MOST_BEFORE_NOUN = 4
"""Words after a number among which its noun is."""


def fitted(correction: Correction, text: str) -> Correction:
    """A correction with the values that it replaces in a text; itself where the text does not tell.

    One that replaces nothing where its old value is a number, and stands in the text for another thing.
    """
    if correction.is_shift:
        return shifted(correction, text)
    if correction.is_spelling:
        old = other_spelling(correction.new, text)
        return replace(correction, old=old, raw=(old, correction.new)) if old else correction
    if not correction.old:
        framed = in_same_frame(correction, text) if correction.statement else correction
        other = other_value(correction.statement, text, is_recent=True) if framed.old else None
        return framed if other is None or other.old in framed.old else correction
    if (in_form := in_other_form(correction, text)) is not correction:
        return in_form
    number = correction
    correction = _with_fitted_number(correction, text)
    if correction != number and regex(rf"(?i)(?:{VALUE_KINDS[0]})").fullmatch(correction.old):
        return correction
    if not correction.said or not correction.old or search_fold(correction.old) not in search_fold(text):
        return correction
    for old in dict.fromkeys((correction.raw[0] or correction.old, correction.old)):
        new = _value_between(correction.said, old, text)
        if new and search_fold(new) != search_fold(old) and not _only_names(new, correction.new):
            found = replace(
                correction,
                old=old,
                new=new,
                raw=(old, new),
                head=(head := content_stems(text) & content_stems(correction.said) - content_stems(new)),
                subject=head,
                is_first_person=False,
                is_move=False,
            )
            return _with_fitted_number(found, text)
    if correction == number and _is_number(correction.old):
        return _with_place(correction, text, _places_of_number(correction, text))
    return correction


def _is_number(value: str) -> bool:
    return all(is_count(word.text) or regex(_NUMERAL).fullmatch(word.text) for word in line_words(value))


def _with_place(correction: Correction, text: str, places: Sequence[int] | None) -> Correction:
    """A correction of a number with the word before it, where a text has the number of other things, too.

    One that replaces nothing where the text has it only of those, or where a correction that does not say of
    what (`No, at 7, not at 6`) may be about several.
    """
    if places is None:
        return correction
    nothing = replace(correction, old="", new="", statement="")
    known = [word.text for word in line_words(text)]
    wanted = [word.text for word in line_words(correction.old)]
    count = sum(known[place : place + len(wanted)] == wanted for place in range(len(known)))
    if not places or (count > 1 and not correction.subject and (len(places) > 1 or not places[0])):
        return nothing
    if count == 1 or correction.subject:
        return correction
    before = known[places[0] - 1]
    if sum(known[place : place + len(wanted) + 1] == [before, *wanted] for place in range(len(known))) > 1:
        return nothing
    old, new = f"{before} {correction.old}", f"{before} {correction.new}"
    return replace(correction, old=old, new=new, raw=(old, new))


def _places_of_number(correction: Correction, text: str) -> list[int] | None:
    """Where a number in a text is the value of what a correction gives another number of; None for anywhere.

    The same thing is counted, or the same word is before both: `at six` is no age, nor `six mg` of guests.
    """
    said = line_words(regex(rf"(?i){LEADS}").sub("", correction.said or correction.new, count=1))
    numbers = [place for place, word in enumerate(said) if _is_number(word.text)]
    if not numbers:
        return None
    before, counted = said[: numbers[-1]], said[numbers[-1] + 1 :]
    known = line_words(text)
    old = [word.text for word in line_words(correction.old)]
    found = []
    for place in range(len(known) - len(old) + 1):
        if [word.text for word in known[place : place + len(old)]] != old:
            continue
        following = {word.text for word in known[place + len(old) :][:_MOST_BEFORE_NOUN]}
        things = [word.text for word in counted if word.text not in _UNITS]
        if things:
            if {*things} & following:
                found.append(place)
        elif not before or _lead_alike(before, known[:place]):
            found.append(place)
    return found


def _lead_alike(said: Sequence[LineWord], known: Sequence[LineWord]) -> bool:
    """Whether the last words before two numbers make them values of one kind."""
    last = [
        next((word.text for word in reversed(words) if word.text not in ARTICLES | _ADVERBS), "")
        for words in (said, known)
    ]
    return last[0] == last[1] or {*last} <= COPULAS | HAVING | _OF_AGE


def _with_fitted_number(correction: Correction, text: str) -> Correction:
    """A correction with the number or the date that a text has in the place of what the sentence says.

    `Thirty doors, not forty` is about `forty oak doors`, and `19 May, not the 14th` about `14 May`.
    """
    if day := regex(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)").fullmatch(correction.old):
        kind = rf"(?i)(?<!\w)(?:{VALUE_KINDS[0]})(?!\w)"
        new = regex(kind).search(correction.new)
        dates = [match[0] for match in regex(kind).finditer(text)]
        same = [*{date for date in dates if day[1] in regex(r"\d+").findall(date)}]
        if len(same) == 1 and (date := new[0] if new else _other_day(same[0], day[1], correction.new)):
            return replace(correction, old=same[0], new=date, raw=(same[0], date))
    if not is_count(correction.old):
        return correction
    words = line_words(correction.new)
    counts = [place for place, word in enumerate(words) if is_count(word.text)]
    noun = [word.text for word in words[counts[0] + 1 :]] if len(counts) == 1 else []
    if not noun:
        return correction
    known = line_words(text)
    places = [place for place, word in enumerate(known) if word.text == search_fold(correction.old)]
    ends = [
        (place, start + len(noun) - 1)
        for place in places
        for start in range(place + 1, place + 1 + _MOST_BEFORE_NOUN)
        if [word.text for word in known[start : start + len(noun)]] == noun
    ]
    if not ends:
        return correction
    place, last = min(ends, key=lambda span: span[1] - span[0])
    number = correction.new[words[counts[0]].start : words[counts[0]].end]
    wrong = text[known[place].start : known[last].end]
    right = number + text[known[place].end : known[last].end]
    return replace(correction, old=wrong, new=right, raw=(wrong, right))


def _other_day(date: str, day: str, value: str) -> str:
    """A date with a value for its day of the month: `December 11`; empty for a value of another kind."""
    new = regex(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)").fullmatch(value)
    parts = regex(rf"(?<!\d){day}(?:st|nd|rd|th)?(?!\d)").split(date) if new else []
    return value.removeprefix("the ").join(parts) if len(parts) == 2 else ""


def _only_names(value: str, new: str) -> bool:
    """Whether a value adds to another only what leads to a name: `spelled Sara`."""
    added = content_stems(value) - content_stems(new)
    return bool(new) and bool(added) and added <= content_stems("spelled spelt called named pronounced")


def _value_between(said: str, old: str, text: str) -> str:
    """What a sentence says in the place of a value of a text; empty where the rest differs."""
    wanted = [word.text for word in line_words(old)]
    around: list[tuple[list[LineWord], list[LineWord]]] = []
    for begin, end in clauses_around(old, text):
        words = [word for word in _without_adverbs(text) if begin <= word.start < end]
        places = [
            place
            for place in range(len(words) - len(wanted) + 1)
            if [word.text for word in words[place : place + len(wanted)]] == wanted
        ]
        if len(places) == 1:
            around.append((words[: places[0]], words[places[0] + len(wanted) :]))
    beginnings = [" ".join(word.text for word in before) for before, _ in around]
    for (before, after), beginning in zip(around, beginnings, strict=True):
        least = _LEAST_BEFORE if beginnings.count(beginning) > 1 else 1
        for statement in _statements(said):
            if value := _value_in(statement, before, after, text, least):
                return value
    return ""


def _statements(said: str) -> Iterator[str]:
    """What a sentence may state: all of it, without the words that lead to it, and what follows a colon."""
    yield said
    if lead := regex(rf"(?i){LEADS}").match(said):
        yield said[lead.end() :]
    yield said.rpartition(": ")[2]
    yield said.rpartition(", ")[2]


def _value_in(
    statement: str, before: Sequence[LineWord], after: Sequence[LineWord], text: str, least: int
) -> str:
    said = _without_adverbs(statement)
    for start in range(1, len(said)):
        if start < least or not _begin_alike(said[:start], statement, before, text):
            continue
        for size in range(1, min(_LONGEST, len(said) - start) + 1):
            rest = [word.text for word in said[start + size :]]
            following = [word.text for word in after]
            if rest == following[: len(rest)] and (rest or not following or size == len(said) - start):
                return statement[said[start].start : said[start + size - 1].end]
    return ""


def _without_adverbs(text: str) -> list[LineWord]:
    """The words of a text without `now`, `always` and the like."""
    adverbs = [match.span() for match in regex(rf"(?i){NOW}|{HABITUAL}").finditer(text)]
    return [
        word for word in line_words(text) if not any(first <= word.start < last for first, last in adverbs)
    ]


def _begin_alike(said: Sequence[LineWord], statement: str, before: Sequence[LineWord], text: str) -> bool:
    """Whether two texts have the same words before a value, save for who somebody is: `my son Emre is`."""
    shared = 0
    while shared < min(len(said), len(before)) and said[-1 - shared].text == before[-1 - shared].text:
        shared += 1
    if not shared:
        return False
    is_named = any(
        statement[word.start].isupper() for word in said[len(said) - shared :][-shared:] if word.start
    )
    rest, other = [word.text for word in said[: len(said) - shared]], before[: len(before) - shared]
    if shared >= _LEAST_BEFORE and _is_thing_of(rest, other):
        return True
    if shared < _LEAST_BEFORE and not (other and is_named) and not _is_person(said, statement, shared):
        return False
    if not all(word in ARTICLES for word in rest):
        return False
    if not other:
        return not rest
    if other[0].text in PLACING and shared >= _LEAST_BEFORE:  # "in October I'm going to", "I'm going to"
        return not rest and before[len(other)].text in FIRST_PERSON and len(other) <= _MOST_IN_APPOSITION
    is_owned = other[0].text in POSSESSIVES or other[0].text.startswith(("мое", "мои", "мою", "моя", "наш"))
    name = before[len(before) - shared]
    return is_owned and len(other) <= _MOST_IN_APPOSITION and text[name.start].isupper()


def _is_thing_of(rest: Sequence[str], other: Sequence[LineWord]) -> bool:
    """Whether words before a value are the thing that other words end with, and `is`: `the lamp is`."""
    if len(rest) <= _LEAST_BEFORE or rest[0] not in ARTICLES or rest[-1] not in COPULAS:
        return False
    thing, known = rest[1:-1], [word.text for word in other]
    return known[-len(thing) :] == thing and bool(content_stems(" ".join(thing)))


def _is_person(said: Sequence[LineWord], statement: str, shared: int) -> bool:
    """Whether all words before a value are one verb in a language that leaves out the pronoun, or a name."""
    first = said[0]
    return shared == len(said) and len(first.text) > 3 and not is_continuous(statement[first.start])
