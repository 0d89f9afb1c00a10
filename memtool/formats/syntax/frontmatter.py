"""Frontmatter: the optional YAML block at the start of a Markdown file."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.text.regex import regex

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import InvalidYaml, Json

_OPENINGS = ("---", "\ufeff---")
_ITEM = r"[A-Za-z][A-Za-z0-9./()'-]*(?: [A-Za-z0-9./()'-]+)*"
_PLAIN_LINE = (
    r"(?a)([A-Za-z_][\w-]*): "
    r"(?:(0|[1-9]\d{0,8})|([A-Za-z][A-Za-z0-9,./()'-]*(?: [A-Za-z0-9,./()'-]+)*)"
    rf"|\[({_ITEM}(?:, {_ITEM})*)\])\n"
)
_PLAIN = r"(?a)---\n((?:[A-Za-z_][\w-]{0,40}: [A-Za-z0-9[][A-Za-z0-9,./()' \]-]{0,200}\n){1,40})---\n"
"""Frontmatter of nothing but keys with a number, words or a list of words, as that of most core files and
notes: what YAML makes of it is sure, and to import its library costs 9 ms of a prompt that waits."""
_YAML_WORDS = frozenset({"yes", "no", "on", "off", "true", "false", "null"})
_UNQUOTED = r"(?m)^([A-Za-z_][\w-]*:[ \t]+)(?=[@`%*&!]|[^\s\"'\[{|>#][^\n]*:(?:[ \t]|\r?$))(\S[^\n]*)"
"""A key with an unquoted value that is not valid YAML: it contains a colon or begins with an indicator."""


class MarkdownFile(Struct, frozen=True):
    """A Markdown file in two parts: the frontmatter with both `---` lines (empty if none), and the body."""

    meta: str
    body: str

    def __post_init__(self) -> None:
        if split(self.meta + self.body)[0] != self.meta:
            raise ValueError("the text does not parse back into the same frontmatter and body")


def parse(text: str) -> MarkdownFile:
    """Split any text; `page.meta + page.body == text`."""
    meta, body, _ = split(text)
    return MarkdownFile(meta, body)


def split(text: str) -> tuple[str, str, int]:
    """Split a text into the frontmatter, the body, and the line number (from 1) at which the body starts.

    The frontmatter starts with `---` alone on the first line (a BOM may precede it) and ends with the next
    such line, both included. As in Pandoc's Markdown, a `---` followed by a blank line is a horizontal rule,
    unless only keys and values follow, which is how Obsidian's plugins write frontmatter. An unclosed `---`
    is also a horizontal rule. The two parts always join back into the text.

    A text that does not begin with `---` has none, which needs no library.
    """
    if not text.startswith(_OPENINGS):
        return "", text, 1
    if (plain := _plain_keys(text)) is not None:
        return text[: plain[1]], text[plain[1] :], len(plain[0]) + 3
    from memtool.formats.syntax import yaml_text

    try:
        _, body = yaml_text.split(text)
    except ValueError:
        return "", text, 1
    meta = text[: len(text) - len(body)]
    return meta, body, meta.count("\n") + (2 if not meta.endswith("\n") else 1)


def yaml_source(meta: str) -> tuple[str, int]:
    """The YAML between the `---` lines of a frontmatter, and its offset in the frontmatter."""
    start = meta.find("\n") + 1
    return meta[start : meta.rindex("---")], start


def load_keys(text: str) -> dict[str, Json] | InvalidYaml:
    """The keys and values of a text's frontmatter, as `yaml_text.load` parses them; {} if it has none.

    A YAML library is imported only if the text begins like frontmatter.
    """
    if not text.startswith(_OPENINGS):
        return {}
    if (plain := _plain_keys(text)) is not None:
        return {key: [*value] if isinstance(value, list) else value for key, value in plain[0]}
    from memtool.formats.syntax.yaml_text import load

    return load(text)


def _plain_keys(text: str) -> tuple[list[tuple[str, Json]], int] | None:
    """The keys and values of frontmatter that is nothing but plain lines, and its length; None for any other.

    It says what `yaml_text` says.
    """
    block = regex(_PLAIN).match(text)
    keys = None if block is None else _plain_block(block[1])
    return None if block is None or keys is None else (keys, block.end())


@functools.lru_cache(8)
def _plain_block(block: str) -> list[tuple[str, Json]] | None:
    """The keys that `_plain_keys` gives, not to be changed; whoever reads a file asks several times."""
    keys: list[tuple[str, Json]] = []
    for line in block.splitlines(keepends=True):
        match = regex(_PLAIN_LINE).fullmatch(line)
        if match is None:
            return None
        key, number, words, listed = match.groups()
        items: list[Json] = [*listed.split(", ")] if listed else []
        if not _YAML_WORDS.isdisjoint(map(str.lower, (key, words or "", *(listed or "").split(", ")))):
            return None
        keys.append((key, items or (int(number) if number else words)))
    return keys


def lenient_keys(meta: str) -> dict[str, Json]:
    """The keys of invalid frontmatter, parsed with quotes added around values that need them.

    Claude Code parses its own descriptions this way, which may contain a colon. {} if quotes do not make it
    valid.
    """
    from memtool.formats.syntax.yaml_text import dump_inline, load

    source = yaml_source(meta)[0]
    quoted = regex(_UNQUOTED).sub(lambda match: match[1] + dump_inline(match[2].rstrip()), source)
    loaded = load(f"---\n{quoted}---\n") if quoted != source else None
    return loaded if isinstance(loaded, dict) else {}


def keys_or_empty(text: str) -> dict[str, Json]:
    """As `load_keys`, but invalid frontmatter has no keys."""
    loaded = load_keys(text)
    return loaded if isinstance(loaded, dict) else {}
