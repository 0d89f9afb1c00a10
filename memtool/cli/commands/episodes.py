"""`memtool episodes`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import text_for_model
from memtool.core.records.unknown_id import id_hint
from memtool.verbs.sessions.episodes import StoredEpisode, list_episodes

_NO_EPISODE = "no episodes yet; memtool session-end writes one"


@click.command(
    "list",
    cls=MemtoolCommand,
    session_note="episodes of all sessions are listed; for one session, run: memtool episodes show SESSION",
    epilog="""
memtool episodes list
memtool episodes list -n 3 --user ann
""",
)
@limit_option()
@pass_session
def _list(session: Session, limit: int | None) -> int:
    """Print the episodes, newest first

    Prints a line for each episode: its path, its session and its themes, separated by tabs. With --user,
    prints the episodes of that user and those without an owner. When there is nothing to print, exits 3 if a
    file could not be read, and 1 otherwise.
    """
    notices: list[str] = []
    chosen = [*list_episodes(session.visible_workspace, notices)][:limit]
    for episode in chosen:
        _show(session, episode, whole=False)
    if not chosen and not notices:
        return session.nothing(_NO_EPISODE)
    return _conclude(session, chosen, notices)


@click.command(
    "show",
    cls=MemtoolCommand,
    epilog="""
memtool episodes show latest
memtool episodes show s-20250114-1
""",
)
@click.argument("name", metavar="SESSION|PATH|latest")
@pass_session
def _show_one(session: Session, name: str) -> int:
    """Print the latest episode, or one named by its session or path

    If there is no such episode, exits 3 when a file could not be read, and 1 otherwise.
    """
    notices: list[str] = []
    matches = [*list_episodes(session.visible_workspace, notices)]
    if name == "latest":
        chosen = matches[:1]
    else:
        chosen = [episode for episode in matches if name in {episode.header.session, str(episode.path)}]
    for episode in chosen:
        _show(session, episode, whole=True)
    texts = {episode.header.session: " ".join(episode.header.themes) for episode in matches}
    if not chosen and not notices:
        session.notice(
            f"no episode {'at' if name.endswith('.md') else 'of session'} {name!r}"
            f"{id_hint(name, texts, 'memtool episodes list')}"
            if name != "latest"
            else _NO_EPISODE
        )
    return _conclude(session, chosen, notices)


command = ActionGroup(
    "episodes",
    [_list, _show_one],
    help="""List or show the summaries of sessions

An episode is the summary of one session. `memtool session-end` writes it.""",
    epilog="""
memtool episodes list
memtool episodes show latest
""",
    default=_list,
)


def _conclude(session: Session, printed: Sequence[StoredEpisode], notices: Sequence[str]) -> int:
    """Print the notices; the exit code."""
    for notice in notices:
        session.notice(notice)
    return 0 if printed else 3 if notices else 1


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
