"""Anchors of a note: the headings, blocks and HTML ids that the part of a link after `#` can name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from memtool.core.notes.link_resolver import name_key
from memtool.core.text.regex import regex

_BLOCK = r"(?m)(?:^|(?<=[ \t]))\^([A-Za-z0-9-]+)[ \t\r]*$"
_PUNCTUATION = r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\r\n]|\s"""
_NOT_IN_SLUG = r"[^\w\- ]"
_IMAGE = r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])"
_LINK = r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"
_INLINE_MARKUP = r"[*`~]|(?<![^\W_])_|_(?![^\W_])|<[^<>]*>|[ \t]*\{#[^{}]*\}[ \t]*\Z"
_EXPLICIT = r"(?i)<[a-z][^<>]*?[ \t\n](?:id|name)[ \t]*=[ \t]*[\"']?([^\"'\s<>]+)|\{#([^{}\s]+)\}[ \t]*\r?$"
_BUILT_IN = r"top|L\d+(?:-L?\d+)?"


class NoteAnchors(Struct, frozen=True, dict=True):
    """The anchors of a note: its headings in order as (level, text), and the ids of its blocks.

    `explicit` are the anchors that the author set: HTML `id` and `name` attributes, and `{#id}`.
    """

    headings: tuple[tuple[int, str], ...]
    blocks: frozenset[str]
    explicit: frozenset[str] = frozenset()

    def has(self, anchor: str) -> bool:
        """Whether the note has this anchor: a heading, a heading path `A#B`, a block `^id` or a slug.

        Headings are compared as Obsidian does, ignoring case, punctuation and spacing. The slugs that
        renderers generate (`how-it-works-1`) match too, and so do the anchors that renderers add themselves:
        `top` and line numbers. An empty anchor is the note itself.
        """
        steps = [step for step in anchor.split("#") if step.strip()]
        if not steps:
            return True
        if steps[-1].lstrip().startswith("^"):
            return steps[-1].strip()[1:].lower() in self.blocks
        if self.heading_index(anchor) is not None:
            return True
        folded = anchor.strip().lower()
        return folded in self.explicit or regex(_BUILT_IN, re.IGNORECASE).fullmatch(folded) is not None

    def heading_index(self, anchor: str) -> int | None:
        """The index of the heading that an anchor names, by its text, its path or its slug; None if none."""
        steps = [step for step in anchor.split("#") if step.strip()]
        if not steps:
            return None
        path = [normalize_heading(step) for step in steps]
        depth, parent_level = 0, 0
        for index, key in enumerate(self._keys):
            if key == path[depth] and (level := self.headings[index][0]) > parent_level:
                depth, parent_level = depth + 1, level
                if depth == len(path):
                    return index
        folded = anchor.strip().lower()
        return next((index for index, slug in enumerate(self.slugs()) if slug == folded), None)

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return tuple(normalize_heading(text) for _, text in self.headings)

    def slugs(self) -> Iterator[str]:
        """The slugs that renderers generate for the headings, in order."""
        counts: dict[str, int] = {}
        for _, text in self.headings:
            slug = heading_slug(text)
            earlier = counts.get(slug, 0)
            counts[slug] = earlier + 1
            yield f"{slug}-{earlier}" if earlier else slug


def block_ids(text: str, literal: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The block ids of a text, in lower case: `^like-this` at the end of a line, outside literal spans."""
    return frozenset(block_offsets(text, literal))


def block_offsets(text: str, literal: Sequence[tuple[int, int]] = ()) -> dict[str, int]:
    """The offset of the first use of each block id of a text, by the id in lower case."""
    if "^" not in text:
        return {}
    from bisect import bisect_right

    offsets: dict[str, int] = {}
    for match in regex(_BLOCK).finditer(text):
        index = bisect_right(literal, (match.start(1), len(text))) - 1
        if index < 0 or literal[index][1] <= match.start(1):
            offsets.setdefault(match[1].lower(), match.start(1))
    return offsets


def explicit_anchors(text: str) -> frozenset[str]:
    """The explicit anchors of a text, in lower case: `<a name="x">`, `id="x"` and `# Heading {#x}`."""
    if "<" not in text and "{#" not in text:
        return frozenset()
    return frozenset(
        (match[1] or match[2]).lower() for match in regex(_EXPLICIT, re.MULTILINE).finditer(text)
    )


def heading_slug(heading: str) -> str:
    """The slug that GitHub generates for a heading: its words without images and inline markup."""
    text = regex(_LINK).sub(r"\1", regex(_IMAGE).sub("", heading.strip()))
    text = regex(_INLINE_MARKUP).sub("", text).lower()
    return regex(_NOT_IN_SLUG).sub("", text).replace(" ", "-")


def linked_heading(heading: str) -> str:
    """A heading as the anchor of a link: without the characters that end it, "" if that leaves nothing."""
    return " ".join(regex(r"[#^|\[\]\\]").sub(" ", heading).split())


def normalize_heading(heading: str) -> str:
    """A heading normalized for comparison with an anchor, as Obsidian compares them."""
    return " ".join(re.split(r"\s+", regex(_PUNCTUATION).sub(" ", name_key(heading)).strip()))
