"""maintain: upgrade turns, finish merges, end idle sessions, expire and decay memory, update the indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, time, timedelta, tzinfo
from functools import partial

from msgspec import Struct

from memtool.core.records.plan import Plan
from memtool.errors import CouldNotTell, MemtoolError, UnreadableFile, Unwritable
from memtool.store.config.schemas import invalid_reason
from memtool.store.files import git_state
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.history.upgrade_history import TurnFileChange, upgrade_history
from memtool.verbs.hooks.unended_session import import_rest
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.memory_files.salience import decay
from memtool.verbs.merging.finish import finish_merges
from memtool.verbs.sessions.pending_file import expire_candidates
from memtool.verbs.sessions.session_end import SessionEndReport
from memtool.verbs.sessions.session_sweep import sweep_sessions
from memtool.verbs.turns.history import history_groups


class StepReport(Struct, frozen=True):
    """The result of one step: what it counted, and whether it changed anything or would have.

    `problems` are what it could not do, a sentence each, and `exit_code` is theirs.
    """

    step: str
    counts: Mapping[str, int] = {}
    is_changed: bool = False
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    exit_code: int = 0
    plan: Plan = ()


class Maintenance(Struct, frozen=True):
    """What the steps need. `owners` are tags of the users whose sessions are ended; empty: of all users."""

    workspace: Workspace
    owners: frozenset[str]
    now: datetime
    zone: tzinfo
    idle: timedelta
    indexes: SearchIndexes
    facts: FactSync
    summarizer: Delegate | None = None
    progress: Callable[[int, int], None] | None = None


def maintain(task: Maintenance) -> Iterator[StepReport]:
    """Run each step, and yield its report; a step that fails does not stop those after it.

    Turns are upgraded, and renumbered after a merge, before the sessions that consist of them end. Ended
    sessions promote candidates, so these expire afterwards; the indexes come last, to hold all of it.
    Without a change in between, a second run on the same day finds nothing to do.
    """
    for step, run in _STEPS.items():
        try:
            report = run(task)
        except MemtoolError as error:
            report = StepReport(step, problems=(str(error),), exit_code=error.exit_code)
        yield report


def _sweep(task: Maintenance) -> StepReport:
    """End idle sessions."""
    ended: list[SessionEndReport] = []
    notices = sweep_sessions(
        task.workspace,
        task.owners,
        load_policy(task.workspace.settings),
        idle=task.idle,
        now=task.now,
        today=task.now.astimezone(task.zone).date(),
        summarizer=task.summarizer,
        import_rest=lambda session: import_rest(task.workspace, session, task.zone),
        report=ended.append,
    )
    counts = {
        "ended": len(ended),
        "promoted": sum(len(report.promoted) for report in ended),
        "episodes": sum(report.episode is not None for report in ended),
    }
    all_notices = (*notices, *(notice for report in ended for notice in report.notices))
    plan = tuple(change for report in ended for change in report.plan)
    return StepReport("sweep", counts, bool(plan), all_notices, plan=plan)


def _expire(task: Maintenance) -> StepReport:
    """Drop candidates that waited too long for a session to support them."""
    count, plan, notices = expire_candidates(task.workspace, load_policy(task.workspace.settings), task.now)
    return StepReport("candidates", {"expired": count}, bool(plan), tuple(notices), plan=plan)


def _decay(task: Maintenance) -> StepReport:
    """Decay the salience of facts, once a day, and remove expired records of the logs."""
    today = task.now.astimezone(task.zone).date()
    midnight = datetime.combine(today, time(), task.zone)
    count, plan, notices = decay(task.workspace, task.now, unless_since=midnight)
    return StepReport("decay", {"facts": count}, bool(plan), tuple(notices), plan=plan)


def _upgrade(task: Maintenance) -> StepReport:
    """Upgrade the turn files of all histories."""
    changed: list[TurnFileChange] = []
    reports = [
        upgrade_history(
            task.workspace,
            task.now,
            group=group,
            report=changed.append,
            progress=task.progress,
            invalid_reason=partial(invalid_reason, "turn"),
        )
        for group in history_groups(task.workspace)
    ]
    names = ("upgraded", "quarantined", "newer")
    counts = {name: sum(getattr(report, name) for report in reports) for name in names}
    return StepReport(
        "upgrade-history",
        counts,
        any(change.plan for change in changed),
        ("memtool quarantine list shows the files in quarantine",) if counts["quarantined"] else (),
        tuple(sentence for report in reports for sentence in report.unread),
        CouldNotTell.exit_code if any(report.unread for report in reports) else 0,
        tuple(change for file_change in changed for change in file_change.plan),
    )


def _merge(task: Maintenance) -> StepReport:
    """Give turns that share a number after a merge numbers of their own.

    A turn that cannot be ordered, such as one of a newer version, is no failure: lint and doctor report it.
    A merge of git that is not finished may be aborted, which changed files would prevent.
    """
    if git_state.is_unfinished(task.workspace.root):
        notice = "turns will not be renumbered until the current git merge or rebase is finished or aborted"
        return StepReport("merge", {"renumbered": 0}, notices=(notice,))
    try:
        reports = finish_merges(task.workspace)
    except UnreadableFile as error:
        return StepReport("merge", {"renumbered": 0}, notices=(str(error),))
    renumbered = sum(report.renumbered for report in reports)
    plan = tuple(change for report in reports for change in report.plan)
    return StepReport("merge", {"renumbered": renumbered}, bool(plan), plan=plan)


def _index(task: Maintenance) -> StepReport:
    """Bring the indexes in line with the files; where nothing may be written, only compare them."""
    documents, turns, facts = task.indexes.documents, task.indexes.turns, task.facts
    states = [index.state() for index in (documents, turns, facts)]
    if not task.workspace.writes:
        is_changed = any(state.state == "behind" or state.behind for state in states)
        return StepReport("index", _index_counts(*(state.behind for state in states)), is_changed)
    views = (documents.sync(), turns.sync(every=True), facts.sync())
    turns.end_read()
    documents.merge_segments()
    documents.end_read()
    problems = tuple(dict.fromkeys(notice for view in views for notice in view.notices))
    after = [index.state() for index in (documents, turns, facts)]
    is_stored = documents.is_on_disk and not any(state.state == "behind" for state in after)
    unread = sum(view.unread for view in views)
    return StepReport(
        "index",
        _index_counts(*(state.count for state in after)),
        states != after,
        () if problems and (unread or not is_stored) else problems,
        problems if unread or not is_stored else (),
        CouldNotTell.exit_code if unread else 0 if is_stored else Unwritable.exit_code,
    )


def _index_counts(documents: int, turns: int, facts: int) -> dict[str, int]:
    return {"documents": documents, "turns": turns, "facts": facts}


_STEPS: dict[str, Callable[[Maintenance], StepReport]] = {
    "upgrade-history": _upgrade,
    "merge": _merge,
    "sweep": _sweep,
    "candidates": _expire,
    "decay": _decay,
    "index": _index,
}
"""The steps, in order."""
