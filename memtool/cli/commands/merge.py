"""`memtool merge`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import NoWorkspace
from memtool.verbs.merging.merge import merge_into


@click.command(
    "merge",
    cls=MemtoolCommand,
    epilog="""
memtool merge base.md MEMORY.md laptop.md --path MEMORY.md           merge laptop.md into MEMORY.md
git config merge.memtool.driver 'memtool merge %O %A %B --path %P'   configure git to use memtool merge
""",
)
@click.argument("base", metavar="BASE", type=click.Path())
@click.argument("ours", metavar="OURS", type=click.Path())
@click.argument("theirs", metavar="THEIRS", type=click.Path())
@click.option("--path", metavar="PATH", help="Path of the file in the workspace [default: OURS]")
@pass_session
def command(session: Session, base: str, ours: str, theirs: str, path: str | None) -> int:
    """Merge two versions of a memory file, record by record

    Writes the result to OURS. BASE is the common ancestor of OURS and THEIRS. Facts, rules, log entries and
    other records that either version added are in the result, and those that either deleted are not. Files
    without records are merged line by line, except JSON files. If both versions changed the same lines, or
    the same JSON file, such as a turn, OURS stays unchanged and the exit code is 1. No conflict markers are
    written. To use it as a merge driver of git, also add the line "* merge=memtool" to .gitattributes.
    """
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
