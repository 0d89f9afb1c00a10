"""`memtool buffer`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import no_file_with_texts, whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.compaction.context_use import WARNING_SHARES
from memtool.core.compaction.tokens import estimate_message_tokens
from memtool.verbs.compaction.buffer import BufferReport, buffer, last_exchange
from memtool.verbs.compaction.context_window import context_window
from memtool.verbs.turns.append_turn import parse_turn_input


@click.command(
    "buffer",
    cls=MemtoolCommand,
    epilog="""
memtool buffer --used 120000 --user-text "$PROMPT" --agent-text "$REPLY"
memtool buffer --window 128000 < messages.json     estimate the tokens from the conversation
memtool buffer --used 90000 --window 128000 chat.jsonl
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option("--user-text", metavar="TEXT", help="User message")
@click.option("--agent-text", metavar="TEXT", help="Agent reply")
@click.option(
    "--used",
    metavar="N",
    type=click.IntRange(min=0),
    help="Context tokens in use [default: estimated from the messages]",
)
@click.option(
    "--window",
    "--limit",
    "limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="Size of the context window in tokens [default: the setting context.limit]",
)
@click.option("--group", metavar="GROUP", help="Write to the buffer of this group [default: MEMTOOL_GROUP]")
@pass_session
def command(
    session: Session,
    source: BinaryIO | None,
    user_text: str | None,
    agent_text: str | None,
    used: int | None,
    limit: int | None,
    group: str | None,
) -> int:
    """Record an exchange once the context window is half full

    Writes to the working buffer, from which 'memtool recover' restores the state of the agent's work. Takes
    the exchange (a user message and its reply) from --user-text and --agent-text. Without these options,
    reads the messages of a conversation from FILE or stdin and records the last exchange. Secrets are
    redacted and long texts are clipped. Prints the path of the buffer. If less of the agent's context
    window is used than the setting context.buffer requires (half by default), writes nothing and exits 1.
    """
    group = session.group(group, writes=True) or None
    window = context_window(session.workspace)
    if user_text is None and agent_text is None:
        messages = parse_turn_input(
            whole_text(source, None), hint="for plain text, use --user-text and --agent-text"
        ).messages
        user_text, agent_text = last_exchange(messages)
        used = round(estimate_message_tokens(messages) * window.factor) if used is None else used
    else:
        no_file_with_texts(source)
        if used is None:
            raise click.UsageError(
                "the number of tokens in use is unknown; give --used N, or pass the conversation on stdin "
                "instead of --user-text and --agent-text"
            )
    context_limit = window.tokens if limit is None else limit
    buffered = buffer(
        session.workspace,
        user=user_text,
        agent=agent_text,
        used=used or 0,
        limit=context_limit,
        at=session.now,
        owner=session.owner,
        group=group,
    )
    _show(session, buffered)
    return int(buffered.path is None)


def _show(session: Session, buffered: BufferReport) -> None:
    if session.json and not (session.dry_run and buffered.plan):
        path = None if buffered.path is None else str(buffered.path)
        output.put_json({"path": path, "share": round(buffered.share, 4), "threshold": buffered.threshold})
    elif buffered.path is not None and not session.json:
        session.report(str(buffered.path))
    if buffered.share < buffered.threshold:
        session.notice(
            f"{buffered.share:.0%} of the context window is used; buffering starts "
            f"at {buffered.threshold:.0%}"
        )
    if buffered.share >= min(WARNING_SHARES):
        session.notice(f"warning: {buffered.share:.0%} of the context window is used")
    session.show_plan(buffered.plan)
