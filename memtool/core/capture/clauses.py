"""Clauses and words of a line of memory, with their places, as corrections compare them."""

from __future__ import annotations

import functools
import re

from msgspec import Struct

from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CLAUSE_STOP

CHARACTERS = "\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f"
"""The letters of scripts without spaces between words."""
REQUEST = r"(?i)\W*(?:please )?(?:remember|note|keep in mind|don't forget)(?: that)?\b\W*"
"""What a line may begin with besides its statement."""
_WORD = rf"[{CHARACTERS}]|[^\s{CHARACTERS}]+"
"""A word with its signs (`$12,500`, `C++`); in scripts without spaces between words, a character."""
_SIGNS_AROUND = (
    r"^[\"'“”‘’«»()\[\]{}*_`]+",
    r"(?:['’]s)?[\"'“”‘’«»()\[\]{}*_`.,;:!?…。，；：！？、]+$|['’]s$",
)
"""What is no part of a word: quotes and brackets around it, and what ends a clause or marks an owner."""
_CLAUSE_END = (
    rf"[,;:!?]+(?=\s|$)|(?<![а-яё] )[—–]+(?=\s|$)|{CLAUSE_STOP}|[。，；！？、]"
    r"|(?<=\s)(?:and|but|und|aber|y|pero|et|mais|e|mas|и|а|но|ve|(?-i:ama|va))(?=\s)"
)
"""In Russian a dash stands for the copula: "мой врач — Иванов"."""


class LineWord(Struct, frozen=True):
    """A word of a text, folded, and its span without the signs around it."""

    text: str
    start: int
    end: int


def clauses(text: str) -> list[tuple[int, int]]:
    """The spans of a text's clauses."""
    ends = [(match.start(), match.end()) for match in regex(_CLAUSE_END, re.IGNORECASE).finditer(text)]
    starts = [0, *(end for _, end in ends)]
    return [*zip(starts, [*(start for start, _ in ends), len(text)], strict=True)]


def clauses_around(value: str, text: str) -> list[tuple[int, int]]:
    """The spans of a text's clauses, of which those that a value has words of are one: `Ada and Felix`."""
    parts, spans = clauses(text), spans_of(value, text)
    first = [
        number
        for number, (start, _) in enumerate(parts)
        if not any(begin < start < end for begin, end in spans)
    ]
    lasts = [number - 1 for number in (*first[1:], len(parts))]
    return [(parts[start][0], parts[last][1]) for start, last in zip(first, lasts, strict=True)]


def spans_of(phrase: str, text: str) -> list[tuple[int, int]]:
    """Where a text has a phrase as whole words."""
    wanted, words = [word.text for word in line_words(phrase)], line_words(text)
    size = len(wanted)
    return [
        (words[first].start, words[first + size - 1].end)
        for first in range(len(words) - size + 1 if size else 0)
        if words[first].text == wanted[0] and [word.text for word in words[first : first + size]] == wanted
    ]


@functools.lru_cache(16)
def line_words(text: str) -> tuple[LineWord, ...]:
    """The words of a text."""
    opening, closing = map(regex, _SIGNS_AROUND)
    found = []
    for match in regex(_WORD).finditer(text):
        without_opening = opening.sub("", match[0])
        bare = closing.sub("", without_opening)
        start = match.end() - len(without_opening)
        if bare:
            found.append(LineWord(search_fold(bare), start, start + len(bare)))
    return tuple(found)
