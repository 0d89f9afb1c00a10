"""Scan messages as `memtool scan` does, and show what was recorded; it needs no click."""

from __future__ import annotations

from typing import BinaryIO

from memtool.cli import output
from memtool.cli.parse.inputs import InputLine, how_to_continue, json_messages, plain_lines, whole_text
from memtool.cli.render.effects import undo_call
from memtool.cli.session import Session
from memtool.core.capture.triggers import TriggerTable
from memtool.core.records.entries import Owner
from memtool.errors import BadUsage, PartlyApplied
from memtool.verbs.capture.scan import LoggedMessages, ScanReport, load_triggers, logged_messages, scan
from memtool.verbs.capture.scan_notices import scan_notices, superseded_notices


def scan_input(
    session: Session,
    source: BinaryIO | None,
    message: str | None,
    *,
    lines: bool = False,
    jsonl: bool = False,
    group: str | None = None,
) -> int:
    """Scan a message, a file or stdin, as one message, by lines, or as JSON Lines; the exit code.

    Raises MemtoolError.
    """
    group = session.group(group, writes=True) or None
    triggers = load_triggers(session.workspace.settings)
    if jsonl:
        given = json_messages(source, message)
    elif lines:
        given = plain_lines(source, message)
    else:
        given = iter([InputLine(1, {"text": whole_text(source, message)})])
    logged: LoggedMessages | None = None
    entry_count, explained, scanned, done = 0, 0, 0, 0
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
            hint = "" if jsonl else "; give a message as --message TEXT, as a file, or on stdin"
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
            report = _scan_line(session, line, triggers, group)
            entry_count += len(report.entries)
            explained += bool(report.forgotten or report.to_forget or report.withdrawn)
            scanned += 1
        except BadUsage as error:
            if not jsonl:
                raise
            skipped.append(line.number)
            output.print_message(f"line {line.number} skipped: {error}")
    if done:
        session.notice(f"{output.plural(done, 'message')} skipped: already recorded")
    elif scanned and not entry_count and not explained:
        session.notice("nothing was recorded: no fact, preference or instruction was found")
    if skipped and entry_count and session.workspace.writes:
        output.print_message(how_to_continue(skipped, done="recorded"))
        return PartlyApplied.exit_code
    if skipped:
        return BadUsage.exit_code
    return int(not (entry_count or done))


def _scan_line(session: Session, line: InputLine, triggers: TriggerTable, group: str | None) -> ScanReport:
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
    for notice in (*superseded_notices(scanned), *scan_notices(workspace, scanned, owner, group)):
        session.notice(notice)
    if scanned.withdrawn:
        from memtool.verbs.capture.withdrawn import withdrawal_notices

        for notice in withdrawal_notices(scanned.withdrawn, owner, workspace.program()):
            session.notice(notice)
    output.flush()
    return scanned


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
        session.notice(
            "text removed by an earlier forget command was not recorded; "
            "to store it again, edit a memory file (memtool help forgetting)"
        )
    undo = undo_call(session) if scanned.other_owners else None
    first = f"undo this scan with {undo}, then " if undo else ""
    for other in scanned.other_owners:
        session.notice(
            f"a fact that belongs to {other.kind} {other.id} contradicts the message and was not changed; to "
            f"update that fact, {first}run: memtool --{other.kind} {other.id} scan -m TEXT"
        )
    session.show_plan(scanned.plan)
