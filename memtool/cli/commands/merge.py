"""`memtool merge`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.records.health import count_noun
from memtool.errors import BadUsage, NoWorkspace


@click.command(
    "merge",
    cls=MemtoolCommand,
    epilog="""
memtool merge --conflicts              merge the copies that Syncthing, Dropbox or iCloud made in a conflict
memtool merge --conflicts --dry-run    show what would be merged
memtool merge base.md MEMORY.md laptop.md --path MEMORY.md           merge laptop.md into MEMORY.md
git config merge.memtool.driver 'memtool merge %O %A %B --path %P'   configure git to use memtool merge
""",
)
@click.argument("files", metavar="[BASE OURS THEIRS]", nargs=-1, type=click.Path())
@click.option("--path", metavar="PATH", help="Path of the file in the workspace [default: OURS]")
@click.option("--conflicts", is_flag=True, help="Merge conflict copies into their originals")
@pass_session
def command(session: Session, files: tuple[str, ...], path: str | None, conflicts: bool) -> int:
    """Merge two versions of a memory file, record by record

    Writes the result to OURS. BASE is the common ancestor of OURS and THEIRS. Facts, rules, log entries and
    other records that either version added are in the result, and those that either deleted are not. Files
    without records are merged line by line, except JSON files. If both versions changed the same lines, or
    the same JSON file, such as a turn, OURS stays unchanged and the exit code is 1. No conflict markers are
    written. To use it as a merge driver of git, also add the line "* merge=memtool" to .gitattributes.

    With --conflicts, merges each copy that a program for syncing folders made because a file was changed on
    two machines, and removes it. There is no base, so every record of both files is in the result, except
    text that was forgotten, or that `memtool log` shows to have been deleted here. Copies that cannot be
    merged stay as they are; the exit code is 1 then. `memtool undo` restores the copies.
    """
    if conflicts:
        if files or path:
            raise BadUsage("--conflicts cannot be used with files")
        return _merge_conflicts(session)
    if len(files) != 3:
        missing = "no files given" if not files else f"{count_noun(len(files), 'file')} given instead of 3"
        raise BadUsage(f"{missing}; give BASE OURS THEIRS, or --conflicts")
    return _merge(session, *files, path)


def _merge(session: Session, base: str, ours: str, theirs: str, path: str | None) -> int:
    from memtool.verbs.merging.merge import merge_into

    session.refuse_files([base, ours, theirs])
    try:
        workspace = session.open_read_only()
    except NoWorkspace:
        workspace = None
    writes = not (session.dry_run or session.incognito)
    name = path or ours
    is_merged = merge_into(base, ours, theirs, name, workspace, session.now, writes=writes)
    if session.json:
        output.put_json({"path": name, "merged": is_merged})
    if not is_merged:
        session.notice(f"{name}: both versions changed the same part; merge them by hand")
    return 0 if is_merged else 1


def _merge_conflicts(session: Session) -> int:
    from memtool.verbs.merging.conflict_copies import merge_conflict_copies

    reports = []
    for report in merge_conflict_copies(session.workspace):
        reports.append(report)
        if session.json:
            record = {"path": report.path, "original": report.original, "outcome": report.outcome}
            output.put_json(record | ({"reason": report.reason} if report.reason else {}))
        else:
            reason = [report.reason] if report.reason else []
            session.report(report.outcome, report.path, report.original, *reason)
        session.show_plan(report.plan)
    if not reports:
        session.notice("no conflict copies")
    left = sum(report.outcome == "left" for report in reports)
    if left:
        session.notice(f"{count_noun(left, 'conflict copy')} not merged")
    return 1 if left else 0
