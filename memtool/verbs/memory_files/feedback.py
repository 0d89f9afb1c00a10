"""Feedback: what users thought of replies and of what memory brought, for 180 days (CoALA)."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage
from memtool.formats import json_lines
from memtool.formats.syntax import json_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.retained_log import retained_append_plan

RATINGS = ("up", "down", "1", "2", "3", "4", "5")
"""The ratings that may be given: thumbs, or 1 (worst) to 5 (best)."""
_MAX_NOTE_CHARS = 1_000
_MAX_TARGET_CHARS = 200


class Feedback(Struct, frozen=True):
    """One rating: `target` is what it is about (a turn, a path, an id), `owner` a tag; "" for none."""

    at: str
    rating: str | int
    note: str = ""
    target: str = ""
    session: str = ""
    owner: str = ""


@retry_when_stale
def add_feedback(
    workspace: Workspace,
    rating: str,
    now: datetime,
    *,
    note: str = "",
    target: str = "",
    session: str = "",
    owner: Owner | None = None,
) -> tuple[Feedback, Plan]:
    """Add a rating; secrets in its note are replaced. Raises BadUsage for an unknown rating."""
    if rating not in RATINGS:
        raise BadUsage(f"invalid rating {rating!r}; use 'up', 'down' or a number from 1 to 5")
    given = Feedback(
        format_moment(now),
        int(rating) if rating.isdecimal() else rating,
        one_line(redact(clean(note)), _MAX_NOTE_CHARS),
        one_line(redact(clean(target)), _MAX_TARGET_CHARS),
        session,
        str(owner or ""),
    )
    with workspace.lock():
        plan = retained_append_plan(workspace, "feedback", json_text.dump_line(feedback_record(given)), now)
        workspace.commit(plan)
    return given, plan


def list_feedback(workspace: Workspace) -> list[Feedback]:
    """The ratings, the oldest first."""
    document = workspace.read(workspace.layout.path("feedback"))
    rows = json_lines.record("feedback", json_lines.parse(document.text))["feedback"] if document else []
    return [item for row in rows if (item := _feedback(row)) is not None]


def feedback_record(given: Feedback) -> dict[str, object]:
    """A rating as JSON; what it has not is left out."""
    more = {key: value for key in ("note", "target", "session", "owner") if (value := getattr(given, key))}
    return {"at": given.at, "rating": given.rating, **more}


def _feedback(row: dict[str, object]) -> Feedback | None:
    rating, at = row.get("rating"), row.get("at")
    if not isinstance(at, str) or str(rating) not in RATINGS or not isinstance(rating, str | int):
        return None
    more = {
        key: value for key in ("note", "target", "session", "owner") if isinstance(value := row.get(key), str)
    }
    return Feedback(at, rating, **more)
