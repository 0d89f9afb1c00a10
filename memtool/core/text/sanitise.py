"""Foreign text made safe for a Markdown file: it cannot pass for the file's own structure.

Structure is recognised line by line, as our readers and Markdown's do (CommonMark 4.1 to 4.6). Such a line is
quoted with `> `; a block that begins in a block quote ends with it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from memtool.core.text.clean import clean
from memtool.core.text.regex import regex
from memtool.core.text.truncate import character_boundary

_STRUCTURE = (
    r"\s*(?:"
    r"#{1,6}(?=[\s\[]|$)"  # a heading, `## [10:30:00]` among them
    r"|[-=+._*]+\s*$|(?:[-*_]\s*){3,}$"  # an underline, a rule, a frontmatter fence, an empty list item
    r"|(?:[-*+]|\d{1,9}[.)])\s*(?:\[|\*\*|__)"  # an entry of session state or long-term memory
    r"|\*\*[^*\n]{1,60}?:?\*\*\s*:?|__[^_\n]{1,60}?:__"  # a label: `**User:**`
    r"|<(?:!--|\?|![A-Za-z\[]|/?(?:script|pre|style|textarea)\b)"  # an HTML block that could stay open
    r")"
)
_FENCE = r" {0,3}(`{3,}|~{3,})(.*)$"
_TAG = r"\[\s*(user|session)(\s*:[^\]\n]*)\]?"
_ELLIPSIS = "…"
_BEFORE_CHARS = 30
"""About how many characters are shown before the first one that differs."""


def is_structure(line: str) -> bool:
    """Whether a line could pass for structure of memtool's files, code fences aside."""
    return regex(_STRUCTURE, re.IGNORECASE).match(line) is not None


def neutralise(text: str) -> str:
    """Clean the text and quote every line that could pass for structure with `> `.

    A code fence is quoted if nothing closes it, and on the first line, which may follow a label.
    Neutralising twice changes nothing.
    """
    lines = clean(text).split("\n")
    loose = set(_unclosed_fences(lines))
    return "\n".join(
        f"> {line}" if number in loose or is_structure(line) else line for number, line in enumerate(lines)
    )


def _unclosed_fences(lines: list[str]) -> Iterator[int]:
    """The fences that are open at the end for a Markdown reader, each read as if those before were absent."""
    fences = [(number, *_fence(line)) for number, line in enumerate(lines) if _fence(line)[0]]
    if fences and fences[0][0] == 0:
        yield fences.pop(0)[0]
    longest = {"`": 0, "~": 0}
    closable: list[int] = []  # for each fence, the longest one after it that could close it
    for _, mark, rest in reversed(fences):
        closable.append(longest[mark[0]])
        if not rest:
            longest[mark[0]] = max(longest[mark[0]], len(mark))
    closable.reverse()
    open_mark = ""
    for (number, mark, rest), close in zip(fences, closable, strict=True):
        if open_mark:
            if mark.startswith(open_mark) and not rest:
                open_mark = ""
        elif mark[0] == "~" or "`" not in rest:
            if close >= len(mark):
                open_mark = mark
            else:
                yield number


def _fence(line: str) -> tuple[str, str]:
    """The mark of a code fence and the text after it; both empty for any other line."""
    match = regex(_FENCE).match(line)
    return (match[1], match[2].strip()) if match else ("", "")


def one_line(text: str, limit: int = 200) -> str:
    """The cleaned text on one line of at most `limit` characters, with single blanks.

    An owner tag at its start is defused: `[user:bob]` becomes `(user:bob)`.
    """
    line = " ".join(clean(text).split())
    if line.startswith("["):
        tag = regex(_TAG, re.IGNORECASE)
        line = tag.sub(r"(\1\2)", line, count=1) if tag.match(line) else line
    return clip(line, limit)


def clip(text: str, limit: int) -> str:
    """At most `limit` characters of a text; a longer text is cut at the end of a word and ends with `…`.

    A long word is cut inside, but never between a letter and its marks, in an emoji or in `[REDACTED:...]`.
    """
    if len(text) <= limit:
        return text
    if limit <= 0:
        return ""
    cut = limit - 1
    blank = next((i for i in range(cut, cut // 2, -1) if text[i].isspace()), 0)
    cut = blank or character_boundary(text, cut)
    redaction = text.rfind("[REDACTED:", max(0, cut - 60), cut)
    if redaction >= 0 and "]" not in text[redaction:cut]:
        cut = redaction
    return text[:cut].rstrip() + _ELLIPSIS


def clip_to_difference(text: str, others: Iterable[str], limit: int) -> str:
    """A text as `clip` cuts it; where another one then reads the same, the part in which they differ.

    That part begins with `…` and a whole word.
    """
    clipped = clip(text, limit)
    same = max(
        (_same_start(text, other) for other in others if clip(other, limit) == clipped != text), default=0
    )
    start = text.find(" ", same - _BEFORE_CHARS, same) if same > _BEFORE_CHARS else -1
    return clipped if start < 0 else clip(_ELLIPSIS + text[start + 1 :], limit)


def _same_start(text: str, other: str) -> int:
    """The number of characters with which two texts begin alike; 0 for equal ones."""
    if text == other:
        return 0
    return sum(
        1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    )
