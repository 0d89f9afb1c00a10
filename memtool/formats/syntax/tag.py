"""Owner tags as they stand in lines: `[user:sardor]`, `[session:4f2a]`."""

from __future__ import annotations

import re

from memtool.core.records.entry import Owner
from memtool.errors import BadUsage

TAG = r"\[(user|session):([^\]\s]{1,128})\]"
"""A regular expression for a tag: its kind and its id; `owner` decides whether they name an owner."""

_LEADING = TAG + r"[ \t]+"
_FORGED = r"\\*\[(?:user|session):"
_ESCAPED = r"\\+\[(?:user|session):"


def tag(owner: Owner | None) -> str:
    """The tag with the space after it, or nothing when there is no owner."""
    return f"[{owner}] " if owner else ""


def owner(kind: str, name: str) -> Owner | None:
    """The owner that a tag names, or None where the id is not one."""
    try:
        return Owner(kind, name)
    except BadUsage:
        return None


def shield(text: str) -> str:
    """Text that cannot pass for tagged: a leading `[user:` gets a backslash, which `unshield` takes off."""
    return "\\" + text if re.match(_FORGED, text) else text


def unshield(text: str) -> str:
    """The text that `shield` was given."""
    return text[1:] if re.match(_ESCAPED, text) else text


def take(text: str) -> tuple[Owner | None, str]:
    """A text's leading tag, if it names an owner, and the text after it."""
    match = re.match(_LEADING, text)
    found = owner(match[1], match[2]) if match else None
    return (found, text[match.end() :]) if match and found else (None, text)


def untag(text: str) -> tuple[Owner | None, str]:
    """A text's leading tag, and the text after it unshielded; `untag(tag(o) + shield(t)) == (o, t)`."""
    found, rest = take(text)
    return found, unshield(rest)
