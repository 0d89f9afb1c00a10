"""`memtool reindex`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import Unwritable
from memtool.verbs.indexing.reindex import reindex, verify


@click.command(
    "reindex",
    cls=MemtoolCommand,
    epilog="""
memtool reindex             rebuild the index
memtool reindex --verify    compare every file with the index
""",
)
@click.option(
    "--verify", "only_verify", is_flag=True, help="Compare the index with the files; change nothing"
)
@pass_session
def command(session: Session, only_verify: bool) -> int:
    """Rebuild the search index, or compare it with the files

    Rarely needed: each search updates the index first. With --incognito, stores no index and exits 1. With
    --verify, prints each file that differs from the index, and exits 1 if any file differs. Exits 19 when
    the index cannot be written; searches then read the files directly.
    """
    workspace, indexes = session.workspace, session.search_indexes()
    if only_verify:
        differences, unread = verify(indexes, session.fact_index())
        for difference in differences:
            if session.json:
                output.put_json({"path": difference.path, "difference": difference.what})
            else:
                output.put_row(difference.what, difference.path)
        for sentence in unread:
            session.notice(sentence)
        if differences:
            session.notice("the next search will update the index; to rebuild it now, run memtool reindex")
        return 1 if differences else 3 if unread else 0
    rebuilt = reindex(workspace, indexes)
    for notice in rebuilt.notices:
        session.notice(notice)
    if session.json:
        output.put_json({"documents": rebuilt.documents, "turns": rebuilt.turns, "kept": rebuilt.kept})
    else:
        session.report("documents", str(rebuilt.documents))
        session.report("turns", str(rebuilt.turns))
    if not rebuilt.kept:
        session.notice("no index was written; searches read the files without an index")
    return 0 if rebuilt.kept else Unwritable.exit_code if workspace.writes else 1
