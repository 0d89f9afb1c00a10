"""`memtool quarantine`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, NewerVersion, UnreadableFile
from memtool.store.commit.partly import after_steps
from memtool.verbs.history import quarantine
from memtool.verbs.history.quarantine import QuarantinedFile, QuarantineMove

_REASON = "moved by hand"
"""The reason of `quarantine add` without --reason."""
_Path = TypeVar("_Path", str, PurePosixPath)
_ALL = click.option(
    "--all", "everything", is_flag=True, help="Select all files in quarantine [default: only PATH]"
)


@click.command(
    "list",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine list
memtool quarantine list --json | jq -r .path
""",
)
@pass_session
def _list(session: Session) -> int:
    """Print the files in quarantine, each with the reason

    Exits 1 if no file is in quarantine, and 3 if a folder could not be read.
    """
    unread: list[str] = []
    code = 1
    for quarantined in quarantine.list_quarantine(session.visible_workspace, unread):
        _show_row(session, quarantined)
        code = 0
    if code and not unread:
        return session.nothing("no files in quarantine")
    return _conclude(unread, code)


@click.command(
    "show",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine show 2025/01/15/00000000000000000004.json
memtool quarantine show --json 2025/01/15/00000000000000000004.json
""",
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@pass_session
def _show(session: Session, paths: tuple[str, ...]) -> int:
    """Print files in quarantine, with the reason and the errors to fix

    Takes the paths that `memtool quarantine list` prints, or only the part of each path after `quarantine/`.
    """
    for path in _named(session, paths):
        content = quarantine.read_quarantined(session.visible_workspace, path)
        if session.json:
            output.put_json(content.as_json())
            continue
        _show_row(session, content.file)
        if record := content.file.record:
            output.put_wrapped(
                "from ",
                f"{output.printable(record.origin)}, {output.plural(record.size, 'byte')}, {record.at}",
            )
        for field, fault in content.faults:
            output.put_wrapped("error ", output.printable(f"{field or 'the turn'}: {fault}"))
        output.put("")
        for line in content.text.removesuffix("\n").split("\n"):
            output.put(output.printable(line))
    return 0


@click.command(
    "restore",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine restore --all
memtool quarantine restore 2025/01/15/00000000000000000004.json
""",
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@_ALL
@pass_session
def _restore_files(session: Session, paths: tuple[str, ...], everything: bool) -> int:
    """Move quarantined turn files back to where they were

    Correct the files in quarantine first: only readable files are restored. Exits 14 if a named file is still
    unreadable; exits 20 instead if other files have already been restored. With --all, restores every
    readable file; exits 1 if a file is still unreadable.
    """
    _check_selection("restore", paths, everything)
    unread: list[str] = []
    if everything:
        entries = quarantine.list_quarantine(session.workspace, unread)
        return _conclude(unread, _restore_all(session, [entry.path for entry in entries]))
    return _restore(session, _named(session, paths))


@click.command(
    "add",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine add memory/history/turns/2025/01/15/00000000000000000003.json
memtool quarantine add memory/history/turns/2025/01/15/00000000000000000003.json --reason "not mine"
""",
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--reason",
    metavar="TEXT",
    default=_REASON,
    help=f"Reason to record for each file [default: {_REASON}]",
)
@pass_session
def _add(session: Session, paths: tuple[str, ...], reason: str) -> int:
    """Move turn files into quarantine

    Takes paths of files in the history, relative to the workspace. Exits 2 for any other file, 1 for a file
    that does not exist, and 13 for a path outside the workspace. Exits 20 instead if other files have already
    been moved.
    """

    def add(name: str) -> None:
        moved = quarantine.add_to_quarantine(session.workspace, name, reason, session.now)
        _show_move(session, "quarantined", moved)
        if session.workspace.writes:
            target = shlex.quote(str(moved.target))
            session.notice(
                f"to see the file, run memtool quarantine show {target}; to move it back, run memtool "
                f"quarantine restore {target}"
            )

    _for_each(session, paths, "quarantined", add)
    return 0


@click.command(
    "purge",
    cls=MemtoolCommand,
    epilog="""
memtool quarantine purge --older-than 90
memtool quarantine purge 2025/01/15/00000000000000000004.json
memtool quarantine purge --all --dry-run
""",
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@_ALL
@click.option(
    "--older-than",
    metavar="DAYS",
    type=click.IntRange(min=0),
    help="Delete files quarantined more than DAYS days ago [default: delete PATH]",
)
@pass_session
def _purge(session: Session, paths: tuple[str, ...], everything: bool, older_than: int | None) -> int:
    """Delete files in quarantine

    `memtool undo` cannot restore files that this command deletes.
    """
    _check_selection("purge", paths, everything, older_than is not None)
    unread: list[str] = []
    chosen = _to_purge(session, paths, unread, older_than, everything=everything)

    def purge(path: PurePosixPath) -> None:
        plan = quarantine.purge_quarantined(session.workspace, path)
        _show_result(session, "purged", str(path))
        session.show_plan(plan)

    _for_each(session, chosen, "purged", purge)
    if not (chosen or unread):
        age = "" if older_than is None else f" was put there more than {output.plural(older_than, 'day')} ago"
        session.notice(f"no file in quarantine{age}; nothing was purged")
    return _conclude(unread, 0)


command = ActionGroup(
    "quarantine",
    [_list, _show, _restore_files, _add, _purge],
    help="""Quarantine, list, show, restore and purge turn files

A turn file (a JSON file with one turn of the history) that cannot be read is moved to `quarantine/` in the
folder of the history, and a file beside it states the reason. Edit the turn file there, then restore it.""",
    epilog="""
memtool quarantine list
memtool quarantine show 2025/01/15/00000000000000000004.json
memtool quarantine restore --all
memtool quarantine purge --older-than 90
""",
    default=_list,
)


def _check_selection(action: str, paths: Sequence[str], *selectors: bool) -> None:
    """Raise UsageError unless the files are selected in exactly one way."""
    if bool(paths) + sum(selectors) != 1:
        ways = "their paths, --all or --older-than" if action == "purge" else "either their paths or --all"
        raise click.UsageError(f"to {action} files, give {ways}")


def _conclude(unread: Sequence[str], code: int) -> int:
    """Print what could not be read; the exit code, which is 3 then."""
    for sentence in unread:
        output.print_message(sentence)
    return 3 if unread else code


def _named(session: Session, names: Sequence[str]) -> list[PurePosixPath]:
    """The quarantined files that were named. Raises BadUsage."""
    return [quarantine.find_quarantined(session.workspace, name) for name in names]


def _to_purge(
    session: Session, names: Sequence[str], unread: list[str], older_than: int | None, *, everything: bool
) -> list[PurePosixPath]:
    if everything:
        return [entry.path for entry in quarantine.list_quarantine(session.workspace, unread)]
    if older_than is not None:
        return quarantine.quarantined_before(session.workspace, unread, older_than, session.now)
    return _named(session, names)


def _restore(session: Session, paths: Sequence[PurePosixPath]) -> int:
    """Move the files back. Raises as `_for_each`."""

    def restore(path: PurePosixPath) -> None:
        moved = quarantine.restore_from_quarantine(session.workspace, path, session.now)
        _show_move(session, "restored", moved)

    _for_each(session, paths, "restored", restore)
    return 0


def _for_each(session: Session, paths: Sequence[_Path], done: str, act: Callable[[_Path], None]) -> None:
    """Apply a function to each file, up to the first for which it raises an error.

    Raises that error, or PartlyApplied after files that are `done`.
    """
    count = 0
    remedy = "run the command again for the remaining files"
    with after_steps(lambda: f"files {done}: {count}" if count else "", remedy):
        for path in paths:
            act(path)
            count += session.workspace.writes


def _restore_all(session: Session, paths: Sequence[PurePosixPath]) -> int:
    """Move back the files that can be read by now; 1 if one could not be moved."""
    code = 0
    for path in paths:
        try:
            _restore(session, [path])
        except (BadUsage, UnreadableFile, NewerVersion) as error:
            output.print_message(str(error))
            code = 1
    return code


def _show_row(session: Session, kept: QuarantinedFile) -> None:
    if session.json:
        output.put_json(kept.as_json())
    else:
        output.put_row(
            str(kept.path),
            kept.record.reason
            if kept.record
            else "reason unknown: the record of the file is missing or unreadable",
        )


def _show_move(session: Session, result: str, moved: QuarantineMove) -> None:
    _show_result(session, result, str(moved.path), str(moved.target))
    session.show_plan(moved.plan)


def _show_result(session: Session, result: str, path: str, target: str | None = None) -> None:
    if not session.json:
        session.report(result, path, *([target] if target else []))
    elif not session.dry_run:
        output.put_json({"result": result, "path": path} | ({"target": target} if target else {}))
