"""Rewrite the links of a text after files moved; nothing else in it changes."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_parser import parse_links
from memtool.core.notes.link_resolver import LinkResolution, ResolvedLink
from memtool.core.notes.link_updates import FileMoves, link_edits
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.errors import UnreadableFile
from memtool.formats import note

SourcedLinks = Sequence[tuple[str, NoteLink]]
"""The links of a text in order, each with the path of the file that it was written in."""


def relink(
    text: str, sourced_links: SourcedLinks, home: str, moving: FileMoves
) -> tuple[str, tuple[TextEdit, ...]]:
    """Return the text with its links rewritten for the path `home`, and the edits that do it.

    A link whose source path is "" stays as it is. Raises UnreadableFile with the reason if the edits would
    change anything besides link targets.
    """
    collected: list[TextEdit] = []
    for source in dict.fromkeys(source for source, _ in sourced_links if source):
        collected += link_edits(
            text, source, [link for path, link in sourced_links if path == source], moving
        )
    changes = tuple(sorted({change.start: change for change in collected}.values()))
    if not changes:
        return text, ()
    new_text = apply_edits(text, changes).text
    page = note.parse(new_text)
    links_after = parse_links(new_text, len(page.meta))
    targets_expected = [
        moving.new_path(_target_path(moving.resolve_before(link, source))) if source else ""
        for source, link in sourced_links
    ]
    before = note.parse(text)
    is_in_meta = changes[0].start < len(before.meta)
    if is_in_meta and bool(note.metadata(before, "").meta) != bool(note.metadata(page, "").meta):
        raise UnreadableFile(
            f"{home}: with the new path in its links, the frontmatter would not be valid YAML; change these "
            "links by hand"
        )
    if len(links_after) != len(targets_expected):
        changed = [
            text[link.start : link.end]
            for _, link in sourced_links
            if any(
                link.start <= change.start < link.end or link.target_start <= change.start <= link.target_end
                for change in changes
            )
        ]
        example = f"a link such as {changed[0]!r}" if changed else "a link"
        raise UnreadableFile(
            f"{home}: with the new path, {example} would no longer be read as a link; change such links by "
            "hand"
        )
    for (_, link), expected, link_after in zip(sourced_links, targets_expected, links_after, strict=True):
        target = _target_path(moving.after.resolve(link_after, home)) if expected else ""
        if expected and target != expected and not (moving.is_whole_tree and not target):
            quoted = text[link.start : link.end]
            raise UnreadableFile(
                f"{home}: with its new target, the link {quoted!r} would point to {target or 'no file'} "
                f"instead of {expected}; change the link by hand"
            )
    return new_text, changes


def _target_path(target: LinkResolution) -> str:
    return target.path if isinstance(target, ResolvedLink) and target.matched_by != "folder" else ""
