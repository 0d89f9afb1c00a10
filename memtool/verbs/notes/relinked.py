"""relinked: a text whose links follow files that move, and nothing else of it changed."""

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
"""The links of a text in order, each with the file that it was written in."""


def relinked(text: str, linked: Linked, home: str, moving: Moving) -> tuple[str, tuple[Edit, ...]]:
    """A text with its links as they will be at the path `home`, and the edits that make it so.

    A link that was written in no file, "", stays as it is. Raises Unreadable where the edits would change
    anything else than where a link leads.
    """
    found: list[Edit] = []
    for source in dict.fromkeys(source for source, _ in linked if source):
        found += edits(text, source, [link for one, link in linked if one == source], moving)
    changes = tuple(sorted({change.start: change for change in found}.values()))
    if not changes:
        return text, ()
    made = edit(text, changes).text
    page = note.parse(made)
    now = [_leads(moving.after.resolve(link, home)) for link in links(made, len(page.meta))]
    then = [
        moving.path(_leads(moving.before.resolve(link, source))) if source else "" for source, link in linked
    ]
    is_same = len(now) == len(then) and all(
        not a or a == b or (moving.is_whole and not b) for a, b in zip(then, now, strict=True)
    )
    meta_reads = bool(note.head(note.parse(text), "").meta) == bool(note.head(page, "").meta)
    if not is_same or not meta_reads:
        raise Unreadable(f"{home} holds a link that cannot be rewritten safely; change it by hand")
    return made, changes


def _leads(target: Target) -> str:
    return target.path if isinstance(target, Found) and target.by != "folder" else ""
