"""`memtool scan`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.scanning import scan_input
from memtool.cli.session import Session, pass_session


@click.command(
    "scan",
    cls=MemtoolCommand,
    epilog="""
memtool scan --message "My name is Dilnoza"       one message
echo "$PROMPT" | memtool scan                     the same from a pipe
memtool scan --lines chat.txt                     one message per line
memtool scan --jsonl --json < messages.jsonl      messages with the keys text, user and at
memtool replay --json --since-seq 0 | memtool scan --jsonl   the messages of stored turns
memtool scan --dry-run -m "I prefer tea"          show what would be written
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option("-m", "--message", metavar="TEXT", help="Message to scan [default: read FILE or stdin]")
@click.option(
    "--lines", is_flag=True, help="Treat each line as a message [default: all input is one message]"
)
@click.option(
    "--jsonl",
    is_flag=True,
    help='Read JSON Lines with the keys "text" and, if known, "user", "session" and "at"',
)
@click.option(
    "--group", metavar="GROUP", help="Record entries in the memory of this group [default: MEMTOOL_GROUP]"
)
@pass_session
def command(
    session: Session,
    source: BinaryIO | None,
    message: str | None,
    lines: bool,
    jsonl: bool,
    group: str | None,
) -> int:
    """Record facts, preferences and instructions from a user message

    Run this command before the agent answers. Adds the following to the session state: corrections, names,
    preferences, decisions, dates, numbers, links, standing instructions, and what the user asks the agent to
    remember. Names, preferences and requests to remember something also go to long-term memory, unless they
    are already there. Instructions become rules, and statements about the user's circumstances become facts.
    A notice on stderr says which facts a correction superseded or, if none, which facts it may refer to. If
    the user asks the agent to forget something, nothing is removed or recorded, and stderr shows the commands
    to run instead. Takes the message from --message, FILE or stdin. Prints a
    line for each entry: the category and the text, separated by a tab. Exits 1 when nothing was recorded.

    --jsonl also reads the messages that `memtool replay --json` prints, for example those of an imported
    history, and records each with its own time and session. A message that already has an entry in the
    session state is skipped, so the command can be repeated. A message that has a time does not supersede
    what the user said later: if the two contradict each other, the older statement is stored as superseded.
    """
    if jsonl and lines:
        raise click.UsageError("--lines and --jsonl cannot be combined")
    return scan_input(session, source, message, lines=lines, jsonl=jsonl, group=group)
