"""Owner tags in lines: `[user:sardor]`, `[session:4f2a]`."""

from __future__ import annotations

from memtool.core.records.entries import Owner
from memtool.core.text.regex import regex
from memtool.errors import BadUsage

TAG_PATTERN = r"\[(user|session):([^\]\s]{1,128})\]"
"""A regular expression for a tag with the groups kind and id; `parse_owner` validates them."""

_LEADING = TAG_PATTERN + r"[ \t]+"
_NEEDS_ESCAPE = r"\\*\[(?:user|session):"
_ESCAPED = r"\\+\[(?:user|session):"


def render_tag(owner: Owner | None) -> str:
    """The tag with a space after it; empty without an owner."""
    return f"[{owner}] " if owner else ""


def parse_owner(kind: str, name: str) -> Owner | None:
    """The owner that a tag names; None if the id is invalid."""
    try:
        return Owner(kind, name)
    except BadUsage:
        return None


def escape_tag(text: str) -> str:
    """Escape a leading `[user:` or `[session:` with a backslash, so that it does not parse as a tag."""
    return "\\" + text if regex(_NEEDS_ESCAPE).match(text) else text


def unescape_tag(text: str) -> str:
    """Undo `escape_tag`."""
    return text[1:] if text.startswith("\\") and regex(_ESCAPED).match(text) else text


def split_tag(text: str) -> tuple[Owner | None, str]:
    """The owner of a text's leading tag, if valid, and the rest of the text."""
    match = regex(_LEADING).match(text) if text.startswith("[") else None
    tagged_owner = parse_owner(match[1], match[2]) if match else None
    return (tagged_owner, text[match.end() :]) if match and tagged_owner else (None, text)


def parse_tagged(text: str) -> tuple[Owner | None, str]:
    """As `split_tag`, with the rest unescaped; `untag(tag(o) + shield(t)) == (o, t)`."""
    tagged_owner, rest = split_tag(text)
    return tagged_owner, unescape_tag(rest)
