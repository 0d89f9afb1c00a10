"""Note: a zettel, one thought a file, with frontmatter that gives it its id, title, date and tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.text.pattern import compiled
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import Page
from memtool.formats.syntax.outline import outline

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

TAGS = ("tags", "tag")
ALIASES = ("aliases", "alias")
"""What the keys of tags and of aliases are called, in any case."""

_TOP = r"#[ \t]+([^#\r]*)\r?$"


def parse(text: str) -> Page:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.page(text)


def render(note: Page) -> str:
    """The file's text; `parse(render(note)) == note`."""
    return note.meta + note.body


class Head(Struct, frozen=True):
    """What a note says of itself: its id and title, when it was made as written there, tags, other names.

    `meta` is its whole frontmatter; where that does not read as YAML (`reads`), what it says with the quotes
    that it lacks. `name` is the slug that Claude Code gives its facts.
    """

    meta: Mapping[str, Json]
    id: str | None
    title: str
    created: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    name: str | None
    reads: bool = True


def head(note: Page, fallback: str) -> Head:
    """What a note says of itself, its frontmatter read once; `fallback` is its file name's stem.

    The title is that of the frontmatter, else the first top heading, else the fallback. Tags come without
    `#`, each once: from a list, or a text with commas or spaces between them; aliases from a list, or a text
    with commas. Obsidian has called them `tag` and `alias`, too, and in any case.
    """
    found = frontmatter.read(note.meta)
    meta = found if isinstance(found, dict) else frontmatter.forgiven(note.meta)
    parts = [part for value in _called(meta, TAGS) for part in _words(value)]
    aliases = [part for value in _called(meta, ALIASES) for part in _texts(value)]
    return Head(
        meta=meta,
        id=_text(meta.get("id")),
        title=_text(meta.get("title")) or _top_heading(note) or fallback,
        created=_text(meta.get("created")),
        tags=tuple(dict.fromkeys(part.strip("#/") for part in parts if part.strip("#/"))),
        aliases=tuple(dict.fromkeys(aliases)),
        name=_text(meta.get("name")),
        reads=isinstance(found, dict),
    )


def record(note: Page) -> dict[str, Any]:
    """What `note.schema.json` describes: the frontmatter, and what title and tags it comes to."""
    found = frontmatter.read(note.meta)
    if not isinstance(found, dict):
        return {"broken": {"line": found.line, "message": found.message}}
    said = head(note, "")
    return {
        "meta": found,
        "title": said.title or None,
        "tags": list(said.tags),
        "aliases": list(said.aliases),
    }


def _top_heading(note: Page) -> str | None:
    first = note.body.lstrip("\ufeff\r\n").partition("\n")[0]
    if found := compiled(_TOP).match(first):  # nearly always
        return found[1].strip() or None
    heads = outline(note.meta + note.body).headings
    return next((head.text for head in heads if head.level == 1 and head.text), None)


def _called(meta: Mapping[str, Json], names: Sequence[str]) -> Iterator[Json]:
    """The values of keys that are called so, in their order."""
    return (value for key, value in meta.items() if key.lower() in names)


def _words(value: Json) -> list[str]:
    """The texts in a list, or between the commas and spaces of a text."""
    return value.replace(",", " ").split() if isinstance(value, str) else _texts(value)


def _texts(value: Json) -> list[str]:
    """The texts in a list, or between the commas of a text."""
    match value:
        case str():
            parts: list[str | None] = [part.strip() for part in value.split(",")]
        case list():
            parts = [_text(item) for item in value]
        case _:
            parts = [_text(value)]
    return [part for part in parts if part]


def _text(value: Json) -> str | None:
    """A scalar as text; None for nothing, for a list and for a mapping."""
    match value:
        case str():
            return value.strip() or None
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case _:
            return None
