"""The effect of a command on a record, such as `written`, and the command that undoes it."""

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


def undo_call(session: Session) -> str | None:
    """The command that undoes what this run wrote, `memtool undo j-201ed2fe1549`; None if it wrote nothing.

    Messages name the entry: without an id, undo would revert the change of another command if this run wrote
    nothing, or if one was made since.
    """
    entry = session.workspace.journal.entry_id
    return entry and f"memtool undo {entry}"
