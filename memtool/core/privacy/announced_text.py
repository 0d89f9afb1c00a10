"""Announced text: what a request is about, what a message asks to pretend, and drafts.

"Summarise this: …", "Write a story. …" and "Prompt: …" make what follows a text, and "Pretend …" makes its
own sentence one; none of it is a statement, a wish or a rule of the user's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from memtool.core.privacy.announced_patterns import (
    ANNOUNCING_LETTERS,
    ANNOUNCING_SIGNS,
    ANNOUNCING_WORDS,
    DRAFT_LABEL,
    GREETING,
    HAS_TEXT_NOUN,
    LETTER_START,
    OWN_START,
    PRETENCE,
    QUESTION_AND_ANSWER,
    REQUEST_ABOUT_TEXT,
    REQUEST_TO_WRITE,
    REWORKS_OR_CHECKS,
    REWORKS_WHAT_FOLLOWS,
    SAYS,
    SUBJECT_LINE,
    TELLS_OF_TEXT,
    WRITES,
)
from memtool.core.privacy.foreign_patterns import SIGN_OFF
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

_SENTENCE = r"[^\n.!?。！？]*(?:(?:[.!?](?!\s|$)|\.(?=\S))[^\n.!?。！？]*)*[.!?。！？]*"
_PIECE = r"[^\n.!?。！？:：]+(?:[.](?=\w)[^\n.!?。！？:：]+)*"
_PARAGRAPH_END = r"\n[^\S\n]*\n|\Z"
_QUOTATION = (  # an apostrophe may stand at the end of a word, so the last single mark of the line closes
    r"\s*(?:\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|['‘][^\n]*['’](?!\w))"
)
_ANNOUNCING_SIGNS = tuple(ANNOUNCING_SIGNS.split("|"))
_LONGEST = 240
"""The most characters of a request that announces a text."""


def announced_spans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a cleaned text that one of its own sentences makes a text, or a supposition.

    They may overlap. Time is linear in the length of the text.
    """
    folded = fold_in_place(text)
    if ":" in folded or "：" in folded:
        yield from (match.span() for match in regex(QUESTION_AND_ANSWER).finditer(folded))
    if "\n" in folded:
        yield from _letters(folded)
    if not _may_announce(folded):
        return
    ended = 0
    for piece in regex(_PIECE).finditer(folded):
        start, end = piece.span()
        if start < ended or end - start > _LONGEST or not piece[0].strip():
            continue
        clause = piece[0].strip()
        if regex(PRETENCE).match(clause):
            span = start, _sentence_end(folded, end)
        elif (span_after := _text_after(folded, clause, end)) is not None:
            span = span_after
        else:
            continue
        ended = span[1]
        if span[0] < span[1]:
            yield span


def _may_announce(folded: str) -> bool:
    """Whether a folded text has the sign of an announcement; a fast test."""
    return (
        any(sign in folded for sign in _ANNOUNCING_SIGNS)
        or regex(ANNOUNCING_WORDS).search(folded) is not None
        or (not folded.isascii() and regex(ANNOUNCING_LETTERS).search(folded) is not None)
    )


def _letters(folded: str) -> Iterator[tuple[int, int]]:
    """The letters after other text, from their greeting or subject to the paragraph that signs them.

    A letter that nothing signs extends to the end, if a subject or the line before tells of it.
    """
    before, ended = "", 0
    sign_offs = [match.start() for match in regex(rf"(?m)^[^\S\n]*{SIGN_OFF}").finditer(folded)]
    for line in regex(r"[^\n]*[^\s\n][^\n]*").finditer(folded):
        text = line[0].strip()
        if line.start() >= ended and len(text) <= _LONGEST:
            subject = regex(SUBJECT_LINE).match(text) is not None and folded.startswith("\n\n", line.end())
            told = subject or (
                regex(TELLS_OF_TEXT).fullmatch(before) is not None
                and regex(HAS_TEXT_NOUN).search(before) is not None
            )
            if subject or (before and regex(LETTER_START).match(text)):
                ended = _signed_end(folded, sign_offs, line.end()) or (len(folded) if told else 0)
                if ended:
                    yield line.start(), ended
        before = text if len(text) <= _LONGEST else "x"


def _signed_end(text: str, sign_offs: Sequence[int], position: int) -> int:
    """The end of the paragraph that signs a letter; 0 if none does."""
    number = bisect_left(sign_offs, position)
    if number == len(sign_offs):
        return 0
    end = regex(_PARAGRAPH_END).search(text, sign_offs[number])
    return end.start() if end else 0


def _text_after(folded: str, request: str, end: int) -> tuple[int, int] | None:
    """The text that a clause which ends at `end` announces; None if it announces none."""
    about = regex(REWORKS_OR_CHECKS).search(request) and regex(REQUEST_ABOUT_TEXT).match(request)
    write = regex(WRITES).search(request) and regex(REQUEST_TO_WRITE).match(request)
    colon = folded[end : end + 1] in {":", "："}
    if colon and folded[end + 1 : end + 3] != "//":
        reworks = folded[end + 1 : end + 3].strip(" ")[:1] not in {"", "\n"} and regex(
            REWORKS_WHAT_FOLLOWS
        ).match(request)
        if about or write or reworks or regex(DRAFT_LABEL).fullmatch(request) or regex(SAYS).search(request):
            return end + 1, _announced_end(folded, end + 1)
        return None
    if not about and not write:
        return None
    after = _sentence_end(folded, end)
    follows = regex(r"\s*").match(folded, after)
    start = follows.end() if follows else after
    if start >= len(folded) or regex(OWN_START).match(folded, start):
        return None
    if folded.count("\n", after, start) > 1 and (about or regex(GREETING).match(folded, start)):
        return start, len(folded)
    return start, _before_own_sentence(folded, start)


def _sentence_end(text: str, position: int) -> int:
    """The end of the sentence at a position, with its mark."""
    match = regex(_SENTENCE).match(text, position)
    return match.end() if match else position


def _announced_end(text: str, start: int) -> int:
    """The end of the text after a colon: of a quotation, or of its paragraph."""
    if quotation := regex(_QUOTATION).match(text, start):
        return quotation.end()
    first = regex(r"\s*").match(text, start)
    end = regex(_PARAGRAPH_END).search(text, first.end() if first else start)
    return end.start() if end else len(text)


def _before_own_sentence(text: str, start: int) -> int:
    """The end of a paragraph, or of the sentences in it before one that speaks to the agent."""
    last = _announced_end(text, start)
    position = start
    while position < last:
        if regex(OWN_START).match(text, position):
            return position
        following = regex(r"\s*").match(text, max(_sentence_end(text, position), position + 1))
        position = following.end() if following else last
    return last
