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

from memtool.core.notes.link import Link
from memtool.core.notes.names import Named, Names
from memtool.core.notes.relink import Moving
from memtool.core.records.migration import Step
from memtool.core.records.plan import Replace
from memtool.core.text.edited import Edit, edit
from memtool.errors import MemtoolError, Unreadable
from memtool.layouts.join import aim
from memtool.layouts.layout import Layout, Located
from memtool.store.files.posix import encode
from memtool.store.files.reader import etag_of
from memtool.verbs.changes.tree import Tree
from memtool.verbs.notes.canvases import is_canvas, refiled_if_read
from memtool.verbs.notes.relinked import Linked, relinked
from memtool.verbs.notes.web import ENDINGS, Sheet, is_sheet, is_there, sheet_of


class Follow(Struct, frozen=True):
    """The link edits of a file at its new path, and the etags of its text before and after."""

    path: str
    edits: tuple[Edit, ...]
    etag: str
    then: str


class Followed(Struct, frozen=True):
    """The link edits of all files, and the paths whose text a move back would not restore."""

    follows: tuple[Follow, ...]
    lasting: frozenset[str]


class Trees(Struct, frozen=True):
    """A tree before and after a move, with its files before the move, the layouts and the planned steps.

    `place` returns the current path of a file that moves to a path. Without `returns`, it is not checked what
    a move back would do to the links.
    """

    before: Tree
    after: Tree
    files: Sequence[str]
    old: Layout
    new: Layout
    steps: Sequence[Step]
    place: Callable[[str], PurePosixPath]
    returns: bool = True


def followed(trees: Trees) -> Followed:
    """Return the link edits of all files; files that cannot be read or rewritten are added to `unread`."""
    targets = {
        str(step.path): str(step.target) for step in trees.steps if step.plan and step.target is not None
    }
    sources_by_target: dict[str, list[str]] = {}
    for path in trees.files:
        sources_by_target.setdefault(targets.get(path, path), []).append(path)
    old_nodes = dict(_sheets(trees, targets))
    canvas_paths = [path for path in trees.files if is_canvas(path)]
    if not canvas_paths and not any(node.markup.links for node in old_nodes.values()):
        return Followed((), frozenset())
    new_nodes = dict(_sheets_after(trees, sources_by_target, old_nodes))
    unlisted = () if trees.returns else targets  # folders of other programs, unknown to the layout
    names_before = _names(trees.old, trees.files, old_nodes, unlisted)
    names_after = _names(trees.new, sources_by_target, new_nodes)
    workspace, listed = trees.before.workspace, {*trees.files}
    moving = Moving(
        targets, names_before, names_after, is_there=lambda path: path in listed or is_there(workspace, path)
    )
    moving = replace(moving, is_whole=True)
    moving_back = _moving_back(trees, sources_by_target, new_nodes, names_after) if trees.returns else None
    dropped = {str(step.path) for step in trees.steps if step.result == "drop"}
    follows, lasting = [], set()
    for path, node in new_nodes.items():
        kept_paths = [source for source in sources_by_target[path] if source not in dropped]
        linked = _linked(node, [old_nodes[source] for source in kept_paths if source in old_nodes])
        try:
            text, changes = relinked(node.text, linked, path, moving)
        except Unreadable as error:
            trees.before.unread.append(str(error))
            continue
        if changes:
            follows.append(Follow(path, changes, node.etag, etag_of(encode(text))))
        if moving_back is not None and not _comes_back(text, node, path, moving_back):
            lasting.add(path)
    follows += _canvases(trees.before, canvas_paths, moving)
    return Followed(tuple(follows), frozenset(lasting))


def _canvases(tree: Tree, paths: Iterable[str], moving: Moving) -> Iterator[Follow]:
    """Yield the edits of canvases."""
    for path in paths:
        document = tree.read_or_tell(PurePosixPath(path))
        new_path = moving.path(path)
        changes = refiled_if_read(document, path, new_path, moving, tree.unread) if document else ()
        if document and changes:
            text = edit(document.text, changes).text
            yield Follow(new_path, changes, document.etag, etag_of(encode(text)))


def counted(outcome: Followed, steps: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps with the number of changed links, and whether a move back restores them."""
    counts = {follow.path: len(follow.edits) for follow in outcome.follows}
    counted_paths = set()
    for step in steps:
        path = str(step.target or step.path)
        is_lasting = step.lasting or path in outcome.lasting
        if step.plan and step.result != "drop" and path not in counted_paths:
            counted_paths.add(path)
            yield replace(step, links=counts.get(path, 0), lasting=is_lasting)
        elif step.result == "keep" and step.target is None and path not in counts:
            counted_paths.add(path)
            yield replace(step, lasting=is_lasting)
        else:
            yield step
    for path in sorted(outcome.lasting - counts.keys() - counted_paths):
        why = "a link in it that led nowhere leads somewhere now, and would be written anew on the way back"
        yield Step("keep", PurePosixPath(path), why=why, lasting=True)


def written(
    tree: Tree, follows: Iterable[Follow], moved: Set[str] = frozenset(), lasting: Set[str] = frozenset()
) -> Iterator[Step]:
    """Yield the steps that write the links. A file that changed meanwhile is kept and reported."""
    for follow in follows:
        path = PurePosixPath(follow.path)
        if not _may_follow(path):
            continue
        try:
            document = tree.read(path)
        except MemtoolError as error:
            tree.unread.append(str(error))
            continue
        if document is not None and document.etag == follow.then:
            continue
        if document is None or document.etag != follow.etag:
            why = f"it changed meanwhile; {len(follow.edits)} of its links may lead where files were"
            yield Step("keep", path, why=why)
            continue
        plan = (Replace(path, edit(document.text, follow.edits).text, document.etag),)
        links, shown = len(follow.edits), follow.path not in moved
        yield Step("edit", path, plan=plan, links=links, shown=shown, lasting=follow.path in lasting)


def _may_follow(path: PurePosixPath) -> bool:
    """Whether a path may be edited, whatever the stored edits say: no hidden path, Markdown or canvas."""
    return (path.suffix.lower() in ENDINGS or is_canvas(path.name)) and not any(
        step.startswith(".") for step in path.parts
    )


def dumped(follows: Iterable[Follow]) -> str:
    """Return link edits as JSON."""
    rows = [
        {"path": follow.path, "was": follow.etag, "then": follow.then, "edits": follow.edits}
        for follow in follows
    ]
    return json.dumps(rows) + "\n"


def loaded(text: str) -> tuple[Follow, ...]:
    """Return the link edits of a JSON text; none if it is invalid."""
    try:
        return tuple(_follow(row) for row in json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()


def _follow(row: dict[str, Any]) -> Follow:
    edits = tuple(Edit(int(start), int(end), str(new)) for start, end, new in row["edits"])
    return Follow(str(row["path"]), edits, str(row["was"]), str(row["then"]))


def _sheets(trees: Trees, targets: Mapping[str, str]) -> Iterator[tuple[str, Sheet]]:
    """Yield the files in which one of the layouts reads links, by their old paths."""
    for path in trees.files:
        target = targets.get(path, path)
        if not target.lower().endswith(ENDINGS):  # most are turns
            continue
        for candidate, located in ((path, trees.old.role_of(path)), (target, trees.new.role_of(target))):
            if located is not None and is_sheet(candidate, located):
                if (node := _sheet(trees.before, PurePosixPath(path), path, located)) is not None:
                    yield path, node
                break


def _sheets_after(
    trees: Trees, sources_by_target: Mapping[str, Sequence[str]], old_nodes: Mapping[str, Sheet]
) -> Iterator[tuple[str, Sheet]]:
    """Yield the same files by their new paths."""
    for path, sources in sources_by_target.items():
        first_node = next((old_nodes[source] for source in sources if source in old_nodes), None)
        if first_node is not None and len(sources) == 1 and _stem(first_node.path) == _stem(path):
            yield path, first_node
        elif first_node is not None:
            node = _sheet(trees.after, trees.place(path), path, first_node.located)
            if node is not None:
                yield path, node


def _sheet(tree: Tree, current_path: PurePosixPath, path: str, located: Located) -> Sheet | None:
    """The node of a file whose current path may differ; None if it is unreadable or binary."""
    document = tree.read_or_tell(current_path)
    if document is None or "\0" in document.text:
        return None
    if len(document.text) > tree.workspace.settings["search.max_file_bytes"]:
        return None
    return sheet_of(path, located, document.text, document.etag)


def _moving_back(
    trees: Trees,
    sources_by_target: Mapping[str, Sequence[str]],
    new_nodes: Mapping[str, Sheet],
    names_after: Names,
) -> Moving:
    """The names and paths of a move back to the previous layout."""
    old_paths, workspace = _home(trees, sources_by_target), trees.before.workspace
    names = _names(trees.old, old_paths.values(), {old_paths[path]: node for path, node in new_nodes.items()})
    moving = Moving(
        old_paths,
        names_after,
        names,
        is_there=lambda path: path in sources_by_target or is_there(workspace, path),
    )
    return replace(moving, is_whole=True)


def _home(trees: Trees, paths_after: Iterable[str]) -> dict[str, str]:
    """The path of each file after a move back to the previous layout."""
    old_paths = {
        str(step.target): str(step.path)
        for step in trees.steps
        if step.plan and step.result == "move" and not step.lasting
    }
    for path in paths_after:
        if path not in old_paths:
            located = trees.new.role_of(path)
            is_indexed = located is not None and located.place.indexed
            paths = (
                aim(path, located, trees.new, trees.old).paths if located is not None and is_indexed else ()
            )
            old_paths[path] = paths[0] if paths else path
    return old_paths


def _linked(node: Sheet, sources: Sequence[Sheet]) -> Linked:
    """The links of a file, each with the file it came from; "" if not exactly one merged file had it."""
    if len(sources) == 1 and sources[0].etag == node.etag:
        return [(sources[0].path, link) for link in node.markup.links]
    link_texts = {source.path: {_written(source, link) for link in source.markup.links} for source in sources}
    sourced_links: list[tuple[str, Link]] = []
    for link in node.markup.links:
        paths = [path for path, texts in link_texts.items() if _written(node, link) in texts]
        sourced_links.append((paths[0] if len(paths) == 1 else "", link))
    return sourced_links


def _written(node: Sheet, link: Link) -> str:
    return node.text[link.start : link.end]


def _comes_back(text: str, node: Sheet, path: str, moving_back: Moving) -> bool:
    """Whether a move back would restore the text of a file."""
    new_node = node if text == node.text else sheet_of(path, node.located, text, "")
    try:
        linked = [(path, link) for link in new_node.markup.links]
        return relinked(text, linked, moving_back.path(path), moving_back)[0] == node.text
    except Unreadable:
        return False


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _names(
    layout: Layout, files: Iterable[str], nodes: Mapping[str, Sheet], unlisted: Collection[str] = ()
) -> Names:
    """The names of files in a layout, with those that are `unlisted` in it."""
    entered: dict[str, bool] = {"": True}

    def enters(folder: str) -> bool:
        if folder not in entered:
            entered[folder] = enters(folder.rpartition("/")[0]) and layout.enters_indexed(folder)
        return entered[folder]

    link_names: list[Named] = []
    for path, node in nodes.items():
        located = layout.role_of(path)
        if located is not None and is_sheet(path, located):
            link_names.append(replace(node.named, path=path))
    return Names([path for path in files if path in unlisted or enters(path.rpartition("/")[0])], link_names)
