"""`memtool migrate`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.progress import progress_bar
from memtool.cli.render.migrations import finish_layout_change, pending_records, plan_rows, step_records
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage
from memtool.verbs.layout.migrate import (
    MigrationReport,
    is_other_layout,
    migrate,
    plan_pending,
    restore_backup,
)


@click.command(
    "migrate",
    cls=MemtoolCommand,
    epilog="""
memtool migrate --list                      what is pending; exit code 1 when anything is
memtool migrate --dry-run                   what would be moved, merged and kept
memtool migrate --backup                    do it, with a copy of all that is touched
memtool migrate --to q15 --dry-run          the tree in another layout, as a plan
memtool migrate --only daily-notes          one of them alone
memtool migrate --restore                   as it was before the last migrate --backup
""",
)
@click.option("--list", "only_list", is_flag=True, help="Say what is pending; change nothing.")
@click.option(
    "--only", metavar="NAME", multiple=True, help="Only this migration; can be given more than once."
)
@click.option("--to", metavar="LAYOUT", help="Then move every file to its place in another layout.")
@click.option("--backup", is_flag=True, help="First copy what is touched to .memtool/backups/TIME/.")
@click.option(
    "--restore",
    "back",
    metavar="[TIME]",
    is_flag=False,
    flag_value="",
    help="Put back what a backup holds: the last one, or that of a time.",
)
@pass_session
def command(
    session: Session, only_list: bool, only: tuple[str, ...], to: str | None, backup: bool, back: str | None
) -> int:
    """Bring a tree that is older than its layout up to date, or to another layout altogether.

    What is pending is seen in the tree, so it can be run at any time, and again after it was stopped. Nothing
    is overwritten and no line is lost: files are moved, or added to what is there. Links and the cards of
    canvases follow, but no links of files that no layout reads. A move to another layout is taken back by a
    move to the one before, except where the plan says so, or by --restore. Exits 3 when something could not
    be read.
    """
    if sum((only_list, backup or to is not None, back is not None)) > 1:
        raise BadUsage("--list and --restore cannot be combined with other options")
    if back is not None:
        return _restore(session, back or None)
    if only_list:
        return _list_pending(session, only)
    migrated = migrate(
        session.workspace,
        session.now,
        only=only,
        to=to,
        backup=backup,
        progress=None if session.given.get("quiet") else progress_bar("planning"),
        making=None if session.given.get("quiet") else progress_bar("migrating"),
    )
    with output.ignore_closed_pipe():
        _show(session, migrated)
    if migrated.backup is not None:
        session.notice(
            f"backup of the changed files: {migrated.backup}; restore it with memtool migrate --restore"
        )
    if is_other_layout(migrated.stages) and session.workspace.writes:
        finish_layout_change(session)
    return 3 if migrated.unread else 0


def _list_pending(session: Session, only: tuple[str, ...]) -> int:
    migrated = plan_pending(session.workspace, session.now, only)
    rows = pending_records(migrated, session)
    with output.ignore_closed_pipe():
        for record in rows:
            if session.json:
                output.put_json(record)
            else:
                count = output.plural(record["files"], "file")
                text = f"{record['migration']:<16}{record['state']:<9}{count:<12}{record['why']}"
                output.put(output.printable(text.rstrip()))
    for sentence in migrated.unread:
        output.print_message(sentence)
    if migrated.unread:
        return 3
    return 1 if any(record["state"] == "pending" for record in rows) else 0


def _show(session: Session, migrated: MigrationReport) -> None:
    if session.json:
        for record in step_records(migrated.stages):
            output.put_json(record)
    else:
        for row in plan_rows(migrated.stages, every_file=bool(session.given.get("verbose"))):
            output.put(output.printable(row))
    for sentence in migrated.unread:
        output.print_message(sentence)
    if not any(stage.pending for stage in migrated.stages):
        session.notice("no pending migrations")
    elif not session.workspace.writes:
        session.notice("dry run: nothing was written")


def _restore(session: Session, name: str | None) -> int:
    backup, plan = restore_backup(session.workspace, name)
    with output.ignore_closed_pipe():
        for change in plan:
            put = "removed" if type(change).__name__ == "Remove" else "restored"
            if session.json:
                output.put_json({"restored": put, "path": str(change.path), "backup": backup})
            else:
                output.put(f"{put}\t{output.printable(str(change.path))}")
    session.notice(f"{'as' if plan else 'all is as'} it was before the migration of {backup}")
    if plan and session.workspace.writes:
        finish_layout_change(session)
    return 0
