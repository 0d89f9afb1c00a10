"""The end of a session as it is shown: each memory that was promoted, then what became of the rest."""

from __future__ import annotations

from memtool.cli import output
from memtool.cli.session import Session
from memtool.verbs.sessions.session_end import Ended


def show_end(session: Session, done: Ended) -> None:
    """Print what was promoted, and say what waits and where the arc is."""
    for name, effect, why, path in done.promoted:
        if session.json:
            output.put_json({"id": name, "effect": effect, "reason": why, "path": str(path)})
        else:
            output.put(f"{name}\t{effect}\t{why}\t{path}")
    if session.json:
        record = {"promoted": len(done.promoted), "waiting": done.waiting}
        output.put_json({**record, "episode": None if done.episode is None else str(done.episode)})
    for notice in done.notices:
        session.notice(notice)
    if done.plan:
        arc = f"; its arc is {done.episode}" if done.episode else ""
        session.notice(f"{len(done.promoted)} promoted, {done.waiting} go on waiting{arc}")
    else:
        session.notice("there was nothing to do")
    session.show_plan(done.plan)
