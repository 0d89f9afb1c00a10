"""Invented text: play, fiction, and texts that the user asks the agent to compose.

None of it is stated by the user of themselves: "you're the innkeeper, I'm Captain Flint, I love rum", "in the
series, Ines hates …", "write a note to my neighbour saying that I prefer …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.core.capture.languages.invented_patterns import (
    ANNOUNCES_PLAY,
    COMPOSE_AT_END_SIGNS,
    COMPOSE_SIGNS,
    COMPOSES_TEXT,
    COMPOSES_TEXT_AT_END,
    FICTION_SIGNS,
    GENERAL,
    NO_REQUEST_BEFORE,
    OF_FICTION,
    OWN_AGAIN,
    PART_SIGNS,
    PLAY_SIGNS,
    PLAYS_PARTS,
    QUOTED_LINES,
    TELLS_CONTENT,
    TELLS_TOPIC,
)
from memtool.core.privacy.announced_patterns import OWN_START
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

_PLAIN_MARKS = str.maketrans("’‘ʻʼ`", "'''''")
_SENTENCE_END = r"[.!?…]+(?=\s|$)|[。！？]|\n"
_READ = 4_000
"""Characters of a text that are read for an announcement, which precedes what it announces."""


def invented_spans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a cleaned text that are invented. They may overlap. Time is linear in its length."""
    folded = fold_in_place(text).translate(_PLAIN_MARKS)[:_READ]
    if any(_matches(ANNOUNCES_PLAY, PLAY_SIGNS, folded)) or any(_matches(PLAYS_PARTS, PART_SIGNS, folded)):
        yield 0, len(text)
        return
    for match in _matches(OF_FICTION, FICTION_SIGNS, folded):
        yield match.start(), _paragraph_end(text, match.end())
    for match in _matches(COMPOSES_TEXT, COMPOSE_SIGNS, folded):
        first = _sentence_start(folded, match.start())
        if not _is_standing(folded, first, match.start(), match.end()):
            yield match.end(), _text_end(text, folded, match.end())
    for match in _matches(COMPOSES_TEXT_AT_END, COMPOSE_AT_END_SIGNS, folded):
        first = _sentence_start(folded, match.start())
        if regex(TELLS_TOPIC).search(folded, first, match.start() + 1) is not None:
            yield first, _text_end(text, folded, match.end())
        elif not _is_standing(folded, first, match.start(), match.end()):
            clause = regex(r"[^,、\n]{0,60}$").search(folded[first : match.start() + 1])
            tells = clause is not None and regex(TELLS_CONTENT).search(clause[0]) is not None
            yield first if tells else match.start(), _text_end(text, folded, match.end())
    if "\n" in folded:
        for match in regex(QUOTED_LINES).finditer(text):
            yield match.span()


def _matches(pattern: str, signs: tuple[str, ...], folded: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern in a text, which has none without one of the `signs`; the test is fast."""
    return regex(pattern).finditer(folded) if any(sign in folded for sign in signs) else iter(())


def _is_standing(folded: str, first: int, start: int, end: int) -> bool:
    """Whether a request is not a request of one text: it is for all texts, or what the user does."""
    return (
        regex(GENERAL).search(folded, first, end) is not None
        or regex(NO_REQUEST_BEFORE).search(folded[max(first, start - 30) : start]) is not None
    )


def _sentence_start(folded: str, position: int) -> int:
    first = max(0, position - 400)
    before = folded[first:position]
    ends = [match.end() for match in regex(_SENTENCE_END).finditer(before)]
    return first + ends[-1] if ends else first


def _paragraph_end(text: str, position: int) -> int:
    end = text.find("\n\n", position)
    return end if end >= 0 else len(text)


def _text_end(text: str, folded: str, position: int) -> int:
    """The end of a composed text: its paragraph's, or a sentence with which the user speaks again.

    After a colon there is no such sentence.
    """
    last = _paragraph_end(text, position)
    for end in regex(_SENTENCE_END).finditer(folded, position, min(last, len(folded))):
        if ":" in folded[position : end.start()] or "：" in folded[position : end.start()]:
            return last
        start = end.end() + (folded[end.end() : end.end() + 1] == " ")
        if regex(OWN_AGAIN).match(folded, end.end()) or regex(OWN_START).match(folded, start):
            return end.end()
    return last
