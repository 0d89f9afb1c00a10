"""Ties: what a file links to, and what others can link to in it, small enough to be kept for every file."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.notes.names import Named, name_key
from memtool.core.text.pattern import compiled

_MARKUP = r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<[^>\n]{1,200}>|\{[#.:][^}\n]*\}|%%[^%\n]*%%|[ \t]\^[\w-]+[ \t\r]*$"

ANY = "*"
"""Among the ids of a file's blocks: it may have others, which its text does not show."""

_LONGEST = 1000
"""Characters of a heading, in whose marks somebody may have hidden more than can be looked for."""


class Reference(NamedTuple):
    """A link: the target and anchor that it names, and its line and column, both from 1."""

    target: str
    anchor: str
    is_wiki: bool
    line: int
    column: int


class Ties(Struct, frozen=True):
    """The links of a file, the names it has, its headings, and the ids of its blocks.

    A template's links are not for following yet.
    """

    references: tuple[Reference, ...] = ()
    id: str | None = None
    title: str | None = None
    aliases: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    is_template: bool = False

    def named(self, path: str) -> Named:
        """What the file may be called in a link."""
        return Named(path, self.id, self.title, self.aliases)

    def anchors(self) -> frozenset[str]:
        """What anchors may hold of all headings."""
        return frozenset[str]().union(*map(heading_keys, self.headings))

    def record(self) -> list[Any]:
        """The same as JSON values."""
        rows = [[*one[:2], int(one.is_wiki), *one[3:]] for one in self.references]
        names = [self.id, self.title, list(self.aliases)]
        return [
            rows,
            *names,
            "\n".join(self.headings),
            "\n".join(self.blocks),
            int(self.is_template),
        ]

    @staticmethod
    def of(record: list[Any]) -> Ties:
        """What a record says; the inverse of `record`. Raises TypeError and ValueError for what is none."""
        rows, name, title, aliases, headings, blocks, is_template = record
        return Ties(
            tuple(Reference(target, anchor, bool(wiki), *place) for target, anchor, wiki, *place in rows),
            name,
            title,
            tuple(aliases),
            tuple(headings.split("\n")) if headings else (),
            tuple(blocks.split("\n")) if blocks else (),
            bool(is_template),
        )


def is_among(anchor: str, anchors: frozenset[str]) -> bool:
    """Whether every heading that an anchor names, one below another or alone, is among those of a file.

    Signs and spaces do not count, nor the number that renderers give to a heading's second like.
    """
    return all(
        key in anchors or compiled(r"\d+\Z").sub("", key) in anchors
        for step in anchor.split("#")
        if (key := letters(step))
    )


def letters(name: str) -> str:
    """A name's letters and digits, small: what is left of it in every spelling."""
    return compiled(r"[\W_]+").sub("", name_key(name))


def heading_keys(heading: str) -> frozenset[str]:
    """What an anchor may hold of a heading: all of it, or only what is seen of its links and marks."""
    whole = letters(heading)
    if len(heading) > _LONGEST or not compiled(r"[\[<{%^|]").search(heading):
        return frozenset({whole})
    bare = compiled(_MARKUP).sub("", heading)
    shown = compiled(r"\[\[[^\]\n|]*\|").sub("", bare)
    named = compiled(r"\|[^\]\n]*\]\]").sub("", bare)
    return frozenset({whole, letters(bare), letters(shown), letters(named)})
