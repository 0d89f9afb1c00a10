"""note new: create a note with a unique id."""

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
"""Most characters of a title."""


class New(Struct, frozen=True):
    """A note: its path, id, title, and the plan that wrote it; the plan is empty if it existed already."""

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
    """Create a note with a title, in a named place or a folder.

    If a note with the same title, tags and body exists, it is left as it is. Raises BadUsage for a title that
    another note has, for an invalid title or tag, and for a folder that cannot hold notes.
    """
    clean_title = one_line(redact(clean(title)), _LONGEST + 1)
    if not clean_title or len(clean_title) > _LONGEST:
        raise BadUsage(f"a title has 1 to {_LONGEST} characters; the rest belongs into the note's body")
    tag_names = tuple(_tag(tag) for tag in tags)
    clean_body = redact(clean(body)).strip("\n")
    with workspace.lock():
        graph = web(workspace, notices, scope)
        for note in graph.notes():
            if name_key(clean_title) == name_key(note.head.title) or note.head.name == stem(
                workspace, clean_title, clean_title
            ):
                is_same_body = note.text[note.body :] == _body(workspace, clean_title, clean_body)
                if is_same_body and set(tag_names) == {*note.head.tags}:
                    return New(note.path, note.head.id, note.head.title)
                raise BadUsage(f"{note.path} has this title already; links by title would not tell the two")
        note_id = next(_ids(graph, now))
        path = _free(graph, folder(workspace, to, scope.group), clean_title, note_id)
        text = _text(
            workspace, clean_title, note_id, spell(now.replace(microsecond=0)), tag_names, clean_body
        )
        plan: Plan = (Create(path, text),)
        workspace.commit(plan)
    return New(
        str(path), note_id if "id" in workspace.layout.notes.keys else None, clean_title, plan, is_new=True
    )


def folder(workspace: Workspace, to: str | None, group: str | None) -> PurePosixPath:
    """Return the folder of a new note: a named place, a folder from the root, or the default folder.

    Raises BadUsage for a folder that cannot hold notes.
    """
    layout = workspace.layout
    if to is None:
        default = next(iter(layout.notes.places.values()), None) if not group else None
        return PurePosixPath(default) if default else layout.folder(NOTE, group=group or None)
    path = PurePosixPath(layout.notes.folder(to).rstrip("/") or ".")
    located = layout.role_of(path / "x.md")
    if located is None or located.role != NOTE or (group is not None and (located.group or "") != group):
        places = ", ".join(
            [*layout.notes.places, f"folders under {layout.folder(NOTE, group=group or None)}"]
        )
        raise BadUsage(f"{to} is no place for notes in the {layout.name} layout; there are {places}")
    return path


def stem(workspace: Workspace, title: str, otherwise: str) -> str:
    """Return the file name, without its ending, of a note with this title."""
    name = slug(title) if workspace.layout.notes.naming == "slug" else file_name(title)
    return name or otherwise


def _ids(graph: Web, now: datetime) -> Iterator[str]:
    """Yield ids that no note has: the time to the minute, then with a number appended."""
    taken = {
        note_id for node in graph.sheets.values() for note_id in (node.head.id, dated(node.path)) if note_id
    }
    first = now.astimezone(UTC).strftime("%Y%m%d-%H%M")
    return (note_id for n in count(1) if (note_id := first if n == 1 else f"{first}-{n}") not in taken)


def _free(graph: Web, parent: PurePosixPath, title: str, note_id: str) -> PurePosixPath:
    """Return a path in a folder that does not exist, compared without case."""
    taken = {name_key(path) for path in graph.files}
    base = stem(graph.workspace, title, note_id)
    for n in count(1):
        path = parent / (f"{base}.md" if n == 1 else f"{base}-{n}.md")
        if name_key(str(path)) not in taken and graph.workspace.disk.stat(path) is None:
            return path
    raise AssertionError


def _text(
    workspace: Workspace, title: str, note_id: str, created: str, tags: tuple[str, ...], body: str
) -> str:
    values: dict[str, str] = {
        "id": note_id,
        "title": inline(title),
        "created": created,
        "name": inline(stem(workspace, title, note_id)),
        "description": inline(title),
    }
    tag_values: list[Json] = [*tags]
    keys = [key for key in workspace.layout.notes.keys if key != "tags"]
    lines = [f"{key}: {values[key]}\n" for key in keys]
    if tags or "tags" in workspace.layout.notes.keys:
        lines.append(f"tags: {inline(tag_values)}\n")
    return f"---\n{''.join(lines)}---\n{_body(workspace, title, body)}"


def _body(workspace: Workspace, title: str, body: str) -> str:
    """Return the text below the frontmatter: a heading if the frontmatter holds the title, then the body."""
    heading = f"# {title}\n" if "title" in workspace.layout.notes.keys else ""
    return heading + ("\n" if heading and body else "") + (f"{body}\n" if body else "")


def _tag(given: str) -> str:
    """Return a tag without its `#`. Raises BadUsage for an invalid tag."""
    tag = redact(clean(given)).strip().lstrip("#").strip("/")
    parsed = inline_tags(f"#{tag}", 0, ())
    if not parsed or parsed[0].name != tag:
        raise BadUsage(f"{given!r} is no tag: a tag is a word such as glaze or glaze/celadon, not a number")
    return tag
