"""Note: a zettel, one idea per file, with frontmatter for its id, title, date and tags."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.notes.link_resolver import name_key
from memtool.core.notes.tags import TagSpan, is_under
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import MarkdownFile
from memtool.formats.syntax.outline import outline

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

TAG_KEYS = ("tags", "tag")
ALIAS_KEYS = ("aliases", "alias")
"""The frontmatter keys of tags and of aliases, compared without case."""

_TOP = r"#[ \t]+([^#\r]*)\r?$"


def parse(text: str) -> MarkdownFile:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.parse(text)


def render(note: MarkdownFile) -> str:
    """The file's text; `parse(render(note)) == note`."""
    return note.meta + note.body


class NoteMetadata(Struct, frozen=True):
    """The metadata of a note: its id, title, creation time as written, tags and aliases.

    `meta` is its whole frontmatter. If that is not valid YAML, `is_valid_yaml` is False and `meta` is what it
    holds once missing quotes are added. `name` is the slug that Claude Code gives its facts.
    """

    meta: Mapping[str, Json]
    id: str | None
    title: str
    created: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    name: str | None
    is_valid_yaml: bool = True


def metadata(note: MarkdownFile, fallback: str, *, titled_by_heading: bool = True) -> NoteMetadata:
    """The metadata of a note; `fallback` is its file name's stem.

    The title is that of the frontmatter, else, with `titled_by_heading`, the first heading of level 1, else
    the fallback. Tags are distinct and without `#`, from a list or a text separated by commas or spaces;
    aliases are from a list or a text separated by commas. Obsidian has also used the keys `tag` and `alias`,
    in any case.
    """
    loaded = frontmatter.load_keys(note.meta)
    meta = loaded if isinstance(loaded, dict) else frontmatter.lenient_keys(note.meta)
    parts = [part for value in _values_of(meta, TAG_KEYS) for part in _words(value)]
    aliases = [part for value in _values_of(meta, ALIAS_KEYS) for part in _texts(value)]
    return NoteMetadata(
        meta=meta,
        id=_text(meta.get("id")),
        title=_text(meta.get("title")) or (_top_heading(note) if titled_by_heading else None) or fallback,
        created=_text(meta.get("created")),
        tags=tuple(dict.fromkeys(part.strip("#/") for part in parts if part.strip("#/"))),
        aliases=tuple(dict.fromkeys(aliases)),
        name=_text(meta.get("name")),
        is_valid_yaml=isinstance(loaded, dict),
    )


def record(note: MarkdownFile) -> dict[str, Any]:
    """The record of `note.schema.json`: the frontmatter, and the title, tags and aliases."""
    meta = frontmatter.load_keys(note.meta)
    if not isinstance(meta, dict):
        return {"broken": {"line": meta.line, "message": meta.message}}
    own_head = metadata(note, "")
    return {
        "meta": meta,
        "title": own_head.title or None,
        "tags": list(own_head.tags),
        "aliases": list(own_head.aliases),
    }


def frontmatter_tags(text: str, body: int, tags: Collection[str]) -> Iterator[TagSpan]:
    """Where the frontmatter `text[:body]` names its tags, which are `tags`."""
    at, in_tags = 0, False
    for line in text[:body].split("\n"):
        key, colon, _ = line.partition(":")
        start = 0
        if line[:1].strip("-# \t"):  # a key of its own, and no item or comment below one
            in_tags = bool(colon) and key.strip("\"' ").lower() in TAG_KEYS
            start = len(key) + 1
        if in_tags:
            for match in regex(r"[^\s,\[\]\"'#]+").finditer(line, start):
                name = match[0].strip("/")
                if name in tags:
                    first = at + match.start() + match[0].index(name)
                    yield TagSpan(name, first, first + len(name))
        at += len(line) + 1


def repeated_tag_edits(text: str, body: int, tags: Collection[str], parent: str) -> Iterator[TextEdit]:
    """The edits that remove repetitions of a tag, and of those nested in it, from the frontmatter
    `text[:body]`, whose tags are `tags`. The first of the tags that differ only in case stays.
    """
    keys: set[str] = set()
    at = 0
    for span in frontmatter_tags(text, body, tags):
        key = name_key(span.name)
        if key in keys and is_under(span.name, parent):
            start, end = _item_span(text, span)
            yield TextEdit(max(start, at), end, "")
            at = end
        keys.add(key)


def _item_span(text: str, tag: TagSpan) -> tuple[int, int]:
    """The span of the item that is a tag of frontmatter, with its separator, or with its line in a list."""
    start, end = tag.start, tag.end
    while text[start - 1] in "#/":
        start -= 1
    while text[end] == "/":
        end += 1
    if text[start - 1] in "\"'" and text[start - 1] == text[end]:
        start, end = start - 1, end + 1
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1
    if not text[line_start:start].strip("- \t") and not text[end:line_end].partition("#")[0].strip():
        return line_start, line_end
    before = text[:start].rstrip()
    if before[-1] == ",":
        return len(before) - 1, end
    if before[-1] not in ":[\"'-":  # between the words of a text
        return len(before), end
    after = regex(r"\s*,\s*|[ \t]*").match(text, end)
    return start, after.end() if after else end


def _top_heading(note: MarkdownFile) -> str | None:
    first = note.body.lstrip("\ufeff\r\n").partition("\n")[0]
    if match := regex(_TOP).match(first):  # the common case
        return match[1].strip() or None
    headings = outline(note.meta + note.body).headings
    return next((heading.text for heading in headings if heading.level == 1 and heading.text), None)


def _values_of(meta: Mapping[str, Json], names: Sequence[str]) -> Iterator[Json]:
    """The values of the keys with these names, in order."""
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
