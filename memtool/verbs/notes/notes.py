"""notes: one found by its path, id, title or other name, and what links say of all of them."""

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
    """The file that a name means, and others that it could have meant."""

    sheet: Sheet
    others: tuple[str, ...] = ()


def find(web: Web, name: str) -> Chosen | None:
    """The file of that path, id, title, name or alias; None where there is none.

    Raises Unreadable where there is one whose text could not be read.
    """
    target = web.names.named(name.strip())
    if isinstance(target, Found) and target.path in web.unread:
        said = target.path if name == target.path else f"{name!r} is {target.path}, which"
        raise Unreadable(f"{said} {web.unread[target.path]}")
    if not isinstance(target, Found) or target.path not in web.sheets:
        return None
    others = tuple(path for path in target.others if path in web.sheets)
    return Chosen(web.sheets[target.path], others)


def similar(web: Web, name: str) -> tuple[str, ...]:
    """Up to three titles that come near a name that nothing is called."""
    from difflib import get_close_matches

    titles = {name_key(sheet.head.title): sheet.head.title for sheet in web.notes()}
    return tuple(titles[key] for key in get_close_matches(name_key(name), titles, n=3))


def orphans(web: Web) -> tuple[Sheet, ...]:
    """The notes that no other file links to, and that stand on no canvas.

    A map, from which links lead on, is meant to be one.
    """
    maps = web.workspace.layout.notes.places.get("maps")
    placed = {*standing(web.workspace, web.files, web.names)}
    return tuple(
        sheet
        for sheet in web.notes()
        if sheet.path not in placed
        and not web.backlinks(sheet.path)
        and not (maps and sheet.path.startswith(f"{maps}/") and web.links(sheet.path))
    )


def broken(web: Web) -> Iterator[tuple[Tie, str]]:
    """Every link that leads nowhere, and why: `missing`, `heading`, `block`, or `unwritten` (no fault)."""
    for tie in web.ties:
        if fault := web.fault(tie):
            yield tie, fault


def tags(web: Web) -> tuple[Used, ...]:
    """The tags of all files, the most used first."""
    return used(sheet.tags for sheet in web.sheets.values())


def tagged(web: Web, tag: str) -> Iterator[tuple[Sheet, int]]:
    """The files that have a tag or one nested in it, and the line where it first stands."""
    for sheet in web.sheets.values():
        if any(is_under(one, tag) for one in sheet.head.tags):
            yield sheet, _meta_line(sheet, tag)
        elif found := [one.line for one in sheet.inline_tags if is_under(one.name, tag)]:
            yield sheet, found[0]


def context(tie: Tie) -> str:
    """The words around a link, from its line."""
    line = tie.source.lines[tie.link.line - 1]
    start = max(0, tie.link.column - 1 - _BEFORE)
    if len(line) <= _CONTEXT:
        return line.strip()
    start = min(start, len(line) - _CONTEXT)
    cut = line[start : start + _CONTEXT].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _CONTEXT < len(line) else ''}"


def about(sheet: Sheet) -> dict[str, Any]:
    """A file as a record."""
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
    """A link as a record: where it stands, what is written, and where it leads."""
    link, found = tie.link, tie.target if isinstance(tie.target, Found) else None
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
        "to": found.path if found else None,
        "by": found.by if found else None,
        "others": list(found.others) if found else [],
        "fault": web.fault(tie) or None,
    }


def _meta_line(sheet: Sheet, tag: str) -> int:
    """The line of a file's frontmatter that a tag stands on, or where its tags begin."""
    wanted, begin, is_inside = name_key(tag), 0, False
    for number, line in enumerate(sheet.text[: sheet.body].split("\n"), 1):
        if line[:1].strip("-#"):  # a key of its own
            is_inside = line.partition(":")[0].strip().lower() in TAGS
            begin = begin or (number if is_inside else 0)
        if is_inside and wanted in name_key(line.partition(":")[2] or line):
            return number
    return begin or 1
