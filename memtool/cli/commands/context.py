"""`memtool context`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session

if TYPE_CHECKING:
    from memtool.verbs.context.context import Injected


@click.command(
    "context",
    cls=Command,
    epilog="""
memtool context --prompt "When is the kiln free?"      what to put before it
tail -n 20 chat.log | memtool context --prompt -       the end of a chat
memtool context --prompt - --budget 4000 < prompt.txt  in so many characters
memtool context --prompt - --tokens 1000 --format json < prompt.txt
memtool context --group family --retrieved --prompt "the picnic"   snippets alone
""",
)
@click.option(
    "--prompt",
    metavar="TEXT|-",
    help="What comes next in the conversation; from stdin if it is - or not given.",
)
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=1),
    help="Characters that all of it may have; as many as there are if not said.",
)
@click.option("--tokens", metavar="N", type=click.IntRange(min=1), help="Tokens that it may have, instead.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), help="Text, or one JSON record.")
@click.option(
    "--mode",
    type=click.Choice(["words", "lexical"]),
    help="Snippets ranked by the words of the prompt's end, or as search does. [default: words, or "
    "context.mode]",
)
@click.option("--group", metavar="GROUP", help="For this group: its memory and what is shared.")
@click.option("--retrieved", is_flag=True, help="Only the snippets, without what is in every prompt.")
@click.option(
    "--latest-episode", is_flag=True, help="The newest session's arc, too: for the first prompt of a session."
)
@pass_session
def command(session: Session, /, **options: Any) -> int:
    """Print what of memory belongs in the next prompt.

    First what stands in every prompt, each file within its limit; then the snippets that the end of the
    prompt asks for, with their sources, as long as the budget lasts. No superseded fact is shown, and with
    --user or --session nothing that is tagged as somebody else's. Exits 1 when there is nothing.
    """
    group = session.group(options["group"])
    from memtool.verbs.context.context import context
    from memtool.verbs.context.wanted import wanted

    workspace = session.workspace
    if options["budget"] and options["tokens"]:
        raise click.UsageError("--budget counts characters and --tokens tokens; give one of them")
    cost = len
    if options["tokens"]:
        from memtool.verbs.compaction.tokens import counter

        cost, lacking = counter(workspace.settings)  # type: ignore[assignment]
        if lacking:
            session.notice(lacking)
    given = options["prompt"]
    asked = wanted(
        workspace,
        whole_text(None, None) if given in {None, "-"} else given,
        session.now.astimezone(session.zone).date(),
        budget=options["budget"] or options["tokens"],
        cost=cost,
        mode=options["mode"],
        group=group,
        standing=not options["retrieved"],
        latest_episode=options["latest_episode"],
        mine=session.mine,
    )
    found = context(workspace, asked, session.shelf)
    if session.json or options["shape"] == "json":
        output.put_json(_record(found, cost))
    else:
        output.put_raw(found.text)
    for notice in found.notices:
        session.notice(notice)
    if not found.text:
        session.notice("there is nothing to inject")
        return 3 if found.could_not_tell else 1
    return 0


def _record(found: Injected, cost: Any) -> dict[str, Any]:
    return {
        "text": found.text,
        "cost": cost(found.text),
        "query": found.query,
        "sections": [
            {"path": one.path, "role": one.role, "text": one.text, "first_unseen": one.first_unseen}
            for one in found.sections
        ],
        "snippets": [
            {
                "rank": rank,
                "source": one.source,
                "path": one.path,
                "role": one.role,
                "line": one.first,
                "end_line": one.last,
                "score": round(one.score, 6),
                "text": one.text,
            }
            for rank, one in enumerate(found.snippets, 1)
        ],
        "notices": list(found.notices),
    }
