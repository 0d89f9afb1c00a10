"""The outline of a Markdown text: its headings and its fenced code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.formats.syntax.frontmatter import split
from memtool.formats.syntax.text_lines import BLANK

_MARK = r"(?m)^\ufeff?([ \t]*)(?:(`{3,}|~{3,})([^\n]*)|(#{1,6})(?![^ \t\r\n])([^\n]*)|(=+|-{2,})[ \t\r]*$)"
_MARK_SIGNS = ("#", "```", "~~~", "=", "--")
"""One of these is in every mark."""
_NOT_A_TITLE = r"[ \t]*(?:[-*+>|#]|```|~~~|\d{1,9}[.)][ \t]|    |\t)"


class Heading(Struct, frozen=True):
    """A heading on lines `first` to `last` (from 1; two lines if underlined), of level 1 to 6.

    `start` is the offset of its first line.
    """

    first: int
    last: int
    level: int
    text: str
    start: int


class Outline(Struct, frozen=True):
    """The headings in order, and the first and last lines of fenced code blocks, fences included.

    Headings in frontmatter and fenced code do not count. An unclosed fence does not start code, so that one
    stray fence does not hide the rest of a file.
    """

    headings: tuple[Heading, ...]
    code_spans: tuple[tuple[int, int], ...]


def outline(text: str) -> Outline:
    """The outline of any text, computed in time linear in its length."""
    meta, _, line = split(text)
    body = len(meta)
    marks = list(_marks(text, body, line))
    closers = _closers(marks)
    headings: list[Heading] = []
    code: list[tuple[int, int]] = []
    fence: tuple[str, int] | None = None
    for number, (line, match) in enumerate(marks):
        indent, ticks, info, level, title, rule = match.groups()
        if fence:
            if ticks and _closes(ticks, info, fence[0]):
                code.append((fence[1], line))
                fence = None
        elif ticks:
            if closers[number + 1].get(ticks[0], 0) >= len(ticks) and not (ticks[0] == "`" and "`" in info):
                fence = (ticks, line)
        elif len(indent.expandtabs(4)) > 3:
            continue
        elif level:
            headings.append(Heading(line, line, len(level), _strip_closing(title), match.start()))
        else:
            previous_end = max(headings[-1].last if headings else 0, code[-1][1] if code else 0)
            title, start = _title_above(text, body, match.start(), starts_paragraph=previous_end == line - 2)
            if title and previous_end < line - 1:
                headings.append(Heading(line - 1, line, 1 if rule[0] == "=" else 2, title, start))
    return Outline(tuple(headings), tuple(code))


def _marks(text: str, at: int, line: int) -> Iterator[tuple[int, re.Match[str]]]:
    if not any(sign in text for sign in _MARK_SIGNS):
        return
    for match in regex(_MARK).finditer(text, at):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield line, match


def _closers(marks: list[tuple[int, re.Match[str]]]) -> list[dict[str, int]]:
    """For each mark, the longest closing fence of each kind at or after it."""
    longest: list[dict[str, int]] = [{}]
    for _, match in reversed(marks):
        ticks, info = match[2], match[3]
        lengths = longest[-1]
        if ticks and not info.strip(BLANK) and len(ticks) > lengths.get(ticks[0], 0):
            lengths = lengths | {ticks[0]: len(ticks)}
        longest.append(lengths)
    return longest[::-1]


def _closes(ticks: str, info: str, opened: str) -> bool:
    return ticks[0] == opened[0] and len(ticks) >= len(opened) and not info.strip(BLANK)


def escape_closing(title: str) -> str:
    """How a heading line spells a title: with an escape before `#` characters that would close the line."""
    text = title.rstrip("#")
    return title if _strip_closing(title) == title else f"{text}\\{title[len(text) :]}"


def _strip_closing(title: str) -> str:
    """A heading's text without its closing `#` characters."""
    title = title.strip(BLANK)
    stripped = title.rstrip("#")
    return stripped.rstrip(BLANK) if not stripped or stripped[-1] in " \t" else title


def _title_above(text: str, body: int, at: int, starts_paragraph: bool) -> tuple[str, int]:
    """The one-line paragraph that the rule starting at `at` underlines, and its offset; "" if there is none.

    The paragraph must follow a blank line, or, if `starts_paragraph` is set, a heading or fenced code.
    """
    title, start = _line_before(text, body, at)
    if not title.strip(BLANK) or regex(_NOT_A_TITLE).match(title.lstrip("\ufeff")):
        return "", start
    starts_paragraph = starts_paragraph or not _line_before(text, body, start)[0].strip(BLANK)
    return (title.strip(BLANK) if starts_paragraph else ""), start


def _line_before(text: str, body: int, at: int) -> tuple[str, int]:
    """The line that ends just before `at`, and its offset; an empty one at the start of the body."""
    if at <= body:
        return "", body
    start = max(text.rfind("\n", body, at - 1) + 1, body)
    return text[start : at - 1], start
