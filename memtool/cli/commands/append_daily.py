"""`memtool append-daily`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import REDACT_OPTION, MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import InputLine, how_to_continue, json_lines, no_file_with_texts, whole_text
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, Locked, PartlyApplied, StaleWrite, Unwritable
from memtool.verbs.capture.append_daily import append_daily

_SIDES = ("user_text", "agent_text", "note")


@click.command(
    "append-daily",
    cls=MemtoolCommand,
    epilog="""
memtool append-daily --user-text "Which glaze?" --agent-text "Celadon."
memtool append-daily -m "Kiln fired at 1240 C"          a plain note
make test 2>&1 | tail -1 | memtool append-daily         a note from a pipe
memtool append-daily --jsonl < exchanges.jsonl          with the keys user_text and agent_text
memtool append-daily --at 2025-01-15T09:00:00Z ...      append to that day's note
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option("-m", "--message", metavar="TEXT", help="Text of the note [default: read FILE or stdin]")
@click.option("--user-text", metavar="TEXT", help="User message")
@click.option("--agent-text", metavar="TEXT", help="Agent reply")
@click.option("--at", metavar="TIME", help="Time of the exchange or note [default: now]")
@click.option(
    "--full", is_flag=True, help="Do not clip long texts [default: clip them to the length set in daily.clip]"
)
@click.option(
    "--summarizer",
    metavar="CMD",
    help="Command that shortens texts longer than daily.clip allows [default: clip them]",
)
@click.option(
    "--jsonl",
    is_flag=True,
    help="Read JSON Lines with the keys 'user_text' and 'agent_text', or with the key 'note'",
)
@REDACT_OPTION
@click.option(
    "--group", metavar="GROUP", help="Append to the daily note of this group [default: MEMTOOL_GROUP]"
)
@pass_session
def command(
    session: Session,
    source: BinaryIO | None,
    message: str | None,
    user_text: str | None,
    agent_text: str | None,
    at: str | None,
    full: bool,
    summarizer: str | None,
    jsonl: bool,
    redact: bool,
    group: str | None,
) -> int:
    """Append an exchange or a note to the daily note

    Takes an exchange (a user message and its reply) from --user-text and --agent-text, or a note from
    --message, FILE or stdin. Secrets are redacted, and each text is escaped for Markdown and clipped to 500
    characters (the setting daily.clip). Prints the path of the daily note.
    """
    if full and summarizer:
        raise click.UsageError("--full and --summarizer cannot be combined")
    group = session.group(group, writes=True) or None
    appended = 0
    skipped: list[int] = []
    for line in _input_lines(source, message, user_text, agent_text, jsonl):
        if line.problem:
            skipped.append(line.number)
            output.print_message(line.problem)
        elif not any(line.fields.get(side, "").strip() for side in _SIDES):
            lacking = "user_text, agent_text and note are missing or empty" if jsonl else "the text is empty"
            hint = "" if jsonl else "; pass a note with --message TEXT, in a file, or on stdin"
            session.notice(f"{line.message_prefix}{lacking}; nothing was appended{hint}")
        else:
            try:
                appended += _append(
                    session, line, at, full=full, summarizer=summarizer, redact=redact, group=group
                )
            except BadUsage as error:
                if not jsonl:
                    raise
                skipped.append(line.number)
                output.print_message(f"line {line.number} skipped: {error}")
            except (Locked, StaleWrite, Unwritable) as error:
                if not appended:
                    raise
                raise PartlyApplied(error, f"lines appended: {appended}") from error
    if skipped and appended and session.workspace.writes:
        output.print_message(how_to_continue(skipped, done="appended"))
        return PartlyApplied.exit_code
    if skipped:
        return BadUsage.exit_code
    return int(not appended)


def _input_lines(
    source: BinaryIO | None, message: str | None, user: str | None, agent: str | None, jsonl: bool
) -> Iterator[InputLine]:
    if message is not None and not (user is None and agent is None):
        raise click.UsageError("--message cannot be combined with --user-text or --agent-text")
    if jsonl and message is not None:
        raise click.UsageError("--jsonl cannot be combined with --message")
    if jsonl and not (user is None and agent is None):
        raise click.UsageError("--jsonl cannot be combined with --user-text or --agent-text")
    if jsonl:
        names = (*_SIDES, "text", "agent", "assistant", "user", "session", "at")
        return (_normalise_sides(line) for line in json_lines(source, None, (), names))
    if user is None and agent is None:
        return iter([InputLine(1, {"note": whole_text(source, message)})])
    no_file_with_texts(source)
    return iter([InputLine(1, {"user_text": user or "", "agent_text": agent or ""})])


def _normalise_sides(line: InputLine) -> InputLine:
    """A record whose texts have the names of the options; other common names for them are accepted.

    Beside `agent` or `assistant`, `user` is the user's text; otherwise it is the owner's id.
    """
    fields = dict(line.fields)
    for alias in ("agent", "assistant"):
        if alias in fields:
            fields.setdefault("agent_text", fields.pop(alias))
            if "user" in fields and "user_text" not in fields:
                fields["user_text"] = fields.pop("user")
    if "text" in fields:
        fields.setdefault("note", fields.pop("text"))
    return InputLine(line.number, fields, line.problem)


def _append(
    session: Session,
    line: InputLine,
    at: str | None,
    *,
    full: bool,
    summarizer: str | None,
    redact: bool,
    group: str | None,
) -> bool:
    """Append what a line holds; false where it was forgotten."""
    moment = session.time(line.fields["at"], "at") if "at" in line.fields else None
    if moment is None:
        moment = session.time(at, "--at") if at else session.now
    owner = line.owner or session.owner
    appended = append_daily(
        session.workspace,
        user=line.fields.get("user_text"),
        agent=line.fields.get("agent_text"),
        note=line.fields.get("note"),
        at=moment.astimezone(session.zone),
        owner=owner,
        full=full,
        condense=session.delegate(summarizer, "summarizer"),
        group=group,
        redacts=redact,
    )
    if not appended.block:
        return False
    if session.json:
        output.put_json(
            {"path": str(appended.path), "at": moment.isoformat(timespec="seconds"), "text": appended.block}
        )
    else:
        session.report(str(appended.path))
    for notice in appended.notices:
        session.notice(notice)
    session.show_plan(appended.plan)
    output.flush()
    return True
