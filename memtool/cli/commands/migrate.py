"""`memtool migrate`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.render.migrations import finish_layout_change, pending_records, plan_rows, step_records
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage
from memtool.store.root import WORKSPACE_FILE
from memtool.verbs.layout.layout_move import LAYOUT_MIGRATION
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
memtool migrate --list                      list pending migrations; exit 1 if there are any
memtool migrate --dry-run                   show what would be moved, merged and kept
memtool migrate --backup                    back up the affected files, then migrate
memtool migrate --to q15 --dry-run          plan a change of layout
memtool migrate --only daily-notes          run one migration
memtool migrate --restore                   restore the last backup
""",
)
@click.option("--list", "only_list", is_flag=True, help="List pending migrations; change nothing")
@click.option(
    "--only", metavar="NAME", multiple=True, help="Run only this migration; repeatable [default: all]"
)
@click.option(
    "--to", metavar="LAYOUT", help="Also move every file to its place in LAYOUT [default: keep the layout]"
)
@click.option("--backup", is_flag=True, help="First copy affected files to .memtool/backups/TIME/")
@click.option(
    "--restore",
    "back",
    metavar="[TIME]",
    is_flag=False,
    flag_value="",
    help="Restore a backup [default: the latest]",
)
@pass_session
def command(
    session: Session, only_list: bool, only: tuple[str, ...], to: str | None, backup: bool, back: str | None
) -> int:
    """Update files of an older version, or change the layout

    Renames files that have outdated names, moves compaction summaries from the agent's identity file to
    long-term memory, and upgrades candidates (proposed memories) of an older version. Inspects the files to
    find out which migrations are pending, so the command can be run at any time, even after an interruption.
    Nothing is overwritten and no line is lost: files are moved, or appended to existing ones. Links in memory
    files are updated, and so are cards on Obsidian canvases; links in other files are not. To reverse a
    change of layout, use --restore, or --to with the old layout; steps that --to cannot reverse are marked
    with an asterisk. Exits 0 if everything was done or nothing is pending, and 3 if something could not be
    read; --list exits 1 if something is pending.
    """
    if sum((only_list, backup or to is not None, back is not None)) > 1:
        raise BadUsage("--list and --restore cannot be combined with each other, or with --to or --backup")
    if back is not None and only:
        raise BadUsage("--restore restores all files of a backup, so it cannot be combined with --only")
    if to is not None and only and LAYOUT_MIGRATION not in only:
        raise BadUsage(f"--to needs the migration {LAYOUT_MIGRATION!r}, which --only excludes; remove --only")
    if back is not None:
        return _restore(session, back or None)
    given, current = session.given.get("layout"), session.workspace.settings["layout"]
    if to is not None and given and current and given != current:
        raise BadUsage(f"the layout setting is {current}, not {given}; remove --layout")
    if only_list:
        return _list_pending(session, only)
    migrated = migrate(
        session.workspace,
        session.now,
        only=only,
        to=to,
        backup=backup,
        progress=session.progress("planning"),
        making=session.progress("migrating"),
    )
    with output.ignore_closed_pipe():
        _show(session, migrated)
    if migrated.backup is not None:
        session.notice(
            f"backup of the changed files: {migrated.backup}; restore it with memtool migrate --restore"
        )
    for sentence in (*migrated.summary, *migrated.mentions):
        session.notice(sentence)
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
                text = f"{record['migration']:<16}{record['state']:<9}{count:<12}{record['reason']}"
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
            if session.dry_run or not session.given.get("quiet"):
                text = row.lstrip(" ")
                output.put_wrapped(" " * (len(row) - len(text)), output.printable(text), 8)
    for sentence in migrated.unread:
        output.print_message(sentence)
    if not any(stage.pending for stage in migrated.stages):
        session.notice("no pending migrations")
    elif not session.workspace.writes:
        session.notice("dry run: nothing was written")


def _restore(session: Session, name: str | None) -> int:
    restoration = restore_backup(session.workspace, name)
    backup, plan, layout = restoration.backup, restoration.plan, restoration.layout
    with output.ignore_closed_pipe():
        for put, paths in (("restored", restoration.restored), ("removed", restoration.removed)):
            for path in paths:
                if session.json:
                    output.put_json({"restored": put, "path": str(path), "backup": backup})
                else:
                    session.report(put if session.workspace.writes else put.removesuffix("d"), str(path))
    verb = "were" if session.workspace.writes else "would be"
    outcome = f"{verb} restored from" if plan else "are the same as in"
    session.notice(f"the files {outcome} the backup {backup}")
    if layout:
        kept = "was kept" if session.workspace.writes else "would be kept"
        session.notice(
            f'{WORKSPACE_FILE} {kept}, with layout = "{layout}": '
            "without this setting, files written since the backup would make memtool detect another layout; "
            f"files that are not part of the layout {layout} are not searched (see memtool status)"
        )
    if plan and session.workspace.writes:
        finish_layout_change(session)
    return 0
