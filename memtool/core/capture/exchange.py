"""Exchanges: a user message and its reply, or a plain note, as a block of the daily note."""

from __future__ import annotations

from datetime import time

from memtool.core.records.entries import Exchange, Owner
from memtool.core.secrets.redact import redact
from memtool.core.text.chat_log import without_chat_marks
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import clip, neutralise
from memtool.errors import BadUsage

SIDE_LIMIT = 500
"""The most characters of each side of an exchange in a daily note."""


def build_exchange(
    user: str | None,
    agent: str | None,
    at: time,
    owner: Owner | None = None,
    *,
    full: bool = False,
    limit: int = SIDE_LIMIT,
    redacts: bool = True,
) -> Exchange:
    """A user message and its reply: redacted, neutralised, and clipped to `limit` characters a side.

    The marks that the host of a chat put around the user's message are left out. `full` keeps all characters;
    without `redacts` secrets stay. A blank side is left out. Raises BadUsage if
    both are blank.
    """
    texts = (user and without_chat_marks(user), agent)
    sides = [_sanitise(side, None if full else limit, redacts=redacts) for side in texts]
    if not any(sides):
        raise BadUsage("the exchange is empty; pass the user's text, the agent's text or both")
    return Exchange(at, user=sides[0] or None, agent=sides[1] or None, owner=owner)


def build_note(
    text: str,
    at: time,
    owner: Owner | None = None,
    *,
    full: bool = False,
    limit: int = SIDE_LIMIT,
    redacts: bool = True,
) -> Exchange:
    """A plain note, made safe in the same way. Raises BadUsage for a blank one."""
    safe = _sanitise(text, None if full else limit, redacts=redacts)
    if not safe:
        raise BadUsage("the note is empty; pass some text")
    return Exchange(at, note=safe, owner=owner)


def _sanitise(text: str | None, limit: int | None, *, redacts: bool) -> str:
    """Redact, neutralise and clip until nothing changes, because a cut can leave a code fence open."""
    safe, before = clean(text or "").strip(), None
    while safe != before:
        before = safe
        safe = neutralise(redact(safe) if redacts else safe).strip()
        safe = clip(safe, limit) if limit is not None else safe
    return safe
