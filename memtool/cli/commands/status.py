"""`memtool status`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.session import Session, pass_session
from memtool.verbs.health.status import Status, status


@click.command(
    "status",
    cls=Command,
    epilog="""
memtool status             the workspace around this folder
memtool status --json      the same for a program
""",
)
@pass_session
def command(session: Session) -> int:
    """Say what the workspace holds and how its index and watcher are.

    Looks at everything and changes nothing. Exits 3 when something could not be looked at.
    """
    from memtool.serve.watch.daemon import running

    found = status(session.workspace, session.shelves(), session.fact_shelf(), session.now)
    pid = running(found.root)
    if session.json:
        output.put_json(_record(found, pid))
    else:
        _print(found, pid)
    for path, why in found.unreadable:
        session.notice(f"{path or 'the root'} could not be read: {why}")
    return 3 if found.unreadable else 0


def _print(found: Status, pid: int | None) -> None:
    rows = [("root", found.root), ("layout", found.layout)]
    rows += [(role, _files(count)) for role, count in found.roles]
    if found.other:
        rows.append(("no role", f"{_files(len(found.other))}, such as {found.other[0]}"))
    if found.skipped:
        path, kind = found.skipped[0]
        rows.append(("passed by", f"{len(found.skipped)}, such as {path} ({kind})"))
    if found.newest_note is not None:
        rows.append(("newest note", found.newest_note.isoformat()))
    index = found.index
    if index.state == "none":
        rows.append(("index", f"none yet; the next search indexes {_files(index.behind)}"))
    else:
        behind = f", {index.behind} changed since; the next search sees to it" if index.behind else ""
        rows.append(("index", f"{index.state}, {index.count} documents{behind}"))
    if found.transcripts.state != "none":
        behind = ", changed since; the next search sees to it" if found.transcripts.state == "behind" else ""
        rows.append(("transcripts", f"{found.transcripts.state}, {found.transcripts.count} turns{behind}"))
    if found.facts.state != "none":
        behind = ", changed since; the next recall sees to it" if found.facts.state == "behind" else ""
        rows.append(("facts", f"{found.facts.state}, {found.facts.count} facts{behind}"))
    if found.pending:
        rows.append(("to migrate", f"{', '.join(found.pending)}; see memtool migrate --list"))
    rows.append(("watcher", "not running" if pid is None else f"running, process {pid}"))
    rows += [
        ("last entry", f"{entry.at:%Y-%m-%d %H:%M} {entry.category}: {entry.detail}")
        for entry in found.last_entries
    ]
    width = max(len(name) for name, _ in rows) + 2
    for name, value in rows:
        output.put(f"{name:<{width}}{output.printable(value)}")


def _files(count: int) -> str:
    return f"{count} file{'s' * (count != 1)}"


def _record(found: Status, pid: int | None) -> dict[str, object]:
    return {
        "root": found.root,
        "layout": found.layout,
        "roles": dict(found.roles),
        "other": list(found.other),
        "unreadable": [{"path": path, "why": why} for path, why in found.unreadable],
        "skipped": [{"path": path, "kind": kind} for path, kind in found.skipped],
        "newest_note": None if found.newest_note is None else found.newest_note.isoformat(),
        "index": {
            "state": found.index.state,
            "documents": found.index.count,
            "behind": found.index.behind,
        },
        "transcripts": {"state": found.transcripts.state, "turns": found.transcripts.count},
        "facts": {"state": found.facts.state, "facts": found.facts.count},
        "pending": list(found.pending),
        "watcher": {"running": pid is not None, "pid": pid},
        "last_entries": [
            {
                "at": entry.at.isoformat(timespec="seconds"),
                "category": entry.category,
                "detail": entry.detail,
                "owner": None if entry.owner is None else str(entry.owner),
            }
            for entry in found.last_entries
        ],
    }
