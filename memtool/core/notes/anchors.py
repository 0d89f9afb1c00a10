"""Anchors: whether a note has the heading or the block that a link names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.notes.names import name_key
from memtool.core.text.pattern import compiled

_BLOCK = r"(?m)(?:^|(?<=[ \t]))\^([A-Za-z0-9-]+)[ \t\r]*$"
_SIGNS = r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\r\n]|\s"""
_NOT_IN_SLUG = r"[^\w\- ]"
_IMAGE = r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])"
_LINKED = r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"
_SIGN = r"[*`~]|(?<![^\W_])_|_(?![^\W_])|<[^<>]*>|[ \t]*\{#[^{}]*\}[ \t]*\Z"
_NAMED = r"(?i)<[a-z][^<>]*?[ \t\n](?:id|name)[ \t]*=[ \t]*[\"']?([^\"'\s<>]+)|\{#([^{}\s]+)\}[ \t]*\r?$"
_ALWAYS = r"top|L\d+(?:-L?\d+)?"


class Anchors(Struct, frozen=True):
    """What a link into a note can name: its headings in order as level and text, and its blocks' ids.

    `names` are the anchors that its author set in HTML or behind a heading.
    """

    headings: tuple[tuple[int, str], ...]
    blocks: frozenset[str]
    names: frozenset[str] = frozenset()

    def has(self, anchor: str) -> bool:
        """Whether the note has what follows the `#` of a link: a heading, one below another, or a block.

        Headings are compared as Obsidian does, case, signs and spaces aside; the slugs that renderers of
        Markdown make of headings (`how-it-works-1`) are known, too, and what renderers have by themselves:
        `top` and the numbers of lines. An empty anchor is the note itself.
        """
        steps = [step for step in anchor.split("#") if step.strip()]
        if not steps:
            return True
        if steps[-1].lstrip().startswith("^"):
            return steps[-1].strip()[1:].lower() in self.blocks
        if self._has_path(steps):
            return True
        folded = anchor.strip().lower()
        known = folded in self.names or compiled(_ALWAYS, re.IGNORECASE).fullmatch(folded) is not None
        return known or folded in self._slugs()

    def _has_path(self, steps: Sequence[str]) -> bool:
        wanted = [plain(step) for step in steps]
        row, above = 0, 0
        for level, text in self.headings:
            if level > above and plain(text) == wanted[row]:
                row, above = row + 1, level
                if row == len(wanted):
                    return True
        return False

    def _slugs(self) -> Iterator[str]:
        counts: dict[str, int] = {}
        for _, text in self.headings:
            slug = slugged(text)
            seen = counts.get(slug, 0)
            counts[slug] = seen + 1
            yield f"{slug}-{seen}" if seen else slug


def blocks(text: str, literal: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The ids of a text's blocks, in lower case: `^like-this` at the end of a line, outside literal spans."""
    if "^" not in text:
        return frozenset()
    from bisect import bisect_right

    found = set()
    for one in compiled(_BLOCK).finditer(text):
        row = bisect_right(literal, (one.start(1), len(text))) - 1
        if row < 0 or literal[row][1] <= one.start(1):
            found.add(one[1].lower())
    return frozenset(found)


def names(text: str) -> frozenset[str]:
    """The anchors that a text sets itself, in lower case: `<a name="x">`, `id="x"`, and `# Heading {#x}`."""
    if "<" not in text and "{#" not in text:
        return frozenset()
    return frozenset((one[1] or one[2]).lower() for one in compiled(_NAMED, re.MULTILINE).finditer(text))


def slugged(heading: str) -> str:
    """The anchor that GitHub makes of a heading: of its words, without pictures and what marks words."""
    bare = compiled(_LINKED).sub(r"\1", compiled(_IMAGE).sub("", heading.strip()))
    bare = compiled(_SIGN).sub("", bare).lower()
    return compiled(_NOT_IN_SLUG).sub("", bare).replace(" ", "-")


def plain(heading: str) -> str:
    """A heading's text as links compare it."""
    return " ".join(re.split(r"\s+", compiled(_SIGNS).sub(" ", name_key(heading)).strip()))
