"""Arcs: what a session was about, put down as an episode, and what those of earlier sessions say (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from itertools import count, islice
from pathlib import PurePosixPath

from memtool.core.entry import Owner
from memtool.core.plan import Create, Plan
from memtool.core.remark import remarks
from memtool.core.safe_summary import safe
from memtool.core.summary import summary
from memtool.core.turn import Message, spell
from memtool.formats import episode
from memtool.store.workspace import Workspace
from memtool.verbs.episodes import episodes

SUBSTANTIVE = 3
"""User turns that say something, from which a session has an arc."""
_ARCS = 100
_SUMMARY = 600
_THEMES = 3
_THEME = 40
_SAID = "user: "


def earlier_arcs(workspace: Workspace, owner: Owner | None, session: str) -> list[tuple[str, str]]:
    """What other sessions were about, each with its session, the newest first.

    An owner's arcs bear nobody else's words out; those of no owner bear out everybody's. Of an arc that was
    made of a session's sentences only the user's count.
    """
    found = []
    for one in islice(episodes(workspace, []), _ARCS):
        if one.arc.session != session and one.arc.owner in {"", str(owner)}:
            said = [row.removeprefix(_SAID) for row in one.text.split("\n") if row.startswith(_SAID)]
            found.append((one.arc.session, "\n".join(said) if one.arc.extractive else one.text))
    return found


def arc(
    workspace: Workspace,
    session: str,
    owner: str,
    messages: Sequence[Message],
    substantive: Sequence[str],
    now: datetime,
    today: date,
    reason: str,
) -> tuple[PurePosixPath | None, Plan]:
    """The arc of a session of substance, unless it has one, made of the session's own sentences."""
    if len(substantive) < SUBSTANTIVE:
        return None, ()
    said = [line[2:] for line in summary(messages, _SUMMARY).split("\n") if line.startswith("- ")]
    body = safe("\n".join(said))
    for one in islice(episodes(workspace, []), _ARCS):
        if (one.arc.session, one.arc.owner, one.text) == (session, owner, body.strip()):
            return one.path, ()
    head = {
        "session_id": session,
        "owner": owner,
        "ended_at": spell(now),
        "end": reason,
        "extractive": True,
        "turn_count": sum(one.role == "user" for one in messages),
        "primary_themes": _themes(messages),
    }
    path = _free(workspace, session, today)
    return path, (Create(path, episode.render(episode.made(head, body))),)


def _free(workspace: Workspace, session: str, today: date) -> PurePosixPath:
    """A path for an arc that no other has: sessions of other days, owners or spellings may be named alike."""
    slug = re.sub(r"[^\w-]+", "-", session).strip("-").lower() or "session"
    paths = (
        workspace.layout.path("episode", day=today, slug=slug if number == 1 else f"{slug}-{number}")
        for number in count(1)
    )
    return next(path for path in paths if workspace.disk.stat(path) is None)


def _themes(messages: Sequence[Message]) -> list[str]:
    """The names and terms that the user spoke of most."""
    counts: dict[str, int] = {}
    for one in remarks(messages):
        for term in one.terms if one.who == "user" else ():
            if term.kind in {"name", "code", "path"} and len(term.text) <= _THEME:
                counts[term.text] = counts.get(term.text, 0) + 1
    return sorted(counts, key=lambda one: (-counts[one], one))[:_THEMES]
