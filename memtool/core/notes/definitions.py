"""Definitions of reference links and footnotes, and which of them a part of a text needs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from memtool.core.notes.link_parser import DEFINITION, LABEL, label_key
from memtool.core.text.regex import regex

_FOOTNOTE = (
    rf"\[(\^{LABEL})\]:[^\n]*"
    r"(?:\n(?![ \t]*\r?(?:\n|\Z)| {0,3}(?:\[[^\]\n]*\]:|\#{1,6}[ \t\r\n]|```|~~~|[-*+>][ \t]))[^\n]+"
    r"|(?:\n[ \t]*+\r?(?=\n))*+\n(?: {4}|\t)[^\n]*\S)*"
)
"""A footnote with its further paragraphs, which are indented, and the lines that continue a paragraph."""
_AT_LINE = rf"(?m)^ {{0,3}}(?:{DEFINITION}|{_FOOTNOTE})"
_USE = rf"\[(\^?{LABEL})\]"


class Definition(Struct, frozen=True):
    """A definition `text[start:end]`, without the line end, and its label in a comparable form.

    The label of a footnote begins with `^`.
    """

    label: str
    start: int
    end: int


def definitions(text: str, body: int, literal: Sequence[tuple[int, int]]) -> Iterator[Definition]:
    """The definitions of a text below its frontmatter, outside its literal spans, in order."""
    for match in regex(_AT_LINE).finditer(text, body):
        group = 1 if match[1] is not None else 4
        at = match.start(group)
        index = bisect_right(literal, (at, len(text))) - 1
        if index < 0 or at >= literal[index][1]:
            yield Definition(label_key(match[group]), match.start(), match.end())


def needed(text: str, parts: Collection[str], known: Sequence[Definition]) -> set[Definition]:
    """Those definitions of a text that its parts use, or that a used definition uses.

    Of two with the same label, the first counts. Code that looks like a use counts as one.
    """
    first: dict[str, Definition] = {}
    for definition in known:
        first.setdefault(definition.label, definition)
    used: set[Definition] = set()
    pending = [*parts]
    while pending:
        for match in regex(_USE).finditer(pending.pop()):
            found = first.get(label_key(match[1]))
            if found is not None and found not in used:
                used.add(found)
                pending.append(text[found.start : found.end])
    return used
