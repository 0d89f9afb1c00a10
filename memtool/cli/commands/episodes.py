"""`memtool episodes`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import Command, Count
from memtool.cli.session import Session, pass_session
from memtool.verbs.sessions.episodes import Episode, episodes


@click.command(
    "episodes",
    cls=Command,
    epilog="""
memtool episodes list               the arcs of sessions, the newest first
memtool episodes show latest        what the last session was about
memtool episodes show s-20250114-1  that of one session
""",
)
@click.argument("action", type=click.Choice(["list", "show"]))
@click.argument("which", metavar="[SESSION|PATH|latest]", required=False)
@click.option("-n", "--limit", metavar="N", type=Count(min=1), help="Arcs at most; for list.")
@pass_session
def command(session: Session, action: str, which: str | None, limit: int | None) -> int:
    """List the arcs of sessions, or show one: what it was about, decided and left open.

    Prints a line an arc: its path, its session and its themes; with --user, of that user and of nobody in
    particular. Exits 1 when there is none, and 3 when none was found and something could not be read.
    """
    if (action == "show") != (which is not None):
        raise click.UsageError("show takes a session, a path or `latest`; list takes nothing")
    notices: list[str] = []
    mine = None if session.owner is None else {"", str(session.owner)}
    found = [one for one in episodes(session.workspace, notices) if mine is None or one.arc.owner in mine]
    if action == "list":
        chosen = found[:limit]
    elif which == "latest":
        chosen = found[:1]
    else:
        chosen = [one for one in found if which in {one.arc.session, str(one.path)}]
    for one in chosen:
        _show(session, one, whole=action == "show")
    for notice in notices:
        session.notice(notice)
    if action == "show" and not chosen and not notices:
        session.notice(
            f"no arc is that of {which!r}; memtool episodes list says which there are"
            if which != "latest"
            else "there is no arc yet; memtool session-end makes one"
        )
    return 0 if chosen else 3 if notices else 1


def _show(session: Session, one: Episode, *, whole: bool) -> None:
    if session.json:
        day = None if one.day is None else one.day.isoformat()
        record = {
            "path": str(one.path),
            "date": day,
            "session": one.arc.session,
            "themes": list(one.arc.themes),
        }
        output.put_json({**record, "text": one.text})
    elif whole:
        output.put_raw(one.text + "\n")
    else:
        columns = (str(one.path), one.arc.session, ", ".join(one.arc.themes))
        output.put("\t".join(map(output.printable, columns)))
