"""Frontmatter: the YAML block that may open a Markdown file, read whole and edited key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.text.pattern import compiled

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Broken, Json

_SPACE = " \t\r\n"
_KEY = r"[A-Za-z_][\w-]*:(?=[ \t\r\n])[^\n]*\n"
_SPACED = (
    rf"(?:[ \t]*+\r?\n)+{_KEY}(?:{_KEY}|[ \t]++[^\s][^\n]*+\n|-[ \t][^\n]*+\n|#[^\n]*+\n|[ \t]*+\r?\n)*+"
    r"---[ \t]*+(?:\r?\n|\Z)"
)
"""Blank lines, and then keys with their values up to the rule that closes them."""
_UNQUOTED = r"(?m)^([A-Za-z_][\w-]*:[ \t]+)(?=[@`%*&!]|[^\s\"'\[{|>#][^\n]*:(?:[ \t]|\r?$))(\S[^\n]*)"
"""A key, and the text behind it that YAML takes for more: a colon is in it, or a sign of YAML begins it."""


class Page(Struct, frozen=True):
    """A Markdown file in two parts: the frontmatter with both its rules (empty if none), and the body."""

    meta: str
    body: str

    def __post_init__(self) -> None:
        if split(self.meta + self.body)[0] != self.meta:
            raise ValueError("these two parts would be read as two other parts")


def page(text: str) -> Page:
    """Read any text; `page.meta + page.body == text`."""
    meta, body, _ = split(text)
    return Page(meta, body)


def split(text: str) -> tuple[str, str, int]:
    """Cut a text in the frontmatter, the body, and the number (from 1) of the line that the body starts on.

    The frontmatter opens with `---` alone on the very first line (a BOM may stand before it) and ends with
    the next such line, both included. As in Pandoc's Markdown, a `---` that a blank line follows is a
    horizontal rule, but where nothing but keys and their values stands below it: Obsidian's plugins write it
    so. So is one that nothing closes. The two parts always join back into the text.
    """
    if not text.startswith(("---", "\ufeff---")):
        return "", text, 1
    at, number = text.find("\n") + 1, 2
    if text[:at].lstrip("\ufeff").rstrip(_SPACE) != "---":
        return "", text, 1
    if text.startswith(("\n", "\r\n"), at) and not compiled(_SPACED).match(text, at):
        return "", text, 1
    while at < len(text):
        stop = text.find("\n", at) + 1 or len(text)
        number += 1
        if text.startswith("---", at) and text[at:stop].rstrip(_SPACE) == "---":
            return text[:stop], text[stop:], number
        at = stop
    return "", text, 1


def yaml_of(meta: str) -> tuple[str, int]:
    """The YAML between the rules of a frontmatter, and at which of its characters that starts."""
    start = meta.find("\n") + 1
    return meta[start : meta.rindex("---")], start


def read(text: str) -> dict[str, Json] | Broken:
    """The keys and values of a text's frontmatter, as `yaml_text.load` reads them; {} if it has none.

    Costs nothing, not even the import of a YAML library, where the text does not open with frontmatter.
    """
    meta, _, _ = split(text)
    if not meta:
        return {}
    from memtool.formats.syntax.yaml_text import load

    return load(yaml_of(meta)[0], first_line=2)


def forgiven(meta: str) -> dict[str, Json]:
    """The keys of a frontmatter that does not read, as it was meant: each value that needs quotes with them.

    Claude Code reads its own so, in which a description holds a colon. {} where quotes are not what it lacks.
    """
    from memtool.formats.syntax.yaml_text import inline, load

    source = yaml_of(meta)[0]
    quoted = compiled(_UNQUOTED).sub(lambda found: found[1] + inline(found[2].rstrip()), source)
    found = load(quoted) if quoted != source else None
    return found if isinstance(found, dict) else {}


def keys(text: str) -> dict[str, Json]:
    """As `read`, where frontmatter that does not read is to be passed over: then it has no keys."""
    found = read(text)
    return found if isinstance(found, dict) else {}
