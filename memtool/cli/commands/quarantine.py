"""`memtool quarantine`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, Newer, Unreadable
from memtool.verbs.history.quarantine import Kept, Moved, add, content_of, found, kept, older, purge, restore


@click.command(
    "quarantine",
    cls=Command,
    epilog="""
memtool quarantine list                          what is there, and why
memtool quarantine show 2025/01/15/00000000000000000007.json
memtool quarantine restore --all                 move back whatever reads by now
memtool quarantine add memory/history/turns/2025/01/15/00000000000000000008.json --reason "not mine"
memtool quarantine purge --older-than 90         delete for good
""",
)
@click.argument("action", type=click.Choice(["list", "show", "restore", "add", "purge"]))
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that is in quarantine; for restore and purge.")
@click.option(
    "--older-than",
    metavar="DAYS",
    type=click.IntRange(min=0),
    help="All that has been there longer; for purge.",
)
@click.option("--reason", metavar="TEXT", help="Why; for add.")
@pass_session
def command(
    session: Session,
    action: str,
    paths: tuple[str, ...],
    everything: bool,
    older_than: int | None,
    reason: str | None,
) -> int:
    """See to the files that could not be read: list, show, restore, add or purge.

    They lie under history/quarantine/ at the path they had under turns/, each with its reason beside it. To
    mend one, edit it there and restore it: only what reads is moved back. Exits 1 when there is nothing, or
    when not all could be restored.
    """
    _check(action, paths, everything=everything, older_than=older_than, reason=reason)
    unread: list[str] = []
    workspace = session.workspace
    if action == "list":
        code = 1
        for one in kept(workspace, unread):
            _show(session, one)
            code = 0
    elif action == "add":
        for name in paths:
            moved = add(workspace, name, reason or "was put aside by hand", session.now)
            _moved(session, "quarantined", moved)
        code = 0
    else:
        if everything:
            chosen = [one.path for one in kept(workspace, unread)]
        elif older_than is not None:
            chosen = older(workspace, unread, older_than, session.now)
        else:
            chosen = [found(workspace, name) for name in paths]
        code = 0 if chosen else 1
        for path in chosen:
            if action == "show":
                _print(session, path)
            elif action == "purge":
                plan = purge(workspace, path)
                _said(session, "purged", str(path))
                session.show_plan(plan)
            else:
                try:
                    _moved(session, "restored", restore(workspace, path, session.now))
                except (BadUsage, Unreadable, Newer) as error:
                    if not everything:
                        raise
                    output.say(str(error))
                    code = 1
    for sentence in unread:
        output.say(sentence)
    return 3 if unread else code


def _check(
    action: str, paths: Sequence[str], *, everything: bool, older_than: int | None, reason: str | None
) -> None:
    """Raise what click raises for arguments that do not go together."""
    chosen = bool(paths) + everything + (older_than is not None)
    if action == "list" and chosen:
        raise click.UsageError("list takes no paths")
    if action in {"show", "add"} and (not paths or chosen > 1):
        raise click.UsageError(f"{action} takes the paths of files")
    if action in {"restore", "purge"} and chosen != 1:
        raise click.UsageError(
            f"say what to {action}: paths, or --all" + (", or --older-than" if action == "purge" else "")
        )
    if older_than is not None and action != "purge":
        raise click.UsageError("--older-than goes with purge")
    if reason is not None and action != "add":
        raise click.UsageError("--reason goes with add")


def _show(session: Session, one: Kept) -> None:
    if session.json:
        output.put_json(one.as_json())
    else:
        why = one.record.reason if one.record else "has no readable reason beside it"
        output.put(f"{output.printable(str(one.path))}\t{output.printable(why)}")


def _print(session: Session, path: PurePosixPath) -> None:
    found = content_of(session.workspace, path)
    if session.json:
        output.put_json(found.as_json())
        return
    _show(session, found.kept)
    if record := found.kept.record:
        output.put(f"from {output.printable(record.origin)}, {record.size} bytes, {record.at}")
    for where, what in found.faults:
        output.put(output.printable(f"mend {where or 'the record'}: {what}"))
    output.put("")
    for line in found.text.removesuffix("\n").split("\n"):
        output.put(output.printable(line))


def _moved(session: Session, what: str, moved: Moved) -> None:
    _said(session, what, str(moved.path), str(moved.target))
    session.show_plan(moved.plan)


def _said(session: Session, what: str, path: str, target: str | None = None) -> None:
    if session.json:
        if not session.dry_run:
            output.put_json({"result": what, "path": path} | ({"target": target} if target else {}))
    else:
        output.put("\t".join((what, *(output.printable(one) for one in (path, target) if one))))
