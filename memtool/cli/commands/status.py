"""`memtool status`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.health.status import WorkspaceStatus, status

if TYPE_CHECKING:
    from memtool.serve.watch.daemon import WatcherCondition


@click.command(
    "status",
    cls=MemtoolCommand,
    epilog="""
memtool status             the workspace of the current directory
memtool status --json      as JSON Lines
""",
)
@pass_session
def command(session: Session) -> int:
    """Show the state of the workspace, its index and its watcher

    Changes nothing. Exits 3 when a file could not be read.
    """
    from memtool.serve.watch.daemon import condition

    indexes, facts = session.search_indexes(), session.fact_index()
    summary = status(session.workspace, indexes, facts, session.now, session.owner_scope)
    watcher = condition(summary.root)
    if session.json:
        output.put_json(_record(summary, watcher))
    else:
        _print(summary, watcher)
    for path, why in summary.unreadable:
        session.notice(f"{path or 'the root'} cannot be read: {why}")
    return 3 if summary.unreadable else 0


def _print(summary: WorkspaceStatus, watcher: WatcherCondition) -> None:
    rows = [("root", summary.root), ("layout", summary.layout)]
    rows += [(role, output.plural(count, "file")) for role, count in summary.roles]
    if summary.other:
        rows.append(("no role", _examples(summary.other)))
    if summary.attachments:
        rows.append(("attachments", _examples(summary.attachments)))
    if summary.skipped:
        path, kind = summary.skipped[0]
        lead = f"{len(summary.skipped)}, including " if len(summary.skipped) > 1 else ""
        rows.append(("skipped", f"{lead}{path} ({kind})"))
    if summary.newest_note is not None:
        rows.append(("newest note", summary.newest_note.isoformat()))
    index = summary.index
    if index.state == "none":
        files = output.plural(index.behind, "file")
        rows.append(("index", f"not built yet; the next search will index {files}"))
    else:
        size = output.plural(index.count, "document")
        rows.append(("index", _index_condition(index.state, size, index.behind, "search")))
    if summary.recommended_engine is not None:
        advice = f"{summary.recommended_engine} is faster for a workspace of this size"
        command = f"memtool config set search.engine {summary.recommended_engine}"
        rows.append(("engine", f"{summary.engine}; {advice}; run: {command}"))
    if summary.transcripts.state != "none":
        size = output.plural(summary.transcripts.count, "turn")
        rows.append(("transcripts", _index_condition(summary.transcripts.state, size, 0, "search")))
    if summary.facts.state != "none":
        size = output.plural(summary.facts.count, "fact")
        rows.append(("facts", _index_condition(summary.facts.state, size, 0, "recall")))
    if summary.queued:
        count = output.plural(summary.queued, "event")
        rows.append(
            ("queue", f"{count} waiting to be recorded by the next command that writes to the workspace")
        )
    rows += [("sync", notice) for notice in summary.sync]
    if summary.pending:
        rows.append(("to migrate", f"{', '.join(summary.pending)}; see memtool migrate --list"))
    state = "running" if watcher.answers else "not answering"
    advice = "" if watcher.limit is None else f"; {watcher.limit}: {watcher.limit.command}"
    rows.append(
        (
            "watcher",
            "not running" if watcher.process is None else f"{state}, process {watcher.process}{advice}",
        )
    )
    rows += [
        ("last entry", f"{entry.at:%Y-%m-%d %H:%M} {entry.category}: {entry.detail}")
        for entry in summary.last_entries
    ]
    width = max(len(name) for name, _ in rows) + 2
    for name, value in rows:
        output.put_wrapped(f"{name:<{width}}", output.printable(value), width)


def _examples(paths: Sequence[str]) -> str:
    lead = ", including" if len(paths) > 3 else ":"
    return f"{output.plural(len(paths), 'file')} not searched{lead} {', '.join(paths[:3])}"


def _index_condition(state: str, size: str, changed: int, command: str) -> str:
    """Whether an index of some size is up to date; `command` is the one that updates it."""
    if state != "behind":
        return f"{size}, up to date"
    files = f" ({output.plural(changed, 'file')} changed)" if changed else ""
    return f"{size}, out of date{files}; the next {command} will update the index"


def _record(summary: WorkspaceStatus, watcher: WatcherCondition) -> dict[str, object]:
    return {
        "root": summary.root,
        "layout": summary.layout,
        "roles": dict(summary.roles),
        "other": list(summary.other),
        "attachments": list(summary.attachments),
        "unreadable": [{"path": path, "reason": reason} for path, reason in summary.unreadable],
        "skipped": [{"path": path, "kind": kind} for path, kind in summary.skipped],
        "newest_note": None if summary.newest_note is None else summary.newest_note.isoformat(),
        "index": {
            "state": summary.index.state,
            "documents": summary.index.count,
            "behind": summary.index.behind,
            "engine": summary.engine,
            "recommended_engine": summary.recommended_engine,
        },
        "transcripts": {"state": summary.transcripts.state, "turns": summary.transcripts.count},
        "facts": {"state": summary.facts.state, "facts": summary.facts.count},
        "queued": summary.queued,
        "sync": list(summary.sync),
        "pending": list(summary.pending),
        "watcher": {
            "running": watcher.process is not None,
            "pid": watcher.process,
            "answers": watcher.answers,
            "limit": None if watcher.limit is None else watcher.limit.to_record(),
        },
        "last_entries": [
            {
                "at": entry.at.isoformat(timespec="seconds"),
                "category": entry.category,
                "detail": entry.detail,
                "owner": None if entry.owner is None else str(entry.owner),
            }
            for entry in summary.last_entries
        ],
    }
