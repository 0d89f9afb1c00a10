"""Link edits of a tree whose files move, so that every link keeps its target.

The edits are decided before the first file moves, stored beside the waiting files, and written after the last
move. Links are thus resolved only in a complete tree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_resolver import LinkResolver, NoteNames
from memtool.core.notes.link_updates import FileMoves
from memtool.core.records.document import etag_of
from memtool.core.records.migration import MigrationStep
from memtool.core.records.plan import Replace
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.errors import MemtoolError, UnreadableFile
from memtool.layouts.layout import Layout, LocatedFile
from memtool.layouts.layout_mapping import map_path
from memtool.store.files.posix import encode
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.notes.canvases import canvas_edits_or_notice, is_canvas
from memtool.verbs.notes.document_node import DocumentNode, parse_node
from memtool.verbs.notes.link_graph import MARKDOWN_SUFFIXES, is_link_source, path_exists
from memtool.verbs.notes.relink import SourcedLinks, relink


class LinkEdits(Struct, frozen=True):
    """The link edits of a file at its new path, and the etags of its text before and after."""

    path: str
    edits: tuple[TextEdit, ...]
    etag_before: str
    etag_after: str


class LinkEditPlan(Struct, frozen=True):
    """The link edits of all files, and the paths whose text a move back would not restore."""

    edits: tuple[LinkEdits, ...]
    lasting: frozenset[str]


class TreePair(Struct, frozen=True):
    """A tree before and after a move, with its files before the move, the layouts and the planned steps.

    `current_path` returns the current path of a file that moves to a path. Without `returns`, it is not
    checked what a move back would do to the links.
    """

    before: PlannedTree
    after: PlannedTree
    files: Sequence[str]
    old: Layout
    new: Layout
    steps: Sequence[MigrationStep]
    current_path: Callable[[str], PurePosixPath]
    returns: bool = True


def plan_link_edits(trees: TreePair) -> LinkEditPlan:
    """Return the link edits of all files; files that cannot be read or rewritten are added to `unread`."""
    targets = {
        str(step.path): str(step.target) for step in trees.steps if step.plan and step.target is not None
    }
    sources_by_target: dict[str, list[str]] = {}
    for path in trees.files:
        sources_by_target.setdefault(targets.get(path, path), []).append(path)
    old_nodes = dict(_nodes_before(trees, targets))
    canvas_paths = [path for path in trees.files if is_canvas(path)]
    if not canvas_paths and not any(node.markup.links for node in old_nodes.values()):
        return LinkEditPlan((), frozenset())
    new_nodes = dict(_nodes_after(trees, sources_by_target, old_nodes))
    unlisted = () if trees.returns else targets  # folders of other programs, unknown to the layout
    names_before = _names(trees.old, trees.files, old_nodes, unlisted)
    names_after = _names(trees.new, sources_by_target, new_nodes)
    listed, stat = {*trees.files}, trees.before.stat
    moving = FileMoves(
        targets, names_before, names_after, exists=lambda path: path in listed or path_exists(stat, path)
    )
    moving = replace(moving, is_whole_tree=True)
    newly_listed = {*_listed_files(trees.new, trees.files)}
    all_names = _names(trees.old, trees.files, old_nodes, newly_listed)
    unlisted_moving = replace(moving, before=all_names)  # of files in which the old layout reads no links
    moving_back = _plan_return(trees, sources_by_target, new_nodes, names_after) if trees.returns else None
    dropped = {str(step.path) for step in trees.steps if step.result == "drop"}
    follows, lasting = [], set()
    for path, node in new_nodes.items():
        kept_paths = [
            source for source in sources_by_target[path] if source not in dropped and _is_markdown(source)
        ]  # a group's file that was withheld keeps its links, as it did when it became no Markdown
        linked = _source_links(node, [old_nodes[source] for source in kept_paths if source in old_nodes])
        try:
            is_read = any(trees.old.locate(source) for source in kept_paths)
            text, changes = relink(node.text, linked, path, moving if is_read else unlisted_moving)
        except UnreadableFile as error:
            trees.before.unread.append(str(error))
            continue
        if changes:
            follows.append(LinkEdits(path, changes, node.etag, etag_of(encode(text))))
        if moving_back is not None and not _is_restored(text, node, path, moving_back):
            lasting.add(path)
    follows += _canvas_link_edits(trees.before, canvas_paths, moving)
    return LinkEditPlan(tuple(follows), frozenset(lasting))


def _canvas_link_edits(tree: PlannedTree, paths: Iterable[str], moving: FileMoves) -> Iterator[LinkEdits]:
    """Yield the edits of canvases."""
    for path in paths:
        document = tree.try_read(PurePosixPath(path))
        new_path = moving.new_path(path)
        changes = canvas_edits_or_notice(document, path, new_path, moving, tree.unread) if document else ()
        if document and changes:
            text = apply_edits(document.text, changes).text
            yield LinkEdits(new_path, changes, document.etag, etag_of(encode(text)))


def add_link_counts(outcome: LinkEditPlan, steps: Sequence[MigrationStep]) -> Iterator[MigrationStep]:
    """Yield the steps with the number of changed links, and whether a move back restores them."""
    counts = {follow.path: len(follow.edits) for follow in outcome.edits}
    counted_paths = set()
    for step in steps:
        path = str(step.target or step.path)
        is_lasting = step.is_irreversible or path in outcome.lasting
        if step.plan and step.result != "drop" and path not in counted_paths:
            counted_paths.add(path)
            yield replace(step, links=counts.get(path, 0), is_irreversible=is_lasting)
        elif step.result == "keep" and step.target is None and path not in counts:
            counted_paths.add(path)
            yield replace(step, is_irreversible=is_lasting)
        else:
            yield step
    for path in sorted(outcome.lasting - counts.keys() - counted_paths):
        why = (
            "a broken link in the file will resolve after the migration, so migrating back would rewrite "
            "that link instead of restoring it"
        )
        yield MigrationStep("keep", PurePosixPath(path), why=why, is_irreversible=True)


def write_links(
    tree: PlannedTree,
    all_edits: Iterable[LinkEdits],
    moved: Set[str] = frozenset(),
    lasting: Set[str] = frozenset(),
) -> Iterator[MigrationStep]:
    """Yield the steps that write the links. A file that changed meanwhile is kept and reported."""
    for follow in all_edits:
        path = PurePosixPath(follow.path)
        if not _may_edit(path):
            continue
        try:
            document = tree.read(path)
        except MemtoolError as error:
            tree.unread.append(str(error))
            continue
        if document is not None and document.etag == follow.etag_after:
            continue
        if document is None or document.etag != follow.etag_before:
            why = (
                f"the file changed during the migration; {len(follow.edits)} of its links may point to "
                "old paths"
            )
            yield MigrationStep("keep", path, why=why)
            continue
        plan = (Replace(path, apply_edits(document.text, follow.edits).text, document.etag),)
        links, shown = len(follow.edits), follow.path not in moved
        yield MigrationStep(
            "edit", path, plan=plan, links=links, shown=shown, is_irreversible=follow.path in lasting
        )


def _may_edit(path: PurePosixPath) -> bool:
    """Whether a path may be edited, whatever the stored edits say: no hidden path, Markdown or canvas."""
    return (_is_markdown(path.name) or is_canvas(path.name)) and not any(
        step.startswith(".") for step in path.parts
    )


def dump_link_edits(all_edits: Iterable[LinkEdits]) -> str:
    """Return link edits as JSON."""
    rows = [
        {"path": follow.path, "was": follow.etag_before, "then": follow.etag_after, "edits": follow.edits}
        for follow in all_edits
    ]
    return json.dumps(rows) + "\n"


def load_link_edits(text: str) -> tuple[LinkEdits, ...]:
    """Return the link edits of a JSON text; none if it is invalid."""
    try:
        return tuple(_parse_link_edits(row) for row in json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()


def _parse_link_edits(row: dict[str, Any]) -> LinkEdits:
    edits = tuple(TextEdit(int(start), int(end), str(new)) for start, end, new in row["edits"])
    return LinkEdits(str(row["path"]), edits, str(row["was"]), str(row["then"]))


def _nodes_before(trees: TreePair, targets: Mapping[str, str]) -> Iterator[tuple[str, DocumentNode]]:
    """Yield the files in which one of the layouts reads links, by their old paths."""
    for path in trees.files:
        target = targets.get(path, path)
        if not _is_markdown(target):  # most are turns
            continue
        for candidate, located in ((path, trees.old.locate(path)), (target, trees.new.locate(target))):
            if located is not None and is_link_source(candidate, located):
                node = _read_node(trees.before, PurePosixPath(path), path, located, trees.old)
                if node is not None:
                    yield path, node
                break


def _nodes_after(
    trees: TreePair, sources_by_target: Mapping[str, Sequence[str]], old_nodes: Mapping[str, DocumentNode]
) -> Iterator[tuple[str, DocumentNode]]:
    """Yield the same files by their new paths."""
    same_titles = trees.old.notes.titled_by_heading == trees.new.notes.titled_by_heading
    for path, sources in sources_by_target.items():
        first_node = next((old_nodes[source] for source in sources if source in old_nodes), None)
        is_same = same_titles and first_node is not None and _stem(first_node.path) == _stem(path)
        if first_node is not None and len(sources) == 1 and is_same:
            yield path, first_node
        elif first_node is not None:
            node = _read_node(trees.after, trees.current_path(path), path, first_node.located, trees.new)
            if node is not None:
                yield path, node


def _read_node(
    tree: PlannedTree, current_path: PurePosixPath, path: str, located: LocatedFile, layout: Layout
) -> DocumentNode | None:
    """The node in a layout of a file whose current path may differ; None if it is unreadable or binary."""
    document = tree.try_read(current_path)
    if document is None or "\0" in document.text:
        return None
    if len(document.text) > tree.workspace.settings["search.max_file_bytes"]:
        return None
    titled_by_heading = layout.notes.titled_by_heading
    return parse_node(path, located, document.text, document.etag, titled_by_heading=titled_by_heading)


def _plan_return(
    trees: TreePair,
    sources_by_target: Mapping[str, Sequence[str]],
    new_nodes: Mapping[str, DocumentNode],
    names_after: LinkResolver,
) -> FileMoves:
    """The names and paths of a move back to the previous layout."""
    old_paths, stat = _return_paths(trees, sources_by_target), trees.after.stat
    old_nodes = {}
    for path, node in new_nodes.items():
        old_path = old_paths[path]
        by_heading = trees.old.notes.titled_by_heading
        is_retitled = by_heading != trees.new.notes.titled_by_heading or _stem(old_path) != _stem(path)
        old_nodes[old_path] = (
            parse_node(old_path, node.located, node.text, node.etag, titled_by_heading=by_heading)
            if is_retitled
            else node
        )
    names = _names(trees.old, old_paths.values(), old_nodes)
    moving = FileMoves(
        old_paths,
        names_after,
        names,
        exists=lambda path: path in sources_by_target or path_exists(stat, path),
    )
    return replace(moving, is_whole_tree=True)


def _return_paths(trees: TreePair, paths_after: Iterable[str]) -> dict[str, str]:
    """The path of each file after a move back to the previous layout.

    Two files may be given the same path; as in the move itself, the first of them gets it.
    """
    old_paths = {
        str(step.target): str(step.path)
        for step in trees.steps
        if step.plan and step.result == "move" and not step.is_irreversible
    }
    place_order = {place: number for number, place in enumerate(trees.new.places)}
    aims: list[tuple[int, str, tuple[str, ...]]] = []
    for path in paths_after:
        if path not in old_paths:
            located = trees.new.locate(path)
            if located is not None and located.place.indexed:
                paths = map_path(path, located, trees.new, trees.old).paths
                aims.append((place_order[located.place], path, paths))
            old_paths[path] = path
    moving = {path for _, path, paths in aims if paths}
    taken = {new_path for path, new_path in old_paths.items() if path not in moving}
    for _, path, paths in sorted(aims):
        old_paths[path] = next((new_path for new_path in paths if new_path not in taken), path)
        taken.add(old_paths[path])
    return old_paths


def _source_links(node: DocumentNode, sources: Sequence[DocumentNode]) -> SourcedLinks:
    """The links of a file, each with the file it came from; "" if not exactly one merged file had it."""
    if len(sources) == 1 and sources[0].etag == node.etag:
        return [(sources[0].path, link) for link in node.markup.links]
    link_texts = {
        source.path: {_link_text(source, link) for link in source.markup.links} for source in sources
    }
    sourced_links: list[tuple[str, NoteLink]] = []
    for link in node.markup.links:
        paths = [path for path, texts in link_texts.items() if _link_text(node, link) in texts]
        sourced_links.append((paths[0] if len(paths) == 1 else "", link))
    return sourced_links


def _link_text(node: DocumentNode, link: NoteLink) -> str:
    return node.text[link.start : link.end]


def _is_restored(text: str, node: DocumentNode, path: str, moving_back: FileMoves) -> bool:
    """Whether a move back would restore the text of a file."""
    if not _is_markdown(moving_back.new_path(path)):
        return text == node.text
    new_node = node
    if text != node.text:  # only its links are read, so it may have any title
        new_node = parse_node(path, node.located, text, "", titled_by_heading=True)
    try:
        linked = [(path, link) for link in new_node.markup.links]
        return relink(text, linked, moving_back.new_path(path), moving_back)[0] == node.text
    except UnreadableFile:
        return False


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(MARKDOWN_SUFFIXES)


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _names(
    layout: Layout, files: Iterable[str], nodes: Mapping[str, DocumentNode], unlisted: Collection[str] = ()
) -> LinkResolver:
    """The names of files in a layout, with those that are `unlisted` in it."""
    link_names: list[NoteNames] = []
    for path, node in nodes.items():
        located = layout.locate(path)
        if located is not None and is_link_source(path, located):
            link_names.append(replace(node.link_names, path=path))
    paths = [*files]
    listed = {*_listed_files(layout, paths)}
    return LinkResolver([path for path in paths if path in unlisted or path in listed], link_names)


def _listed_files(layout: Layout, files: Iterable[str]) -> Iterator[str]:
    """Yield the files in folders that a layout lists as documents."""
    entered: dict[str, bool] = {"": True}

    def enters(folder: str) -> bool:
        if folder not in entered:
            entered[folder] = enters(folder.rpartition("/")[0]) and layout.can_contain_indexed(folder)
        return entered[folder]

    return (path for path in files if enters(path.rpartition("/")[0]))
