"""Filter text for a prompt: no superseded facts, no lines of other owners, no ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from memtool.core.text.regex import regex
from memtool.formats import long_term, semantic
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.owner_tag import TAG_PATTERN

_ID = r"\^[A-Za-z0-9][A-Za-z0-9-]{0,63}"
_OWNED = (
    r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?!user:|session:)[^\]\n]*\][ \t]*)?(?:\*\*[^*\n]+\*\*:?[ \t]+)?"
    + TAG_PATTERN
)
_HEADED = r"(?:\[(?!user:|session:)[^\]\n]*\][ \t]*)?" + TAG_PATTERN
"""The text of a heading, such as that of an exchange, that names the owner of what is under it."""
_STARTS = {
    "semantic": r"([-*+] \[[a-z][a-z0-9_]+\] )(?=\S)",
    "rules": r"([-*+] )\[\d{4}-[^\]]{0,40}\] (?=\S)",
}


def visible_text(text: str, role: str, owners: Collection[str]) -> str:
    """The text without what is not for these owners: list items, each with its indented lines, and what is
    under a heading that names another owner, up to the next heading of its level. Superseded facts are
    removed, whoever asks.

    `owners` are tags such as `user:ann`; where there are none, no owner's lines are removed. Facts and rules
    lose what only files need: ids, the times of rules, and tags of `owners`.
    """
    if role == "long-term":
        text = long_term.active_text(text)
    visible_rows: list[str] = []
    is_item_hidden, hidden_level = False, 0
    for row in text.split("\n"):
        marks, _, heading = row.partition(" ")
        is_heading = 0 < len(marks) < 7 and not marks.strip("#")
        if is_heading and (not hidden_level or len(marks) <= hidden_level):
            hidden_level = 0 if is_visible_under([heading], owners) else len(marks)
        if hidden_level:
            continue
        if not (is_item_hidden and row[:1] in {" ", "\t"}):
            is_item_hidden = _is_hidden(row, role, owners)
        if not is_item_hidden:
            visible_rows.append(_without_metadata(row, role, owners))
    return "\n".join(visible_rows)


def is_visible_under(trail: Iterable[str], owners: Collection[str]) -> bool:
    """Whether text under these headings is for the owners; text is where no heading names another."""
    tags = (regex(_HEADED, re.ASCII).match(heading.strip()) for heading in trail) if owners else ()
    return all(tag is None or f"{tag[1]}:{tag[2]}" in owners for tag in tags)


def is_file_for(text: str, owners: Collection[str]) -> bool:
    """Whether a file is for the owners; it is if its frontmatter names no other."""
    owner = frontmatter.keys_or_empty(frontmatter.parse(text).meta).get("owner")
    return not owners or not isinstance(owner, str) or owner in owners


def _without_metadata(row: str, role: str, owners: Collection[str]) -> str:
    """A fact or a rule as a prompt states it: `- [relationship] User KNOWS Tom — "my brother Tom"`."""
    if role not in _STARTS or (start := regex(_STARTS[role], re.ASCII).match(row)) is None:
        return row
    text = row[start.end() :].rstrip()
    tag = regex(TAG_PATTERN, re.ASCII).match(text)
    if tag is not None and f"{tag[1]}:{tag[2]}" in owners and text[tag.end() :].strip():
        text = text[tag.end() :].lstrip()
    before, _, last = text.rpartition(" ")
    if before.strip() and regex(_ID).fullmatch(last):
        text = before.rstrip()
    return start[1] + (text.removesuffix(" (pinned)") if role == "rules" else text)


def _is_hidden(row: str, role: str, owners: Collection[str]) -> bool:
    """Whether a list item is a superseded fact or tagged as another owner's."""
    if role == "semantic" and "[superseded:" in row:
        records = semantic.records(semantic.parse(row))
        if records and records[0].superseded is not None:
            return True
    tag = regex(_OWNED, re.ASCII).match(row) if owners else None
    return tag is not None and f"{tag[1]}:{tag[2]}" not in owners
