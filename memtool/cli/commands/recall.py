"""`memtool recall`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import EMBEDDER_OPTION, MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.core.records.request import RecallRequest
from memtool.verbs.facts.recall import recall


@click.command(
    "recall",
    cls=MemtoolCommand,
    epilog="""
memtool recall "What is my cat called?"
memtool recall -n 3 --category preference how to answer
memtool recall --user ann birthday             facts of ann, and facts without an owner
memtool recall --json kiln | jq -r .text
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option("--category", metavar="NAME", help="Search only facts of this category [default: all]")
@limit_option(5)
@EMBEDDER_OPTION
@pass_session
def command(
    session: Session, query: tuple[str, ...], category: str | None, limit: int, embedder: str | None
) -> int:
    """Find facts that answer a question

    Searches the facts by words, and also by meaning if the extra semantic is installed (see memtool
    help install). Prints only facts that answer the question, as path:line: text, best first,
    and increases the access count of each. If facts match equally well, those recalled most often come first.
    Exits 1 when no fact matches, or 3 if one may have been missed because a file could not be read.
    """
    index = session.fact_index(embedder)
    request = RecallRequest(" ".join(query), session.owner_scope, session.now, limit, category)
    response = recall(session.workspace, request, index)
    index.close()
    for hit in response.hits:
        if session.json:
            place = {"id": hit.name, "path": hit.path, "line": hit.line, "category": hit.category}
            scores = {name: round(getattr(hit, name), 6) for name in ("score", "similarity", "words")}
            output.put_json({**place, "owner": hit.owner or None, "text": hit.text, **scores})
        else:
            output.put(output.format_location(hit.path, hit.line, None, hit.text))
    for notice in response.notices:
        session.notice(notice)
    if response.plan:
        session.detail(f"counted {len(response.hits)} accesses")
    if response.hits:
        return 0
    return 3 if response.is_unknown else session.nothing("no fact matches; memtool search looks in all files")
