"""Exclusive values: which two values of one thing cannot both be true, as a correction of it needs.

`7` and `8`, `Monday` and `Tuesday`, `red` and `blue`, `Ann` and `Anna`, `nurse` and `doctor` are values of
one kind. `deaf` and `hungry` are not: both may be true, unless the sentence says that the value just given
was wrong ("correction:", "I meant").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from enum import IntEnum

from msgspec import Struct

from memtool.core.capture.clauses import CHARACTERS
from memtool.core.capture.languages.compared_words import (
    ADDING,
    ARTICLES,
    COPULAS,
    DRIVING,
    FIRST_PERSON,
    INDEFINITE,
    PLACING,
    POSSESSIVES,
    TEMPORARY,
)
from memtool.core.capture.languages.correction_signs import CORRECTING, DENYING, EXPRESS, LEADS
from memtool.core.capture.languages.statement_words import FAMILY, OCCUPATIONS, PERSON, PERSON_NAME
from memtool.core.capture.languages.value_kinds import VALUE_CLASSES, VALUE_KINDS
from memtool.core.capture.particles import is_particle
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.function_words import is_function_word, query_language
from memtool.core.text.health_words import affects_advice, is_medicine, may_affect_advice
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS
from memtool.core.text.regex import regex
from memtool.core.text.values import quantity_of, spell_values

_NUMBER, _NAME = "number", "name"
_EXACT = frozenset([_NUMBER, "day"])
_DATE, _DAY, _TIME, _AMOUNT = VALUE_KINDS
_NUMBER_KINDS = {"date": _DATE, "time": _TIME, "amount": _AMOUNT}
_BEING = COPULAS | frozenset(
    ["bin", "bist", "suis", "soy", "eres", "sou", "am", "esta", "estoy", "estan", "estou", "estao", "be"]
)
"""Verbs after which stands what something is."""
_GERMAN = frozenset(["ist", "sind", "bin", "bist", "war"])
_LANGUAGE = "de"
"""The language in which any noun has a capital."""
_OUTSIDE_WORDS = """
    from to into onto through until before after between aus nach zum zur из от до desde
"""
_LOCATIVE = PLACING - frozenset(_OUTSIDE_WORDS.split())
"""Prepositions of where something is."""
_GENERAL_HEADS = frozenset("人者的了吗呢吧")
"""Characters after a value that say nothing of its kind."""
_MEASURES = frozenset(["m", "inch", "g", "oz", "l"])
"""Bases of units that a bare number does not have."""
_VERB_AND_MORE = 2
_RUSSIAN_VERB = "(?:[еёиуюая]т|л[аио]?|[сш]ь|ся|ем|им|[ую])$"
_TURKIC_POSSESSIVES = frozenset(["benim", "bizim", "mening", "bizning"])
_MOST_SHARED = 3
"""The most characters before two values from the copula on: `是小` before `红` and `虹`."""
_IDENTIFIER = r"[/\\@_]\w|\w[.:]\w"
"""A path, an address or a name in code."""
_MOST_OF_CLASS = 2
"""The most words of a value of a class: `dark blue`."""
_LONGEST_ENDING = 3
"""The most letters of an ending of a word of a class."""
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_NUMBER_WORDS = frozenset([*NUMBER_WORDS, *_ORDINALS.split()]) | OTHER_NUMBERS


class ValueCue(IntEnum):
    """How surely a sentence replaces a value that was given before."""

    NOW = 0
    """It says only what holds since lately."""
    LEADING = 1
    """It begins as corrections and many other sentences do: "Actually", "Wait"."""
    DENYING = 2
    """It begins with "No"."""
    CORRECTING = 3
    """It says that something was wrong or meant: "Correction:", "I meant"."""


class Value(Struct, frozen=True):
    """A value as it is written and its folded words."""

    text: str
    words: tuple[str, ...]


class Frame(Struct, frozen=True):
    """The folded words before and after two values, which two sentences have in common."""

    before: Sequence[str]
    after: Sequence[str]


@functools.lru_cache(16)
def cue_of(sentence: str) -> ValueCue:
    """The cue of a correcting sentence."""
    lead = regex(LEADS, re.IGNORECASE).match(sentence)
    said = lead[0] if lead else ""
    if regex(CORRECTING, re.IGNORECASE).search(said):
        return ValueCue.CORRECTING
    if regex(DENYING, re.IGNORECASE).search(said):
        return ValueCue.DENYING
    is_express = regex(EXPRESS, re.IGNORECASE).search(f"{said} {sentence}") is not None
    return ValueCue.LEADING if is_express else ValueCue.NOW


def exclude_each_other(new: Value, old: Value, frame: Frame, cue: ValueCue, *, is_recent: bool) -> bool:
    """Whether two values between the same words cannot both be true, given the cue of the newer sentence.

    `is_recent` says whether the old one was given in the same session, so that a cue may be about it.
    """
    if sorted(new.words) == sorted(old.words):
        return True  # a comparison the other way round
    if cue is ValueCue.NOW and (_may_add(new, old, frame.before) or _have_other_verbs(new, old)):
        return False
    kinds = _kind(new, frame), _kind(old, frame)
    is_meant = is_recent and cue is ValueCue.CORRECTING
    if kinds[0] != kinds[1]:
        return is_meant and _EXACT.isdisjoint(kinds)
    if kinds[0] not in {"", _NAME}:
        return kinds[0] != _NUMBER or _are_of_one_unit(new, old)
    if any(_is_of_health(value, frame, is_name=bool(kinds[0])) for value in (new, old)):
        return is_meant  # conditions, medicines and what somebody avoids add to each other
    if kinds[0] or not _is_complement(frame.before, frame.after):
        return True
    places = [_is_place(value, frame.before) for value in (new, old)]
    if any(places):
        is_sure = is_recent and cue >= ValueCue.DENYING
        return all(places) and (is_sure or not _is_of_person(frame.before))
    if _has_shared_head(frame):
        return True
    if not is_recent or cue < ValueCue.DENYING:
        return False
    if is_meant:
        return True
    return bool(INDEFINITE & {*frame.before[-1:]}) or all(
        INDEFINITE & {*value.words[:1]} for value in (new, old)
    )


def _have_other_verbs(new: Value, old: Value) -> bool:
    """Whether two values are two things that somebody does: `works as a judge`, beside `lives in Oslo`."""
    verbs = {value.words[0] for value in (new, old)}
    return len(verbs) > 1 and all(
        len(value.words) > _VERB_AND_MORE
        and value.text[:1].islower()
        and value.words[0].endswith("s")
        and is_function_word(value.words[1], "en")
        for value in (new, old)
    )


def _is_of_health(value: Value, frame: Frame, *, is_name: bool) -> bool:
    """Whether a value is of health or diet; one that may be a name or a place only if it surely is."""
    said = " ".join((*frame.before, value.text))
    if is_name and _may_be_noun(frame):
        return affects_advice(said) or (not _is_where(value, frame) and may_affect_advice(said))
    if is_name or _is_continuous(frame.before):
        return affects_advice(value.text) or is_medicine(value.text)
    return may_affect_advice(value.text) or may_affect_advice(said)


def _may_be_noun(frame: Frame) -> bool:
    """Whether a capital after these words is of any German noun: not after `ist` or a title."""
    before = frame.before
    if query_language(" ".join(before), before) != _LANGUAGE or before[-1] in _GERMAN:
        return False
    return is_function_word(before[-1], _LANGUAGE) or not _is_complement(before, frame.after)


def _is_where(value: Value, frame: Frame) -> bool:
    return _is_complement(frame.before, frame.after) and _is_place(value, frame.before)


def _may_add(new: Value, old: Value, before: Sequence[str]) -> bool:
    """Whether what holds now may hold besides: `is a mother`, beside `is a nurse`; `uses Slack`."""
    if DRIVING & {*before[:2]}:
        return False
    return bool(ADDING & {*before} or INDEFINITE & {*before[-1:]}) or any(
        INDEFINITE & {*value.words[:-1][:1]} for value in (new, old)
    )


def _kind(value: Value, frame: Frame) -> str:
    """The kind of a value, of which one thing has one value; empty if it is of no known one."""
    bare = _bare_words(value)
    if any(map(str.isdigit, value.text)) or (bare and bare[0] in _NUMBER_WORDS):
        return _NUMBER
    if any(map(is_calendar_word, bare)) or regex(f"(?i)(?:{_DAY})").search(value.text):
        return "day"
    if regex(_IDENTIFIER).search(value.text):
        return "identifier"
    said = _class_words(value, bare, frame.before)
    for number, words in enumerate(VALUE_CLASSES):
        if any(is_of_class(word, words) for word in said):
            return f"class {number}"
    if regex(f"(?:{OCCUPATIONS})").fullmatch(" ".join(bare)):
        return "occupation"
    return _kind_of_name(value, frame)


def _class_words(value: Value, bare: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """The words of a value that may be of a class, as in `dark blue`; no name, which only German nouns look
    like."""
    if _is_continuous(before):
        return ("".join(value.words),) if _is_complement(before, ()) else ()
    is_name = value.text.rpartition(" ")[2][:1].isupper() and not _GERMAN & {*before}
    return bare if len(bare) <= _MOST_OF_CLASS and not is_name else ()


def _bare_words(value: Value) -> Sequence[str]:
    """The words of a value after articles and prepositions."""
    first = next((place for place, word in enumerate(value.words) if not _is_before_noun(word)), 0)
    return value.words[first:]


def _is_before_noun(word: str) -> bool:
    return word in ARTICLES or word in PLACING or is_particle(word)


def is_of_class(word: str, words: frozenset[str]) -> bool:
    """Whether a word is one of a class, in any inflection."""
    if word in words:
        return True
    longest = len(word) if regex(f"[{CHARACTERS}]").match(word) else _LONGEST_ENDING
    return any(f"{word[:end]}*" in words for end in range(max(1, len(word) - longest), len(word) + 1))


def _kind_of_name(value: Value, frame: Frame) -> str:
    """The kind of a value that is a name or a nationality; German words with a capital may be any noun."""
    words = value.text.split()
    name = " ".join(words[len(value.words) - len(_bare_words(value)) :])
    if not name[:1].isupper():
        return ""
    if not _is_complement(frame.before, frame.after):
        return _NAME
    is_noun = bool(_GERMAN & {*frame.before[-1:]})
    if is_noun and (FIRST_PERSON & {*frame.before} or may_affect_advice(value.text)):
        return ""
    return _NAME if is_noun or regex(f"(?i){PERSON_NAME}").match(name) else "nationality"


def _are_of_one_unit(new: Value, old: Value) -> bool:
    """Whether two values with numbers count or measure the same: `12` and `13 years`, but not `150 cm`."""
    beginnings = [value.words[0] for value in (new, old)]
    if beginnings[0] != beginnings[1] and all(is_particle(word) or word in PLACING for word in beginnings):
        return False
    kinds = [_kind_of_number(value) for value in (new, old)]
    return kinds[0] == kinds[1] or ("" in kinds and not _MEASURES & {*kinds})


def _kind_of_number(value: Value) -> str:
    """What a value with a number is: a date, a time or an amount, or the base of its unit."""
    for name, pattern in _NUMBER_KINDS.items():
        if regex(f"(?i)(?:{pattern})").search(value.text):
            return name
    quantity = next(filter(None, map(quantity_of, spell_values(value.text).split())), None)
    return quantity[1] if quantity else ""


def _is_complement(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether values say what or where something is, after the words before them.

    In Russian, Turkish and Uzbek no verb need stand before them.
    """
    if _is_continuous(before):
        is_case = regex(r"[\u3040-\u30ff]").match("".join(after)) and not regex("で[すし]|だ").match(
            "".join(after)
        )
        return bool(COPULAS & {*before[-_MOST_SHARED:]}) and not is_case
    if _BEING & {*before[1:]}:
        return True
    return is_without_verb(before) and not after


def is_limited(value: Sequence[str]) -> bool:
    """Whether a value says when or where it holds besides: `Bergen in summer`, `Oslo this week`."""
    first = next((number for number, word in enumerate(value) if not is_particle(word)), 0)
    rest = value[first + 1 :]
    return bool(TEMPORARY & {*value}) or any(is_particle(word) or word in PLACING for word in rest)


def is_in_place_phrase(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a value stands in a phrase of place or time before its noun: `behind the [blue] door`."""
    phrase = [*before]
    while phrase and phrase[-1] in ARTICLES:
        phrase.pop()
    is_noun = len(after) == 1 and not is_particle(after[0])
    return is_noun and len(phrase) > 1 and phrase[-1] in PLACING


def are_placed_alike(before: Sequence[str], new: Sequence[str], old: Sequence[str]) -> bool:
    """Whether two values after `is` share only a preposition, as in `Lex in Vienna`."""
    shared = {word for word, other in zip(new[1:-1], old[1:-1], strict=False) if word == other} & PLACING
    is_time = any(word.isdigit() or is_calendar_word(word) for word in (*new, *old))
    return not is_time and {*new} & {*old} == shared and bool(COPULAS & {*before[-1:]})


def is_without_verb(before: Sequence[str]) -> bool:
    """Whether words before a value are a subject alone, in a language that needs no verb for `is`."""
    if regex("[а-яё]").match(before[-1]):
        return before[-1] not in PLACING and regex(_RUSSIAN_VERB).search(before[-1]) is None
    return before[0] in _TURKIC_POSSESSIVES


def _is_continuous(before: Sequence[str]) -> bool:
    return bool(before) and regex(f"[{CHARACTERS}]").match(before[0]) is not None


def _is_place(value: Value, before: Sequence[str]) -> bool:
    """Whether a value says where something is, by its preposition or by the one before it."""
    rest = [word for word in before if word not in ARTICLES]
    return bool(_LOCATIVE & {*value.words[:1]} or _LOCATIVE & {*rest[-1:]})


def _is_of_person(before: Sequence[str]) -> bool:
    """Whether what is said of something may be of a person."""
    subject = " ".join(before)
    is_thing = before[0] in ARTICLES and (before[0] not in POSSESSIVES or before[0] in {"my", "our"})
    return not is_thing or regex(rf"\b(?:{PERSON}|{FAMILY})\b").search(subject) is not None


def _has_shared_head(frame: Frame) -> bool:
    """Whether two values in a script without spaces stand before one noun: `王` and `李`, of `医生`."""
    head = "".join(frame.after)
    return (
        _is_continuous(frame.before)
        and regex(r"[\u3400-\u9fff]").match(head) is not None
        and head[0] not in _GENERAL_HEADS
    )
