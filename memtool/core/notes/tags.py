"""Tags: the `#tags` of a Markdown text, as Obsidian defines them, and how many notes use each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from memtool.core.notes.link_resolver import name_key
from memtool.core.text.regex import regex

TAG_CHARACTER = r"[^\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]"
"""A character of a tag."""
_TAG = rf"(?:^|(?<=\s))#({TAG_CHARACTER}+)"
"""A tag as Obsidian defines it: after whitespace, no spaces, no punctuation but `/`, `-`, `_` and a few."""


class Tag(Struct, frozen=True):
    """A tag without its `#`, and its line, from 1."""

    name: str
    line: int


class TagSpan(Struct, frozen=True):
    """A tag and its span in a text, without its `#`."""

    name: str
    start: int
    end: int


class TagCount(Struct, frozen=True):
    """How many notes have exactly this tag, and how many have it or one nested in it (`glaze/celadon`)."""

    name: str
    notes: int
    nested: int


def tag_spans(text: str, body: int, spans: Sequence[tuple[int, int]]) -> Iterator[TagSpan]:
    """The tags in the body of a text, outside these spans (its links and literal spans, in order).

    A number alone is not a tag. Takes time linear in the length of the text.
    """
    if "#" not in text:
        return
    for match in regex(_TAG, 8).finditer(text, body):
        name = match[1].strip("/")
        index = bisect_right(spans, (match.start(1), len(text))) - 1
        if name and not name.isdecimal() and not (index >= 0 and match.start(1) < spans[index][1]):
            start = match.start(1) + match[1].index(name)
            yield TagSpan(name, start, start + len(name))


def inline_tags(text: str, body: int, spans: Sequence[tuple[int, int]]) -> tuple[Tag, ...]:
    """The tags of `tag_spans` with their lines."""
    tags: list[Tag] = []
    line, counted_to = 1, 0
    for span in tag_spans(text, body, spans):
        line += text.count("\n", counted_to, span.start)
        counted_to = span.start
        tags.append(Tag(span.name, line))
    return tuple(tags)


def is_under(tag: str, parent: str) -> bool:
    """Whether a tag is this one or nested in it, ignoring case."""
    return f"{name_key(tag)}/".startswith(f"{name_key(parent)}/")


def count_tags(tags_of_notes: Iterable[Iterable[str]]) -> tuple[TagCount, ...]:
    """The use of each tag and of each parent tag, the most used first, in the first spelling found."""
    spellings: dict[str, str] = {}
    exact: dict[str, int] = {}
    nested: dict[str, int] = {}
    for tags in tags_of_notes:
        keys: set[str] = set()
        prefixes: set[str] = set()
        for tag in tags:
            key = name_key(tag)
            keys.add(key)
            steps, key_steps = tag.split("/"), key.split("/")
            for depth in range(1, len(key_steps) + 1):
                part = "/".join(key_steps[:depth])
                prefixes.add(part)
                spellings.setdefault(part, "/".join(steps[:depth]))
        for tag in keys:
            exact[tag] = exact.get(tag, 0) + 1
        for tag in prefixes:
            nested[tag] = nested.get(tag, 0) + 1
    ordered = sorted(nested, key=lambda tag: (-nested[tag], tag))
    return tuple(TagCount(spellings[tag], exact.get(tag, 0), nested[tag]) for tag in ordered)
