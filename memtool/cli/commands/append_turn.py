"""`memtool append-turn`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import REDACT_OPTION, MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import no_file_with_texts, whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.records.turn import ROLES
from memtool.verbs.sessions.running import record_turn
from memtool.verbs.turns.append_turn import (
    TurnDraft,
    append_turns,
    exchange_messages,
    parse_turn_input,
    redact_messages,
)


@click.command(
    "append-turn",
    cls=MemtoolCommand,
    epilog="""
memtool append-turn < messages.json                 a list of chat messages
tail -n 2 chat.jsonl | memtool append-turn          one message per line
memtool append-turn --user-text "$PROMPT" --agent-text "$REPLY"
memtool append-turn --session s1 --at 2025-01-15T09:00:00Z turn.json
memtool append-turn --dry-run body.json             show what would be written
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option("--user-text", metavar="TEXT", help="User message")
@click.option("--agent-text", metavar="TEXT", help="Agent reply")
@click.option("--at", metavar="TIME", help="Time of the turn [default: now]")
@REDACT_OPTION
@click.option("--group", metavar="GROUP", help="Append to the history of this group [default: MEMTOOL_GROUP]")
@pass_session
def command(
    session: Session,
    source: BinaryIO | None,
    user_text: str | None,
    agent_text: str | None,
    at: str | None,
    redact: bool,
    group: str | None,
) -> int:
    """Append messages to the history as its next turn

    Takes a user message and its reply from --user-text and --agent-text, or reads chat messages in the format
    of the OpenAI API, the Anthropic API or memtool's history: one message, a list of messages, an object with
    the key "messages", or one message per line. Prints the number of the turn. Turn numbers are unique, even
    if several programs append at the same time. Exits 1 if there are no messages, or if all are empty.
    """
    group = session.group(group, writes=True) or None
    if user_text is None and agent_text is None:
        conversation = parse_turn_input(
            whole_text(source, None), hint="for plain text, use --user-text and --agent-text"
        )
    else:
        no_file_with_texts(source)
        conversation = exchange_messages(user_text, agent_text)
    if not conversation.messages:
        session.notice("there are no messages, or all are empty; no turn was written")
        return 1
    for role in dict.fromkeys(message.role for message in conversation.messages):
        if role not in ROLES:
            session.notice(f"unknown role {role!r}, stored unchanged; the known roles are {', '.join(ROLES)}")
    now = session.now
    moment = session.time(at, "--at") if at else conversation.at or now
    messages = redact_messages(conversation.messages) if redact else conversation.messages
    draft = TurnDraft(moment, messages, session.owner_ids)
    if name := session.owner_ids.get("session"):  # before the turn: a session without turns does no harm
        record_turn(session.workspace, name, session.owner, group, now)
    written = append_turns(session.workspace, [draft], now, group=group)
    for path, turn in written.turns if not session.dry_run else ():
        if session.json:
            output.put_json(
                {"seq": turn.seq, "id": turn.id, "path": str(path), "created_at": turn.created_at}
            )
        else:
            output.put(str(turn.seq))
    session.show_plan(written.plan)
    return int(not written.turns)
