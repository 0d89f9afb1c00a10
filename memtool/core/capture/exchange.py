"""One user message and its reply, or a plain note, as a block for the daily note."""

from __future__ import annotations

from datetime import time

from memtool.core.records.entry import Exchange, Owner
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.quote import clip, neutralise
from memtool.errors import BadUsage

SIDE = 500
"""Characters of each side of an exchange that a daily note keeps."""


def exchange(
    user: str | None,
    agent: str | None,
    at: time,
    owner: Owner | None = None,
    *,
    full: bool = False,
    limit: int = SIDE,
) -> Exchange:
    """What was asked and answered: redacted, then neutralised, then clipped at `limit` characters a side.

    `full` keeps all of it. A blank side is left out; `BadUsage` when both are.
    """
    sides = [_written(side, None if full else limit) for side in (user, agent)]
    if not any(sides):
        raise BadUsage("the exchange is empty; give the user's text, the agent's text or both")
    return Exchange(at, user=sides[0] or None, agent=sides[1] or None, owner=owner)


def note(
    text: str, at: time, owner: Owner | None = None, *, full: bool = False, limit: int = SIDE
) -> Exchange:
    """A plain note, made safe in the same way. `BadUsage` for a blank one."""
    written = _written(text, None if full else limit)
    if not written:
        raise BadUsage("the note is empty; give it some text")
    return Exchange(at, note=written, owner=owner)


def _written(text: str | None, limit: int | None) -> str:
    """Redacted, neutralised and clipped until nothing changes: a cut can leave a code fence open."""
    written, before = clean(text or "").strip(), None
    while written != before:
        before = written
        written = neutralise(redact(written)).strip()
        written = clip(written, limit) if limit is not None else written
    return written
