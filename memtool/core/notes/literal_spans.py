"""Literal spans: the parts of a Markdown text in which nothing is a link, a tag or a heading.

Fenced, indented and inline code, math, HTML and Obsidian comments, `<pre>` and similar elements, HTML tags
with their attributes, and Templater commands. An opener that is never closed opens no span, so that one
stray character does not hide the rest of a note.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from memtool.core.text.regex import regex

OPENER = r"`+|~~~+|\$\$?|<(?:!--|%|(?:pre|script|style|textarea)(?=[\s>])|/?[A-Za-z])|%%"
"""Pattern of everything that may open a literal span."""

_CLOSERS = {"<!--": "-->", "<%": "%>", "%%": "%%", "$$": "$$"}
_BLANK = r"\n(?=[ \t>]*+\r?\n)"
_ITEM = r"(?m)^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]"
_PREFIX = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"
_VALUE = r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'=<>`]++)"
_HTML = (
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:[ \t]++[A-Za-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+{_VALUE})?+)*+[ \t]*+/?"
    r"|/[A-Za-z][A-Za-z0-9-]*+[ \t]*+|[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>"
)
_MAX_FENCE_PREFIX = 200  # characters of quote and list markers before a fence
_MATH = r"\$(?![\s$])(?:[^$\n\\]|\\[^\n])*+\$(?!\d)"
_INDENTED = r"(?: {4}|\t)[^\n]*(?:\n(?:[ \t]*\r?\n)*(?: {4}|\t)[^\n]*)*+"


class LiteralSpans:
    """Finds the ends of the literal spans of one text; queries in order take linear time in total."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._unclosed: set[str] = set()
        self._block = start
        self._in_list = False

    def span_end(self, opener_match: re.Match[str]) -> int | None:
        """The end of the span that a match of `OPENER` opens; None if nothing closes it."""
        opener = opener_match[0]
        if opener[0] in "`~":
            if len(opener) >= 3 and (end := self._fence_end(opener_match)) is not None:
                return end
            return self._code_end(opener_match) if opener[0] == "`" else None
        if opener == "$":
            math = regex(_MATH).match(self._text, opener_match.start())
            return math.end() if math and not self._text[math.end() - 2].isspace() else None
        if opener in _CLOSERS:
            return self._end_of_closer(opener, re.escape(_CLOSERS[opener]), opener_match.end())
        closed_end = (
            self._end_of_closer(opener, f"(?i)</{opener[1:]}[^>\n]*>", opener_match.end())
            if len(opener) > 3
            else None
        )
        tag = regex(_HTML).match(self._text, opener_match.start()) if closed_end is None else None
        return tag.end() if tag else closed_end

    def indented_code_end(self, at: int) -> int | None:
        """The end of the indented code that begins at `at`, after a blank line; None if there is none."""
        block = self._text[self._block : at]
        if regex(_ITEM).search(block):
            self._in_list = True
        elif block.strip() and not block.lstrip("\r\n").startswith((" ", "\t")):
            self._in_list = False
        self._block = at
        if self._in_list:
            return None
        code = regex(_INDENTED).match(self._text, at)
        return code.end() if code else None

    def _end_of_closer(self, name: str, closer: str, at: int) -> int | None:
        if name in self._unclosed:
            return None
        match = regex(closer).search(self._text, at)
        if match is None:
            self._unclosed.add(name)
            return None
        return match.end()

    def _fence_end(self, opener: re.Match[str]) -> int | None:
        """The end of a fenced code block; None if no fence may begin here or none closes it."""
        text, at = self._text, opener.start()
        line = text.rfind("\n", max(self._start, at - _MAX_FENCE_PREFIX), at) + 1
        if not line and at - self._start >= _MAX_FENCE_PREFIX:
            return None
        prefix = regex(_PREFIX).match(text, max(line, self._start))
        if prefix is None or prefix.end() != at:
            return None
        line_end = text.find("\n", at)
        info = text[opener.end() : line_end if line_end >= 0 else len(text)]
        if opener[0][0] == "`" and "`" in info:
            return None
        places, ends, longest = self._fences[opener[0][0]]
        index = bisect_left(places, opener.end())
        if longest[index] < len(opener[0]):
            return None
        while ends[index][0] < len(opener[0]):
            index += 1
        return ends[index][1]

    @cached_property
    def _fences(self) -> dict[str, tuple[list[int], list[tuple[int, int]], list[int]]]:
        """By fence character the closing lines: starts, (length, end), greatest length from each on."""
        table = {}
        for kind in "`~":
            matches = regex(rf"(?m)^[ \t>]*({kind}{{3,}})[ \t\r]*$").finditer(self._text, self._start)
            rows = [(match.start(1), len(match[1]), match.end()) for match in matches]
            longest = [0]
            for _, length, _ in reversed(rows):
                longest.append(max(length, longest[-1]))
            table[kind] = (
                [at for at, _, _ in rows],
                [(length, end) for _, length, end in rows],
                longest[::-1],
            )
        return table

    def _code_end(self, opener: re.Match[str]) -> int | None:
        """The end of inline code: after the next run of as many backticks in the same paragraph."""
        runs = self._runs.get(len(opener[0]), [])
        index = bisect_left(runs, opener.end())
        if index == len(runs):
            return None
        blank = bisect_right(self._blanks, opener.start())
        if blank < len(self._blanks) and self._blanks[blank] < runs[index]:
            return None
        return runs[index] + len(opener[0])

    @cached_property
    def _runs(self) -> dict[int, list[int]]:
        runs: dict[int, list[int]] = {}
        for match in regex("`+").finditer(self._text, self._start):
            runs.setdefault(len(match[0]), []).append(match.start())
        return runs

    @cached_property
    def _blanks(self) -> list[int]:
        return [match.start() for match in regex(_BLANK).finditer(self._text, self._start)]
