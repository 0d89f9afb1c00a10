"""Tags: the `#tags` of a Markdown text, as Obsidian defines them, and how many notes use each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
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


class TagTable:
    """Which notes have each tag, and how many each parent tag; it is changed by adding and removing notes."""

    def __init__(self, tags_of_notes: Iterable[tuple[str, Iterable[str]]] = ()) -> None:
        self._spellings: dict[str, dict[str, int]] = {}
        """By key, the spellings and how many notes have each, in the order in which they were found."""
        self._notes: dict[str, list[str]] = {}
        """By key, the paths of the notes with exactly this tag."""
        self._nested: Counter[str] = Counter()
        for path, tags in tags_of_notes:
            self.add(path, tags)

    def copy(self) -> TagTable:
        """A table that changes on its own."""
        table = TagTable()
        table._spellings = {key: dict(counts) for key, counts in self._spellings.items()}
        table._notes = {key: [*paths] for key, paths in self._notes.items()}
        table._nested = self._nested.copy()
        return table

    def add(self, path: str, tags: Iterable[str]) -> None:
        """Add a note with these tags."""
        for key in self._change(tags, 1):
            self._notes.setdefault(key, []).append(path)

    def remove(self, path: str, tags: Iterable[str]) -> None:
        """Remove a note that was added with these tags."""
        for key in self._change(tags, -1):
            self._notes[key].remove(path)

    def _change(self, tags: Iterable[str], by: int) -> set[str]:
        """Change the counts; the keys of the tags."""
        keys: set[str] = set()
        parts: dict[str, str] = {}
        for tag in tags:
            key = name_key(tag)
            keys.add(key)
            steps, key_steps = tag.split("/"), key.split("/")
            for depth in range(1, len(key_steps) + 1):
                parts.setdefault("/".join(key_steps[:depth]), "/".join(steps[:depth]))
        for key, spelling in parts.items():
            self._nested[key] += by
            counts = self._spellings.setdefault(key, {})
            counts[spelling] = counts.get(spelling, 0) + by
        return keys

    def notes_with(self, tag: str) -> frozenset[str]:
        """The paths of the notes that have a tag or one nested in it."""
        above = f"{name_key(tag)}/"
        return frozenset(
            path for key, paths in self._notes.items() if f"{key}/".startswith(above) for path in paths
        )

    def counts(self) -> tuple[TagCount, ...]:
        """The use of each tag and of each parent tag, the most used first, in the first spelling found."""
        ordered = sorted((-count, key) for key, count in self._nested.items() if count)
        return tuple(
            TagCount(self._first_spelling(key), len(self._notes.get(key, ())), -count)
            for count, key in ordered
        )

    def _first_spelling(self, key: str) -> str:
        """The spelling that was found first; one that is edited keeps its place."""
        return next(spelling for spelling, count in self._spellings[key].items() if count)
