"""Rewrite the links of a text after files moved; nothing else in it changes."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.notes.link import Link
from memtool.core.notes.links import links
from memtool.core.notes.names import Found, Target
from memtool.core.notes.relink import Moving, edits
from memtool.core.text.edited import Edit, edit
from memtool.errors import Unreadable
from memtool.formats import note

Linked = Sequence[tuple[str, Link]]
"""The links of a text in order, each with the path of the file that it was written in."""


def relinked(text: str, linked: Linked, home: str, moving: Moving) -> tuple[str, tuple[Edit, ...]]:
    """Return the text with its links rewritten for the path `home`, and the edits that do it.

    A link whose source path is "" stays as it is. Raises Unreadable if the edits would change anything
    besides link targets.
    """
    collected: list[Edit] = []
    for source in dict.fromkeys(source for source, _ in linked if source):
        collected += edits(text, source, [link for path, link in linked if path == source], moving)
    changes = tuple(sorted({change.start: change for change in collected}.values()))
    if not changes:
        return text, ()
    new_text = edit(text, changes).text
    page = note.parse(new_text)
    targets_after = [_leads(moving.after.resolve(link, home)) for link in links(new_text, len(page.meta))]
    targets_expected = [
        moving.path(_leads(moving.before.resolve(link, source))) if source else "" for source, link in linked
    ]
    leads_there = len(targets_after) == len(targets_expected) and all(
        not a or a == b or (moving.is_whole and not b)
        for a, b in zip(targets_expected, targets_after, strict=True)
    )
    frontmatter_reads = bool(note.head(note.parse(text), "").meta) == bool(note.head(page, "").meta)
    if not leads_there or not frontmatter_reads:
        raise Unreadable(f"{home} holds a link that cannot be rewritten safely; change it by hand")
    return new_text, changes


def _leads(target: Target) -> str:
    return target.path if isinstance(target, Found) and target.by != "folder" else ""
