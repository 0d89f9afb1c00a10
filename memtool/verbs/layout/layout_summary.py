"""What a move to another layout changes for the agents of a tree, in sentences for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from memtool.core.records.health import count_noun
from memtool.core.records.migration import MigrationStage
from memtool.layouts.layout import Layout, LocatedFile
from memtool.layouts.layout_mapping import GROUP_FILE
from memtool.verbs.changes.planned_tree import PlannedTree

_IN_PROMPTS = frozenset({"always", "profile"})
_OF_SESSIONS = frozenset({"session-state"})
"""Roles whose files are in prompts for the session that runs: there is nothing in them to be copied."""
_PROMPT_ROLES = ("core", "workspace", "long-term")
"""The roles of files in every prompt that people write, the most suitable for any text first."""
_MOST_NAMED = 6
_ANY_NAME = "NAME"


def memory_files(tree: PlannedTree, layout: Layout) -> dict[str, LocatedFile]:
    """The files of a tree that have a role in a layout, by path."""
    paths = tree.files(layout.can_contain_roles)
    return {path: located for path in paths if (located := layout.locate(path)) is not None}


def summarise_move(
    before: Mapping[str, LocatedFile],
    after: Collection[str],
    stages: Iterable[MigrationStage],
    old: Layout,
    new: Layout,
    *,
    is_done: bool,
) -> Iterator[str]:
    """Sentences about a move: how many files it moves, and what groups, prompts and agents no longer have.

    `before` and `after` are the files of memory in the old and in the new layout. Unless `is_done`, the move
    is only planned.
    """
    steps = [step for stage in stages for step in stage.steps if step.plan and step.target is not None]
    targets = {path: str(step.target) for step in steps if (path := str(step.path)) != str(step.target)}
    moved = [path for path in before if path in targets]
    move, no_longer = ("moved", "no longer") if is_done else ("would move", "would no longer be")
    yield (
        f"{move} {len(moved)} of {count_noun(len(before), 'memory file')}; the {new.name} layout treats "
        f"{count_noun(len(after), 'file')} as memory"
    )
    yield from _withheld_groups(targets, old, new, is_done=is_done)
    lost = [path for path, located in before.items() if _leaves_prompts(path, located, targets, new)]
    if lost:
        yield f"{no_longer} in every prompt: {_list_files(lost)}; {_advice(lost, targets, new)}"
    for agents, paths in _lost_readers(moved, before, targets, old, new).items():
        yield f"{no_longer} found by {agents}: {_list_files(paths)}"


def _withheld_groups(targets: Mapping[str, str], old: Layout, new: Layout, *, is_done: bool) -> Iterator[str]:
    """A sentence about the files of groups, if the new layout has none."""
    folder, groups, count = str(new.folder(GROUP_FILE)), set(), 0
    for path, target in targets.items():
        located, old_located = new.locate(target), old.locate(path)
        is_withheld = old_located is not None and old_located.role == GROUP_FILE
        if located is not None and located.role == GROUP_FILE and not is_withheld:
            groups.add(str(located.slots["rest"]).partition("/")[0])
            count += 1
    if count:
        listed = _list_files(sorted(groups))
        names = f"the group {listed}" if len(groups) == 1 else f"{len(groups)} groups ({listed})"
        they_are, them = ("it is", "it") if count == 1 else ("they are", "them")
        moved = ("was moved" if count == 1 else "were moved") if is_done else "would be moved"
        yield (
            f"the {new.name} layout has no groups: {count_noun(count, 'file')} of {names} {moved} to "
            f"{folder}/, where {they_are} neither searched nor included in prompts; migrating to a layout "
            f"with groups moves {them} back"
        )


def is_in_prompts(located: LocatedFile) -> bool:
    """Whether a file is in every prompt, other than for the session that runs."""
    return located.place.inject in _IN_PROMPTS and located.role not in _OF_SESSIONS


def _advice(lost: Sequence[str], targets: Mapping[str, str], new: Layout) -> str:
    """What to do about files that leave prompts: move files without a role, else copy from them."""
    path = _prompt_path(new)
    if _ANY_NAME in path and not any(new.locate(targets.get(each, each)) for each in lost):
        only = path.replace(_ANY_NAME, PurePosixPath(lost[0]).stem) if len(lost) == 1 else path
        files = "it" if len(lost) == 1 else "them"
        return f"to keep {files} in prompts, move {files} to {only}"
    return f"copy into {path} what the agent must always know"


def _leaves_prompts(path: str, located: LocatedFile, targets: Mapping[str, str], new: Layout) -> bool:
    if not is_in_prompts(located):
        return False
    if located.group is not None and new.groups is None:  # not for the prompts of others
        return False
    new_located = new.locate(targets.get(path, path))
    return new_located is None or new_located.place.inject not in _IN_PROMPTS


def _lost_readers(
    moved: Iterable[str],
    before: Mapping[str, LocatedFile],
    targets: Mapping[str, str],
    old: Layout,
    new: Layout,
) -> dict[str, list[str]]:
    """The moved files that agents read themselves where they were, by the agents; prompts' files first."""
    lost: dict[str, list[str]] = {}
    for path in sorted(moved, key=lambda path: before[path].place.inject not in _IN_PROMPTS):
        place, new_located = before[path].place, new.locate(targets[path])
        if old.agent != new.agent and before[path].role in old.agent_roles:
            lost.setdefault(old.agent, []).append(path)
        readers = {*place.read_by} - {*(new_located.place.read_by if new_located else ())}
        if readers and not old.agent:
            lost.setdefault(" or ".join(sorted(readers)), []).append(path)
    return lost


def _prompt_path(layout: Layout) -> str:
    """A path of a layout whose file is in every prompt, with NAME for any name."""
    places = (layout.place(role) for role in _PROMPT_ROLES if layout.has_role(role))
    place = next((place for place in places if place.inject == "always"), layout.place("long-term"))
    return place.template.pattern.replace("{name}", _ANY_NAME).replace("{rest}", _ANY_NAME)


def _list_files(paths: Sequence[str]) -> str:
    named, rest = paths[:_MOST_NAMED], len(paths[_MOST_NAMED:])
    return ", ".join(named) + (f" and {count_noun(rest, 'other file')}" if rest else "")
