"""What of memory stands in somebody's prompt, and how: nothing superseded, nothing of another's, no ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from memtool.core.text.pattern import compiled
from memtool.formats import semantic
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.tag import TAG

_ID = r"\^[A-Za-z0-9][A-Za-z0-9-]{0,63}"
_OWNED = (
    r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?!user:|session:)[^\]\n]*\][ \t]*)?(?:\*\*[^*\n]+\*\*:?[ \t]+)?" + TAG
)
_HEADED = r"(?:\[(?!user:|session:)[^\]\n]*\][ \t]*)?" + TAG
"""What a heading says, such as that of an exchange, if what stands under it is somebody's."""
_STARTS = {
    "semantic": r"([-*+] \[[a-z][a-z0-9_]+\] )(?=\S)",
    "rules": r"([-*+] )\[\d{4}-[^\]]{0,40}\] (?=\S)",
}


def visible(text: str, role: str, mine: Collection[str]) -> str:
    """The text without what is not for this prompt: list items, each with its indented lines, and what stands
    under a heading that says whose it is, up to the next of its level.

    `mine` are the tags of the user and the session, `user:ann`; where nobody is named, no owner's lines are
    taken out. All else stays. Facts and rules stand there without what only files need: ids, the times of
    rules, and tags of `mine`.
    """
    kept: list[str] = []
    hidden, under = False, 0
    for row in text.split("\n"):
        marks, _, said = row.partition(" ")
        if 0 < len(marks) < 7 and not marks.strip("#") and (not under or len(marks) <= under):
            under = 0 if is_under([said], mine) else len(marks)
        if under:
            continue
        if not (hidden and row[:1] in {" ", "\t"}):
            hidden = _is_hidden(row, role, mine)
        if not hidden:
            kept.append(_told(row, role, mine))
    return "\n".join(kept)


def is_under(trail: Iterable[str], mine: Collection[str]) -> bool:
    """Whether what stands under these headings is for somebody; under those that name nobody it is."""
    tags = (compiled(_HEADED, re.ASCII).match(one.strip()) for one in trail) if mine else ()
    return all(tag is None or f"{tag[1]}:{tag[2]}" in mine for tag in tags)


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
