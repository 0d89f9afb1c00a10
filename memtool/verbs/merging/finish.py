"""Give every turn a number of its own after a merge of histories in which machines used the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.history.journal import CommitAuthor
from memtool.core.history.upgrade import UpgradedTurn
from memtool.core.records.document import etag_of
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Change, Create, Plan, Remove, Replace
from memtool.core.records.turn import CONCURRENT, Turn, turn_id
from memtool.errors import MemtoolError, UnfinishedCommit, UnreadableFile
from memtool.formats import turn as turn_format
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files import merged_paths
from memtool.store.workspace import Workspace
from memtool.verbs.merging.arrived_turns import MARK
from memtool.verbs.turns.history import (
    history_groups,
    is_turn_name,
    raise_head,
    seq_of_name,
    walk_folders,
)
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn


class FinishReport(Struct, frozen=True):
    """The result for one history: the first number that was shared, and how many turns got another one."""

    group: str | None
    first: int
    renumbered: int
    plan: Plan


def finish_merges(
    workspace: Workspace, progress: Callable[[int, int], None] | None = None
) -> list[FinishReport]:
    """Number the turns of every history again, by time, from the first number that two of them share.

    Every turn file is read for turns that were merged into it. The result depends on the turns alone, so that
    all machines with the same turns give them the same numbers. Raises UnreadableFile for a turn that cannot
    be ordered, Locked and Unwritable; nothing of its history is changed then.
    """
    groups = history_groups(workspace) if workspace.has("turn") else []
    reports = (_finish(workspace, group, None, progress) for group in groups)
    return [report for report in reports if report is not None]


def finish_recent_merges(workspace: Workspace) -> None:
    """Finish the merges that are listed in `merged_paths`, for a command that has locked the workspace.

    What fails is reported, and tried again by the next command. Raises UnfinishedCommit.
    """
    paths = merged_paths.merged_paths(workspace.root)
    located = [(path, workspace.role_of(path)) for path in paths]
    own = workspace.holding_lock()
    own.journal.set_author(lambda: CommitAuthor("merge --finish"))
    try:
        for group in dict.fromkeys(place.group for _, place in located if place):
            merged = [PurePosixPath(path) for path, place in located if place and place.group == group]
            report = _finish(own, group, merged, None)
            if report is not None:
                turns = count_noun(report.renumbered, "turn")
                workspace.report(f"renumbered {turns} after conversation histories were merged")
        merged_paths.drop_settled(workspace.root)
    except UnfinishedCommit:
        raise
    except MemtoolError as error:
        workspace.report(f"the merge of histories is not finished: {error}; run memtool merge --finish")


@retry_when_stale
def _finish(
    workspace: Workspace,
    group: str | None,
    merged: Collection[PurePosixPath] | None,
    progress: Callable[[int, int], None] | None,
) -> FinishReport | None:
    """Finish one history, of which only the files `merged` may hold more than one turn, or any if None."""
    with workspace.lock(does_pending=False):
        files = _files_by_number(workspace, group)
        shared = [number for number, paths in files.items() if len(paths) > 1]
        paths = [path for number in sorted(files) for path in files[number]]
        shared += _numbers_of_merged(workspace, paths if merged is None else merged, progress)
        if not shared:
            return None
        first = min(shared)
        paths = [path for path in paths if (seq_of_name(path.name) or 0) >= first]
        plan, renumbered = _plan(workspace, group, first, paths)
        workspace.commit(plan)
    return FinishReport(group, first, renumbered, plan)


def _files_by_number(workspace: Workspace, group: str | None) -> dict[int, list[PurePosixPath]]:
    files: dict[int, list[PurePosixPath]] = {}
    unlisted: list[str] = []
    for folder in walk_folders(workspace, group, unlisted):
        for name in folder.files:
            if is_turn_name(name) and (number := seq_of_name(name)) is not None:
                files.setdefault(number, []).append(folder.path / name)
    if unlisted:
        raise UnreadableFile(unlisted[0])
    return files


def _numbers_of_merged(
    workspace: Workspace,
    paths: Collection[PurePosixPath],
    progress: Callable[[int, int], None] | None,
) -> list[int]:
    """The numbers of the files that hold more than one turn."""
    numbers = []
    for done, path in enumerate(paths, 1):
        content = workspace.disk.read_bytes(path)
        if content is not None and MARK in content and (number := seq_of_name(path.name)) is not None:
            match read_turn(content):
                case CurrentTurn(turn) if CONCURRENT in turn.more:
                    numbers.append(number)
        if progress is not None and done % 256 == 0:
            progress(done, len(paths))
    if progress is not None and paths:
        progress(len(paths), len(paths))
    return numbers


def _plan(
    workspace: Workspace, group: str | None, first: int, paths: Iterable[PurePosixPath]
) -> tuple[Plan, int]:
    """The plan that numbers the turns of these files from `first` on, and the number of turns it changes."""
    old: dict[PurePosixPath, tuple[str, Turn | None]] = {}
    turns: list[Turn] = []
    for path in paths:
        content = workspace.disk.read_bytes(path) or b""
        match read_turn(content):
            case CurrentTurn(turn) | UpgradedTurn(turn):
                found = turn_format.turns_of(turn)
                turns += found
                old[path] = etag_of(content), turn if len(found) == 1 else None
            case _:
                raise UnreadableFile(
                    f"{path} cannot be renumbered, because it is not a valid turn, or was written by a newer "
                    "version of memtool; run memtool upgrade-history, or update memtool"
                )
    quarantined = {
        seq_of_name(name)
        for folder in walk_folders(workspace, group, [], "quarantine")
        for name in folder.files
    }
    changes: list[Change] = []
    kept: set[PurePosixPath] = set()
    number = first - 1
    turns = turn_format.in_order(turns)
    for turn in turns:
        number += 1
        while number in quarantined:
            number += 1
        new = replace(turn, seq=number, id=turn_id(number) if turn.id == turn_id(turn.seq) else turn.id)
        path = workspace.layout.path("turn", group=group, day=turn.at.date(), seq=number)
        kept.add(path)
        if path not in old:
            changes.append(Create(path, turn_format.render(new)))
        elif old[path][1] != new:
            changes.append(Replace(path, turn_format.render(new), old[path][0]))
    renumbered = len(changes)
    changes += [Remove(path, etag) for path, (etag, _) in old.items() if path not in kept]
    return (*changes, *raise_head(workspace, group, number, turns[-1].at)), renumbered
