"""Migration to another layout: the files of each role move to the places of that role.

Most files are renamed at once. A file whose new path has another role in the old layout, or is still occupied
by a file that will move, waits in a separate folder until memtool.toml names the new layout. The paths thus
show at any time what was done, and the next run completes an interrupted one. Links are written last, as
decided before the first file moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.records.migration import MigrationStep, line_count
from memtool.core.records.plan import Create, Move, Plan, Remove
from memtool.errors import BadUsage, MemtoolError, OutsideWorkspace, UnreadableFile
from memtool.formats import quarantine_record
from memtool.formats.workspace_file import with_setting
from memtool.layouts.layout import Layout, LocatedFile
from memtool.layouts.layout_mapping import MappedPath, locate_in_group, map_path
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.layouts.seeds import initial_text
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.changes.planned_tree import WAITING_FOLDER, PlannedTree
from memtool.verbs.layout.layout_frontmatter import add_required_keys, paths_with_required_keys
from memtool.verbs.layout.layout_link_edits import (
    TreePair,
    add_link_counts,
    dump_link_edits,
    load_link_edits,
    plan_link_edits,
    write_links,
)
from memtool.verbs.layout.layout_summary import is_in_prompts
from memtool.verbs.layout.migration_step import move_step, write_plan

LAYOUT_MIGRATION = "layout"
"""The name of this migration."""

_TARGET_FILE = WAITING_FOLDER / "to"
_WAITING_FILES = WAITING_FOLDER / "files"
_LINKS_FILE = WAITING_FOLDER / "links"
_FRONTMATTER_FILE = WAITING_FOLDER / "frontmatter"
_SETTINGS_FILE = PurePosixPath(WORKSPACE_FILE)
_DEPTH = 64


def interrupted_target(workspace: Workspace) -> str | None:
    """Return the target layout of an interrupted move; None if there is none."""
    document = workspace.read(_TARGET_FILE)
    name = document.text.strip() if document is not None else None
    return name if name in LAYOUT_NAMES else None


class _LayoutMove(Struct):
    """A move while it is planned: the layouts, and the paths that are sources or taken."""

    tree: PlannedTree
    old: Layout
    new: Layout
    sources: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)


def plan_layout_move(
    tree: PlannedTree, to: str, progress: Callable[[int, int], None] | None = None
) -> Iterator[MigrationStep]:
    """Yield the steps of a move to a layout. Raises BadUsage for an unknown layout or uneditable settings."""
    workspace, new = tree.workspace, load_layout(to)
    is_begun = interrupted_target(workspace) is not None
    waiting = {str(path.relative_to(_WAITING_FILES)) for path in tree.below(_WAITING_FILES, _DEPTH)}
    moved_targets: frozenset[str] = frozenset()
    lasting: frozenset[str] = frozenset()
    if not (is_begun and _set_layout(tree, to) == ()):
        if workspace.layout is new:
            return
        _set_layout(tree, to)  # raises before anything is done
        plan = (*_set_layout(tree, workspace.layout.name), *write_plan(tree, _TARGET_FILE, f"{to}\n"))
        yield MigrationStep("edit", _SETTINGS_FILE, plan=plan, shown=False)
        if tree.read(_LINKS_FILE) is None:
            ahead = tree.copy()
            move = _LayoutMove(ahead, workspace.layout, new, waiting=waiting)
            steps = ahead.apply_steps(_plan_moves(move, progress))
            outcome = plan_link_edits(_tree_pair(tree, move, steps))
            paths = [*paths_with_required_keys(tree, move.old, new, steps)]
            if paths:
                plan = write_plan(tree, _FRONTMATTER_FILE, "".join(f"{path}\n" for path in paths))
                yield MigrationStep("edit", _FRONTMATTER_FILE, plan=plan, shown=False)
            yield MigrationStep(  # last, because a run that finds it plans nothing of this again
                "edit",
                _LINKS_FILE,
                plan=write_plan(tree, _LINKS_FILE, dump_link_edits(outcome.edits)),
                shown=False,
            )
            steps = [*add_link_counts(outcome, steps)]
            moved_targets, lasting = (
                frozenset(str(step.target) for step in steps if step.links),
                outcome.lasting,
            )
            yield from steps
        else:  # an interrupted run
            yield from _plan_moves(_LayoutMove(tree, workspace.layout, new, waiting=waiting), progress)
        yield MigrationStep("edit", _SETTINGS_FILE, plan=_set_layout(tree, to), why=f'layout = "{to}"')
    for target in sorted(waiting):
        yield from _settle(tree, PurePosixPath(target))
    links_document = tree.read(_LINKS_FILE)
    if links_document is not None:
        yield from write_links(tree, load_link_edits(links_document.text), moved_targets, lasting)
        yield MigrationStep(
            "edit", _LINKS_FILE, plan=(Remove(_LINKS_FILE, links_document.etag),), shown=False
        )
    frontmatter_document = tree.read(_FRONTMATTER_FILE)
    if frontmatter_document is not None:
        yield from add_required_keys(tree, new, filter(None, frontmatter_document.text.split("\n")))
        plan = (Remove(_FRONTMATTER_FILE, frontmatter_document.etag),)
        yield MigrationStep("edit", _FRONTMATTER_FILE, plan=plan, shown=False)
    document = tree.read(_TARGET_FILE)
    if document is not None:
        yield MigrationStep("edit", _TARGET_FILE, plan=(Remove(_TARGET_FILE, document.etag),), shown=False)


def _tree_pair(before: PlannedTree, move: _LayoutMove, steps: Sequence[MigrationStep]) -> TreePair:
    def current_path(path: str) -> PurePosixPath:
        return _WAITING_FILES / path if path in move.waiting else PurePosixPath(path)

    files = before.files(partial(_is_searched, move.old, move.new))
    return TreePair(before, move.tree, files, move.old, move.new, steps, current_path)


def _is_searched(old: Layout, new: Layout, folder: str) -> bool:
    """Whether a folder can contain files that move; those of groups do if the new layout has no groups."""
    if old.groups is not None and new.groups is None and f"{folder}/".startswith(f"{old.groups}/"):
        return True
    return old.can_contain_roles(folder) or new.can_contain_roles(folder)


def _settle(tree: PlannedTree, target: PurePosixPath) -> Iterator[MigrationStep]:
    """Move a waiting file to its place, or to a numbered name if the place was taken meanwhile."""
    alternatives = (target.with_name(f"{target.stem}-{number}{target.suffix}") for number in range(2, 1000))
    for candidate in chain((target,), alternatives):
        step = move_step(tree, _WAITING_FILES / target, candidate, "", merge=False)
        if step is None or step.plan:
            break
    if step is not None:
        yield replace(step, shown=step.target != target)


def _set_layout(tree: PlannedTree, layout: str) -> Plan:
    document = tree.read(_SETTINGS_FILE)
    if document is None:
        return (Create(_SETTINGS_FILE, initial_text(load_layout(layout), _SETTINGS_FILE)),)
    text = with_setting(document.text, "layout", layout)
    if text is None:
        raise BadUsage(
            f'memtool cannot edit {_SETTINGS_FILE} safely; set layout = "{layout}" in it by hand, then run '
            "the command again"
        )
    return write_plan(tree, _SETTINGS_FILE, text)


def _plan_moves(move: _LayoutMove, progress: Callable[[int, int], None] | None) -> Iterator[MigrationStep]:
    """Yield a step for each file with a role: a move to its place, or the reason why it stays."""
    tree, old, new = move.tree, move.old, move.new
    aims: list[tuple[str, LocatedFile, MappedPath]] = []
    without_role: list[str] = []
    for path in tree.files(partial(_is_searched, old, new)):
        located = old.locate(path)
        if located is None and new.groups is None:
            located = locate_in_group(path, old)
        if located is not None:
            aims.append((path, located, map_path(path, located, old, new)))
        elif path != WORKSPACE_FILE:
            without_role.append(path)
    move.sources = {path for path, _, found_aim in aims if found_aim.paths}
    move.taken = {*move.waiting}
    place_order = {place: number for number, place in enumerate(old.places)}
    aims.sort(key=lambda entry: (place_order[entry[1].place], entry[0]))
    for number, (path, located, found_aim) in enumerate(aims, 1):
        step = _file_step(move, PurePosixPath(path), located, found_aim)
        if step is not None:
            yield step
        if progress is not None:
            progress(number, len(aims))
    yield from filter(None, (_new_role_step(move, PurePosixPath(path)) for path in without_role))
    for path, kind in sorted(tree.skipped.items()):
        located = old.locate(path)
        if located is not None and map_path(path, located, old, new).paths:
            why = f"the path is {kind}; only regular files are moved"
            yield MigrationStep("keep", PurePosixPath(path), why=why, role=located.role)


def _new_role_step(move: _LayoutMove, path: PurePosixPath) -> MigrationStep | None:
    """A note on a file without a role that has one at the same path in the new layout."""
    located = move.new.locate(path)
    if located is None or not move.tree.exists(path):
        return None
    why = (
        f"the file has no role in the old layout, but has the role {located.role} in the "
        f"{move.new.name} layout"
    )
    return MigrationStep(
        "keep", path, why=why, role=located.role, is_irreversible=_leads_away(move, path, path)
    )


def _file_step(
    move: _LayoutMove, path: PurePosixPath, located: LocatedFile, found_aim: MappedPath
) -> MigrationStep | None:
    if not found_aim.paths:
        if move.new.has_role(located.role):
            why = f"the {move.new.name} layout has the role {located.role}, but no place for this file"
        else:
            why = f"the {move.new.name} layout has no place for the role {located.role}"
        if move.new.locate(path) is None:
            why += "; memtool will no longer search the file or include it in prompts"
            if not is_in_prompts(located):  # else the summary of the move says where to
                why += (
                    "; to keep using the file, move it to one of the paths listed by memtool help layouts "
                    f"{move.new.name}"
                )
        kept_step = _keep_step(move, path, located, why)
        if found_aim.new_role != located.role:
            return kept_step
        return (
            replace(kept_step, why=f"the file has the role {located.role} in both layouts")
            if kept_step.is_irreversible
            else None
        )
    is_of_lost_group = located.group is not None and move.new.groups is None
    try:
        step = _move_file_step(move, path, located, found_aim)
    except (UnreadableFile, OutsideWorkspace, BadUsage) as error:
        if is_of_lost_group and move.new.locate(path) is not None:
            raise BadUsage(
                f"{error}; the {move.new.name} layout has no groups, so the file would become readable by "
                "everyone; move it out of the workspace first"
            ) from error
        move.tree.unread.append(str(error))
        return MigrationStep("keep", path, why=str(error).removeprefix(f"{path} "), role=located.role)
    if step is not None and is_of_lost_group:
        step = replace(step, why=step.why or f"the {move.new.name} layout has no groups")
    return step and replace(step, role=located.role, is_irreversible=_is_lasting(move, path, step))


def _keep_step(move: _LayoutMove, path: PurePosixPath, located: LocatedFile, why: str) -> MigrationStep:
    """The step of a file that stays: its role in the new layout, and whether the way back moves it."""
    new_located = move.new.locate(path)
    if new_located is None:
        return MigrationStep("keep", path, why=why, role=located.role)
    if (new_located.role, new_located.group) != (located.role, located.group):
        why += f"; the file's role in the {move.new.name} layout is {new_located.role}"
    return MigrationStep(
        "keep", path, why=why, role=located.role, is_irreversible=_leads_away(move, path, path)
    )


def _move_file_step(
    move: _LayoutMove, path: PurePosixPath, located: LocatedFile, found_aim: MappedPath
) -> MigrationStep | None:
    tree, file_format = move.tree, located.place.format
    document = tree.read(path)
    if document is None:
        return None
    text = _rewrite_record(move, located, document.text)
    first = PurePosixPath(found_aim.paths[0])
    if text != document.text and text in {
        tree.try_read_text(first),
        tree.try_read_text(_WAITING_FILES / first),
    }:
        return MigrationStep(
            "drop", path, first, (Remove(path, document.etag),), shown=False
        )  # left by an interrupted run
    target = next((candidate for candidate in found_aim.paths if _is_free(move, candidate)), None)
    if target is None and str(first) not in move.waiting:
        step = move_step(tree, path, first, file_format)
        if step is not None and step.plan:
            return step
    first_located = move.new.locate(first)
    if target is None and first_located is not None and {*first_located.slots} & {"name", "rest", "slug"}:
        target = _numbered_path(move, first)
    if target is None:
        return _keep_step(move, path, located, f"{first} already exists")
    move.taken.add(target)
    destination = PurePosixPath(target)
    if target in move.sources or not _is_at_rest(move, target):
        destination = _WAITING_FILES / target
        move.waiting.add(target)
    plan: Plan = (Move(path, destination, document.etag),)
    if text != document.text:
        plan = (Create(destination, text), Remove(path, document.etag))
    return MigrationStep("move", path, PurePosixPath(target), plan, lines=line_count(document.text))


def _is_free(move: _LayoutMove, target: str) -> bool:
    """Whether a path is free, or occupied only by a file that will move."""
    if target in move.taken:
        return False
    return target in move.sources or not move.tree.exists(PurePosixPath(target))


def _numbered_path(move: _LayoutMove, first: PurePosixPath) -> str | None:
    for number in range(2, 1000):
        name = str(first.with_name(f"{first.stem}-{number}{first.suffix}"))
        if _is_free(move, name):
            return name
    return None


def _is_at_rest(move: _LayoutMove, target: str) -> bool:
    """Whether a file at its new place would stay there if the move were planned again."""
    located = move.old.locate(target)
    return located is None or not map_path(target, located, move.old, move.new).paths


def _is_lasting(move: _LayoutMove, path: PurePosixPath, step: MigrationStep) -> bool:
    """Whether a move back would not restore the old path."""
    if step.target is None or not step.plan:
        return step.is_irreversible
    return step.result != "move" or _leads_away(move, path, step.target)


def _leads_away(move: _LayoutMove, path: PurePosixPath, target: PurePosixPath) -> bool:
    located = move.new.locate(target)
    if located is None:
        return True
    return_paths = map_path(str(target), located, move.new, move.old).paths
    return str(path) not in (return_paths[:1] or (str(target),))


def _rewrite_record(move: _LayoutMove, located: LocatedFile, text: str) -> str:
    """A file's text in the new layout: a quarantine record holds the original path of its file."""
    if located.place.format != "quarantine-record" or (located.group is not None and move.new.groups is None):
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
