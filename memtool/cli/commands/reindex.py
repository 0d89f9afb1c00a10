"""`memtool reindex`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.session import Session, pass_session
from memtool.verbs.indexing.reindex import reindex, verify


@click.command(
    "reindex",
    cls=Command,
    epilog="""
memtool reindex             throw the index away and build it anew
memtool reindex --verify    read every file and compare it with the index
""",
)
@click.option("--verify", "only_verify", is_flag=True, help="Compare index and tree, and change nothing.")
@pass_session
def command(session: Session, only_verify: bool) -> int:
    """Build the search index anew, or compare it with the tree.

    Needed only out of curiosity: every search brings the index in line with the files by itself. Exits 1 when
    no index could be kept. With --verify each file that differs is printed, and the exit code is 1 when
    one does.
    """
    workspace, shelves = session.workspace, session.shelves()
    if only_verify:
        differences, unread = verify(shelves, session.fact_shelf())
        for one in differences:
            if session.json:
                output.put_json({"path": one.path, "difference": one.what})
            else:
                output.put(f"{one.what}\t{one.path}")
        for sentence in unread:
            session.notice(sentence)
        return 1 if differences else 3 if unread else 0
    done = reindex(workspace, shelves)
    for notice in done.notices:
        session.notice(notice)
    if session.json:
        output.put_json({"documents": done.documents, "turns": done.turns, "kept": done.kept})
    else:
        output.put(f"documents\t{done.documents}")
        output.put(f"turns\t{done.turns}")
    if not done.kept:
        session.notice("no index was kept; every search reads the files themselves")
    return int(not done.kept)
