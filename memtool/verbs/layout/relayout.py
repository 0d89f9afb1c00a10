"""Migration to another layout: the files of each role move to the places of that role.

Most files are renamed at once. A file whose new path has another role in the old layout, or is still occupied
by a file that will move, waits in a separate folder until memtool.toml names the new layout. The paths thus
show at any time what was done, and the next run completes an interrupted one. Links are written last, as
decided before the first file moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.records.migration import Step, lines_of
from memtool.core.records.plan import Create, Move, Plan, Remove
from memtool.errors import BadUsage, MemtoolError, OutsideWorkspace, Unreadable
from memtool.formats import quarantine_record
from memtool.formats.workspace_file import with_layout
from memtool.layouts.join import Aim, aim
from memtool.layouts.layout import Layout, Located
from memtool.layouts.load import NAMES, load
from memtool.layouts.seeds import initial_text
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.changes.tree import WAITING, Tree
from memtool.verbs.layout.migration_step import moved, put
from memtool.verbs.layout.relayout_links import Trees, counted, dumped, followed, loaded, written

LAYOUT = "layout"
"""The name of this migration."""

_TO = WAITING / "to"
_FILES = WAITING / "files"
_LINKS = WAITING / "links"
_SETTINGS = PurePosixPath(WORKSPACE_FILE)
_DEPTH = 64


def unfinished(workspace: Workspace) -> str | None:
    """Return the target layout of an interrupted move; None if there is none."""
    document = workspace.read(_TO)
    name = document.text.strip() if document is not None else None
    return name if name in NAMES else None


class _Move(Struct):
    """A move while it is planned: the layouts, and the paths that are sources or taken."""

    tree: Tree
    old: Layout
    new: Layout
    sources: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)


def arranged(tree: Tree, to: str, progress: Callable[[int, int], None] | None = None) -> Iterator[Step]:
    """Yield the steps of a move to a layout. Raises BadUsage for an unknown layout or uneditable settings."""
    workspace, new = tree.workspace, load(to)
    is_begun = unfinished(workspace) is not None
    waiting = {str(path.relative_to(_FILES)) for path in tree.below(_FILES, _DEPTH)}
    moved_targets: frozenset[str] = frozenset()
    lasting: frozenset[str] = frozenset()
    if not (is_begun and _named(tree, to) == ()):
        if workspace.layout is new:
            return
        _named(tree, to)  # raises before anything is done
        plan = (*_named(tree, workspace.layout.name), *put(tree, _TO, f"{to}\n"))
        yield Step("edit", _SETTINGS, plan=plan, shown=False)
        if tree.read(_LINKS) is None:
            ahead = tree.copy()
            move = _Move(ahead, workspace.layout, new, waiting=waiting)
            steps = ahead.with_steps(_spread(move, progress))
            outcome = followed(_trees(tree, move, steps))
            yield Step("edit", _LINKS, plan=put(tree, _LINKS, dumped(outcome.follows)), shown=False)
            steps = [*counted(outcome, steps)]
            moved_targets, lasting = (
                frozenset(str(step.target) for step in steps if step.links),
                outcome.lasting,
            )
            yield from steps
        else:  # an interrupted run
            yield from _spread(_Move(tree, workspace.layout, new, waiting=waiting), progress)
        yield Step("edit", _SETTINGS, plan=_named(tree, to), why=f'layout = "{to}"')
    for target in sorted(waiting):
        yield from _settled(tree, PurePosixPath(target))
    links_document = tree.read(_LINKS)
    if links_document is not None:
        yield from written(tree, loaded(links_document.text), moved_targets, lasting)
        yield Step("edit", _LINKS, plan=(Remove(_LINKS, links_document.etag),), shown=False)
    document = tree.read(_TO)
    if document is not None:
        yield Step("edit", _TO, plan=(Remove(_TO, document.etag),), shown=False)


def _trees(before: Tree, move: _Move, steps: Sequence[Step]) -> Trees:
    def current_path(path: str) -> PurePosixPath:
        return _FILES / path if path in move.waiting else PurePosixPath(path)

    files = before.files(lambda folder: move.old.enters(folder) or move.new.enters(folder))
    return Trees(before, move.tree, files, move.old, move.new, steps, current_path)


def _settled(tree: Tree, target: PurePosixPath) -> Iterator[Step]:
    """Move a waiting file to its place, or to a numbered name if the place was taken meanwhile."""
    alternatives = (target.with_name(f"{target.stem}-{number}{target.suffix}") for number in range(2, 1000))
    for candidate in chain((target,), alternatives):
        step = moved(tree, _FILES / target, candidate, "", merge=False)
        if step is None or step.plan:
            break
    if step is not None:
        yield replace(step, shown=step.target != target)


def _named(tree: Tree, layout: str) -> Plan:
    document = tree.read(_SETTINGS)
    if document is None:
        return (Create(_SETTINGS, initial_text(load(layout), _SETTINGS)),)
    text = with_layout(document.text, layout)
    if text is None:
        raise BadUsage(f'{_SETTINGS} cannot be changed safely; set layout = "{layout}" in it by hand first')
    return put(tree, _SETTINGS, text)


def _spread(move: _Move, progress: Callable[[int, int], None] | None) -> Iterator[Step]:
    """Yield a step for each file with a role: a move to its place, or the reason why it stays."""
    tree, old, new = move.tree, move.old, move.new
    aims: list[tuple[str, Located, Aim]] = []
    without_role: list[str] = []
    for path in tree.files(lambda folder: old.enters(folder) or new.enters(folder)):
        located = old.role_of(path)
        if located is not None:
            aims.append((path, located, aim(path, located, old, new)))
        elif path != WORKSPACE_FILE:
            without_role.append(path)
    move.sources = {path for path, _, found_aim in aims if found_aim.paths}
    move.taken = {*move.waiting}
    place_order = {place: number for number, place in enumerate(old.places)}
    aims.sort(key=lambda entry: (place_order[entry[1].place], entry[0]))
    for number, (path, located, found_aim) in enumerate(aims, 1):
        step = _step(move, PurePosixPath(path), located, found_aim)
        if step is not None:
            yield step
        if progress is not None:
            progress(number, len(aims))
    yield from filter(None, (_read_now(move, PurePosixPath(path)) for path in without_role))
    for path, kind in sorted(tree.passed.items()):
        located = old.role_of(path)
        if located is not None and aim(path, located, old, new).paths:
            why = f"it is {kind}; only files are moved"
            yield Step("keep", PurePosixPath(path), why=why, role=located.role)


def _read_now(move: _Move, path: PurePosixPath) -> Step | None:
    """A note on a file without a role that has one at the same path in the new layout."""
    located = move.new.role_of(path)
    if located is None or not move.tree.stands(path):
        return None
    why = f"it had no role; the {move.new.name} layout reads it as {located.role}"
    return Step("keep", path, why=why, role=located.role, lasting=_leads_away(move, path, path))


def _step(move: _Move, path: PurePosixPath, located: Located, found_aim: Aim) -> Step | None:
    if not found_aim.paths:
        has_place = located.group is None or move.new.groups is not None
        missing = f"place for {located.role}" if has_place else "groups"
        kept_step = _kept(move, path, located, f"the {move.new.name} layout has no {missing}")
        if found_aim.reads_as != located.role or not has_place:
            return kept_step
        return replace(kept_step, why=f"it is a {located.role} where it lies") if kept_step.lasting else None
    try:
        step = _moved(move, path, located, found_aim)
    except (Unreadable, OutsideWorkspace, BadUsage) as error:
        move.tree.unread.append(str(error))
        return Step("keep", path, why="it could not be read", role=located.role)
    return step and replace(step, role=located.role, lasting=_is_lasting(move, path, step))


def _kept(move: _Move, path: PurePosixPath, located: Located, why: str) -> Step:
    """The step of a file that stays: its role in the new layout, and whether the way back moves it."""
    new_located = move.new.role_of(path)
    if new_located is None:
        return Step("keep", path, why=why, role=located.role)
    if (new_located.role, new_located.group) != (located.role, located.group):
        why += f"; the {move.new.name} layout reads it as {new_located.role}"
    return Step("keep", path, why=why, role=located.role, lasting=_leads_away(move, path, path))


def _moved(move: _Move, path: PurePosixPath, located: Located, found_aim: Aim) -> Step | None:
    tree, file_format = move.tree, located.place.format
    document = tree.read(path)
    if document is None:
        return None
    text = _rewritten(move, located, document.text)
    first = PurePosixPath(found_aim.paths[0])
    if text != document.text and text in {tree.text(first), tree.text(_FILES / first)}:
        return Step(
            "drop", path, first, (Remove(path, document.etag),), shown=False
        )  # left by an interrupted run
    target = next((candidate for candidate in found_aim.paths if _is_free(move, candidate)), None)
    if target is None and str(first) not in move.waiting:
        step = moved(tree, path, first, file_format)
        if step is not None and step.plan:
            return step
    first_located = move.new.role_of(first)
    if target is None and first_located is not None and {*first_located.slots} & {"name", "rest", "slug"}:
        target = _numbered(move, first)
    if target is None:
        return _kept(move, path, located, f"{first} is taken")
    move.taken.add(target)
    destination = PurePosixPath(target)
    if target in move.sources or not _is_at_rest(move, target):
        destination = _FILES / target
        move.waiting.add(target)
    plan: Plan = (Move(path, destination, document.etag),)
    if text != document.text:
        plan = (Create(destination, text), Remove(path, document.etag))
    return Step("move", path, PurePosixPath(target), plan, lines=lines_of(document.text))


def _is_free(move: _Move, target: str) -> bool:
    """Whether a path is free, or occupied only by a file that will move."""
    if target in move.taken:
        return False
    return target in move.sources or not move.tree.stands(PurePosixPath(target))


def _numbered(move: _Move, first: PurePosixPath) -> str | None:
    for number in range(2, 1000):
        name = str(first.with_name(f"{first.stem}-{number}{first.suffix}"))
        if _is_free(move, name):
            return name
    return None


def _is_at_rest(move: _Move, target: str) -> bool:
    """Whether a file at its new place would stay there if the move were planned again."""
    located = move.old.role_of(target)
    return located is None or not aim(target, located, move.old, move.new).paths


def _is_lasting(move: _Move, path: PurePosixPath, step: Step) -> bool:
    """Whether a move back would not restore the old path."""
    if step.target is None or not step.plan:
        return step.lasting
    return step.result != "move" or _leads_away(move, path, step.target)


def _leads_away(move: _Move, path: PurePosixPath, target: PurePosixPath) -> bool:
    located = move.new.role_of(target)
    if located is None:
        return True
    return_paths = aim(str(target), located, move.new, move.old).paths
    return str(path) not in (return_paths[:1] or (str(target),))


def _rewritten(move: _Move, located: Located, text: str) -> str:
    """A file's text in the new layout: a quarantine record holds the original path of its file."""
    if located.place.format != "quarantine-record":
        return text
    try:
        record = quarantine_record.parse(text)
    except MemtoolError:
        return text
    old_folder = move.old.folder("turn", group=located.group)
    origin = PurePosixPath(record.origin)
    if not origin.is_relative_to(old_folder):
        return text
    moved_to = move.new.folder("turn", group=located.group) / origin.relative_to(old_folder)
    return text if moved_to == origin else quarantine_record.render(replace(record, origin=str(moved_to)))
