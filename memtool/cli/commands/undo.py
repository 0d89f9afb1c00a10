"""`memtool undo`."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.render.effects import undo_call
from memtool.cli.session import Session, pass_session
from memtool.core.history.undo import JournalEntry
from memtool.core.records.plan import Move, Plan, Remove
from memtool.core.records.scope import Scope
from memtool.core.text.sanitise import clip_to_difference
from memtool.errors import MemtoolError
from memtool.verbs.journal.trace_origin import TraceStep, find_turns
from memtool.verbs.journal.undo import undo
from memtool.verbs.journal.undo_plan import undo_command
from memtool.verbs.journal.undone_lines import MOST_FILES, UndoneLines
from memtool.verbs.sessions.undone_statements import LeftStatement, left_statements

_MOST_DIGITS = 6
_LAST = ("last", "latest", "newest", "HEAD")
"""Words for the last change in other programs."""
_MOST_LINES = 2
_LINE_CHARS = 100
"""The most changed lines of a file that are shown, and the most characters of each."""
_MOST_PLACES = 3
"""The most lines that are named that still contain an undone statement."""


@click.command(
    "undo",
    cls=MemtoolCommand,
    epilog="""
memtool undo                      undo the last command
memtool undo --dry-run            show what undo would change
memtool undo 3                    undo the last three commands
memtool undo j-201ed2fe1549       undo an entry listed by 'memtool log'
memtool undo --forget             undo, with no way to redo
""",
)
@click.argument("which", metavar="[N|ID...]", nargs=-1)
@click.option(
    "--forget",
    is_flag=True,
    help="Do not record the removed text; the undo cannot then be reverted [default: record it]",
)
@click.option(
    "--group", metavar="GROUP", help="Undo only changes in the folder of this group [default: MEMTOOL_GROUP]"
)
@pass_session
def command(session: Session, which: tuple[str, ...], forget: bool, group: str | None) -> int:
    """Undo the changes made by a command

    Without an argument, undoes the last command that has not been undone yet; run `undo` again to go further
    back. With N, undoes the last N commands. `init` is undone only if you give its ID, which `memtool log`
    prints. Restores all files that a command changed, or none of them. In Markdown, TOML and JSON Lines
    files, later changes to other lines, by memtool or by hand, are kept. Nothing is undone if the same lines
    have been changed again, or if a file of another kind has been changed since. To redo a change, undo the
    undo: run `memtool undo ID` with the id that `memtool log` prints for the undo. With MEMTOOL_USER set,
    changes made by other users are not undone. Changes made by hand are not recorded and cannot be undone:
    use git for those. Prints a line for each journal entry that it undid, and on stderr the first few lines
    that were removed or restored. Exits 1 when there is nothing to undo.
    """
    if session.given.get("session"):
        raise click.UsageError(
            "--session does not select what to undo; memtool log lists all changes, and memtool undo ID "
            "undoes one"
        )
    scope = session.decide_scope(group, writes=True)
    count, names = _parse_entries(which)
    inside = scope.group or ""
    undone = undo(session.workspace, names, count, group=inside, owners=scope.owners, forget=forget)
    with output.ignore_closed_pipe():
        _show(session, undone.entries)
    if undone.completes_interrupted:
        session.notice(
            "the last undo was interrupted and has now been completed; run undo again to go further back"
        )
    if not undone.entries:
        session.notice("nothing to undo; memtool log lists the changes that commands made")
    elif not undone.plan:
        session.notice("the files are already as they were before the change; nothing was written")
    if not (session.dry_run or session.json or session.given.get("quiet")):
        for listed in _moved_and_removed(session, undone.plan):
            session.notice(listed)
        for changed in undone.lines:
            session.notice(_changed_lines(changed))
        for left in left_statements(session.workspace, undone, scope.owners, _turns_with(session, scope)):
            session.notice(_left_places(left))
    if count > 1 and not forget and (redo := undo_call(session)):
        again = undo_command(scope.owners, redo.split()[-1])
        oldest = undo_command(scope.owners, undone.entries[-1].id)
        session.notice(
            f"{count} commands were undone; to redo all of them, run: {again}; to undo only one of them, "
            f"first redo all of them, then undo that one by its id, such as the oldest with {oldest}"
        )
    if undone.last_statement is not None:
        entry, words = undone.last_statement
        command = entry.records[0].author.command
        session.notice(
            "this undoes no statement (such as a fact or rule); the last change to one was made by "
            f"{command} ({words}); "
            f"to undo it, run: {undo_command(scope.owners, entry.id)}"
        )
    with output.ignore_closed_pipe():
        session.show_plan(undone.plan)
    if undone.may_change_layout and session.workspace.writes:
        from memtool.cli.render.migrations import finish_layout_change

        finish_layout_change(session)
    return 0 if undone.entries else 1


def _turns_with(session: Session, scope: Scope) -> Callable[[str], Iterable[TraceStep]]:
    """What finds the turns that contain a text; opens the indexes where there is a text to find.

    It finds none where they cannot be searched: the undo is done, and other commands report that.
    """
    today = session.now.astimezone(session.zone).date()

    def turns(text: str) -> Iterator[TraceStep]:
        with contextlib.suppress(MemtoolError):
            yield from find_turns(session.workspace, session.search_indexes(), [text], today, scope, [])

    return turns


def _left_places(left: LeftStatement) -> str:
    """Which files still contain an undone statement, and how to remove it there."""
    *places, last = [f"the {kind} {place}" for kind, place in left.places[:_MOST_PLACES]]
    more = len(left.places) - _MOST_PLACES
    if more > 0:
        places, last = [*places, last], output.plural(more, "other line")
    names = f"{', '.join(places)} and {last} still contain" if places else f"{last} still contains"
    files = {place.rpartition(":")[0] for _, place in left.places}
    edited = f"the {left.places[0][0]}" if len(files) == 1 else "these files"
    return (
        f"{names} the text that undo removed, so prompts may contain it; to remove it there, too, edit "
        f"{edited} by hand, or run, first with --dry-run: memtool forget --match {shlex.quote(left.text)}"
    )


def _show(session: Session, entries: Sequence[JournalEntry]) -> None:
    is_hidden = session.visible_workspace.disk.is_hidden
    for entry in entries:
        command = entry.records[0].author.command
        files = [file for file in entry.effects if not any(map(is_hidden, file.paths))]
        if session.json and not session.dry_run:
            paths = [*dict.fromkeys(name for file in files for name in file.paths)]
            output.put_json({"id": entry.id, "command": command, "paths": paths})
        elif not session.json:
            text = ", ".join(file.path for file in files[:MOST_FILES])
            text += f" and {len(files) - MOST_FILES} more" if len(files) > MOST_FILES else ""
            session.report(entry.id, command, text)


def _moved_and_removed(session: Session, plan: Plan) -> list[str]:
    """How many files an undo moved back, and how many it removed if these are many; each with the first."""
    is_hidden = session.visible_workspace.disk.is_hidden
    moves = [
        f"{change.path} to {change.target}"
        for change in plan
        if isinstance(change, Move) and not (is_hidden(str(change.path)) or is_hidden(str(change.target)))
    ]
    removed = [
        str(change.path) for change in plan if isinstance(change, Remove) and not is_hidden(str(change.path))
    ]
    notices = [f"moved {output.plural(len(moves), 'file')} back: {_first(moves)}"] if moves else []
    return notices + (
        [f"removed {len(removed)} files: {_first(removed)}"] if len(removed) > MOST_FILES else []
    )


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_FILES} more" if len(names) > MOST_FILES else ""
    return ", ".join(names[:MOST_FILES]) + more


def _changed_lines(changed: UndoneLines) -> str:
    """A file, and the lines that were removed from it and restored in it: the first of them, clipped."""
    every = (*changed.removed, *changed.restored)
    parts = [
        f"{verb} {_quoted(lines, every)}"
        for verb, lines in (("removed", changed.removed), ("restored", changed.restored))
        if lines
    ]
    return f"{changed.path}: {'; '.join(parts)}"


def _quoted(lines: Sequence[str], every: Sequence[str]) -> str:
    shown = [line for line in lines if not line.startswith("#")][:_MOST_LINES]
    others = [*map(output.printable, every)]
    excerpts = (clip_to_difference(output.printable(line), others, _LINE_CHARS) for line in shown)
    quoted = ", ".join(f'"{excerpt}"' for excerpt in excerpts)
    rest = len(lines) - len(shown)
    more = output.plural(rest, "more line" if shown else "line") if rest else ""
    return " and ".join(filter(None, (quoted, more)))


def _parse_entries(which: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """The number of entries to take back, and their ids if they are named. Raises UsageError."""
    if len(which) == 1 and which[0].isascii() and which[0].isdecimal() and len(which[0]) <= _MOST_DIGITS:
        if int(which[0]) == 0:
            raise click.UsageError("the number of commands to undo must be at least 1")
        return int(which[0]), ()
    if any(word.isdecimal() and len(word) <= _MOST_DIGITS for word in which):
        raise click.UsageError("give either a number of commands to undo, or ids")
    if len(which) == 1 and which[0] in _LAST:
        raise click.UsageError("to undo the last command, run memtool undo")
    return 1, which
