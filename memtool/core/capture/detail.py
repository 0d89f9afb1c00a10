"""The detail of an entry: the sentence around a trigger as one short line that forges nothing."""

from __future__ import annotations

from typing import NamedTuple

from memtool.core.secrets.redact import redact
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip, one_line
from memtool.core.text.sentence import Prose, Sentence
from memtool.core.text.truncate import whole_character

LIMIT = 200
"""Characters, the ellipsis included."""

_BEFORE = 60
_LIST = r"\n[^\S\n]*(?:[-*+•]|\d{1,3}[.)])[^\S\n]+$"
_RUN = r"\S+"


class Detail(NamedTuple):
    """The line, and the span of the text that it shows."""

    text: str
    start: int
    end: int


def detail(text: Prose, number: int, start: int, end: int) -> Detail:
    """The sentence of that number, at most 200 characters of it, those around `text[start:end]` among them.

    A trigger that ends its line and only announces ("Remember this:") takes what follows with it: the next
    line, or the whole list.
    """
    sentence = text.sentences[number]
    first, last = sentence.start, _announced(text, number, end)
    whole = one_line(text.text[first:last], last - first)
    if len(whole) <= LIMIT:
        return Detail(_settled(whole, text.text[first:last]), first, last)
    opening = ""
    if end - first > LIMIT - _BEFORE:  # the trigger stands too far in to be seen from the start
        first, opening = _word_start(text.text, max(first, start - _BEFORE), start), "… "
    last = _fitting(text.text, first, last, LIMIT - len(opening) - 1)
    cut = opening + clip(one_line(text.text[first:last], LIMIT), LIMIT - len(opening) - 1).rstrip(" …") + "…"
    return Detail(_settled(cut, None), first, last)


def _settled(line: str, raw: str | None) -> str:
    """The line redacted again if it is not the text as it stood: what was cut or joined may read anew."""
    while line != raw and (redacted := redact(line)) != line:
        line = clip(redacted, LIMIT)
    return line


def _announced(text: Prose, number: int, end: int) -> int:
    sentence = text.sentences[number]
    rest = text.masked[end : sentence.end]
    if any(map(str.isalnum, rest[:LIMIT])) or number + 1 == len(text.sentences):
        return sentence.end
    following = text.sentences[number + 1]
    colon = text.masked[sentence.end - 1] == ":"
    goes_on = not text.text[end : sentence.end].strip() and text.text[following.start].islower()
    if not (colon or goes_on) or not _is_next_line(text, sentence, following):
        return sentence.end
    last = following.end
    if colon and _is_item(text, sentence.end, following):
        for item in text.sentences[number + 2 :]:
            if not _is_item(text, last, item) or item.start - sentence.start > LIMIT:
                break
            last = item.end
    return last


def _is_next_line(text: Prose, sentence: Sentence, following: Sentence) -> bool:
    between = text.text[sentence.end : following.start]
    return len(between) < 40 and 1 <= between.count("\n") <= 2


def _is_item(text: Prose, last: int, sentence: Sentence) -> bool:
    return compiled(_LIST).search(text.text[last : sentence.start][:80]) is not None


def _word_start(text: str, start: int, trigger: int) -> int:
    for offset in range(start, trigger):
        if text[offset].isspace():
            return offset + 1
    return start


def _fitting(text: str, start: int, end: int, limit: int) -> int:
    """Where the last word ends that fits on a line of `limit` characters.

    Where that would give less than half a line, as in scripts without blanks, the cut is within a word.
    """
    size, last = -1, start
    for found in compiled(_RUN).finditer(text, start, end):
        size += 1 + len(found[0])
        if size > limit:
            if last - start > limit // 2:
                return last
            room = max(1, limit - size + len(found[0]))
            return min(end, found.start() + whole_character(found[0], min(room, len(found[0]))))
        last = found.end()
    return last
