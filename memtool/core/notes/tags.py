"""Tags: the `#tags` inside a Markdown text, as Obsidian reads them, and how often each is used."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from msgspec import Struct

from memtool.core.notes.names import name_key
from memtool.core.text.pattern import compiled

_TAG = r"(?:^|(?<=\s))#([^\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]+)"
"""What Obsidian takes for a tag: no spaces and hardly any signs but `/`, `-` and `_`, behind a space."""


class Tag(Struct, frozen=True):
    """A tag without its `#`, and the line it stands on, from 1."""

    name: str
    line: int


class Used(Struct, frozen=True):
    """How many notes have a tag: it itself, and it or one nested in it (`glaze/celadon` in `glaze`)."""

    name: str
    notes: int
    nested: int


def inline_tags(text: str, body: int, spans: Sequence[tuple[int, int]]) -> tuple[Tag, ...]:
    """The tags in a text's body that lie in none of the spans (links and literal text, in order).

    A number alone is no tag. Takes time linear in the length of the text.
    """
    if "#" not in text:
        return ()
    found: list[Tag] = []
    line, at = 1, 0
    for one in compiled(_TAG, 8).finditer(text, body):
        name = one[1].strip("/")
        row = bisect_right(spans, (one.start(1), len(text))) - 1
        if name and not name.isdecimal() and not (row >= 0 and one.start(1) < spans[row][1]):
            line += text.count("\n", at, one.start())
            at = one.start()
            found.append(Tag(name, line))
    return tuple(found)


def is_under(tag: str, wanted: str) -> bool:
    """Whether a tag is the wanted one or nested in it, case aside."""
    return f"{name_key(tag)}/".startswith(f"{name_key(wanted)}/")


def used(tags_of_notes: Iterable[Iterable[str]]) -> tuple[Used, ...]:
    """The tags of notes, the most used first; the parents of nested ones, too. The first spelling is kept."""
    spelt: dict[str, str] = {}
    own: dict[str, int] = {}
    nested: dict[str, int] = {}
    for tags in tags_of_notes:
        seen: set[str] = set()
        above: set[str] = set()
        for tag in tags:
            folded = name_key(tag)
            seen.add(folded)
            steps, folds = tag.split("/"), folded.split("/")
            for depth in range(1, len(folds) + 1):
                part = "/".join(folds[:depth])
                above.add(part)
                spelt.setdefault(part, "/".join(steps[:depth]))
        for tag in seen:
            own[tag] = own.get(tag, 0) + 1
        for tag in above:
            nested[tag] = nested.get(tag, 0) + 1
    ordered = sorted(nested, key=lambda tag: (-nested[tag], tag))
    return tuple(Used(spelt[tag], own.get(tag, 0), nested[tag]) for tag in ordered)
