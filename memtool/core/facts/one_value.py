"""One value: what a fact says of something that has one value at a time, and when two values are the same.

What memtool supersedes when it writes a fact (`reconcile`, `save --key`), and what `lint` calls a
contradiction in files (`contradictions`), is decided here.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Iterable, Mapping

from msgspec import Struct

from memtool.core.facts.recount import counted_things
from memtool.core.records.candidate import entity_kind, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.function_words import LATIN_LANGUAGES, is_common_word, latin_words
from memtool.core.text.health_words import affects_advice
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem
from memtool.core.text.stopwords import is_negation
from memtool.core.text.tokenizer import comparison_tokens
from memtool.core.text.values import canonical_token, number_text, says_all_of, spell_values

_ARTICLES = frozenset({"a", "an", "the"})
_DATE_AND_PLACE = frozenset({"WAS_BORN"})
"""Predicates whose object is a date, a place or both."""
_ONE_OF = (
    r"(?i)\W*(?:\w+, )?(?:another )?(?:one|two|some|none) of (?:my|our|the)\b"
    r"|\W*(?:eine?[rs]?|zwei) (?:meiner|unserer|der)\b"
    r"|\W*un[ao]? de (?:mis|nuestr[ao]s|l[ao]s)\b|\W*une? de (?:mes|nos)\b|\W*l['’]une? des?\b"
)
"""How a statement begins about one of several, which says nothing of which one."""
_OWN_ROLE = r"(?i)user['’]s (?P<other>.* )?(?P<role>\S+)"
"""The subject of a fact about what the user has; in front of the last word is which one of several it is."""
_WHICH_ONE = r"(?i)(?:best|oldest|eldest|youngest|twin|only|first|second|third|middle|\w+'s)\b"
"""Words that tell one from the others, or say whose it is."""
_BREAK = r"[,;:()\[\]\"“”—–|]+(?!\d)|(?<=\s)-(?=\s)|[.!?](?=\s|$)"
"""What separates parts of a text; a comma or a point in a number does not."""
_LEADING_POINT = r"(?<!\S)\.(?=[a-z])"
"""A point that is part of a name: `.NET`."""


class _ValueWord(Struct, frozen=True):
    """A token of a value, folded, and whether a new part of the text begins with it."""

    text: str
    begins: bool = False


def has_ended(quote: str | None, phrases: PhraseLists) -> bool:
    """Whether the quote of a fact says that it no longer holds."""
    return phrases.find("ended", plain_text(quote or "")) is not None


def is_one_of_several(statement: str) -> bool:
    """Whether a statement is about one of several, not about which: `One of my sons is 8`."""
    return regex(_ONE_OF).match(statement) is not None


def may_be_another(fact: FactTriple, phrases: PhraseLists) -> bool:
    """Whether a fact is about somebody unnamed of whom the user may have several: `my friend is a nurse`.

    Another fact about `my friend` may then be about another one. `My best friend` is always the same.
    """
    match = regex(_OWN_ROLE).fullmatch(fact.subject)
    if match is None or regex(_WHICH_ONE).search(match["other"] or ""):
        return False
    return phrases.find("many_role", plain_text(match["role"])) is not None


def tells_change(fact: FactTriple, known: FactTriple, phrases: PhraseLists) -> bool:
    """Whether a fact says that its value is new (`now`), or is an age a year after a known one."""
    ages = [_age(each) for each in (fact, known)]
    if None not in ages and ages[0] == (ages[1] or 0) + 1:
        return True
    said = plain_text((fact.quote or "").replace(entity_name(fact.object), " "))  # `New York` is not new
    return said.startswith("no,") or any(phrases.find(name, said) for name in ("correction", "renewed"))


def _age(fact: FactTriple) -> int | None:
    number = regex(r"\d+").match(fact.object) if fact.predicate == "OF_AGE" else None
    return int(number[0]) if number else None


def values_of(fact: FactTriple, single: Container[str], phrases: PhraseLists) -> Mapping[str, str]:
    """What a fact says of things that have one value at a time, by their names; empty for other facts.

    It is the object of a predicate in `single`, or a number of things that another fact may count anew. A
    birth has a date and a place. Conditions and diets exclude nothing, because a teacher is a vegetarian,
    too, and neither does a fact that has ended, which stays true, or one about one of several.
    """
    if has_ended(fact.quote, phrases) or is_one_of_several(fact.quote or ""):
        return {}
    if fact.predicate not in single:
        count = counted_things(fact.object)
        return {} if count is None else {" ".join(count[1]): number_text(count[0])}
    if affects_advice(fact.object):
        return {}
    name = entity_name(fact.object)
    if fact.predicate not in _DATE_AND_PLACE:
        return {"": name}
    words = _significant_words(name)
    date = ", ".join(word.text for word in words if word.text[:1].isdigit())
    place = [word for word in words if not word.text[:1].isdigit()]
    has_place = not all(map(_is_function_word, place))
    values = {"date": date, "place": _joined(place) if has_place else ""}
    return {name: value for name, value in values.items() if value}


def _joined(words: Iterable[_ValueWord]) -> str:
    """Words as a text with the same parts."""
    return "".join(f"{', ' if word.begins else ' '}{word.text}" for word in words).strip(", ")


def value_key(entity: str) -> str:
    """A key that is equal for names of one thing: `the piano`, `Piano`, or `two cats`, `2 cats`.

    Case, accents, punctuation, a leading article, and the spelling of dates, times and quantities make no
    difference. A person's name counts with its article.
    """
    words = canonical_words(entity_name(entity))
    if entity_kind(entity) != "Person" and len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words) or plain_text(entity_name(entity))


def is_same_wording(text: str, other: str) -> bool:
    """Whether two texts differ only in what makes no difference to `value_key`."""
    words = canonical_words(text)
    return words == canonical_words(other) and bool(words or text == other)


def canonical_words(text: str) -> list[str]:
    """The words of a text as `value_key` compares them; dates, times and quantities are spelled alike."""
    return [canonical_token(word.text) for word in _words(text)]


def is_other_value(value: str, other: str) -> bool:
    """Whether two values cannot both be right; one that only adds to the other (`Lisbon, Portugal`) can."""
    return not (is_contained(value, other) or is_contained(other, value))


@functools.lru_cache(4096)
def is_contained(value: str, other: str) -> bool:
    """Whether another value says all that a value says: it has its words, and around them what details them.

    Details are parted from it by punctuation or a function word: `Lisbon, Portugal` and `a flat in Lisbon`
    contain `Lisbon`, but `New York` does not contain `York`. `12 May 1990` contains `1990`, and `7 pm` `7`.
    """
    inner, outer = _significant_words(value), _significant_words(other)
    if not inner or not outer:
        return is_same_wording(value, other)
    return any(
        all(_says(there.text, word.text) for word, there in zip(inner, outer[start:], strict=False))
        and _is_detailed(outer, start, start + len(inner))
        for start in range(len(outer) - len(inner) + 1)
    )


def _is_detailed(words: tuple[_ValueWord, ...], start: int, end: int) -> bool:
    """Whether the words before and after a span only add to it."""
    before, after = words[:start], words[end:]
    if any(is_negation(word.text) for word in (*before, *after)):
        return False
    return (not before or words[start].begins or _is_function_word(before[-1])) and (
        not after or after[0].begins or _is_function_word(after[0])
    )


def _says(token: str, other: str) -> bool:
    """Whether a token says all that another one says; words in any inflection."""
    return stem(token) == stem(other) or says_all_of(token, other)


def _is_function_word(word: _ValueWord) -> bool:
    is_known = is_common_word(word.text) or any(word.text in latin_words(name) for name in LATIN_LANGUAGES)
    return is_known and word.text not in _ARTICLES  # an article that is left is a letter


def _significant_words(value: str) -> tuple[_ValueWord, ...]:
    """The words of a value without articles; `a` at the end of a part is a letter: `row A`."""
    words = _words(value)
    ends = [word.begins for word in words[1:]] + [True]
    return tuple(
        word for word, is_last in zip(words, ends, strict=True) if word.text not in _ARTICLES or is_last
    )


@functools.lru_cache(4096)
def _words(value: str) -> tuple[_ValueWord, ...]:
    spelled = regex(_LEADING_POINT).sub("dot", spell_values(plain_text(value)))
    parts = regex(_BREAK).split(spelled)
    rows = ([*comparison_tokens(part)] for part in parts)
    return tuple(_ValueWord(text, number == 0) for row in rows for number, text in enumerate(row))
