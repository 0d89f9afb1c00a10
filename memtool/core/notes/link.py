"""Link: one link in a Markdown text, with its target, its anchor and its position."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from memtool.core.text.regex import regex

_EXTERNAL = r"(?i)(?:[a-z][a-z0-9+.-]*:\S*|//.*|www\..*)\Z"
_MEDIA = r"png|jpe?g|gif|bmp|svg|webp|avif|heic|tiff?|ico|pdf|mp3|wav|m4a|ogg|3gp|flac|webm|mp4|ogv|mov|mkv"
_OTHER_FILES = (
    r"canvas|base|txt|csv|tsv|json|ya?ml|toml|xml|html?|css|js|ts|py|sh|zip|gz|docx?|xlsx?|pptx?|odt|epub"
)


class NoteLink(Struct, frozen=True):
    """One link to a file of the tree or to an anchor in the same file; external URLs are not links.

    `target` is the decoded path or name, "" for the same file; `anchor` is the part after `#` (`Heading`,
    `A#B` for a heading below another, `^block`); `label` is the alias or link text, or the size of an image.
    `line` and `column` count from 1, in characters. `text[start:end]` is the whole link,
    `text[target_start:target_end]` the target as written, which for a reference link is in its definition.
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
    target_start: int
    target_end: int
    in_frontmatter: bool = False
    """Whether the link is in the frontmatter, in a value of Obsidian's properties."""

    @property
    def is_wiki(self) -> bool:
        """Whether it is a wikilink, whose target may be a file name without its folder."""
        return self.kind == "wiki"


def parse_destination(raw: str) -> tuple[str, str, int] | None:
    """The decoded path and anchor of a Markdown link destination, and the length of the path as written.

    None for an external URL, a template placeholder or an empty destination.
    """
    if regex(_EXTERNAL).match(raw) or is_template(raw):
        return None
    path, _, anchor = raw.partition("#")
    if not path and not anchor:
        return None
    return _decoded(path), _decoded(anchor), len(path)


def _decoded(raw: str) -> str:
    if "\\" in raw:
        raw = regex(r"\\([!-/:-@\[-`{-~])").sub(r"\1", raw)
    if "&" in raw:
        from html import unescape

        raw = unescape(raw)
    if "%" in raw:
        from urllib.parse import unquote

        raw = unquote(raw, errors="surrogateescape")
    return raw


def is_template(target: str) -> bool:
    """Whether a target contains a template placeholder (`{{…}}`, `<%…%>`)."""
    return "{{" in target or "<%" in target


def is_media(target: str) -> bool:
    """Whether a link leads to a picture, a sound, a film or a PDF, by the end of its name."""
    return regex(rf"\.(?:{_MEDIA})$").search(target.lower()) is not None


def is_attachment(target: str) -> bool:
    """Whether a link leads to media or to another file that is not a note, by the end of its name."""
    return regex(rf"\.(?:{_MEDIA}|{_OTHER_FILES})$").search(target.lower()) is not None
