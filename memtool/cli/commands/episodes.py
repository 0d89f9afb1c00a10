"""`memtool episodes`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import text_for_model
from memtool.verbs.sessions.episodes import StoredEpisode, list_episodes


@click.command(
    "episodes",
    cls=MemtoolCommand,
    epilog="""
memtool episodes list               the arcs of sessions, the newest first
memtool episodes show latest        what the last session was about
memtool episodes show s-20250114-1  that of one session
""",
)
@click.argument("action", type=click.Choice(["list", "show"]))
@click.argument("which", metavar="[SESSION|PATH|latest]", required=False)
@click.option("-n", "--limit", metavar="N", type=LimitType(min=1), help="Arcs at most; for list.")
@pass_session
def command(session: Session, action: str, which: str | None, limit: int | None) -> int:
    """List the summaries of sessions, or show one.

    Prints a line a summary: its path, its session and its themes; with --user, of that user and of nobody in
    particular. Exits 1 when there is none, and 3 when none was found and something could not be read.
    """
    if (action == "show") != (which is not None):
        raise click.UsageError("show takes a session, a path or `latest`; list takes nothing")
    notices: list[str] = []
    matches = [*list_episodes(session.visible_workspace, notices)]
    if action == "list":
        chosen = matches[:limit]
    elif which == "latest":
        chosen = matches[:1]
    else:
        chosen = [episode for episode in matches if which in {episode.header.session, str(episode.path)}]
    for episode in chosen:
        _show(session, episode, whole=action == "show")
    for notice in notices:
        session.notice(notice)
    if action == "show" and not chosen and not notices:
        session.notice(
            f"no episode {which!r}; see memtool episodes list"
            if which != "latest"
            else "no episodes yet; memtool session-end writes one"
        )
    return 0 if chosen else 3 if notices else 1


def _show(session: Session, episode: StoredEpisode, *, whole: bool) -> None:
    if session.json:
        day = None if episode.day is None else episode.day.isoformat()
        record = {
            "path": str(episode.path),
            "date": day,
            "session": episode.header.session,
            "themes": list(episode.header.themes),
        }
        output.put_json({**record, "text": text_for_model(episode.text)})
    elif whole:
        output.put_raw(text_for_model(episode.text) + "\n")
    else:
        output.put_row(str(episode.path), episode.header.session, ", ".join(episode.header.themes))
