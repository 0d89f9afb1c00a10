"""note new: a thought becomes a file of its own, with an id that no other note has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.names import dated, name_key
from memtool.core.notes.tags import inline_tags
from memtool.core.records.plan import Create, Plan
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.records.turn import spell
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.quote import one_line
from memtool.core.text.title import file_name, slug
from memtool.errors import BadUsage
from memtool.formats.syntax.yaml_text import Json, inline
from memtool.store.workspace import Workspace
from memtool.verbs.notes.web import NOTE, Web, web

_LONGEST = 200
"""Characters of a title; what is longer is no title but a text."""


class New(Struct, frozen=True):
    """A note: its file, id and title, and what was written; nothing, where just this note was there."""

    path: str
    id: str | None
    title: str
    plan: Plan = ()
    is_new: bool = False


def new(
    workspace: Workspace,
    title: str,
    now: datetime,
    notices: list[str],
    *,
    tags: Sequence[str] = (),
    to: str | None = None,
    body: str = "",
    scope: Scope = WHOLE_WORKSPACE,
) -> New:
    """Make a note with a title, in a place by its name or in a folder.

    A note of the same title, tags and words that is there already is left as it is. Raises BadUsage for a
    title that another note has, for one that is none, for a tag that is none, and for a folder that holds no
    notes.
    """
    said = one_line(redact(clean(title)), _LONGEST + 1)
    if not said or len(said) > _LONGEST:
        raise BadUsage(f"a title has 1 to {_LONGEST} characters; the rest belongs into the note's body")
    labels = tuple(_tag(one) for one in tags)
    words = redact(clean(body)).strip("\n")
    with workspace.lock():
        known = web(workspace, notices, scope)
        for sheet in known.notes():
            if name_key(said) == name_key(sheet.head.title) or sheet.head.name == stem(workspace, said, said):
                same = sheet.text[sheet.body :] == _body(workspace, said, words)
                if same and set(labels) == {*sheet.head.tags}:
                    return New(sheet.path, sheet.head.id, sheet.head.title)
                raise BadUsage(f"{sheet.path} has this title already; links by title would not tell the two")
        name = next(_ids(known, now))
        path = _free(known, folder(workspace, to, scope.group), said, name)
        text = _text(workspace, said, name, spell(now.replace(microsecond=0)), labels, words)
        plan: Plan = (Create(path, text),)
        workspace.commit(plan)
    return New(str(path), name if "id" in workspace.layout.notes.keys else None, said, plan, is_new=True)


def folder(workspace: Workspace, to: str | None, group: str | None) -> PurePosixPath:
    """The folder of a new note: a place by its name, a folder from the root, or where notes go by default.

    Raises BadUsage where notes cannot lie there.
    """
    layout = workspace.layout
    if to is None:
        first = next(iter(layout.notes.places.values()), None) if not group else None
        return PurePosixPath(first) if first else layout.folder(NOTE, group=group or None)
    path = PurePosixPath(layout.notes.folder(to).rstrip("/") or ".")
    located = layout.role_of(path / "x.md")
    if located is None or located.role != NOTE or (group is not None and (located.group or "") != group):
        places = ", ".join(
            [*layout.notes.places, f"folders under {layout.folder(NOTE, group=group or None)}"]
        )
        raise BadUsage(f"{to} is no place for notes in the {layout.name} layout; there are {places}")
    return path


def stem(workspace: Workspace, title: str, otherwise: str) -> str:
    """What the file of a note with this title is called, without its ending."""
    named = slug(title) if workspace.layout.notes.naming == "slug" else file_name(title)
    return named or otherwise


def _ids(known: Web, now: datetime) -> Iterator[str]:
    """Ids that no note has, made from the clock: to the minute, then numbered."""
    taken = {one for sheet in known.sheets.values() for one in (sheet.head.id, dated(sheet.path)) if one}
    first = now.astimezone(UTC).strftime("%Y%m%d-%H%M")
    return (one for n in count(1) if (one := first if n == 1 else f"{first}-{n}") not in taken)


def _free(known: Web, into: PurePosixPath, title: str, name: str) -> PurePosixPath:
    """A path in a folder that nothing has, upper and lower case taken for one."""
    taken = {name_key(path) for path in known.files}
    first = stem(known.workspace, title, name)
    for n in count(1):
        path = into / (f"{first}.md" if n == 1 else f"{first}-{n}.md")
        if name_key(str(path)) not in taken and known.workspace.disk.stat(path) is None:
            return path
    raise AssertionError


def _text(
    workspace: Workspace, title: str, name: str, created: str, tags: tuple[str, ...], words: str
) -> str:
    values: dict[str, str] = {
        "id": name,
        "title": inline(title),
        "created": created,
        "name": inline(stem(workspace, title, name)),
        "description": inline(title),
    }
    labels: list[Json] = [*tags]
    keys = [key for key in workspace.layout.notes.keys if key != "tags"]
    head = [f"{key}: {values[key]}\n" for key in keys]
    if tags or "tags" in workspace.layout.notes.keys:
        head.append(f"tags: {inline(labels)}\n")
    return f"---\n{''.join(head)}---\n{_body(workspace, title, words)}"


def _body(workspace: Workspace, title: str, words: str) -> str:
    """What stands below the frontmatter: the title as a heading where the frontmatter holds it, the words."""
    heading = f"# {title}\n" if "title" in workspace.layout.notes.keys else ""
    return heading + ("\n" if heading and words else "") + (f"{words}\n" if words else "")


def _tag(given: str) -> str:
    """A tag without its `#`. Raises BadUsage for what is none."""
    tag = redact(clean(given)).strip().lstrip("#").strip("/")
    found = inline_tags(f"#{tag}", 0, ())
    if not found or found[0].name != tag:
        raise BadUsage(f"{given!r} is no tag: a tag is a word such as glaze or glaze/celadon, not a number")
    return tag
