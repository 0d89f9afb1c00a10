"""Sentences of a message's own prose: code, quotes and URLs are masked without moving any offset.

Newlines and list items end a sentence; a wrapped line, `v2.0.4`, `Dr.` and `e.g.` do not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from memtool.core.text.folding import APOSTROPHES
from memtool.core.text.regex import regex

URL_MASK, CODE_MASK = "\x00", "\x01"
"""The mask of each character of a URL, and of each letter of inline code."""

_PLAIN_CHARACTERS = {ord(letter): "'" for letter in APOSTROPHES if letter != "`"} | {
    code: code - 0xFEE0 for first, last in ((0xFF10, 0xFF19), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A))
    for code in range(first, last + 1)
}  # fmt: skip
_FENCE = r"^[^\S\n]*(`{3,}|~{3,})([^\n]*)$"
_QUOTED = r"^ {0,3}>(?![\d=])[^\n]*"
_NO_URL = r"\s<>\"`\u3000-\u303f\uff00-\uffef"
_URL = rf"(?:(?:https?|ftp)://|(?<![\w.])www\.)[^{_NO_URL}]*[^{_NO_URL}.,;:!?'*_)\]}}]"
_INLINE = r"(?<![\w`])(`{1,3})[^`\n]{1,500}\1(?![\w`])"
_BACKTICK = r"(?<=\w)`(?=\w)"
_LETTER = r"[^\W\d_]"
_EMOJI = r"\u2600-\u27bf\ufe0f\u200d\U0001f1e6-\U0001faff"
_BOUNDARY = rf"\n|(?<![.!?…])[.!?…]+[\"'”»)\]*_`{_EMOJI}]*(?=\s|$)|[。！？｡؟۔।॥]+[」』”）\"'{_EMOJI}]*"
_ASKS = rf"[?？؟][\"'”»)\]*_`\s」』）.!…{_EMOJI}]*$"
"""The end of a question."""
_CLOSING_QUOTES = "\"”»'"
_MARKER = r"[^\S\n]*(?:(?:[-*+•–—]|#{1,6}|\d{1,3}[.)])[^\S\n]+(?:\[[ xX]\][^\S\n]+)?)*"
_ABBREVIATION_WORDS = """
    dr mr mrs ms mx prof st jr sr vs e.g i.e eg ie cf approx fig vol dept est inc ltd corp gen col sgt rev
    ca nr resp incl excl max min tel akad mln mlrd h.k dra sra srta
"""
_ABBREVIATIONS = frozenset(_ABBREVIATION_WORDS.split())
_BEFORE_NAMES = (
    "dr mr mrs ms mx prof st jr sr dra sra srta gen col sgt rev nr vs fig vol approx ca resp e.g i.e"
)
"""Abbreviations that a name, a number or another part of the same phrase follows."""
NOT_ABBREVIATED = "".join(rf"(?<!\b{re.escape(word)}\.)" for word in _BEFORE_NAMES.split())
"""A regular expression of a place that no such abbreviation precedes."""
_SENTENCE_OPENERS = (
    r"it|its|he|she|they|we|i|i'm|the|this|that|these|there|his|her|their|our|my|but|and|so|er|sie|es|das"
    r"|il|elle|él|ella|он|она"
)
_AFTER_ORDINALS = "jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|stock|etage|semester|klasse"
CLAUSE_STOP = (
    rf"\.(?:$|(?=\s+(?:{_SENTENCE_OPENERS})\b)|(?=\s)"
    rf"(?!(?<=\bno\.)\s\d|(?<=\d\.)\s(?:{_AFTER_ORDINALS}))(?<!\b(?-i:[A-HJ-ZА-Я])\.){NOT_ABBREVIATED})"
)
"""A regular expression of a full stop that ends a clause, in any case, unlike those of `Dr. Lee`, `No. 5`."""
_BEFORE_ORDINALS = frozenset(["am", "im", "vom", "zum", "ab", "den", "dem", "der", "bis", "seit"])
"""German words before an ordinal, which is written with a full stop: "am 12. Mai", "im 5. Semester"."""
_TAIL = 24
"""The most characters from a question mark to the end of its sentence."""
_WRAPPED = 60
"""Characters from which a line may be wrapped, so that its sentence continues on the next."""


class SentenceSpan(NamedTuple):
    """A sentence at `text[start:end]`, without its list marker; a question ends with a question mark."""

    start: int
    end: int
    is_question: bool


class SentenceText(Struct, frozen=True):
    """A text, its masked form of the same length, and its sentences in order.

    In `masked` every sentence is on a line of its own, every apostrophe is `'`, full-width letters and digits
    are plain ones, and fenced code and quoted lines are blank.
    """

    text: str
    masked: str
    sentences: tuple[SentenceSpan, ...]

    def sentence_at(self, offset: int) -> int | None:
        """The number of the sentence at an offset, or None."""
        number = bisect_right(self.sentences, offset, key=lambda sentence: sentence.start) - 1
        return number if number >= 0 and offset < self.sentences[number].end else None


def split_sentences(text: str) -> SentenceText:
    """Split a cleaned text (its only line end is `\\n`) into sentences, in linear time."""
    letters = list(_mask(text))
    sentences: list[SentenceSpan] = []
    start = 0
    masked = "".join(letters)
    for start, end, cut, new in _segments(masked):
        if cut < len(letters):
            letters[cut] = new
        if new == "\n" and (sentence := _sentence(text, masked, start, end)):
            sentences.append(sentence)
    return SentenceText(text, "".join(letters), tuple(sentences))


def _mask(text: str) -> str:
    if "`" in text:
        text = regex(_BACKTICK).sub("'", text)
    if "```" in text or "~~~" in text:
        text = _without_fences(text)
    if ">" in text:
        text = regex(_QUOTED, re.MULTILINE).sub(_blank, text)
    if "://" in text or "www." in text or "WWW." in text:
        text = regex(_URL, re.IGNORECASE).sub(lambda match: URL_MASK * len(match[0]), text)
    if "`" in text:
        text = regex(_INLINE).sub(lambda match: regex(_LETTER).sub(CODE_MASK, match[0]), text)
    return text if text.isascii() else text.translate(_PLAIN_CHARACTERS)


def _blank(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _without_fences(text: str) -> str:
    """Replace fenced code by blank lines; an unclosed fence runs to the end (CommonMark 4.5)."""
    pieces: list[str] = []
    fence_start, fence, position = 0, "", 0
    for match in regex(_FENCE, re.MULTILINE).finditer(text):
        mark, rest = match[1], match[2]
        if not fence and not (mark[0] == "`" and "`" in rest):
            fence, fence_start = mark, match.start()
            pieces.append(text[position:fence_start])
        elif fence and mark.startswith(fence) and not rest.strip():
            pieces.append("\n" * (match.end() - fence_start))
            fence, position = "", match.end()
    pieces.append("\n" * (len(text) - fence_start) if fence else text[position:])
    return "".join(pieces)


def _segments(masked: str) -> Iterator[tuple[int, int, int, str]]:
    """Each segment's start and end, the offset of the character after it, and what replaces that character.

    A wrapped line is a segment, too; it is followed by a blank, because its sentence continues.
    """
    start = line = 0
    for match in regex(_BOUNDARY).finditer(masked):
        mark, end = match.span()
        if masked[mark] == "\n":
            wrapped = (
                mark - line >= _WRAPPED and masked[end : end + 1].islower() and masked[mark - 1] not in ".!?:"
            )
            line = end
            if wrapped:
                yield start, mark, mark, " "
                continue
            yield start, mark, mark, "\n"
        elif _continues(masked, start, mark, end):
            continue
        else:
            yield start, end, end - 1, "\n"
        start = end
    yield start, len(masked), len(masked), "\n"


def _continues(masked: str, start: int, mark: int, end: int) -> bool:
    """Whether a full stop (or dots) ends no sentence: after an abbreviation, an initial, a list number."""
    following = masked[end : end + 12].lstrip()
    if masked[mark:end] in {"...", "…", ".."}:
        return following[:1].islower()
    if masked[end - 1] in _CLOSING_QUOTES and following[:1].islower():
        return True
    if masked[mark:end] != ".":
        return False
    before = masked[max(start, mark - 14) : mark].split()
    word = before[-1].lstrip("(\"'“«[") if before else ""
    if word.casefold() in _ABBREVIATIONS:
        return True
    if word.casefold() == "no":
        return following[:1].isdigit() or following.casefold().startswith(("i meant", "i mean "))
    if word == "etc" or regex(r"(?:[a-z]\.){1,3}[a-z]").fullmatch(word):
        return following[:1].islower()
    if word.isdigit() and len(word) <= 2 and before[-2:-1]:
        if regex(f"(?:{_AFTER_ORDINALS})").match(following):  # in lower case, as no sentence begins
            return True
        if before[-2].casefold() in _BEFORE_ORDINALS:
            return following[:1].isalpha()
    if word.isdigit():
        return masked[start:mark].strip() == word and len(word) <= 3
    return (
        regex(r"(?:[^\W\d_a-z]\.)*[^\W\d_a-z]").fullmatch(word) is not None and word.isupper() and word != "I"
    )


def _sentence(text: str, masked: str, start: int, end: int) -> SentenceSpan | None:
    while end > start and (text[end - 1].isspace() or masked[end - 1] == "\n"):
        end -= 1
    marker = regex(_MARKER).match(masked, start, end)
    start = marker.end() if marker else start
    while start < end and masked[start].isspace():
        start += 1
    if start >= end:
        return None
    return SentenceSpan(start, end, asks(masked[max(start, end - _TAIL) : end]))


def asks(sentence: str) -> bool:
    """Whether a sentence ends with a question mark, perhaps with quotes or emoji after it."""
    return regex(_ASKS).search(sentence, max(0, len(sentence) - _TAIL)) is not None
