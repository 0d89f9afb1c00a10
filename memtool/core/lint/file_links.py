"""File links: the links of one file, and the names and anchors by which other files can link to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.notes.link_resolver import NoteNames, name_key
from memtool.core.text.regex import regex

_INLINE_MARKUP = (
    r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<[^>\n]{1,200}>|\{[#.:][^}\n]*\}|%%[^%\n]*%%|[ \t]\^[\w-]+[ \t\r]*$"
)

ANY_BLOCK = "*"
"""Wildcard among the block ids of a file: the file may have others, which its text does not show."""

_MAX_HEADING = 1000
"""Characters of the longest heading whose inline markup is parsed; bounds the time for hostile input."""


class LinkReference(NamedTuple):
    """A link of a file: its target and anchor, and its line and column, both from 1.

    `written` is how the text spells both, "" if it is `target#anchor`.
    """

    target: str
    anchor: str
    is_wiki: bool
    line: int
    column: int
    written: str = ""


class FileLinks(Struct, frozen=True):
    """The links of a file, its id, title and aliases, its headings and its block ids.

    The links of a template (`is_template`) are not checked. Small enough to cache for every file of a tree.
    """

    references: tuple[LinkReference, ...] = ()
    id: str | None = None
    title: str | None = None
    aliases: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    is_template: bool = False

    def note_names(self, path: str) -> NoteNames:
        """The names by which a link may refer to the file."""
        return NoteNames(path, self.id, self.title, self.aliases)

    def heading_counts(self) -> Counter[str]:
        """The normalized forms of all headings that an anchor may match, and how many headings have each."""
        return Counter(key for text in self.headings for key in heading_keys(text))

    def to_record(self) -> list[Any]:
        """The JSON record of the links."""
        links = [
            [*link[:2], int(link.is_wiki), *link[3 : 6 if link.written else 5]] for link in self.references
        ]
        names = [self.id, self.title, list(self.aliases)]
        return [
            links,
            *names,
            "\n".join(self.headings),
            "\n".join(self.blocks),
            int(self.is_template),
        ]

    @staticmethod
    def from_record(record: list[Any]) -> FileLinks:
        """Parse a record; the inverse of `to_record`. Raises TypeError and ValueError if it is none."""
        links, id_, title, aliases, headings, blocks, is_template = record
        return FileLinks(
            tuple(
                LinkReference(target, anchor, bool(is_wiki), *position)
                for target, anchor, is_wiki, *position in links
            ),
            id_,
            title,
            tuple(aliases),
            tuple(headings.split("\n")) if headings else (),
            tuple(blocks.split("\n")) if blocks else (),
            bool(is_template),
        )


def matches_headings(anchor: str, headings: Container[str]) -> bool:
    """Whether every heading of an anchor (`A`, or `A#B` for nested ones) is in `heading_counts` of a file.

    Punctuation and spaces are ignored, and so is the number that renderers append to a repeated heading.
    """
    return all(
        key in headings or regex(r"\d+\Z").sub("", key) in headings
        for step in anchor.split("#")
        if (key := letters_and_digits(step))
    )


def letters_and_digits(name: str) -> str:
    """The letters and digits of a name in lower case, which are equal in all its spellings."""
    return regex(r"[\W_]+").sub("", name_key(name))


def heading_keys(heading: str) -> frozenset[str]:
    """The normalized forms of a heading that an anchor may match: with and without its inline markup."""
    full = letters_and_digits(heading)
    if len(heading) > _MAX_HEADING or not regex(r"[\[<{%^|]").search(heading):
        return frozenset({full})
    bare = regex(_INLINE_MARKUP).sub("", heading)
    with_label = regex(r"\[\[[^\]\n|]*\|").sub("", bare)
    with_target = regex(r"\|[^\]\n]*\]\]").sub("", bare)
    return frozenset(
        {full, letters_and_digits(bare), letters_and_digits(with_label), letters_and_digits(with_target)}
    )
