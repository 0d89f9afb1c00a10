"""Values of corrections: where the two values of a sentence begin and end, which its form only guesses."""

from __future__ import annotations

import re

from memtool.core.capture.particles import is_particle
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_function_word
from memtool.core.text.regex import regex

_EDGE = (
    r"(?i)^(?:(?:on|at|in|to|the|an?|called|named|spelled|spelt|with|using|by|really|actually|just|now"
    r"|only|my|our"
    r"|is|for|until|\W)\s+|[\"'“”‘’*_`(\[]+)+"
)
_TAIL = (
    r"(?i)(?:[\s\"'“”‘’*_`)\].]|\s(?:please|now|any ?more|though|btw|sorry|instead|thanks|again|as i said"
    r"|yesterday|today|recently|(?:last|this) (?:week|month|year|night|spring|summer|autumn|fall|winter)"
    r"|in (?:the )?(?:spring|summer|autumn|fall|winter)|\w+ (?:days?|weeks?|months?|years?) ago))+$"
)
_ARTICLES = frozenset(["the", "a", "an", "my", "our", "his", "her", "their", "its", "your", "this", "that"])
_NO_VALUE_WORDS = """
    it that this there so sure true right wrong ok okay good bad only just what how why because if when much
    yet too very really working necessary possible enough going trying able clear easy hard a an the
"""
_NO_VALUE = frozenset(_NO_VALUE_WORDS.split())


def value_of(text: str) -> str:
    """A value without articles, prepositions and quotes around it; empty if it is not a value."""
    value = regex(_TAIL).sub("", regex(_EDGE).sub("", text.strip()))
    first = value.split(" ", 1)[0].lower()
    return "" if first in _NO_VALUE or not any(map(str.isalnum, value)) else value


def parallel_values(old: str, new: str, language: str) -> tuple[str, str]:
    """Two values in contrast, the longer one from where the shorter one's first or last word says it begins.

    Where a value begins is a guess in most forms: `key hangs behind the red door`, not `the blue door`.
    """
    longer, shorter = sorted((old.split(" "), new.split(" ")), key=len, reverse=True)
    if len(longer) == len(shorter):
        return old, new
    words, first, last = [word.lower() for word in longer], shorter[0].lower(), shorter[-1].lower()
    start = words.index(first, 1) if first in words[1:] else 0
    if longer == old.split(" ") and first == words[0] and is_function_word(first, language):
        end = len(shorter)
        if not is_function_word(search_fold(words[end - 1]), language):
            return " ".join(longer[:end]), new  # "gegen Nüsse allergisch", not "gegen Mandeln"
    if not start and len(shorter) > 1 and words[-1] == last:
        start = len(longer) - len(shorter)
    if len(shorter) == 1 and all(regex(r"\D*\d[\d.,:]*").fullmatch(word) for word in (last, words[-1])):
        start = len(longer) - 1  # `born in 1991`, not `1990`
    if any(map(str.isdigit, "".join(words[:start]))):
        return old, new
    if is_particle(longer[0]) and first not in _ARTICLES and not all(map(is_particle, longer[:start])):
        return old, new  # "in the box on the shelf", not "on the table"
    cut = " ".join(longer[start:])
    return (cut, new) if len(old.split(" ")) > len(new.split(" ")) else (old, cut)


def without_same_particle(text: str, match: re.Match[str], raw: tuple[str, str]) -> tuple[str, str]:
    """The values without words after them, and without a preposition that stands before both."""
    bare = [regex(_TAIL).sub("", value) for value in raw]
    for number, other in enumerate(("new", "old")):
        first, _, rest = bare[number].partition(" ")
        before = text[: match.end(other)].rstrip().removesuffix(raw[1 - number])
        last = before.rsplit(maxsplit=1)[-1:]
        head, found, tail = bare[number].rpartition(f" {last[0]} ") if last else ("", "", "")
        if head and found and tail:
            bare[number] = tail  # "vive en Lima", not in "Cusco"
        elif rest and is_particle(first) and before.lower().endswith(f" {first.lower()} "):
            bare[number] = rest
    return bare[0], bare[1]
