"""`memtool quarantine`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, NewerVersion, UnreadableFile
from memtool.verbs.history import quarantine
from memtool.verbs.history.quarantine import QuarantinedFile, QuarantineMove


@click.command(
    "quarantine",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine list                          what is there, and why
memtool quarantine show 2025/01/15/00000000000000000007.json
memtool quarantine restore --all                 move back whatever reads by now
memtool quarantine add memory/history/turns/2025/01/15/00000000000000000008.json --reason "not mine"
memtool quarantine purge --older-than 90         delete for good
""",
)
@click.argument("action", type=click.Choice(["list", "show", "restore", "add", "purge"]))
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that is in quarantine; for restore and purge.")
@click.option(
    "--older-than",
    metavar="DAYS",
    type=click.IntRange(min=0),
    help="All that has been there longer; for purge.",
)
@click.option("--reason", metavar="TEXT", help="Why; for add.")
@pass_session
def command(
    session: Session,
    action: str,
    paths: tuple[str, ...],
    everything: bool,
    older_than: int | None,
    reason: str | None,
) -> int:
    """Manage files that could not be read: list, show, restore, add or purge.

    They lie under history/quarantine/ at the path they had under turns/, each with its reason beside it. To
    mend one, edit it there and restore it: only what reads is moved back. Exits 1 when there is nothing, or
    when not all could be restored.
    """
    _check(action, paths, everything=everything, older_than=older_than, reason=reason)
    unread: list[str] = []
    match action:
        case "list":
            code = _list(session, unread)
        case "add":
            code = _add(session, paths, reason or "was quarantined by hand")
        case "show":
            code = _show(session, _named(session, paths))
        case "restore" if everything:
            code = _restore_all(
                session, [entry.path for entry in quarantine.list_quarantine(session.workspace, unread)]
            )
        case "restore":
            code = _restore(session, _named(session, paths))
        case _:
            code = _purge(session, _to_purge(session, paths, unread, older_than, everything=everything))
    for sentence in unread:
        output.print_message(sentence)
    return 3 if unread else code


def _check(
    action: str, paths: Sequence[str], *, everything: bool, older_than: int | None, reason: str | None
) -> None:
    """Raise UsageError for arguments that exclude each other, or do not belong to the action."""
    selectors = bool(paths) + everything + (older_than is not None)
    if action == "list" and selectors:
        raise click.UsageError("quarantine list takes no paths")
    if action in {"show", "add"} and (not paths or selectors > 1):
        raise click.UsageError(f"{action} takes the paths of files")
    if action in {"restore", "purge"} and selectors != 1:
        raise click.UsageError(
            f"no files selected to {action}; give paths, or --all"
            + (", or --older-than" if action == "purge" else "")
        )
    if older_than is not None and action != "purge":
        raise click.UsageError("--older-than goes with purge")
    if reason is not None and action != "add":
        raise click.UsageError("--reason goes with add")


def _named(session: Session, names: Sequence[str]) -> list[PurePosixPath]:
    """The quarantined files that were named. Raises BadUsage."""
    return [quarantine.find_quarantined(session.workspace, name) for name in names]


def _to_purge(
    session: Session, names: Sequence[str], unread: list[str], older_than: int | None, *, everything: bool
) -> list[PurePosixPath]:
    if everything:
        return [entry.path for entry in quarantine.list_quarantine(session.workspace, unread)]
    if older_than is not None:
        return quarantine.quarantined_before(session.workspace, unread, older_than, session.now)
    return _named(session, names)


def _list(session: Session, unread: list[str]) -> int:
    code = 1
    for kept in quarantine.list_quarantine(session.visible_workspace, unread):
        _show_row(session, kept)
        code = 0
    return code


def _add(session: Session, names: Sequence[str], reason: str) -> int:
    for name in names:
        _show_move(
            session, "quarantined", quarantine.add_to_quarantine(session.workspace, name, reason, session.now)
        )
    return 0


def _show(session: Session, paths: Sequence[PurePosixPath]) -> int:
    for path in paths:
        content = quarantine.read_quarantined(session.visible_workspace, path)
        if session.json:
            output.put_json(content.as_json())
            continue
        _show_row(session, content.file)
        if record := content.file.record:
            output.put(f"from {output.printable(record.origin)}, {record.size} bytes, {record.at}")
        for field, fault in content.faults:
            output.put(output.printable(f"fix {field or 'the record'}: {fault}"))
        output.put("")
        for line in content.text.removesuffix("\n").split("\n"):
            output.put(output.printable(line))
    return 0


def _restore(session: Session, paths: Sequence[PurePosixPath]) -> int:
    """Move the files back. Raises BadUsage, UnreadableFile and NewerVersion for the first that cannot be."""
    for path in paths:
        _show_move(
            session, "restored", quarantine.restore_from_quarantine(session.workspace, path, session.now)
        )
    return 0


def _restore_all(session: Session, paths: Sequence[PurePosixPath]) -> int:
    """Move back what can be read by now; 1 where there is no file, or not every one could be moved."""
    code = 0 if paths else 1
    for path in paths:
        try:
            _restore(session, [path])
        except (BadUsage, UnreadableFile, NewerVersion) as error:
            output.print_message(str(error))
            code = 1
    return code


def _purge(session: Session, paths: Sequence[PurePosixPath]) -> int:
    for path in paths:
        plan = quarantine.purge_quarantined(session.workspace, path)
        _show_result(session, "purged", str(path))
        session.show_plan(plan)
    return 0 if paths else 1


def _show_row(session: Session, kept: QuarantinedFile) -> None:
    if session.json:
        output.put_json(kept.as_json())
    else:
        output.put_row(str(kept.path), kept.record.reason if kept.record else "has no readable record")


def _show_move(session: Session, result: str, moved: QuarantineMove) -> None:
    _show_result(session, result, str(moved.path), str(moved.target))
    session.show_plan(moved.plan)


def _show_result(session: Session, result: str, path: str, target: str | None = None) -> None:
    if not session.json:
        output.put_row(result, path, *([target] if target else []))
    elif not session.dry_run:
        output.put_json({"result": result, "path": path} | ({"target": target} if target else {}))
