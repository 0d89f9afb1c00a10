"""Foreign text: what a message contains besides the user's own words.

Tags of an agent's host, text from memory, pasted pages, mails, logs, stack traces, diffs, shell sessions,
data and chat logs. They are found by their form, in linear time, and blanked without moving any offset.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from memtool.core.privacy.announced_text import announced_spans
from memtool.core.privacy.foreign_patterns import (
    COMMENT,
    FILE_NAME,
    HOST_TAG,
    LIKE_BRACKETS,
    PATH,
    PROSE_TAGS,
    QUOTATIONS,
    SCREENSHOT,
    TAG,
)
from memtool.core.privacy.invented_text import invented_spans
from memtool.core.privacy.recalled import fold_look_alikes, recalled_spans
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, SentenceText


def foreign_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a cleaned text that are not its user's words, in order and disjoint."""
    spans = [*recalled_spans(text)]
    if "<" in text or not text.isascii() or regex(_ESCAPED_BRACKET, re.IGNORECASE).search(text):
        plain = _plain_tags(text)
        spans += [(_start(text, plain, start), end) for start, end in _tagged(plain)]
    if "\n" in text or ":" in text or text.lstrip()[:1] in {*"$>{[</+|-#*"}:
        from memtool.core.privacy.foreign_lines import foreign_lines  # many messages are one line

        spans += foreign_lines(_blank(text, _merged(spans)) if spans else text)
    own = _blank(text, _merged(spans)) if spans else text
    spans += announced_spans(own)
    spans += invented_spans(own)
    return tuple(_merged(spans))


def own_words(text: str) -> str:
    """A cleaned text with line feeds in place of all that is not its user's words; offsets stay valid."""
    spans = foreign_spans(text)
    return _blank(text, spans) if spans else text


def without_quotations(text: SentenceText) -> SentenceText:
    """Sentences with quotations of several words and file paths masked, unless nothing else is said."""
    if not regex(r"[\"“„«「『'‘’/\\.]").search(text.text):
        return text
    masked = list(text.masked)
    hide = regex(r"[^\W_]")
    spans = [
        match.span()
        for match in regex(QUOTATIONS).finditer(text.text)
        if regex(r"\S\s+\S|[\u3040-\u9fff]{4}").search(match[0])
    ]
    if not regex(r"\w").search("".join(_outside(text.text, spans))):
        spans = []
    for pattern in (PATH, FILE_NAME, SCREENSHOT):
        spans += [match.span() for match in regex(pattern, re.IGNORECASE).finditer(text.masked)]
    for start, end in spans:
        for match in hide.finditer(text.masked, start, end):
            masked[match.start()] = CODE_MASK
    return replace(text, masked="".join(masked))


def _outside(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    last = 0
    for start, end in spans:
        yield text[last:start]
        last = end
    yield text[last:]


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        elif start < end:
            merged.append((start, end))
    return merged


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], "\n" * (end - start)]
        last = end
    return "".join(parts) + text[last:]


_ESCAPED_BRACKET = (
    r"(?P<open>&(?:amp;){0,3}(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\{1,4}(?:u003c|x3c)|%3c)"
    r"|(?P<close>&(?:amp;){0,3}(?:gt|#0{0,6}62|#x0{0,6}3e);?|\\{1,4}(?:u003e|x3e)|%3e)"
)
_SPACED_TAG = r"<(\s{0,4})(/?)(\s{0,4})([a-z][\w.:-]{1,40})(\s{0,4})>"


def _plain_tags(text: str) -> str:
    """The text with its tags as HTML writes them, at the same offsets: no escapes, look-alikes or blanks."""
    plain = fold_look_alikes(text.translate(LIKE_BRACKETS))
    plain = regex(_ESCAPED_BRACKET, re.IGNORECASE).sub(
        lambda found: "<".rjust(len(found[0])) if found["open"] else ">".rjust(len(found[0])), plain
    )
    return regex(_SPACED_TAG, re.IGNORECASE).sub(
        lambda tag: f"{tag[1]}{tag[3]}<{tag[2]}{tag[4]}>{tag[5]}" if tag[1] or tag[3] or tag[5] else tag[0],
        plain,
    )


def _start(text: str, plain: str, start: int) -> int:
    """Where the tag that begins here in the plain text begins in the text: before what became a blank."""
    while start and plain[start - 1] == " " and not text[start - 1].isspace():
        start -= 1
    return start


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """The elements that wrap text, and HTML comments; an unclosed tag of a host extends to the end."""
    closings: dict[str, list[int]] = {}
    tags = [*regex(TAG).finditer(text)]
    for tag in tags:
        if tag[1]:
            closings.setdefault(tag[2].lower(), []).append(tag.end())
    ended = 0
    for tag in tags:
        name = tag[2].lower()
        if tag.start() < ended or tag[1] or tag[3] or name in PROSE_TAGS:
            continue
        ends = closings.get(name, [])
        if (index := bisect_right(ends, tag.end())) < len(ends):
            ended = _matching_end(ends, index, text, tag.end(), name)
            yield tag.start(), ended
        elif regex(HOST_TAG, re.IGNORECASE).fullmatch(name) and name not in {"summary", "context", "tool"}:
            yield tag.start(), len(text)
            return
    position = 0
    while (start := text.find(COMMENT, position)) >= 0:
        end = text.find("-->", start + 4)
        position = end + 3 if end >= 0 else len(text)
        yield start, position


def _matching_end(ends: list[int], index: int, text: str, start: int, name: str) -> int:
    """The end of an element: each opening of the same name before a closing needs a closing of its own."""
    opening, depth, position = re.compile(rf"(?i)<{re.escape(name)}\b"), 1, start
    for end in ends[index:]:
        depth += len(opening.findall(text, position, end))
        depth, position = depth - 1, end
        if depth <= 0:
            return end
    return ends[-1]
