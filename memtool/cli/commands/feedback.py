"""`memtool feedback`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.memory_files.feedback import RATINGS, add_feedback, feedback_record, list_feedback


@click.command(
    "feedback",
    cls=MemtoolCommand,
    epilog="""
memtool feedback add up
memtool feedback add 2 --note "it forgot that I moved" --session s1
memtool feedback add down --target m-c80f12       rate a fact; also a path or a turn's number
memtool feedback list -n 10                       the last ten
""",
)
@click.argument("action", type=click.Choice(["add", "list"]))
@click.argument("rating", type=click.Choice(RATINGS), required=False)
@click.option("--note", metavar="TEXT", default="", help="With add: what was good or bad [default: none]")
@click.option(
    "--target", metavar="ID", default="", help="With add: the rated fact, path or turn [default: none]"
)
@click.option(
    "-n",
    "--limit",
    metavar="N",
    type=LimitType(min=1),
    help="With list: print the last N ratings [default: all]",
)
@pass_session
def command(
    session: Session, action: str, rating: str | None, note: str, target: str, limit: int | None
) -> int:
    """Rate what the agent did, or list ratings

    A rating is up, down, or 1 (worst) to 5 (best), and is kept for 180 days. Prints a line for each rating:
    time, rating, target and note. With --user, list omits ratings of other users. Exits 1 when list finds
    none.
    """
    if (action == "add") != (rating is not None):
        raise click.UsageError("add takes a rating: up, down, or 1 to 5; list takes none")
    if action == "list":
        found = list_feedback(session.visible_workspace)
        for item in found[-limit:] if limit else found:
            if session.json:
                output.put_json(feedback_record(item))
            else:
                output.put_row(item.at, str(item.rating), item.target, item.note)
        return int(not found)
    name = session.owner_ids.get("session", "")
    given, plan = add_feedback(
        session.workspace,
        rating or "",
        session.now,
        note=note,
        target=target,
        session=name,
        owner=session.owner,
    )
    if session.json:
        output.put_json(feedback_record(given))
    else:
        output.put_row(given.at, str(given.rating), given.target, given.note)
    session.show_plan(plan)
    return 0
