"""Note: a zettel, one thought a file, with frontmatter that gives it its id, title, date and tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtool.formats import frontmatter
from memtool.formats.frontmatter import Page
from memtool.formats.outline import outline

if TYPE_CHECKING:
    from memtool.formats.yaml_text import Json


def parse(text: str) -> Page:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.page(text)


def render(note: Page) -> str:
    """The file's text; `parse(render(note)) == note`."""
    return note.meta + note.body


def identity(note: Page) -> str | None:
    """The id that the note gives itself, as text, or None."""
    return _text(frontmatter.keys(note.meta).get("id"))


def title(note: Page, fallback: str) -> str:
    """The title in the frontmatter, else the first top heading, else the fallback: the file name's stem."""
    return _text(frontmatter.keys(note.meta).get("title")) or _top_heading(note) or fallback


def created(note: Page) -> str | None:
    """When the note says it was made, as it is written there."""
    return _text(frontmatter.keys(note.meta).get("created"))


def tags(note: Page) -> tuple[str, ...]:
    """The tags without `#`, each once: from a list, or a text with commas, or else spaces, between them."""
    found = frontmatter.keys(note.meta).get("tags")
    spaced = isinstance(found, str) and "," not in found
    parts = str(found).split() if spaced else _texts(found)
    return tuple(dict.fromkeys(part.lstrip("#") for part in parts if part.lstrip("#")))


def aliases(note: Page) -> tuple[str, ...]:
    """Other names of the note, each once: from a list, or a text with commas between them."""
    return tuple(dict.fromkeys(_texts(frontmatter.keys(note.meta).get("aliases"))))


def record(note: Page) -> dict[str, Any]:
    """What `note.schema.json` describes: the frontmatter, and what title and tags it comes to."""
    found = frontmatter.read(note.meta)
    if not isinstance(found, dict):
        return {"broken": {"line": found.line, "message": found.message}}
    return {
        "meta": found,
        "title": title(note, "") or None,
        "tags": list(tags(note)),
        "aliases": list(aliases(note)),
    }


def _top_heading(note: Page) -> str | None:
    heads = outline(note.meta + note.body).headings
    return next((head.text for head in heads if head.level == 1 and head.text), None)


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
