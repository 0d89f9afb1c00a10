"""note mv: move or retitle a note, and update every link to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.notes.anchors import linked_heading, normalize_heading
from memtool.core.notes.link_resolver import LinkResolver, link_keys, may_mean, name_key
from memtool.core.notes.link_updates import FileMoves
from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.secrets.redact import check_identifier, redact
from memtool.core.text.clean import clean
from memtool.core.text.file_names import UNLINKABLE_CHARACTERS
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.formats import note
from memtool.formats.syntax.frontmatter_edit import set_key
from memtool.formats.syntax.outline import Heading, escape_closing, outline
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files import path_guard
from memtool.store.workspace import Workspace
from memtool.verbs.notes.canvases import edits_in_place, update_canvases
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph
from memtool.verbs.notes.note_new import file_stem, leaves_workspace
from memtool.verbs.notes.notes import find_note
from memtool.verbs.notes.relink import relink


class MovedNote(Struct, frozen=True):
    """A moved note: its paths and title, the plan, and how many links in which files changed."""

    old: str
    new: str
    title: str
    plan: Plan
    links: int
    files: tuple[str, ...]


@retry_when_stale
def move_note(
    workspace: Workspace,
    name: str,
    to: str | None,
    title: str | None,
    notices: list[str],
    *,
    scope: Scope = WHOLE_WORKSPACE,
) -> MovedNote | None:
    """Move a note to a folder, path or name, or change its title; None if there is no such note.

    Links and canvas cards in all writable files keep their targets; no other byte changes. The same call
    completes an interrupted move. Files whose links stay as they are are reported in `notices`. Raises
    BadUsage for an ambiguous name, for a file that is not a note, and for a target that exists or is not a
    place for notes; UnreadableFile if a link cannot be rewritten safely or a canvas cannot be read.
    """
    with workspace.lock():
        moved = plan_move(load_link_graph(workspace, notices, scope), name, to, title, scope)
        if moved is not None:
            workspace.commit(moved.plan)
    return moved


def plan_move(
    graph: LinkGraph, name: str, to: str | None, title: str | None, scope: Scope = WHOLE_WORKSPACE
) -> MovedNote | None:
    """The move of `move_note` in a link graph, with its plan, which is not committed; raises as it does."""
    workspace = graph.workspace
    is_hidden = workspace.seen_by(scope.owners).disk.is_hidden
    source = _find_source(graph, name, to, title)
    if source is None or is_hidden(source.path):
        return None
    target = _target_path(graph, source, to, title)
    _check_target(graph, source, target, scope.group)
    moving = _link_moves(graph, source, target, title)
    new_text = _rewrite_note(source, moving, titled_by_heading=workspace.layout.notes.titled_by_heading)
    target_node = graph.nodes.get(target)
    is_resumed = (
        target_node is not None and target_node is not source and target_node.text == new_text != source.text
    )
    if target != source.path and not is_resumed and _is_taken(graph, target, source.path):
        raise BadUsage(f"{target} already exists; nothing was moved")
    _check_parents(graph, target)
    changed_files = [*_relink_others(graph, source, target, moving, scope.group)]
    link_changes = tuple(
        Replace(PurePosixPath(entry.path), text, entry.etag) for entry, text, _ in changed_files
    )
    canvas_changes = (
        [*update_canvases(graph, source.path, edits_in_place(moving))] if scope.group is None else []
    )
    link_changes += tuple(entry.change for entry in canvas_changes)
    plan = _plan(source, target, new_text, link_changes, is_there=is_resumed)
    files = (
        *(entry.path for entry, _, _ in changed_files if not is_hidden(entry.path)),
        *(str(entry.change.path) for entry in canvas_changes),
    )
    count = sum(count for _, _, count in changed_files) + sum(entry.cards for entry in canvas_changes)
    return MovedNote(source.path, target, moving.new_title or source.head.title, plan, count, files)


def _plan(source: DocumentNode, target: str, new_text: str, links: Plan, *, is_there: bool) -> Plan:
    """Plan the new file, then the links, then the removal of the old file.

    A note whose text does not change is renamed. Otherwise the old file stays until the links are
    rewritten, so that an interrupted move can still resolve them.
    """
    old, new = PurePosixPath(source.path), PurePosixPath(target)
    if old == new:
        return (*links, Replace(old, new_text, source.etag)) if new_text != source.text else links
    if is_there:
        return (*links, Remove(old, source.etag))
    if new_text == source.text:
        return (*links, Move(old, new, source.etag))
    return (Create(new, new_text, like=old), *links, Remove(old, source.etag))


def _find_source(graph: LinkGraph, name: str, to: str | None, title: str | None) -> DocumentNode | None:
    """Return the note that a name refers to; of two left by an interrupted move, the one still to be moved.

    A path matches only itself: the note there may have been removed, and another note have that name.
    """
    is_path = "/" in name or name.lower().endswith((".md", ".markdown"))
    match = None if is_path and name not in {*graph.nodes, *graph.unread} else find_note(graph, name)
    if match is None:
        return None
    candidates = [match.node, *(graph.nodes[path] for path in match.others)]
    if len(candidates) > 1:
        targets = {_target_path(graph, candidate, to, title): candidate.path for candidate in candidates}
        candidates = [
            candidate
            for candidate in candidates
            if targets.get(candidate.path, candidate.path) == candidate.path
        ]
    if len(candidates) != 1:
        paths = ", ".join(sorted(candidate.path for candidate in candidates))
        raise BadUsage(f"{name!r} is ambiguous ({paths}); give the path of the note")
    return candidates[0]


def _target_path(graph: LinkGraph, source: DocumentNode, to: str | None, title: str | None) -> str:
    """Return the new path of a note, from a folder, a path, a name, or its new title.

    Without a slash, `to` is a name in the note's folder; `./name` is a name at the root.
    """
    folder, _, base = source.path.rpartition("/")
    if to is None:
        workspace = graph.workspace
        ending = PurePosixPath(base).suffix
        is_named_for_title = base == file_stem(workspace, source.head.title, "") + ending or (
            not workspace.layout.notes.titled_by_heading and base == source.head.title + ending
        )
        if title is None or not is_named_for_title:
            return source.path
        return _join(folder, file_stem(workspace, title, base.removesuffix(ending)) + ending)
    notes = graph.workspace.layout.notes
    is_folder = to in notes.places or to.endswith("/")
    to = notes.folder(to)
    if is_folder or graph.workspace.disk.folder_stat(path_guard.check_name(to)) is not None:
        return _join(str(PurePosixPath(to)), base)
    ending = "" if to.lower().endswith((".md", ".markdown")) else ".md"
    return str(path_guard.check_name(f"{to}{ending}")) if "/" in to else _join(folder, f"{to}{ending}")


def _join(parent: str, name: str) -> str:
    return f"{parent}/{name}" if parent not in {"", "."} else name


def _check_target(graph: LinkGraph, source: DocumentNode, target: str, group: str | None) -> None:
    """Raise BadUsage or OutsideWorkspace unless the note may be moved to the target path."""
    layout = graph.workspace.layout
    if not source.is_note:
        raise BadUsage(
            f"{source.path} has the role {source.located.role}, whose paths are fixed by the layout; "
            "only notes can be moved"
        )
    if leaves_workspace(target):
        shown = f"/{target.lstrip('/')}" if target.startswith("/") else target
        raise OutsideWorkspace(f"{shown} is outside the workspace; use . for the workspace root")
    base = target.rpartition("/")[2]
    if target != source.path and (clean(base) != base or any(char in base for char in UNLINKABLE_CHARACTERS)):
        raise BadUsage(
            f"{base!r} contains an invisible character, or one that is not allowed in links "
            f"({' '.join(UNLINKABLE_CHARACTERS)}); choose another name"
        )
    steps = PurePosixPath(target).with_suffix("").parts
    if target != source.path and any(step.strip() != step or not step.strip(".") for step in steps):
        raise BadUsage(
            f"{target!r} contains a name that begins or ends with a space or consists "
            "only of dots; choose another name"
        )
    check_identifier(str(target), "the new path")
    located = layout.locate(target)
    if located is None or located.role != source.located.role:
        raise BadUsage(
            f"{target} is not a path for notes in the {layout.name} layout; "
            f"memtool help layouts {layout.name} lists the paths"
        )
    if located.group != source.located.group:
        raise BadUsage(f"{target} belongs to another group; a note can be moved only within its own group")
    if group is not None and (source.located.group or "") != group:
        raise BadUsage(f"{source.path} belongs to another group; only that group may move it")


def _is_taken(graph: LinkGraph, target: str, old: str) -> bool:
    """Whether the target exists, or a path that differs from it only in case."""
    same_names = {path for path in graph.files if name_key(path) == name_key(target)} - {old}
    return bool(same_names) or (
        target != old and graph.workspace.disk.stat(PurePosixPath(target)) is not None
    )


def _check_parents(graph: LinkGraph, target: str) -> None:
    """Raise BadUsage for a path below a file."""
    for parent in PurePosixPath(target).parents[:-1]:
        entry = graph.workspace.disk.entry_kind(parent)
        if entry is not None and entry.kind == "file":
            raise BadUsage(f"{parent} is a file, not a folder; nothing was moved")


def _link_moves(graph: LinkGraph, source: DocumentNode, target: str, title: str | None) -> FileMoves:
    """Return the names before and after the move. Raises BadUsage for a title that another note has."""
    clean_title = one_line(redact(clean(title)), 201) if title is not None else ""
    if title is not None and not 0 < len(clean_title) <= 200:
        raise BadUsage("a title can have at most 200 characters" if clean_title else "the title is empty")
    if title is not None and not linked_heading(clean_title):
        raise BadUsage(f"{clean_title!r} consists only of characters that a link cannot contain")
    others = [node for path, node in graph.nodes.items() if path not in {source.path, target}]
    for node in others:
        if clean_title and node.is_note and name_key(node.head.title) == name_key(clean_title):
            raise BadUsage(f"{node.path} already has this title; links by title would be ambiguous")
    paths = [path for path in graph.files if path not in {source.path, target}]
    named = [node.link_names for node in others]
    after = replace(source.link_names, path=target, title=clean_title or source.head.title)
    return FileMoves(
        moves={source.path: target},
        before=LinkResolver([*paths, source.path], [*named, source.link_names]),
        after=LinkResolver([*paths, target], [*named, after]),
        old_title=(_title_heading(source) or source.head.title) if clean_title else "",
        new_title=clean_title,
        exists=lambda path: target not in {path, f"{path}.md"} and graph.exists(path),
    )


def _rewrite_note(source: DocumentNode, moving: FileMoves, *, titled_by_heading: bool) -> str:
    """Return the text of the note at its new path: its links rewritten, its title replaced."""
    text = _relink_node(source, moving)[0]
    if not moving.new_title:
        return text
    heading = _first_heading(text)
    if heading is not None and heading.text == moving.old_title:
        lines = text.split("\n")
        index = heading.first - 1
        is_underlined = heading.last > heading.first
        title = moving.new_title if is_underlined else escape_closing(moving.new_title)
        lines[index] = title.join(lines[index].rsplit(moving.old_title, 1))
        text = "\n".join(lines)
    stem = PurePosixPath(moving.new_path(source.path)).stem
    new_head = note.metadata(note.parse(text), stem, titled_by_heading=titled_by_heading)
    return text if new_head.title == moving.new_title else set_key(text, "title", moving.new_title)


def _first_heading(text: str) -> Heading | None:
    """Return the first heading of level 1."""
    return next((heading for heading in outline(text).headings if heading.level == 1), None)


def _title_heading(source: DocumentNode) -> str:
    """Return the text of the first heading if it says the title, in any case and punctuation; else ""."""
    heading = _first_heading(source.text)
    if heading is None or normalize_heading(heading.text) != normalize_heading(source.head.title):
        return ""
    return heading.text


def _relink_others(
    graph: LinkGraph, source: DocumentNode, target: str, moving: FileMoves, group: str | None
) -> Iterator[tuple[DocumentNode, str, int]]:
    """Yield each other file whose links change, with its new text and the number of changed links.

    These have links that may mean the note by an old name or by a new one: all others lead where they did.
    """
    before, title = source.link_names, moving.new_title or source.head.title
    after = replace(before, path=target, title=title)
    concerned = graph.may_link_to(before) | graph.may_link_to(after)
    keys = link_keys(before) | link_keys(after)
    for path in sorted(concerned - {source.path, target}):
        node = graph.nodes[path]
        if group is not None and (node.located.group or "") != group:
            continue
        text, count = _relink_node(replace(node), moving, keys)  # what is parsed of many files is not kept
        if count:
            yield node, text, count


def _relink_node(node: DocumentNode, moving: FileMoves, keys: Collection[str] = ("",)) -> tuple[str, int]:
    """Return a file's text with rewritten links, and how many changed; others than these keys stay.

    Raises UnreadableFile as `relink`.
    """
    sourced_links = [(node.path if may_mean(link.target, keys) else "", link) for link in node.markup.links]
    text, changes = relink(node.text, sourced_links, moving.new_path(node.path), moving)
    return text, len({change.start for change in changes})
