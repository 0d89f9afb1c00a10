"""What of memory may stand in somebody's prompt: no superseded fact, no line of another owner's."""

from __future__ import annotations

import re
from collections.abc import Collection

from memtool.core.pattern import compiled
from memtool.formats import frontmatter, semantic
from memtool.formats.tag import TAG

_OWNED = r"[-*+][ \t]+(?:\[[^\]\n]*\][ \t]+)?(?:\*\*[^*\n]+\*\*:?[ \t]+)?" + TAG


def visible(text: str, role: str, mine: Collection[str]) -> str:
    """The text without list items that are not for this prompt, each with its indented lines.

    `mine` are the tags of the user and the session, `user:ann`; where nobody is named, no owner's lines are
    taken out. What stands in no item always stays.
    """
    kept: list[str] = []
    hidden = False
    for row in text.split("\n"):
        if not (hidden and row[:1] in {" ", "\t"}):
            hidden = _is_hidden(row, role, mine)
        if not hidden:
            kept.append(row)
    return "\n".join(kept)


def is_for(text: str, mine: Collection[str]) -> bool:
    """Whether a file that names its owner in its frontmatter is for somebody; one that names none is."""
    owner = frontmatter.keys(frontmatter.page(text).meta).get("owner")
    return not mine or not isinstance(owner, str) or owner in mine


def _is_hidden(row: str, role: str, mine: Collection[str]) -> bool:
    if role == "semantic" and "[superseded:" in row:
        records = semantic.records(semantic.parse(row))
        if records and records[0].superseded is not None:
            return True
    tag = compiled(_OWNED, re.ASCII).match(row) if mine else None
    return tag is not None and f"{tag[1]}:{tag[2]}" not in mine
