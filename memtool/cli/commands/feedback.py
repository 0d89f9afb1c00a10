"""`memtool feedback`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.verbs.memory_files.feedback import (
    RATINGS,
    Feedback,
    add_feedback,
    feedback_record,
    list_feedback,
)


@click.command(
    "add",
    cls=MemtoolCommand,
    epilog="""
memtool feedback add up
memtool feedback add 2 --note "it forgot that I moved" --session s1
memtool feedback add down --target m-c80f12
""",
)
@click.argument("rating", metavar="RATING", type=click.Choice(RATINGS))
@click.option("--note", metavar="TEXT", default="", help="Comment on what was good or bad [default: none]")
@click.option(
    "--target",
    metavar="ID",
    default="",
    help="What to rate: a fact's id, a path or a turn number [default: none]",
)
@pass_session
def _add(session: Session, rating: str, note: str, target: str) -> int:
    """Record a rating: up, down, or 1 (worst) to 5 (best)

    Prints the time, the rating, the target and the note, separated by tabs.
    """
    given, plan = add_feedback(
        session.workspace,
        rating,
        session.now,
        note=note,
        target=target,
        session=session.owner_ids.get("session", ""),
        owner=session.owner,
    )
    _show(session, given)
    session.show_plan(plan)
    return 0


@click.command(
    "list",
    cls=MemtoolCommand,
    epilog="""
memtool feedback list
memtool feedback list -n 10 --user ann
""",
)
@limit_option()
@pass_session
def _list(session: Session, limit: int | None) -> int:
    """Print the ratings, oldest first; with --limit, only the latest

    With --user, prints the ratings of that user and those without an owner. Exits 1 if there are no ratings
    to print.
    """
    ratings = list_feedback(session.visible_workspace)
    for rating in ratings[-limit:] if limit else ratings:
        _show(session, rating)
    return 0 if ratings else session.nothing("no ratings; to add one, run: memtool feedback add up")


command = ActionGroup(
    "feedback",
    [_add, _list],
    help="""Rate what the agent did, or list ratings

Ratings are kept for 180 days.""",
    epilog="""
memtool feedback add up
memtool feedback add 2 --note "it forgot that I moved"
memtool feedback list -n 10
""",
    default=_list,
)


def _show(session: Session, rating: Feedback) -> None:
    if session.json:
        output.put_json(feedback_record(rating))
    else:
        output.put_row(rating.at, str(rating.rating), rating.target, rating.note)
