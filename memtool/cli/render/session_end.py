"""The result of ending a session: each memory that was promoted, then a summary."""

from __future__ import annotations

from memtool.cli import output
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session
from memtool.verbs.sessions.session_end import SessionEndReport


def show_session_end(session: Session, result: SessionEndReport) -> None:
    """Print the promoted memories, the number of pending candidates and the path of the episode."""
    for name, decided, why, path in result.promoted:
        effect = shown_effect(session, decided)
        if session.json:
            output.put_json({"id": name, "effect": effect, "reason": why, "path": str(path)})
        else:
            session.report(name, effect, why, str(path))
    if session.json:
        record = {"promoted": len(result.promoted), "waiting": result.pending}
        output.put_json({**record, "episode": None if result.episode is None else str(result.episode)})
    for notice in result.notices:
        session.notice(notice)
    if result.plan:
        promoted = output.plural(len(result.promoted), "candidate")
        summary = f"; summary: {result.episode}" if result.episode else ""
        session.notice(f"{promoted} stored, {result.pending} still held{summary}")
    else:
        session.notice("nothing to do")
    session.show_plan(result.plan)
