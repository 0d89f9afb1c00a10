"""`memtool forget`."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import click
from msgspec.structs import replace

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_day
from memtool.core.forgetting.phrases import words_of
from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.records.entries import Owner
from memtool.errors import BadUsage, CouldNotTell, MemtoolError, NotFound, OutsideWorkspace, PartlyApplied
from memtool.store.external.fleet_key import read_key
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.arrived_receipts import forget_confirmed
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.forgetting.report import ForgetReport, readable_line
from memtool.verbs.merging.finish import finish_merges

_MOST_SHOWN = 160
_MOST_WHOLE = 5
"""The most files that are named because they go as a whole."""
_OTHER_COPIES = "backups, or from copies of the workspace that are not synchronised (memtool help sync)"
_HEADINGS = {
    "names": "other lines that name the user and would also be removed:",
    "ambiguous": "lines not removed, because the name may be another person's (to remove them, use --match):",
}
"""The headings of lines that are listed for these reasons; these lines come last, in this order."""


@click.command(
    "forget",
    cls=MemtoolCommand,
    epilog="""
memtool forget --user ann --dry-run         list each line that would be removed
memtool forget --user ann --yes             records of ann, and records that name her
memtool forget --user ann --owned-only      only records of ann
memtool forget --match "Project Lark"       every record with this text, ignoring case
memtool forget --source ~/old.jsonl         what was imported from it or derived from it
memtool forget --before 2024-01-01 --yes    records dated before that day
memtool forget --arrived --dry-run          list lines that were forgotten on other machines
""",
)
@click.option(
    "--match",
    metavar="TEXT",
    help="Remove every record that contains TEXT, as whole words",
)
@click.option(
    "--source", metavar="PATH|SESSION", help="Remove what came from a file, a transcript or a session"
)
@click.option("--before", metavar="DAY", help="Remove records dated before DAY; undated records stay")
@click.option(
    "--owned-only",
    is_flag=True,
    help="With --user, keep records that name the user but are not the user's own",
)
@click.option("--arrived", is_flag=True, help="Remove what was forgotten in another copy of the workspace")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation [default: ask]")
@pass_session
def command(
    session: Session,
    match: str | None,
    source: str | None,
    before: str | None,
    owned_only: bool,
    arrived: bool,
    yes: bool,
) -> int:
    """Remove records from memory by user, text, source or date

    --user removes what belongs to a user, what was derived from it, and every record that names the user by
    id, or by the name that the user has stated. If nothing belongs to the user, nothing is removed. If the
    name is short, is a common word, or also belongs to another user, lines that contain the name but are not
    owned by the user are listed, not removed. Removes whole records: log lines, list items, paragraphs,
    exchanges and messages. Copies of these records under .memtool are removed too. The removal cannot be
    undone. After a removal, the commands import, scan, save, candidates and compact do not store the removed
    text again.

    If forget was run in a copy of this workspace on another machine, the first command that writes to this
    workspace after the two have been synchronised removes the same text here. At most 50 lines are removed
    in this way; to remove the others, run memtool forget --arrived.

    If MEMTOOL_USER is set, only the memory of the user that it names is removed. Asks for confirmation
    unless --yes or --dry-run is given. Prints how many lines were removed from each kind of file, such as
    daily notes or rules. Exits 1 when nothing matches. If a file could not be read, exits 20 when other
    records were removed, and otherwise 3. Also exits 3 when nothing matches but some hook events were not
    searched, because they have not been recorded yet.
    """
    user = session.given.pop("user", None)
    if named := session.given.pop("session", None):
        raise click.UsageError(
            "--session does not limit what is forgotten; to remove what came from a session, run: "
            f"memtool forget --source {shlex.quote(named)}"
        )
    caller = session.owner_ids.get("user", "")
    # no scope hides a line, and no name signs the journal
    session.environment = {
        name: value
        for name, value in session.environment.items()
        if name not in {"MEMTOOL_USER", "MEMTOOL_SESSION"}
    }
    if arrived:
        if caller or owned_only or any(option is not None for option in (user, match, source, before)):
            raise click.UsageError(
                "--arrived cannot be used with --user, --match, --source, --before "
                "or --owned-only, or while MEMTOOL_USER is set"
            )
        return _forget(session, forget_confirmed, yes=yes)
    request = replace(_request(session, user, match, source, before, owned_only=owned_only), caller=caller)
    if caller and user is not None and request.user != caller:
        raise OutsideWorkspace(
            f"user {caller!r} (MEMTOOL_USER) may not remove the memory of user {request.user!r}; "
            "nothing was forgotten"
        )
    return _forget(
        session,
        lambda workspace: forget(workspace, request, session.now),
        user=request.user,
        caller=caller,
        yes=yes,
    )


def _forget(
    session: Session,
    run: Callable[[Workspace], ForgetReport],
    *,
    user: str = "",
    caller: str = "",
    yes: bool,
) -> int:
    """List or confirm what is to be removed, then remove it; `user` is the user to forget, if one is."""
    workspace = session.workspace
    if workspace.writes:
        finish_merges(workspace)  # turns in one file may belong to different users
    if session.incognito or session.dry_run or not yes:
        report = run(workspace.read_only())
        if session.incognito or session.dry_run:
            _list(session, report)
            return _end(session, report, user, caller)
        if (report.cuts or report.is_in_journal) and not _is_confirmed(session, report):
            return 1
    report = run(workspace)
    _summarise(session, report)
    code = _end(session, report, user, caller)
    if report.cuts:
        _remove_from_fleet(session)
    return code


def _remove_from_fleet(session: Session) -> None:
    """Remove what was forgotten from the fleet, too, if the workspace has joined one."""
    try:
        key = read_key(session.environment, session.workspace.root)
        if key is None:
            return
        from memtool.verbs.fleet.push import push  # most workspaces are in no fleet

        unread = push(session.workspace, key, session.document_index()).unread
    except MemtoolError as error:
        unread = (str(error),)
    for reason in unread:
        session.notice(
            f"the copies in the fleet were not removed ({reason}); to remove them, run memtool fleet push"
        )


def _request(
    session: Session,
    user: str | None,
    match: str | None,
    source: str | None,
    before: str | None,
    *,
    owned_only: bool,
) -> ForgetRequest:
    """The request of the options. Raises BadUsage."""
    others = {"--match": match, "--source": source, "--before": before}
    if user is not None and (given := [name for name, value in others.items() if value is not None]):
        raise click.UsageError(
            f"--user removes all of a user's memory and cannot be combined with {given[0]}; to apply "
            f"{given[0]} only to the memory of user {user}, run: "
            f"MEMTOOL_USER={shlex.quote(user)} memtool forget {given[0]} …"
        )
    if sum(option is not None for option in (user, match, source, before)) != 1:
        raise click.UsageError("give exactly one of --user, --match, --source, --before and --arrived")
    if owned_only and user is None:
        raise click.UsageError("--owned-only requires --user")
    if user is not None:
        return ForgetRequest(user=Owner("user", user).id, owned_only=owned_only)
    if match is not None:
        if not words_of(match):
            raise BadUsage(f"--match {match!r} contains no letters or digits")
        return ForgetRequest(match=match)
    if before is not None:
        return ForgetRequest(
            before=parse_day(before, session.now.astimezone(session.zone).date(), "--before")
        )
    from memtool.verbs.forgetting.sources import source_request

    if not source:
        raise BadUsage("--source is empty; give a file, a transcript or a session")
    return source_request(session.workspace, source, os.getcwd())


def _is_confirmed(session: Session, report: ForgetReport) -> bool:
    """Whether the person at the terminal agrees. Raises BadUsage where there is none."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise BadUsage(
            "nothing was forgotten: cannot ask for confirmation without a terminal; "
            "add --yes, or preview with --dry-run"
        )
    _list(session, report)
    lines = sum(len(cut.lines) for cut in report.cuts)
    counted = f"{output.plural(lines, 'line')} in {output.plural(len(report.cuts), 'file')}"
    counted = counted if lines else "this text in the journal"
    return click.confirm(f"Permanently forget {counted}?", err=True)


def _list(session: Session, report: ForgetReport) -> None:
    """Print the lines to be removed, those that only name the user last; then the ambiguous ones."""
    rows = [(str(cut.document.path), line) for cut in report.cuts for line in cut.lines]
    rows = [(path, line) for path, line in (*rows, *report.left) if words_of(line.text)]
    order = ["", *_HEADINGS]
    headed = set[str]()
    for path, line in sorted(
        rows, key=lambda row: order.index(row[1].reason) if row[1].reason in order else 0
    ):
        if session.json:
            text = " ".join(line.text.split())[:_MOST_SHOWN]
            output.put_json({"path": path, "line": line.number, "text": text, "reason": line.reason})
            continue
        if not (shown := " ".join(readable_line(path, line.text).split())[:_MOST_SHOWN]):
            continue
        if line.reason in _HEADINGS and line.reason not in headed:
            headed.add(line.reason)
            output.flush()
            session.notice(_HEADINGS[line.reason])
        output.put(output.format_location(path, line.number, None, shown))


def _summarise(session: Session, report: ForgetReport) -> None:
    if report.receipt is None:
        counts = Counter(cut.role for cut in report.cuts for _ in cut.lines)
        for role, count in sorted(counts.items()):
            if session.json:
                output.put_json({"role": role, "lines": count})
            else:
                session.report(role, output.plural(count, "line"))
        return
    if session.json:
        output.put_json({"receipt": report.as_json()})
        return
    for role, count in report.receipt.counts.items():
        session.report(role, output.plural(count, "line"))
    for role, count in report.receipt.names.items():
        session.report(
            role, output.plural(count, "line"), "not owned by the user, but containing the user's name"
        )
    if left := sum(report.receipt.left.values()):
        session.notice(f"{output.plural(left, 'line')} not removed, because the name may be another person's")


def _end(session: Session, report: ForgetReport, user: str, caller: str) -> int:
    for reason in report.unread:
        output.print_message(f"{reason}; make the file or folder readable and run the command again")
    for notice in report.notices:
        session.notice(notice)
    if caller:
        session.notice(f"only the memory of user {caller!r} was searched, because MEMTOOL_USER is set")
    is_preview = session.dry_run or session.incognito
    for reason in (
        *_whole_files(report, is_preview=is_preview),
        *_whole_records(report, is_preview=is_preview),
    ):
        session.notice(reason)
    if report.cuts:
        for place in (*report.elsewhere, _OTHER_COPIES):
            session.notice(f"nothing {'would be' if is_preview else 'was'} removed from {place}")
    elif report.is_unknown_user:
        session.notice(
            f"no memory belongs to user {user!r}; nothing was forgotten; to remove the records that contain "
            f"this name, run: memtool forget --match {shlex.quote(user)}"
        )
    elif report.is_in_journal:
        session.notice(
            "no memory file matches, but the journal stores this text to undo earlier commands; it "
            f"{'would be' if is_preview else 'was'} removed there"
        )
    elif report.unread:
        session.notice("nothing matches in the files that were searched; nothing was forgotten")
    else:
        session.notice("nothing matches; nothing was forgotten")
    return _exit_code(session, report)


def _whole_files(report: ForgetReport, *, is_preview: bool) -> Iterator[str]:
    """A sentence for each of the first files that go as a whole although only some of their lines match."""
    cuts = [cut for cut in report.cuts if cut.matching is not None]
    verb = "would be deleted" if is_preview else "was deleted"
    for cut in cuts[:_MOST_WHOLE]:
        lines = "lines of text" if cut.text_lines > 1 else "line of text"
        matches = "matches" if cut.matching == 1 else "match"
        why = (
            f"{cut.matching} of its {cut.text_lines} {lines} {matches}"
            if cut.matching
            else "its name or part of its text matches"
        )
        yield f"{cut.document.path}: the whole file {verb}, because {why}"
    if len(cuts) > _MOST_WHOLE:
        count = len(cuts) - _MOST_WHOLE
        more = output.plural(count, "more file")
        verb = verb if is_preview or count == 1 else "were deleted"
        why = (
            "its name or part of its text matches"
            if count == 1
            else "their names or parts of their text match"
        )
        yield f"{more} {verb} entirely, because {why}"


def _whole_records(report: ForgetReport, *, is_preview: bool) -> Iterator[str]:
    """A sentence for each of the first files from which lines without the text go; one for the rest."""
    cuts = [cut for cut in report.cuts if cut.beside]
    named = [(str(cut.document.path), cut.beside) for cut in cuts[:_MOST_WHOLE]]
    if others := cuts[_MOST_WHOLE:]:
        named.append((output.plural(len(others), "more file"), sum(cut.beside for cut in others)))
    for name, count in named:
        verb = "would be removed" if is_preview else "were removed" if count > 1 else "was removed"
        advice = "; to keep part of an entry, edit the file by hand" if is_preview else ""
        yield (
            f"{name}: {output.plural(count, 'line')} without this text {verb} as well, because forget "
            f"removes whole entries{advice}"
        )


def _exit_code(session: Session, report: ForgetReport) -> int:
    """0 if all that matches was removed; else the code for unread files, waiting events or no match."""
    if report.unread:
        is_written = bool(report.cuts) and not (session.dry_run or session.incognito)
        return PartlyApplied.exit_code if is_written else CouldNotTell.exit_code
    if report.cuts or report.is_in_journal:
        return 0
    return CouldNotTell.exit_code if report.is_incomplete else NotFound.exit_code
