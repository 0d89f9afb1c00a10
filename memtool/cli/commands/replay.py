"""`memtool replay`."""

from __future__ import annotations

import re

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.core.history.readable_turn import readable_lines
from memtool.core.privacy.recalled import text_for_model
from memtool.verbs.turns.replay import message_records, numbered_turns, replay


def _parse_range(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Parse `5` or `3:7`, both ends included. Raises BadParameter."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,20})(?::(\d{1,20}))?", value, re.ASCII)
    if match is None:
        raise click.BadParameter(f"{value!r} is neither a number nor a range such as 3:7")
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        raise click.BadParameter(f"the start of {value!r} is after its end")
    return first, last


@click.command(
    "replay",
    cls=MemtoolCommand,
    epilog="""
memtool replay -n 3                      the last three turns as text
memtool replay --json -n 20              the last 20 as JSON Lines, one message per line
memtool replay --since-seq 120 --json    everything after turn 120
memtool replay --seq 7:9                 turns 7, 8 and 9
memtool replay -n 6 --this-session       the last six turns of the current session
""",
)
@limit_option(of="10; with --seq or --since-seq, all")
@click.option(
    "--since-seq",
    metavar="S",
    type=click.IntRange(min=0),
    help="Print only turns after turn S [default: all]",
)
@click.option(
    "--seq",
    "chosen",
    metavar="A[:B]",
    callback=_parse_range,
    help="Print only turn A, or turns A to B [default: all]",
)
@click.option(
    "--this-session",
    is_flag=True,
    help="Print only turns of the session named by --session or MEMTOOL_SESSION",
)
@click.option("--group", metavar="GROUP", help="Read the history of this group [default: MEMTOOL_GROUP]")
@pass_session
def command(
    session: Session,
    limit: int | None,
    since_seq: int | None,
    chosen: tuple[int, int] | None,
    this_session: bool,
    group: str | None,
) -> int:
    """Print the last turns of the history, oldest first

    With --user, prints only turns of that user and turns without an owner. With --json, each line is a
    message as stored in the history, with the number, time and session of its turn. Exits 1 when there are
    no turns to print.
    """
    group = session.group(group) or None
    if limit is None and since_seq is None and chosen is None:
        limit = 10
    since, until = since_seq, None
    if chosen is not None:
        since, until = max(chosen[0] - 1, since_seq if since_seq is not None else -1), chosen[1]
    own = session.owner_ids.get("session") if this_session else None
    if this_session and not own:
        raise click.UsageError("--this-session needs --session ID, or MEMTOOL_SESSION")
    if (named := session.given.get("session")) and not this_session:
        session.notice(
            f"turns of all sessions are printed; to print only those of {named!r}, add --this-session"
        )
    notices: list[str] = []
    printed = 0
    turns = replay(
        session.visible_workspace, limit, notices, since=since, until=until, group=group, session=own
    )
    for _, turn in turns:
        printed += 1
        if session.json:
            for record in message_records(turn):
                output.put_json(record)
        else:
            for line in readable_lines(turn):
                output.put(output.printable(text_for_model(line)))
    for notice in notices:
        session.notice(notice)
    if not printed and not notices:
        numbers = [number for number, _ in numbered_turns(session.visible_workspace, group, [])]
        first, last = min(numbers, default=0), max(numbers, default=0)
        which = (
            "no turns"
            if not numbers
            else f"turn {last} only"
            if first == last
            else f"turns {first} to {last}"
        )
        which += f", but none of the turns searched belongs to session {own!r}" if own and numbers else ""
        session.notice(f"no matching turns; the history has {which}")
    return 0 if printed else 3 if notices else 1
