"""Find notes by path, id, title or alias, and list orphans, broken links and tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.notes.names import Found, name_key
from memtool.core.notes.tags import Used, is_under, used
from memtool.errors import Unreadable
from memtool.formats.note import TAGS
from memtool.verbs.notes.canvases import standing
from memtool.verbs.notes.web import Sheet, Tie, Web

_CONTEXT = 160
_BEFORE = 60


class Chosen(Struct, frozen=True):
    """The file that a name refers to, and the paths of others that match it."""

    sheet: Sheet
    others: tuple[str, ...] = ()


def find(web: Web, name: str) -> Chosen | None:
    """Return the file with this path, id, title, name or alias; None if there is none.

    Raises Unreadable if the text of that file could not be read.
    """
    target = web.names.named(name.strip())
    if isinstance(target, Found) and target.path in web.unread:
        subject = target.path if name == target.path else f"{name!r} is {target.path}, which"
        raise Unreadable(f"{subject} {web.unread[target.path]}")
    if not isinstance(target, Found) or target.path not in web.sheets:
        return None
    others = tuple(path for path in target.others if path in web.sheets)
    return Chosen(web.sheets[target.path], others)


def similar(web: Web, name: str) -> tuple[str, ...]:
    """Return up to three titles similar to a name."""
    from difflib import get_close_matches

    titles = {name_key(note.head.title): note.head.title for note in web.notes()}
    return tuple(titles[key] for key in get_close_matches(name_key(name), titles, n=3))


def orphans(web: Web) -> tuple[Sheet, ...]:
    """Return the notes that no other file links to and no canvas shows.

    A map with outgoing links is not counted, for nothing needs to link to it.
    """
    maps = web.workspace.layout.notes.places.get("maps")
    on_canvases = {*standing(web.workspace, web.files, web.names)}
    return tuple(
        note
        for note in web.notes()
        if note.path not in on_canvases
        and not web.backlinks(note.path)
        and not (maps and note.path.startswith(f"{maps}/") and web.links(note.path))
    )


def broken(web: Web) -> Iterator[tuple[Tie, str]]:
    """Yield every broken link with its fault: `missing`, `heading`, `block`, or `unwritten` (permitted)."""
    for edge in web.ties:
        if fault := web.fault(edge):
            yield edge, fault


def tags(web: Web) -> tuple[Used, ...]:
    """Return the tags of all files, the most used first."""
    return used(node.tags for node in web.sheets.values())


def tagged(web: Web, tag: str) -> Iterator[tuple[Sheet, int]]:
    """Yield the files that have a tag or one nested below it, with the line of its first use."""
    for node in web.sheets.values():
        if any(is_under(name, tag) for name in node.head.tags):
            yield node, _meta_line(node, tag)
        elif lines := [inline.line for inline in node.inline_tags if is_under(inline.name, tag)]:
            yield node, lines[0]


def context(tie: Tie) -> str:
    """Return the text around a link, from its line."""
    line = tie.source.lines[tie.link.line - 1]
    start = max(0, tie.link.column - 1 - _BEFORE)
    if len(line) <= _CONTEXT:
        return line.strip()
    start = min(start, len(line) - _CONTEXT)
    excerpt = line[start : start + _CONTEXT].strip()
    return f"{'…' if start else ''}{excerpt}{'…' if start + _CONTEXT < len(line) else ''}"


def about(sheet: Sheet) -> dict[str, Any]:
    """Return a file as a JSON object."""
    head = sheet.head
    return {
        "path": sheet.path,
        "role": sheet.located.role,
        "group": sheet.located.group,
        "id": head.id,
        "title": head.title,
        "created": head.created,
        "tags": list(sheet.tags),
        "aliases": list(head.aliases),
    }


def about_link(web: Web, tie: Tie) -> dict[str, Any]:
    """Return a link as a JSON object: its position, its text and its target."""
    link, match = tie.link, tie.target if isinstance(tie.target, Found) else None
    return {
        "path": tie.source.path,
        "line": link.line,
        "column": link.column,
        "kind": link.kind,
        "embed": link.embed,
        "link": tie.written,
        "target": link.target,
        "anchor": link.anchor,
        "label": link.label,
        "to": match.path if match else None,
        "by": match.by if match else None,
        "others": list(match.others) if match else [],
        "fault": web.fault(tie) or None,
    }


def _meta_line(sheet: Sheet, tag: str) -> int:
    """The frontmatter line of a tag, or else the line where the tags begin."""
    key, first_line, in_tags = name_key(tag), 0, False
    for number, line in enumerate(sheet.text[: sheet.body].split("\n"), 1):
        if line[:1].strip("-#"):  # a key of its own
            in_tags = line.partition(":")[0].strip().lower() in TAGS
            first_line = first_line or (number if in_tags else 0)
        if in_tags and key in name_key(line.partition(":")[2] or line):
            return number
    return first_line or 1
