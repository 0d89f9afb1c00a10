"""`memtool scan`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import InputLine, how_to_continue, json_messages, plain_lines, whole_text
from memtool.cli.render.effects import undo_call
from memtool.cli.session import Session, pass_session
from memtool.core.capture.triggers import TriggerTable
from memtool.core.records.entries import Owner
from memtool.errors import BadUsage, PartlyApplied
from memtool.verbs.capture.scan import LoggedMessages, ScanReport, load_triggers, logged_messages, scan


@click.command(
    "scan",
    cls=MemtoolCommand,
    epilog="""
memtool scan --message "My name is Dilnoza"       one message
echo "$PROMPT" | memtool scan                     the same from a pipe
memtool scan --lines chat.txt                     one message per line
memtool scan --jsonl --json < messages.jsonl      messages with text, user, at
memtool replay --json --since-seq 0 | memtool scan --jsonl   the messages of stored turns
memtool scan --dry-run -m "I prefer tea"          show what would be written
""",
)
@click.argument("source", metavar="[FILE|-]", type=click.File("rb"), required=False)
@click.option("-m", "--message", metavar="TEXT", help="Message to scan [default: read FILE or stdin]")
@click.option(
    "--lines", is_flag=True, help="Treat each line as a message [default: all input is one message]"
)
@click.option(
    "--jsonl", is_flag=True, help='Read JSON Lines with "text" and, if known, "user", "session" and "at"'
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

    Run this command before the agent answers. Adds these to the session state: corrections, names,
    preferences, decisions, dates, numbers, links, standing instructions, and what the user asks the agent to
    remember. Names, preferences and requests to remember something also go to long-term memory, unless they
    are already there. Instructions become rules, and statements about the user's circumstances become facts.
    A correction supersedes the memory that it corrects; if it supersedes nothing, a message on stderr lists
    the facts that it may refer to. A request to forget something removes nothing and records nothing; a
    message on stderr gives the commands to run instead. Takes the message from --message, FILE or stdin.
    Prints a line for each entry: the category and the text, separated by a tab. Exits 1 when nothing was
    recorded.

    --jsonl also reads the messages that `memtool replay --json` prints, for example those of an imported
    history, and records each with its own time and session. A message that already has an entry in the
    session state is skipped, so the command can be repeated. A message that has a time does not supersede
    what the user said later: if the two contradict each other, the older statement is stored as superseded.
    """
    group = session.group(group, writes=True) or None
    triggers = load_triggers(session.workspace.settings)
    if jsonl and lines:
        raise click.UsageError("--lines and --jsonl cannot be combined")
    if jsonl:
        given = json_messages(source, message)
    elif lines:
        given = plain_lines(source, message)
    else:
        given = iter([InputLine(1, {"text": whole_text(source, message)})])
    logged: LoggedMessages | None = None
    entry_count, scanned, done = 0, 0, 0
    skipped: list[int] = []
    for line in given:
        if line.problem:
            skipped.append(line.number)
            output.print_message(line.problem)
            continue
        if "seq" in line.fields and not line.fields["text"].strip():
            scanned += 1
            continue
        if not line.fields["text"].strip():
            hint = "" if jsonl else "; give it as --message TEXT, as a file, or on stdin"
            session.notice(f"{line.message_prefix}the message is empty; nothing was recorded{hint}")
            continue
        try:
            if "seq" in line.fields and "at" in line.fields:
                if logged is None:
                    logged = logged_messages(session.workspace, group)
                at, owner = session.time(line.fields["at"], "at"), line.owner or session.owner
                if logged.has(line.fields["text"], at, owner, triggers):
                    done += 1
                    scanned += 1
                    continue
            entry_count += _scan_line(session, line, triggers, group)
            scanned += 1
        except BadUsage as error:
            if not jsonl:
                raise
            skipped.append(line.number)
            output.print_message(f"line {line.number} skipped: {error}")
    if done:
        session.notice(f"{output.plural(done, 'message')} skipped: already recorded")
    elif scanned and not entry_count:
        session.notice("nothing was recorded: no fact, preference or instruction was found")
    if skipped and entry_count:
        output.print_message(how_to_continue(skipped, done="recorded"))
        return PartlyApplied.exit_code
    if skipped:
        return BadUsage.exit_code
    return int(not (entry_count or done))


def _scan_line(session: Session, line: InputLine, triggers: TriggerTable, group: str | None) -> int:
    moment = session.now
    if "at" in line.fields:
        moment = session.time(line.fields["at"], "at")
    owner = line.owner or session.owner
    text, workspace = line.fields["text"], session.workspace
    scanned = scan(
        workspace,
        text,
        now=moment,
        owner=owner,
        triggers=triggers,
        group=group,
        session=_session_of(line) or session.owner_ids.get("session"),
        recorded_at=session.now if "at" in line.fields else None,
    )
    _show(session, scanned, owner)
    if scanned.unapplied and not scanned.other_owners:
        from memtool.verbs.capture.unapplied import unapplied_notices  # most messages have none

        named = [line.sentence for line in scanned.contradicted]
        for notice in unapplied_notices(workspace, scanned.unapplied, owner, group, named):
            session.notice(notice)
    if scanned.contradicted:
        from memtool.verbs.capture.handwritten_lines import contradicted_notices

        for notice in contradicted_notices(scanned.contradicted):
            session.notice(notice)
    if scanned.to_forget:
        from memtool.verbs.capture.unapplied import forget_notices

        for notice in forget_notices(workspace, scanned.to_forget, owner, group):
            session.notice(notice)
    if scanned.withdrawn:
        from memtool.verbs.capture.withdrawn import withdrawal_notices

        for notice in withdrawal_notices(scanned.withdrawn, owner):
            session.notice(notice)
    output.flush()
    return len(scanned.entries)


def _session_of(line: InputLine) -> str | None:
    """The session of a message of a stored turn, which does not own what the message says."""
    name = line.fields.get("turn_session")
    if not name:
        return None
    from memtool.core.secrets.redact import check_identifier

    try:
        check_identifier(name, "session")
    except BadUsage:  # of a transcript; it cannot be given to memtool either
        return None
    return name


def _show(session: Session, scanned: ScanReport, owner: Owner | None) -> None:
    for recorded in scanned.entries:
        entry = recorded.entry
        if session.json:
            output.put_json(
                {
                    "category": entry.category,
                    "detail": entry.detail,
                    "at": entry.at.isoformat(timespec="seconds"),
                    "durable": recorded.durable,
                    "duplicate": recorded.duplicate,
                    "span": list(recorded.span),
                    "owner": None if owner is None else str(owner),
                }
            )
        else:
            output.put_row(entry.category, entry.detail)
    if any("[REDACTED" in recorded.entry.detail for recorded in scanned.entries):
        session.notice("a value that looks like a secret was replaced by [REDACTED:…] and is not stored")
    if scanned.forgotten:
        session.notice("text removed by an earlier forget command was skipped")
    undo = undo_call(session) if scanned.other_owners else None
    first = f"undo this scan with {undo}, then " if undo else ""
    for other in scanned.other_owners:
        session.notice(
            f"a fact of {other.kind} {other.id} contradicts the message and was not changed; to apply the "
            f"message to that fact, {first}run: memtool --{other.kind} {other.id} scan -m TEXT"
        )
    session.show_plan(scanned.plan)
