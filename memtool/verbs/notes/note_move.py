"""note mv: a note under another name or title, and every link to it along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.notes.names import Names, name_key
from memtool.core.notes.relink import Moving
from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.quote import one_line
from memtool.core.text.title import UNLINKABLE
from memtool.errors import BadUsage
from memtool.formats import note
from memtool.formats.syntax.frontmatter_edit import set_key
from memtool.formats.syntax.outline import outline
from memtool.store.files import guard
from memtool.store.workspace import Workspace
from memtool.verbs.notes.canvases import followed
from memtool.verbs.notes.note_new import stem
from memtool.verbs.notes.notes import find
from memtool.verbs.notes.relinked import relinked
from memtool.verbs.notes.web import Sheet, Web, web


class Moved(Struct, frozen=True):
    """Where a note was and is, its title, the changes, and how many links in which files follow it."""

    old: str
    new: str
    title: str
    plan: Plan
    links: int
    files: tuple[str, ...]


def move(
    workspace: Workspace,
    name: str,
    to: str | None,
    title: str | None,
    notices: list[str],
    *,
    scope: Scope = WHOLE_WORKSPACE,
) -> Moved | None:
    """Move a note to a folder, a path or another name, or give it another title; None where there is none.

    Every link of every file that may be written leads where it led before, and so do the cards of canvases;
    no other byte changes. A move that was stopped is ended by the same call. Files whose links stay as they
    are are named in `notices`. Raises BadUsage for a name that several notes have, for what is no note, and
    for a target that is taken or no place for notes; Unreadable where a link cannot be rewritten safely, or a
    canvas cannot be read.
    """
    with workspace.lock():
        known = web(workspace, notices, scope)
        sheet = _chosen(known, name, to, title)
        if sheet is None:
            return None
        target = _target(known, sheet, to, title)
        _check(known, sheet, target, scope.group)
        moving = _moving(known, sheet, target, title)
        own = _own(sheet, moving)
        there = known.sheets.get(target)
        stopped = there is not None and there is not sheet and there.text == own != sheet.text
        if target != sheet.path and not stopped and _is_taken(known, target, sheet.path):
            raise BadUsage(f"{target} is there already; nothing was moved")
        others = [*_others(known, sheet, target, moving, scope.group)]
        follow = tuple(Replace(PurePosixPath(one.path), text, one.etag) for one, text, _ in others)
        boards = [*followed(known, sheet.path, moving)] if scope.group is None else []
        follow += tuple(one.change for one in boards)
        plan = _plan(sheet, target, own, follow, is_there=stopped)
        workspace.commit(plan)
    files = (*(one.path for one, _, _ in others), *(str(one.change.path) for one in boards))
    count = sum(count for _, _, count in others) + sum(one.count for one in boards)
    return Moved(sheet.path, target, moving.new_title or sheet.head.title, plan, count, files)


def _plan(sheet: Sheet, target: str, own: str, links: Plan, *, is_there: bool) -> Plan:
    """The note, the links, then what is left of the old one.

    Where nothing of the note itself changes it keeps being the same file. Else its text is made anew at the
    new path, so that the old one tells until the end what every link meant.
    """
    old, new = PurePosixPath(sheet.path), PurePosixPath(target)
    if old == new:
        return (*links, Replace(old, own, sheet.etag)) if own != sheet.text else links
    if is_there:
        return (*links, Remove(old, sheet.etag))
    if own == sheet.text:
        return (*links, Move(old, new, sheet.etag))
    return (Create(new, own, like=old), *links, Remove(old, sheet.etag))


def _chosen(known: Web, name: str, to: str | None, title: str | None) -> Sheet | None:
    """The note that a name means; of two that a stopped move left, the one that is still to go.

    A path means just that path: the note that lay there may be gone since, and another be called so.
    """
    is_path = "/" in name or name.lower().endswith((".md", ".markdown"))
    found = None if is_path and name not in {*known.sheets, *known.unread} else find(known, name)
    if found is None:
        return None
    sheets = [found.sheet, *(known.sheets[path] for path in found.others)]
    if len(sheets) > 1:
        targets = {_target(known, one, to, title): one.path for one in sheets}
        sheets = [one for one in sheets if targets.get(one.path, one.path) == one.path]
    if len(sheets) != 1:
        paths = ", ".join(sorted(one.path for one in sheets))
        raise BadUsage(f"{name!r} could be {paths}; name it by its path")
    return sheets[0]


def _target(known: Web, sheet: Sheet, to: str | None, title: str | None) -> str:
    """The new path of a note: in a folder, at a path, under a name, or as its new title would have it.

    Without a slash it is a name in the note's folder; `./name` is one at the root.
    """
    folder, _, base = sheet.path.rpartition("/")
    if to is None:
        workspace = known.workspace
        ending = PurePosixPath(base).suffix
        called_so = base == stem(workspace, sheet.head.title, "") + ending
        if title is None or not called_so:
            return sheet.path
        return _joined(folder, stem(workspace, title, base.removesuffix(ending)) + ending)
    notes = known.workspace.layout.notes
    is_folder = to in notes.places or to.endswith("/")
    to = notes.folder(to)
    if is_folder or known.workspace.disk.folder_stat(guard.clean(to)) is not None:
        return _joined(str(PurePosixPath(to)), base)
    ending = "" if to.lower().endswith((".md", ".markdown")) else ".md"
    return str(guard.clean(f"{to}{ending}")) if "/" in to else _joined(folder, f"{to}{ending}")


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder not in {"", "."} else name


def _check(known: Web, sheet: Sheet, target: str, group: str | None) -> None:
    """Raise BadUsage unless a note may go from its path to this one."""
    layout = known.workspace.layout
    if not sheet.is_note:
        raise BadUsage(f"{sheet.path} is no note but {sheet.located.role}, whose place the layout says")
    if target.startswith("/"):
        raise BadUsage(f"/{target.lstrip('/')} is outside the workspace, whose own top folder is called .")
    base = target.rpartition("/")[2]
    if target != sheet.path and (clean(base) != base or any(sign in base for sign in UNLINKABLE)):
        raise BadUsage(f"{base!r} has a sign that links cannot hold; leave out {' '.join(UNLINKABLE)}")
    steps = PurePosixPath(target).with_suffix("").parts
    if target != sheet.path and any(step.strip() != step or not step.strip(".") for step in steps):
        raise BadUsage(f"{target!r} has a name that begins or ends with a blank, which links cannot hold")
    located = layout.role_of(target)
    if located is None or located.role != sheet.located.role or located.group != sheet.located.group:
        raise BadUsage(f"{target} is no place for notes in the {layout.name} layout")
    if group is not None and (sheet.located.group or "") != group:
        raise BadUsage(f"{sheet.path} belongs to another group, which alone may move it")


def _is_taken(known: Web, target: str, old: str) -> bool:
    """Whether something is there, or differs from it in upper and lower case alone."""
    same = {path for path in known.files if name_key(path) == name_key(target)} - {old}
    return bool(same) or (target != old and known.workspace.disk.stat(PurePosixPath(target)) is not None)


def _moving(known: Web, sheet: Sheet, target: str, title: str | None) -> Moving:
    """The names before and after; a new title is cleaned. Raises BadUsage for one that another note has."""
    said = one_line(redact(clean(title)), 201) if title is not None else ""
    if title is not None and not 0 < len(said) <= 200:
        raise BadUsage("a title has 1 to 200 characters")
    others = [one for path, one in known.sheets.items() if path not in {sheet.path, target}]
    for one in others:
        if said and one.is_note and name_key(one.head.title) == name_key(said):
            raise BadUsage(f"{one.path} has this title already; links by title would not tell the two")
    paths = [path for path in known.files if path not in {sheet.path, target}]
    named = [one.named for one in others]
    after = replace(sheet.named, path=target, title=said or sheet.head.title)
    return Moving(
        moves={sheet.path: target},
        before=Names([*paths, sheet.path], [*named, sheet.named]),
        after=Names([*paths, target], [*named, after]),
        old_title=sheet.head.title if said else "",
        new_title=said,
        is_there=lambda path: target not in {path, f"{path}.md"} and known.is_there(path),
    )


def _own(sheet: Sheet, moving: Moving) -> str:
    """The note's own text: its links seen from the new place, and its new title."""
    text = _relinked(sheet, moving)[0]
    if not moving.new_title:
        return text
    heading = next((one for one in outline(text).headings if one.level == 1), None)
    if heading is not None and heading.text == moving.old_title:
        rows = text.split("\n")
        at = heading.first - 1
        rows[at] = moving.new_title.join(rows[at].rsplit(moving.old_title, 1))
        text = "\n".join(rows)
    called = note.head(note.parse(text), PurePosixPath(moving.path(sheet.path)).stem).title
    return text if called == moving.new_title else set_key(text, "title", moving.new_title)


def _others(
    known: Web, sheet: Sheet, target: str, moving: Moving, group: str | None
) -> Iterator[tuple[Sheet, str, int]]:
    """The files whose links change, each with its new text and how many they are."""
    for path, one in known.sheets.items():
        if path in {sheet.path, target} or (group is not None and (one.located.group or "") != group):
            continue
        text, count = _relinked(one, moving)
        if count:
            yield one, text, count


def _relinked(sheet: Sheet, moving: Moving) -> tuple[str, int]:
    """A file's text with its links as they will be, and how many changed. Raises Unreadable as `relinked`."""
    linked = [(sheet.path, link) for link in sheet.markup.links]
    text, changes = relinked(sheet.text, linked, moving.path(sheet.path), moving)
    return text, len({change.start for change in changes})
