"""Other values: which line of memory a statement contradicts, because it differs from it in one value.

`Actually, the key hangs behind the red door` contradicts `The key hangs behind the blue door`. Both begin
with the same words, and end so; what differs is short, has no word in common, and is the end of the sentence,
a number, what something is, or a modifier in a phrase of place or time. What can have several values (`has a
dog`) is no contradiction.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.capture.ages import are_ages, is_before_age
from memtool.core.capture.clauses import CHARACTERS, REQUEST, LineWord, clauses, line_words
from memtool.core.capture.differences import ClauseDifference, difference_of, swapped_values
from memtool.core.capture.exclusive_values import (
    Frame,
    Value,
    ValueCue,
    are_placed_alike,
    cue_of,
    exclude_each_other,
    is_in_place_phrase,
    is_limited,
    is_without_verb,
)
from memtool.core.capture.home_details import without_home_details
from memtool.core.capture.languages.compared_words import (
    AUXILIARIES,
    CASE_ENDINGS,
    COMPARATORS,
    COPULAS,
    COUNTED,
    DRIVING,
    FINAL_VERBS,
    INFLECTED,
    JOINING,
    NAMING,
    NEGATIONS,
    OF_SOMEBODY,
    POSSESSIVES,
    SEVERAL,
    SEVERAL_CONTINUOUS,
    TAKES_PLACE,
)
from memtool.core.capture.languages.correction_signs import HABITUAL, NOW
from memtool.core.capture.own_states import other_state, state_openings
from memtool.core.capture.particles import begin_alike, is_particle
from memtool.core.capture.replaced_person import (
    end_before_address,
    is_in_place,
    rest_of_other,
    with_title,
    without_address,
    without_person,
    without_surroundings,
)
from memtool.core.capture.respelling import is_respelling
from memtool.core.capture.restated_numbers import frame_words, restated_numbers
from memtool.core.capture.shared_subjects import is_shared_with_others
from memtool.core.capture.stated_in import stated_in, without_frequency
from memtool.core.facts.one_value import is_one_of_several
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LEAST_SHARED = 3
"""Words that a statement and a line begin with together: who or what it is about, and the verb."""
_CHOOSING = "prefer"
"""The verb before values of one kind, if both have one noun: `prefer dark mode`, `prefer light mode`."""
_LONGEST, _LONGEST_CONTINUOUS = 4, 12
"""The most words of a value; in scripts without spaces between words, characters."""
_MOST_IN_APPOSITION = 3
"""The most words before a name that say who it is: `my older sister Lena`."""
_ADVERBS = f"(?:{HABITUAL}|{NOW})"
_IT = r"(?i)\b(?:it|its|ihn|lo|la|le)\b"
_MOST_AFTER = 2
"""The most words after a value that stands before the verb."""
_WITH = frozenset(["with", "mit", "con", "avec", "com"])
_TITLES = frozenset(["dr", "mr", "mrs", "ms", "mx", "prof"])


class OtherValue(Struct, frozen=True):
    """A line with another value in place of its own, and both values as they are written."""

    line: str
    old: str
    new: str


def other_value(statement: str, line: str, *, is_recent: bool = False) -> OtherValue | None:
    """What a statement makes of a line that differs from it in one value; None for other lines.

    `is_recent` says whether the line is of the same session, so that "Correction:" and "No" may be about it.
    Before the statement may be words such as "Actually"; "now" in it is no part of it. One of the two may say
    who somebody is whom both name: `my sister Lena`. How often something holds (`always`) is not compared,
    unless the statement says only what holds now. Where several clauses of the line differ so, or the next
    sentence is about a person whom the value names, or the line is also about somebody else, it is None.
    """
    found: list[OtherValue] = []
    cue = cue_of(statement)
    adverbs = NOW if cue is ValueCue.NOW else _ADVERBS
    stated = stated_in(statement)
    texts = stated if adverbs is NOW else tuple(map(without_frequency, stated))
    if not texts or not _may_contradict(texts, line) or is_one_of_several(line):
        return None  # most lines: `statement` is compared with all of memory
    if is_shared_with_others(line, statement):
        return None
    is_sure = is_recent and cue is ValueCue.CORRECTING
    if states := other_state(stated[0], line):
        return OtherValue(stated[0], *states)
    for begin, end in _compared_clauses(line):
        known = _without_adverbs(line, begin, end, adverbs)
        for text in texts:
            words = _without_adverbs(text, 0, len(text), adverbs)
            if cue is not ValueCue.NOW and (numbers := restated_numbers(words, known)):
                (start, stop), (first, last) = numbers
                new = text[start:stop]
                found.append(OtherValue(line[:first] + new + line[last:], line[first:last], new))
                break
            difference = _contradiction(text, known, line, is_sure=is_sure)
            if difference is None:
                continue
            start, stop = difference.old[0].start, difference.old[-1].end
            old, new = line[start:stop], text[difference.new[0].start : difference.new[-1].end]
            if DRIVING & {*difference.before[:2]} and regex(_IT).search(line, stop):
                return None  # "I drive a Skoda and I park it here" says where that one is parked
            if _exclude_each_other(difference, new, old, cue, is_recent=is_recent):
                is_replaced = is_in_place(line[:start], old, new)
                is_another = is_replaced or (_is_what_somebody_is(difference) and not is_respelling(old, new))
                after = without_address(line[stop:]) if is_another else line[stop:]
                is_now = cue is ValueCue.NOW and is_replaced
                rest = rest_of_other(after, with_title(line[:start], old), is_other=is_now)
                if rest == after and old[:1].isupper() and regex(OF_SOMEBODY, re.IGNORECASE).match(line, end):
                    return None
                if rest == after and is_replaced:
                    rest = without_person(after)
                if _before_town(known, line) and known[-1].text not in search_fold(text):
                    rest = rest.removesuffix(line[end:]) + without_surroundings(line[end:])
                if not is_respelling(old, new):
                    rest = without_home_details(line[:stop], rest)
                found.append(OtherValue(line[:start] + new + rest, old, new))
                break
    return found[0] if len(found) == 1 else None


def _is_what_somebody_is(difference: ClauseDifference) -> bool:
    """Whether two values stand after `is`, perhaps with a title before them."""
    before = [word for word in difference.before if word not in _TITLES]
    return bool(COPULAS & {*before[-1:]})


def _exclude_each_other(
    difference: ClauseDifference, new: str, old: str, cue: ValueCue, *, is_recent: bool
) -> bool:
    said, known = (tuple(word.text for word in words) for words in (difference.new, difference.old))
    frame = Frame(difference.before, difference.after)
    return exclude_each_other(Value(new, said), Value(old, known), frame, cue, is_recent=is_recent)


def is_swapped(old: str, new: str) -> bool:
    """Whether two texts compare the same two things the other way round: `tabs over spaces`."""
    folded = search_fold(old)
    return any(
        swapped_values(words, _without_adverbs(old, begin, end)) is not None
        for text in stated_in(new)
        for words in [_without_adverbs(text, 0, len(text))]
        if all(word.text in folded for word in words)  # few of memory's lines have them all
        for begin, end in _compared_clauses(old)
    )


def has_negation(words: Sequence[str]) -> bool:
    """Whether a word of a clause is a negation; `no` before a number is none."""
    return any(
        (word in NEGATIONS and not (word == "no" and following[:1].isdigit())) or word.endswith("n't")
        for word, following in zip(words, (*words[1:], ""), strict=True)
    )


def _may_contradict(statements: Sequence[str], line: str) -> bool:
    """Whether a line has the words with which a statement may begin or end as it does; a fast test."""
    folded = search_fold(line)
    return any(
        all(word in folded for word in words)
        for statement in statements
        for words in _necessary_words(statement)
    )


@functools.lru_cache(16)
def _necessary_words(statement: str) -> tuple[tuple[str, ...], ...]:
    """Sets of words of a statement: a line that it contradicts has all words of one of them.

    They begin with the same words, from one of the first on; or one of the first and the last are the same.
    """
    words = [word.text for word in line_words(statement)]
    starts = range(min(_MOST_IN_APPOSITION + 1, len(words)))
    called = {
        number for number, word in enumerate(words) if number and _is_naming(words[number - 1 : number + 2])
    }
    rows = (
        [number for number in range(start, len(words)) if number not in called][:_LEAST_SHARED]
        for start in starts
    )
    beginnings = [tuple(words[number] for number in row) for row in rows if len(row) == _LEAST_SHARED]
    beginnings += [
        (words[start], words[start + 1])
        for start in starts
        if is_before_age(pair := words[start : start + 2]) or (pair[1:] and _least_shared(pair) == len(pair))
    ]
    beginnings += map(tuple, map(str.split, state_openings(words)))
    if frame := frame_words(words):
        beginnings.append(frame)
    if _CHOOSING in words[:_LEAST_SHARED]:
        beginnings.append((_CHOOSING, words[-1]))
    if words and regex(FINAL_VERBS).search(words[-1]):
        beginnings += [(words[start], words[-1]) for start in starts]
    if any(word in COMPARATORS for word in words) or regex(f"[{CHARACTERS}]").match(statement):
        beginnings.append(tuple(words[:1]))
    return tuple(beginnings)


def _compared_clauses(line: str) -> list[tuple[int, int]]:
    """The clauses of a line, the first one without the request to remember it, and each before an address."""
    request = regex(REQUEST).match(line)
    begin = request.end() if request else 0
    spans = [(max(start, begin), stop) for start, stop in clauses(line) if stop > begin]
    ends = ((start, start + end_before_address(line[start:stop])) for start, stop in spans)
    return [*dict.fromkeys((*spans, *ends))]


@functools.lru_cache(16)
def _without_adverbs(text: str, begin: int, end: int, pattern: str = NOW) -> Sequence[LineWord]:
    """The words of a span of a text without `now` and the like, and those that only lead to a name."""
    adverbs = [match.span() for match in regex(pattern, re.IGNORECASE).finditer(text, begin, end)]
    words = [
        word
        for word in line_words(text)
        if begin <= word.start < end and not any(first <= word.start < last for first, last in adverbs)
    ]
    return [
        word
        for number, word in enumerate(words)
        if not (number and _is_naming([each.text for each in words[number - 1 : number + 2]]))
    ]


def _is_naming(words: Sequence[str]) -> bool:
    """Whether the second of three words only leads to a name: `is called Ann`, `boss's name is Ann`."""
    before, word, after = [*words, ""][:3]
    return (word in NAMING and before in COPULAS) or (word == "name" and after in COPULAS and before != "my")


def _contradiction(
    statement: str, known: Sequence[LineWord], line: str, *, is_sure: bool
) -> ClauseDifference | None:
    """Where a statement says another value than the words of a clause; `is_sure` if the clause was wrong."""
    words = _without_adverbs(statement, 0, len(statement))
    for said, lined in _alignments(words, statement, known, line):
        difference = difference_of(said, lined)
        end, said_end = _before_town(lined, line), _before_town(said, statement)
        is_same_town = end and said_end and said[said_end + 1].text == lined[end + 1].text
        said_street = said[:said_end] if is_same_town else said
        if end and is_in_place_phrase(
            (street := difference_of(said_street, lined[:end])).before, street.after
        ):
            difference = street  # "I live on Elm Street in Halifax"
        values = difference.new, difference.old
        if not (all(values) and _is_contradiction(difference, is_sure=is_sure)):
            continue
        if _are_alike(values, statement, line):
            return difference
    swapped = swapped_values(words, known)
    return swapped if swapped and len(swapped.before) > 1 else None


def _before_town(words: Sequence[LineWord], line: str) -> int:
    """How many words of a clause are before the town at its end: `in Halifax`; 0 if there is none.

    With whom somebody lives may follow.
    """
    last = next((place for place, word in enumerate(words) if word.text in _WITH), len(words)) - 1
    is_town = (
        last > 1 and words[last - 1].text in {"in", "en", "a", "em"} and line[words[last].start].isupper()
    )
    return last - 1 if is_town and not is_calendar_word(words[last].text) else 0


def _alignments(
    said: Sequence[LineWord], statement: str, known: Sequence[LineWord], line: str
) -> Iterator[tuple[Sequence[LineWord], Sequence[LineWord]]]:
    """Both texts from the words on with which they may begin alike."""
    yield said, known
    yield from ((said, known[count:]) for count in _appositions(known, line))
    yield from ((said[count:], known) for count in _appositions(said, statement))


def _appositions(words: Sequence[LineWord], text: str) -> Iterator[int]:
    """How many words say who somebody is that a name follows: 2 for `my sister Lena lives in Oslo`."""
    for count in range(1, min(_MOST_IN_APPOSITION + 1, len(words))):
        before = words[:count]
        gaps = (text[word.end : words[number + 1].start] for number, word in enumerate(before))
        if not text[words[count].start].isupper() or any(gap != " " for gap in gaps):
            continue
        is_owned = before[0].text in POSSESSIVES and count > 1
        rest = [word.text for word in before[is_owned:]]
        if (is_owned or text[before[-1].start].islower()) and not any(
            is_particle(word) or word in JOINING or word in COPULAS for word in rest
        ):
            yield count


def _is_contradiction(difference: ClauseDifference, *, is_sure: bool) -> bool:
    """Whether two values between the same words may exclude each other."""
    before, after = difference.before, difference.after
    new, old = ([word.text for word in value] for value in (difference.new, difference.old))
    shared = [*before, *after]
    is_continuous = bool(before) and regex(rf"[{CHARACTERS}]").match(before[0]) is not None
    longest = _LONGEST_CONTINUOUS if is_continuous else _LONGEST
    if max(len(new), len(old)) > longest or not (is_continuous or content_stems(" ".join(before))):
        return False
    if has_negation([*before, *new[:1]]) or has_negation(old) or has_negation(new):
        return False
    if are_ages(before, after, new, old):
        return True
    if (
        (SEVERAL & {*shared} and not {*shared} >= TAKES_PLACE and not is_sure)
        or JOINING & {*new, *old}
        or (JOINING & {*before[-1:]} and not COPULAS & {*before[-2:-1]})
        or "also" in before
    ):
        return False
    is_part = is_continuous and not ({*new} <= {*old} or {*old} <= {*new})
    if {*new} & {*old} and not (is_part or are_placed_alike(before, new, old)):
        return False
    if is_limited(new) != is_limited(old):
        return False
    have_digits = [any(map(str.isdigit, "".join(value))) for value in (new, old)]
    if have_digits[0] != have_digits[1]:
        return False
    if is_continuous:
        if any(regex(INFLECTED).search("".join(value)) for value in (new, old)):
            return False
        is_number = all(have_digits)
        return len(before) >= _LEAST_SHARED and _is_continuous_value(before, after, is_number=is_number)
    if _stands_before_verb(difference):
        return True
    if len(before) < _least_shared(before) and not (_CHOOSING in before[-1:] and after):
        return False
    if not after:
        return True
    if (AUXILIARIES | JOINING) & {*after}:
        return False
    is_chosen = _CHOOSING in before[-1:]
    return (
        all(have_digits) or is_chosen or bool(COPULAS & {*before[-2:]}) or is_in_place_phrase(before, after)
    )


def _least_shared(words: Sequence[str]) -> int:
    """The least number of words that two texts begin with together; `моя жена` needs no verb."""
    return _LEAST_SHARED - (words[0] in POSSESSIVES and is_without_verb(words[:2]))


def _stands_before_verb(difference: ClauseDifference) -> bool:
    """Whether values are alike and stand before a verb that ends the sentence: `Oslo'da yaşıyor`."""
    after = difference.after
    if not 0 < len(after) <= _MOST_AFTER or regex(FINAL_VERBS).search(after[-1]) is None:
        return False
    values = [value[-1].text for value in (difference.new, difference.old)]
    return any(all(regex(ending).search(value) for value in values) for ending in CASE_ENDINGS)


def _is_continuous_value(before: Sequence[str], after: Sequence[str], *, is_number: bool) -> bool:
    """Whether a value is at the end, or what the topic is, in a script without spaces between words."""
    text = "".join((*before, "|", *after))
    if regex(SEVERAL_CONTINUOUS).search(text):
        return False
    is_counted = regex(COUNTED).match("".join(after)) is not None
    return not after or is_number or is_counted or bool(COPULAS & {*before[-3:]})


def _are_alike(values: tuple[list[LineWord], list[LineWord]], statement: str, line: str) -> bool:
    """Whether two values are both names, or neither is: `Berlin` and `a small flat` can both be true."""
    new, old = statement[values[0][0].start :], line[values[1][0].start :]
    owners = [
        regex(r"['’]s\s").search(text, value[0].start, value[-1].start)
        for value, text in zip(values, (statement, line), strict=True)
    ]
    is_owned = (owners[0] is None) == (owners[1] is None)
    return is_owned and begin_alike(old, new) and new[:1].isupper() == old[:1].isupper()
