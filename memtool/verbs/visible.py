"""What of memory stands in somebody's prompt, and how: nothing superseded, nothing of another's, no ids."""

from __future__ import annotations

import re
from collections.abc import Collection

from memtool.core.pattern import compiled
from memtool.formats import frontmatter, semantic
from memtool.formats.tag import TAG

_ID = r"\^[A-Za-z0-9][A-Za-z0-9-]{0,63}"
_OWNED = (
    r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?!user:|session:)[^\]\n]*\][ \t]*)?(?:\*\*[^*\n]+\*\*:?[ \t]+)?" + TAG
)
_BLOCK = r"\[[^\]\n]{1,40}\][ \t]*" + TAG
"""The title of a block of somebody's in a daily note."""
_STARTS = {
    "semantic": r"([-*+] \[[a-z][a-z0-9_]+\] )(?=\S)",
    "rules": r"([-*+] )\[\d{4}-[^\]]{0,40}\] (?=\S)",
}


def visible(text: str, role: str, mine: Collection[str]) -> str:
    """The text without list items that are not for this prompt, each with its indented lines.

    Blocks of another's, as daily notes have them, are left out up to the next heading as high. `mine` are the
    tags of the user and the session, `user:ann`; where nobody is named, no owner's lines are taken out. What
    stands in no item always stays. Facts and rules stand there without what only files need: ids, the times
    of rules, and tags of `mine`.
    """
    kept: list[str] = []
    hidden, block = False, 0
    for row in text.split("\n"):
        if mine and (heading := compiled(r"(#{1,6})[ \t]+(.*)").match(row)):
            level = len(heading[1])
            if is_anothers(heading[2], mine):
                block = level
            elif level <= block:
                block = 0
        if not (hidden and row[:1] in {" ", "\t"}):
            hidden = _is_hidden(row, role, mine)
        if not (hidden or block):
            kept.append(_told(row, role, mine))
    return "\n".join(kept)


def is_anothers(title: str, mine: Collection[str]) -> bool:
    """Whether a heading is that of a block of somebody else's: `[10:30:00] [user:ann]`."""
    tag = compiled(_BLOCK, re.ASCII).match(title) if mine else None
    return tag is not None and f"{tag[1]}:{tag[2]}" not in mine


def is_for(text: str, mine: Collection[str]) -> bool:
    """Whether a file that names its owner in its frontmatter is for somebody; one that names none is."""
    owner = frontmatter.keys(frontmatter.page(text).meta).get("owner")
    return not mine or not isinstance(owner, str) or owner in mine


def _told(row: str, role: str, mine: Collection[str]) -> str:
    """A fact or a rule as a prompt states it: `- [relationship] User KNOWS Tom — "my brother Tom"`."""
    if role not in _STARTS or (start := compiled(_STARTS[role], re.ASCII).match(row)) is None:
        return row
    said = row[start.end() :].rstrip()
    tag = compiled(TAG, re.ASCII).match(said)
    if tag is not None and f"{tag[1]}:{tag[2]}" in mine and said[tag.end() :].strip():
        said = said[tag.end() :].lstrip()
    before, _, last = said.rpartition(" ")
    if before.strip() and compiled(_ID).fullmatch(last):
        said = before.rstrip()
    return start[1] + (said.removesuffix(" (pinned)") if role == "rules" else said)


def _is_hidden(row: str, role: str, mine: Collection[str]) -> bool:
    if role == "semantic" and "[superseded:" in row:
        records = semantic.records(semantic.parse(row))
        if records and records[0].superseded is not None:
            return True
    tag = compiled(_OWNED, re.ASCII).match(row) if mine else None
    return tag is not None and f"{tag[1]}:{tag[2]}" not in mine
