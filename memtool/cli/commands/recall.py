"""`memtool recall`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.records.request import RecallRequest
from memtool.verbs.facts.recall import recall


@click.command(
    "recall",
    cls=MemtoolCommand,
    epilog="""
memtool recall "What is my cat called?"
memtool recall -n 3 --category preference how to answer
memtool recall --user ann birthday             of ann, and of nobody in particular
memtool recall --json kiln | jq -r .text
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option("--category", metavar="NAME", help="Only facts of this category.")
@click.option(
    "-n", "--limit", metavar="N", type=LimitType(min=1), default=5, help="Facts at most. [default: 5]"
)
@click.option("--embedder", metavar="CMD", help="A command that makes vectors of texts.")
@pass_session
def command(
    session: Session, query: tuple[str, ...], category: str | None, limit: int, embedder: str | None
) -> int:
    """Ask the facts: by what a question means, and by its words.

    Only facts that answer print, as path:line: text, the best first, and each counts as asked for once more.
    Of those that answer about equally well, the one that is asked for more comes first. Exits 1 when none
    answers, and 3 when none does and something could not be read.
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
    return 0 if response.hits else 3 if response.is_unknown else 1
