"""The effect of a command on a record, such as `written`."""

from __future__ import annotations

from memtool.cli.session import Session

_WRITING_EFFECTS = frozenset(
    (
        "bumped",
        "changed",
        "created",
        "held",
        "learnt",
        "merged",
        "removed",
        "superseded",
        "updated",
        "written",
    )
)
"""Effects, as commands print them, that are changes of files."""


def shown_effect(session: Session, effect: str) -> str:
    """An effect as it is printed: `not-written` in incognito for one that is a change of a file."""
    is_kept_back = session.incognito and not session.dry_run and effect in _WRITING_EFFECTS
    return "not-written" if is_kept_back else effect
