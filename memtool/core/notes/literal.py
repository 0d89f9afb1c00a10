"""Literal text: the spans of a Markdown text in which nothing is a link, a tag or a heading.

Fenced, indented and inline code, math, HTML and Obsidian comments, `<pre>` and its kin, tags of HTML with
their attributes, and the commands of Templater. What opens and is never closed opens nothing, so that one
stray sign does not hide the rest of a note.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from memtool.core.text.pattern import compiled

SIGN = r"`+|~~~+|\$\$?|<(?:!--|%|(?:pre|script|style|textarea)(?=[\s>])|/?[A-Za-z])|%%"
"""What may open a literal span."""

_CLOSERS = {"<!--": "-->", "<%": "%>", "%%": "%%", "$$": "$$"}
_BLANK = r"\n(?=[ \t>]*+\r?\n)"
_ITEM = r"(?m)^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]"
_PREFIX = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"
_VALUE = r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'=<>`]++)"
_HTML = (
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:[ \t]++[A-Za-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+{_VALUE})?+)*+[ \t]*+/?"
    r"|/[A-Za-z][A-Za-z0-9-]*+[ \t]*+|[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>"
)
_DEEPEST = 200  # characters of quotes and lists that a fence stands behind
_MATH = r"\$(?![\s$])(?:[^$\n\\]|\\[^\n])*+\$(?!\d)"
_INDENTED = r"(?: {4}|\t)[^\n]*(?:\n(?:[ \t]*\r?\n)*(?: {4}|\t)[^\n]*)*+"


class Literal:
    """Where literal spans of one text end. Asked for each in order, it takes linear time in all."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._never: set[str] = set()
        self._block = start
        self._in_list = False

    def end(self, sign: re.Match[str]) -> int | None:
        """Where the span that a match of SIGN opens ends; None where nothing closes it."""
        found = sign[0]
        if found[0] in "`~":
            if len(found) >= 3 and (end := self._fence_end(sign)) is not None:
                return end
            return self._code_end(sign) if found[0] == "`" else None
        if found == "$":
            math = compiled(_MATH).match(self._text, sign.start())
            return math.end() if math and not self._text[math.end() - 2].isspace() else None
        if found in _CLOSERS:
            return self._after(found, re.escape(_CLOSERS[found]), sign.end())
        raw = self._after(found, f"(?i)</{found[1:]}[^>\n]*>", sign.end()) if len(found) > 3 else None
        tag = compiled(_HTML).match(self._text, sign.start()) if raw is None else None
        return tag.end() if tag else raw

    def indented_end(self, at: int) -> int | None:
        """Where the indented code ends that begins on the line at `at`, behind a blank one; None for none."""
        block = self._text[self._block : at]
        if compiled(_ITEM).search(block):
            self._in_list = True
        elif block.strip() and not block.lstrip("\r\n").startswith((" ", "\t")):
            self._in_list = False
        self._block = at
        if self._in_list:
            return None
        code = compiled(_INDENTED).match(self._text, at)
        return code.end() if code else None

    def _after(self, name: str, closer: str, at: int) -> int | None:
        if name in self._never:
            return None
        found = compiled(closer).search(self._text, at)
        if found is None:
            self._never.add(name)
            return None
        return found.end()

    def _fence_end(self, sign: re.Match[str]) -> int | None:
        """The end of fenced code, if the sign stands where a fence may."""
        text, at = self._text, sign.start()
        line = text.rfind("\n", max(self._start, at - _DEEPEST), at) + 1
        if not line and at - self._start >= _DEEPEST:
            return None
        prefix = compiled(_PREFIX).match(text, max(line, self._start))
        if prefix is None or prefix.end() != at:
            return None
        eol = text.find("\n", at)
        info = text[sign.end() : eol if eol >= 0 else len(text)]
        if sign[0][0] == "`" and "`" in info:
            return None
        places, ends, longest = self._fences[sign[0][0]]
        row = bisect_left(places, sign.end())
        if longest[row] < len(sign[0]):
            return None
        while ends[row][0] < len(sign[0]):
            row += 1
        return ends[row][1]

    @cached_property
    def _fences(self) -> dict[str, tuple[list[int], list[tuple[int, int]], list[int]]]:
        """By kind, the lines that can close a fence: where, how long and up to where, and the longest yet."""
        table = {}
        for kind in "`~":
            found = compiled(rf"(?m)^[ \t>]*({kind}{{3,}})[ \t\r]*$").finditer(self._text, self._start)
            rows = [(one.start(1), len(one[1]), one.end()) for one in found]
            longest = [0]
            for _, size, _ in reversed(rows):
                longest.append(max(size, longest[-1]))
            table[kind] = ([at for at, _, _ in rows], [(s, e) for _, s, e in rows], longest[::-1])
        return table

    def _code_end(self, sign: re.Match[str]) -> int | None:
        """The end of inline code: behind the next run of as many backticks in the same paragraph."""
        runs = self._runs.get(len(sign[0]), [])
        row = bisect_left(runs, sign.end())
        if row == len(runs):
            return None
        blank = bisect_right(self._blanks, sign.start())
        if blank < len(self._blanks) and self._blanks[blank] < runs[row]:
            return None
        return runs[row] + len(sign[0])

    @cached_property
    def _runs(self) -> dict[int, list[int]]:
        runs: dict[int, list[int]] = {}
        for found in compiled("`+").finditer(self._text, self._start):
            runs.setdefault(len(found[0]), []).append(found.start())
        return runs

    @cached_property
    def _blanks(self) -> list[int]:
        return [found.start() for found in compiled(_BLANK).finditer(self._text, self._start)]
