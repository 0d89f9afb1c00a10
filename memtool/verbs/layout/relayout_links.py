"""The links of a tree whose files go to other places, each of which is to lead where it led.

What must be written is decided before the first file moves, kept beside the files that wait, and written when
the last one has moved. So links are only ever read in a tree that is whole, and no run has to guess.
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
    """What changes in a file at its new path, and the etags of its text before and after."""

    path: str
    edits: tuple[Edit, ...]
    etag: str
    then: str


class Followed(Struct, frozen=True):
    """The links of all files that change, and the paths from which a move back would bring another text."""

    follows: tuple[Follow, ...]
    lasting: frozenset[str]


class Trees(Struct, frozen=True):
    """A tree before a move and after it: all files before, the layouts, and what was planned.

    `place` says where a file that goes to a path lies meanwhile. Where nobody `returns`, it is not asked what
    the way back would make of the links.
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
    """What must change in which files. What cannot be read or rewritten safely is told as unread."""
    goes = {str(step.path): str(step.target) for step in trees.steps if step.plan and step.target is not None}
    into: dict[str, list[str]] = {}
    for path in trees.files:
        into.setdefault(goes.get(path, path), []).append(path)
    old = dict(_sheets(trees, goes))
    boards = [path for path in trees.files if is_canvas(path)]
    if not boards and not any(one.markup.links for one in old.values()):
        return Followed((), frozenset())
    new = dict(_sheets_after(trees, into, old))
    apart = () if trees.returns else goes  # other programs' folders, of which this layout knows nothing
    before, after = _names(trees.old, trees.files, old, apart), _names(trees.new, into, new)
    workspace, known = trees.before.workspace, {*trees.files}
    forth = Moving(goes, before, after, is_there=lambda one: one in known or is_there(workspace, one))
    forth = replace(forth, is_whole=True)
    back = _moving_back(trees, into, new, after) if trees.returns else None
    dropped = {str(step.path) for step in trees.steps if step.result == "drop"}
    follows, lasting = [], set()
    for path, one in new.items():
        linked = _linked(one, [old[path] for path in into[path] if path in old and path not in dropped])
        try:
            text, changes = relinked(one.text, linked, path, forth)
        except Unreadable as error:
            trees.before.unread.append(str(error))
            continue
        if changes:
            follows.append(Follow(path, changes, one.etag, etag_of(encode(text))))
        if back is not None and not _comes_back(text, one, path, back):
            lasting.add(path)
    follows += _canvases(trees.before, boards, forth)
    return Followed(tuple(follows), frozenset(lasting))


def _canvases(tree: Tree, paths: Iterable[str], moving: Moving) -> Iterator[Follow]:
    """What changes of canvases."""
    for path in paths:
        document = tree.read_or_tell(PurePosixPath(path))
        home = moving.path(path)
        changes = refiled_if_read(document, path, home, moving, tree.unread) if document else ()
        if document and changes:
            text = edit(document.text, changes).text
            yield Follow(home, changes, document.etag, etag_of(encode(text)))


def counted(found: Followed, steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, each with how many links change in its file, and whether these come back."""
    counts = {follow.path: len(follow.edits) for follow in found.follows}
    done = set()
    for step in steps:
        path = str(step.target or step.path)
        is_lasting = step.lasting or path in found.lasting
        if step.plan and step.result != "drop" and path not in done:
            done.add(path)
            yield replace(step, links=counts.get(path, 0), lasting=is_lasting)
        elif step.result == "keep" and step.target is None and path not in counts:
            done.add(path)
            yield replace(step, lasting=is_lasting)
        else:
            yield step
    for path in sorted(found.lasting - counts.keys() - done):
        why = "a link in it that led nowhere leads somewhere now, and would be written anew on the way back"
        yield Step("keep", PurePosixPath(path), why=why, lasting=True)


def written(
    tree: Tree, follows: Iterable[Follow], moved: Set[str] = frozenset(), lasting: Set[str] = frozenset()
) -> Iterator[Step]:
    """The steps that write the links. A file that changed meanwhile stays as it is, which is told."""
    for one in follows:
        path = PurePosixPath(one.path)
        if not _may_follow(path):
            continue
        try:
            document = tree.read(path)
        except MemtoolError as error:
            tree.unread.append(str(error))
            continue
        if document is not None and document.etag == one.then:
            continue
        if document is None or document.etag != one.etag:
            why = f"it changed meanwhile; {len(one.edits)} of its links may lead where files were"
            yield Step("keep", path, why=why)
            continue
        plan = (Replace(path, edit(document.text, one.edits).text, document.etag),)
        links, is_shown = len(one.edits), one.path not in moved
        yield Step("edit", path, plan=plan, links=links, shown=is_shown, lasting=one.path in lasting)


def _may_follow(path: PurePosixPath) -> bool:
    """Whether a file is one whose links are memtool's to write, whoever wrote down that they should be."""
    return (path.suffix.lower() in ENDINGS or is_canvas(path.name)) and not any(
        step.startswith(".") for step in path.parts
    )


def dumped(follows: Iterable[Follow]) -> str:
    """What is to be written, as it is kept until then."""
    rows = [{"path": one.path, "was": one.etag, "then": one.then, "edits": one.edits} for one in follows]
    return json.dumps(rows) + "\n"


def loaded(text: str) -> tuple[Follow, ...]:
    """What was kept; nothing where that does not read."""
    try:
        return tuple(_follow(row) for row in json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()


def _follow(row: dict[str, Any]) -> Follow:
    edits = tuple(Edit(int(start), int(end), str(new)) for start, end, new in row["edits"])
    return Follow(str(row["path"]), edits, str(row["was"]), str(row["then"]))


def _sheets(trees: Trees, goes: Mapping[str, str]) -> Iterator[tuple[str, Sheet]]:
    """The files in whose text one of the layouts reads links, by their old paths."""
    for path in trees.files:
        target = goes.get(path, path)
        if not target.lower().endswith(ENDINGS):  # most are turns
            continue
        for at, located in ((path, trees.old.role_of(path)), (target, trees.new.role_of(target))):
            if located is not None and is_sheet(at, located):
                if (found := _sheet(trees.before, PurePosixPath(path), path, located)) is not None:
                    yield path, found
                break


def _sheets_after(
    trees: Trees, into: Mapping[str, Sequence[str]], old: Mapping[str, Sheet]
) -> Iterator[tuple[str, Sheet]]:
    """The same by their new paths."""
    for path, sources in into.items():
        first = next((old[source] for source in sources if source in old), None)
        if first is not None and len(sources) == 1 and _stem(first.path) == _stem(path):
            yield path, first
        elif first is not None:
            found = _sheet(trees.after, trees.place(path), path, first.located)
            if found is not None:
                yield path, found


def _sheet(tree: Tree, at: PurePosixPath, path: str, located: Located) -> Sheet | None:
    """The file of a path, which lies elsewhere perhaps; None where it cannot be read, or is no text."""
    document = tree.read_or_tell(at)
    if document is None or "\0" in document.text:
        return None
    if len(document.text) > tree.workspace.settings["search.max_file_bytes"]:
        return None
    return sheet_of(path, located, document.text, document.etag)


def _moving_back(
    trees: Trees, into: Mapping[str, Sequence[str]], new: Mapping[str, Sheet], after: Names
) -> Moving:
    """What a move back to the layout before would be."""
    home, workspace = _home(trees, into), trees.before.workspace
    names = _names(trees.old, home.values(), {home[path]: one for path, one in new.items()})
    back = Moving(home, after, names, is_there=lambda one: one in into or is_there(workspace, one))
    return replace(back, is_whole=True)


def _home(trees: Trees, into: Iterable[str]) -> dict[str, str]:
    """Where a move back to the layout before brings each file."""
    home = {
        str(step.target): str(step.path)
        for step in trees.steps
        if step.plan and step.result == "move" and not step.lasting
    }
    for path in into:
        if path not in home:
            located = trees.new.role_of(path)
            is_read = located is not None and located.place.indexed
            paths = aim(path, located, trees.new, trees.old).paths if located is not None and is_read else ()
            home[path] = paths[0] if paths else path
    return home


def _linked(one: Sheet, sources: Sequence[Sheet]) -> Linked:
    """The links of a file with the files they stood in: of two that become one, where just one had it."""
    if len(sources) == 1 and sources[0].etag == one.etag:
        return [(sources[0].path, link) for link in one.markup.links]
    held = {source.path: {_written(source, link) for link in source.markup.links} for source in sources}
    rows: list[tuple[str, Link]] = []
    for link in one.markup.links:
        found = [path for path, texts in held.items() if _written(one, link) in texts]
        rows.append((found[0] if len(found) == 1 else "", link))
    return rows


def _written(one: Sheet, link: Link) -> str:
    return one.text[link.start : link.end]


def _comes_back(text: str, one: Sheet, path: str, back: Moving) -> bool:
    """Whether a move back would make of a file's new text what it was."""
    now = one if text == one.text else sheet_of(path, one.located, text, "")
    try:
        return (
            relinked(text, [(path, link) for link in now.markup.links], back.path(path), back)[0] == one.text
        )
    except Unreadable:
        return False


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _names(
    layout: Layout, files: Iterable[str], sheets: Mapping[str, Sheet], apart: Collection[str] = ()
) -> Names:
    """The names that a layout knows of these files, and those that lie `apart`."""
    entered: dict[str, bool] = {"": True}

    def enters(folder: str) -> bool:
        if folder not in entered:
            entered[folder] = enters(folder.rpartition("/")[0]) and layout.enters_indexed(folder)
        return entered[folder]

    named: list[Named] = []
    for path, one in sheets.items():
        located = layout.role_of(path)
        if located is not None and is_sheet(path, located):
            named.append(replace(one.named, path=path))
    return Names([path for path in files if path in apart or enters(path.rpartition("/")[0])], named)
