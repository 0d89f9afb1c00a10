"""The detail of an entry: the sentence around a trigger as one short, safe line."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.secrets.redact import redact
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip, one_line
from memtool.core.text.sentences import SentenceSpan, SentenceText
from memtool.core.text.truncate import character_boundary

MAX_DETAIL = 200
"""The most characters of a detail, the ellipsis included."""

_BEFORE = 60
_LIST = r"\n[^\S\n]*(?:[-*+•]|\d{1,3}[.)])[^\S\n]+$"
_RUN = r"\S+"
_CLAUSE = (  # the end of a clause, with the conjunction that joins the next one to it
    r"(?i)(?:[,;:—–]| -)\s(?:(?:and|but|so|because|und|aber|denn|y|pero|et|mais|e|mas|и|а|но|ve|ama|va"
    r"|lekin) )?|[、，；：。]"
)


class EntryDetail(Struct, frozen=True):
    """A detail, and the span of the text that it shows."""

    text: str
    start: int
    end: int


def entry_detail(text: SentenceText, number: int, start: int, end: int, last_number: int) -> EntryDetail:
    """At most 200 characters of the sentences from one to another, with those around `text[start:end]`.

    A trigger that ends its line and announces something ("Remember this:") includes what follows: the next
    line, or the whole list. Of a long sentence, what stands before the trigger begins with a clause, if one
    begins there.
    """
    sentence = text.sentences[number]
    first = sentence.start
    last = _announced_end(text, number, end) if last_number == number else text.sentences[last_number].end
    line = one_line(text.text[first:last], last - first)
    if len(line) <= MAX_DETAIL:
        return EntryDetail(_redact_again(line, text.text[first:last]), first, last)
    opening = ""
    if end - first > MAX_DETAIL - _BEFORE:  # the trigger is too far from the start of the sentence
        first, opening = _clause_start(text.masked, max(first, start - _BEFORE), start), "… "
    end_of_text, last = last, _fitting_end(text.text, first, last, MAX_DETAIL - len(opening) - 1)
    clipped = clip(one_line(text.text[first:last], MAX_DETAIL), MAX_DETAIL - len(opening) - 1)
    shortened = opening + (clipped if last == end_of_text else clipped.rstrip(" …") + "…")
    return EntryDetail(_redact_again(shortened, None), first, last)


def _redact_again(line: str, raw: str | None) -> str:
    """Redact the line again if it differs from the text: a cut or a join can make a secret recognisable."""
    while line != raw and (redacted := redact(line)) != line:
        line = clip(redacted, MAX_DETAIL)
    return line


def _announced_end(text: SentenceText, number: int, end: int) -> int:
    """The end of the sentence, or of what it announces."""
    sentence = text.sentences[number]
    rest = text.masked[end : sentence.end]
    if any(map(str.isalnum, rest[:MAX_DETAIL])) or number + 1 == len(text.sentences):
        return sentence.end
    following = text.sentences[number + 1]
    colon = text.masked[sentence.end - 1] == ":"
    continues = not text.text[end : sentence.end].strip() and text.text[following.start].islower()
    if not (colon or continues) or not _is_next_line(text, sentence, following):
        return sentence.end
    last = following.end
    if colon and _is_item(text, sentence.end, following):
        for item in text.sentences[number + 2 :]:
            if not _is_item(text, last, item) or item.start - sentence.start > MAX_DETAIL:
                break
            last = item.end
    return last


def _is_next_line(text: SentenceText, sentence: SentenceSpan, following: SentenceSpan) -> bool:
    between = text.text[sentence.end : following.start]
    return len(between) < 40 and 1 <= between.count("\n") <= 2


def _is_item(text: SentenceText, last: int, sentence: SentenceSpan) -> bool:
    return regex(_LIST).search(text.text[last : sentence.start][:80]) is not None


def _clause_start(text: str, start: int, trigger: int) -> int:
    """The start of the first clause, or else of the first word, between two places."""
    clause = regex(_CLAUSE).search(text, start, trigger)
    if clause is not None:
        return clause.end()
    for offset in range(start, trigger):
        if text[offset].isspace():
            return offset + 1
    return start


def _fitting_end(text: str, start: int, end: int, limit: int) -> int:
    """The end of the last word that fits on a line of `limit` characters.

    If that is less than half a line, as in continuous scripts, the cut is inside a word.
    """
    size, last = -1, start
    for word in regex(_RUN).finditer(text, start, end):
        size += 1 + len(word[0])
        if size > limit:
            if last - start > limit // 2:
                return last
            room = max(1, limit - size + len(word[0]))
            return min(end, word.start() + character_boundary(word[0], min(room, len(word[0]))))
        last = word.end()
    return last
