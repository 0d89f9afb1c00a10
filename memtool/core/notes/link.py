"""A link: what it names, and how it is written."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from memtool.core.text.pattern import compiled

_EXTERNAL = r"(?i)(?:[a-z][a-z0-9+.-]*:\S*|//.*|www\..*)\Z"


class Link(Struct, frozen=True):
    """One link to a file of the tree, or into the very file it stands in; links to the web are none.

    `target` is the path or name that is meant, decoded, "" for this file; `anchor` what follows its `#`
    (`Heading`, `A#B` for a heading below another, `^block`); `label` the alias or text that is shown, or the
    size of an image. `line` and `column` count from 1, in characters. `text[start:end]` is the whole link,
    `text[at:upto]` the target as it is written: of a reference, that is in its definition.
    """

    kind: Literal["wiki", "inline", "reference", "definition"]
    embed: bool
    target: str
    anchor: str
    label: str
    line: int
    column: int
    start: int
    end: int
    at: int
    upto: int
    in_meta: bool = False
    """Whether it stands in the frontmatter, as a value of Obsidian's properties."""

    @property
    def is_wiki(self) -> bool:
        """Whether it is a wikilink, which may name a file without its folder."""
        return self.kind == "wiki"


def destination(raw: str) -> tuple[str, str, int] | None:
    """The path and anchor of a Markdown destination, and how many characters the path has as it is written.

    None for what leads to the web, is a template's, or leads nowhere.
    """
    if compiled(_EXTERNAL).match(raw) or is_template(raw):
        return None
    path, _, anchor = raw.partition("#")
    if not path and not anchor:
        return None
    return _decoded(path), _decoded(anchor), len(path)


def _decoded(raw: str) -> str:
    if "\\" in raw:
        raw = compiled(r"\\([!-/:-@\[-`{-~])").sub(r"\1", raw)
    if "&" in raw:
        from html import unescape

        raw = unescape(raw)
    if "%" in raw:
        from urllib.parse import unquote

        raw = unquote(raw, errors="surrogateescape")
    return raw


def is_template(target: str) -> bool:
    """Whether a target is still to be filled in by a template."""
    return "{{" in target or "<%" in target
