"""note new: create a note with a unique id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.link_resolver import name_key, zettel_id
from memtool.core.notes.tags import inline_tags
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Create, Plan
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import check_identifier, redact
from memtool.core.text.clean import clean
from memtool.core.text.file_names import title_file_name, title_slug
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.formats.ownership import with_file_owner
from memtool.formats.syntax.yaml_text import Json, dump_inline
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.notes.document_node import NOTE_ROLE
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph

_MOST_TITLE_CHARS = 200
"""Most characters of a title."""


class CreatedNote(Struct, frozen=True):
    """A note: its path, id, title, and the plan that wrote it; the plan is empty if it existed already."""

    path: str
    id: str | None
    title: str
    plan: Plan = ()
    is_new: bool = False


@retry_when_stale
def create_note(
    workspace: Workspace,
    title: str,
    now: datetime,
    notices: list[str],
    *,
    tags: Sequence[str] = (),
    to: str | None = None,
    body: str = "",
    scope: Scope = WHOLE_WORKSPACE,
    owner: Owner | None = None,
) -> CreatedNote:
    """Create a note with a title, in a named place or a folder; a user's note says whose it is.

    If a note with the same title, tags and body exists, it is left as it is. Raises BadUsage for a title that
    another note has, for an invalid title or tag, and for a folder that cannot hold notes.
    """
    clean_title = one_line(redact(clean(title)), _MOST_TITLE_CHARS + 1)
    if not clean_title:
        raise BadUsage("the title is empty")
    if len(clean_title) > _MOST_TITLE_CHARS:
        raise BadUsage(
            f"a title can have at most {_MOST_TITLE_CHARS} characters; put the rest in the note's body"
        )
    tag_names = tuple(parse_tag(tag) for tag in tags)
    clean_body = redact(clean(body)).strip("\n")
    with workspace.lock():
        graph = load_link_graph(workspace, notices, scope)
        is_hidden = workspace.seen_by(scope.owners).disk.is_hidden
        for note in graph.notes():
            if is_hidden(note.path):
                continue
            if name_key(clean_title) == name_key(note.head.title) or note.head.name == file_stem(
                workspace, clean_title, clean_title
            ):
                is_same_body = note.text[note.body :] == _render_body(workspace, clean_title, clean_body)
                if is_same_body and set(tag_names) == {*note.head.tags}:
                    return CreatedNote(note.path, note.head.id, note.head.title)
                raise BadUsage(
                    f"{note.path} already has this title, or the name derived from it, so links would be "
                    "ambiguous; choose another title"
                )
        note_id = next(_ids(graph, now))
        folder = note_folder(workspace, to, scope.group)
        path, text = draft_note(graph, folder, clean_title, now, clean_body, tag_names)
        if owner is not None and owner.kind == "user":
            text = with_file_owner(text, str(owner))
        plan: Plan = (Create(path, text),)
        workspace.commit(plan)
    return CreatedNote(
        str(path), note_id if "id" in workspace.layout.notes.keys else None, clean_title, plan, is_new=True
    )


def draft_note(
    graph: LinkGraph,
    folder: PurePosixPath,
    title: str,
    now: datetime,
    body: str,
    tags: tuple[str, ...] = (),
) -> tuple[PurePosixPath, str]:
    """The path and the text of a new note, with an id that no other note has."""
    note_id = next(_ids(graph, now))
    path = _free_path(graph, folder, title, note_id)
    created = format_moment(now.replace(microsecond=0))
    return path, _render_note(graph.workspace, title, note_id, created, tags, body)


def note_folder(workspace: Workspace, to: str | None, group: str | None) -> PurePosixPath:
    """Return the folder of a new note: a named place, a folder from the root, or the default folder.

    Raises BadUsage for a folder that cannot hold notes, and OutsideWorkspace.
    """
    layout = workspace.layout
    if to is None:
        default = next(iter(layout.notes.places.values()), None) if not group else None
        return PurePosixPath(default) if default else layout.folder(NOTE_ROLE, group=group or None)
    check_identifier(to, "--to")
    if leaves_workspace(to):
        raise OutsideWorkspace(
            f"{to} is outside the workspace; give a folder relative to the workspace's root"
        )
    path = PurePosixPath(layout.notes.folder(to).rstrip("/") or ".")
    located = layout.locate(path / "x.md")
    if located is None or located.role != NOTE_ROLE or (group is not None and (located.group or "") != group):
        names = ", ".join(layout.notes.places)
        root = layout.folder(NOTE_ROLE, group=group or None)
        folder = f"a folder under {root}" if root.parts else "another folder, such as notes"
        raise BadUsage(
            f"{to} is not a folder for notes in the {layout.name} layout; use "
            f"{f'{names} or ' if names else ''}{folder}"
        )
    return path


def leaves_workspace(path: str) -> bool:
    """Whether a path that should be relative to the root is absolute or has a parent step."""
    return path.startswith("/") or ".." in path.split("/")


def file_stem(workspace: Workspace, title: str, default: str) -> str:
    """Return the file name, without its ending, of a note with this title."""
    name = title_slug(title) if workspace.layout.notes.naming == "slug" else title_file_name(title)
    return name or default


def _ids(graph: LinkGraph, now: datetime) -> Iterator[str]:
    """Yield ids that no note has: the time to the minute, then with a number appended."""
    taken = {
        note_id
        for node in graph.nodes.values()
        for note_id in (node.head.id, zettel_id(node.path))
        if note_id
    }
    first = now.astimezone(UTC).strftime("%Y%m%d-%H%M")
    return (note_id for n in count(1) if (note_id := first if n == 1 else f"{first}-{n}") not in taken)


def _free_path(graph: LinkGraph, parent: PurePosixPath, title: str, note_id: str) -> PurePosixPath:
    """Return a path in a folder that does not exist, compared without case."""
    taken = {name_key(path) for path in graph.files}
    base = file_stem(graph.workspace, title, note_id)
    for n in count(1):
        path = parent / (f"{base}.md" if n == 1 else f"{base}-{n}.md")
        if name_key(str(path)) not in taken and graph.workspace.disk.stat(path) is None:
            return path
    raise AssertionError


def _render_note(
    workspace: Workspace, title: str, note_id: str, created: str, tags: tuple[str, ...], body: str
) -> str:
    values: dict[str, str] = {
        "id": note_id,
        "title": dump_inline(title),
        "created": created,
        "name": dump_inline(file_stem(workspace, title, note_id)),
        "description": dump_inline(title),
        "type": "note",
    }
    tag_values: list[Json] = [*tags]
    keys = [key for key in workspace.layout.notes.keys if key != "tags"]
    lines = [f"{key}: {values[key]}\n" for key in keys]
    if tags or "tags" in workspace.layout.notes.keys:
        lines.append(f"tags: {dump_inline(tag_values)}\n")
    return f"---\n{''.join(lines)}---\n{_render_body(workspace, title, body)}"


def _render_body(workspace: Workspace, title: str, body: str) -> str:
    """Return the text below the frontmatter: a heading if the frontmatter holds the title, then the body."""
    heading = f"# {title}\n" if "title" in workspace.layout.notes.keys else ""
    return heading + ("\n" if heading and body else "") + (f"{body}\n" if body else "")


def parse_tag(given: str) -> str:
    """Return a tag without its `#`. Raises BadUsage for an invalid tag."""
    tag = redact(clean(given)).strip().lstrip("#").strip("/")
    parsed = inline_tags(f"#{tag}", 0, ())
    if not parsed or parsed[0].name != tag:
        raise BadUsage(
            f"invalid tag {redact(given)!r}: a tag is a word such as glaze or glaze/celadon, not a number"
        )
    return tag
