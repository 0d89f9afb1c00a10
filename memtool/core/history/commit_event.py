"""Commit events: what a commit changed, as write hooks and callbacks of Python code receive it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.history.file_effects import FileChange, file_changes, net_effects
from memtool.core.history.journal import CommitAuthor, CommitStep
from memtool.core.records.turn import format_moment


class RoleChange(Struct, frozen=True):
    """The change of a file, with the role of its path and of its target; None for a path without a role."""

    change: FileChange
    role: str | None
    target_role: str | None = None


class CommitEvent(Struct, frozen=True):
    """A commit: when it was, whose, in which workspace, and which files it changed how; no content of any."""

    at: datetime
    author: CommitAuthor
    root: str
    changes: tuple[RoleChange, ...]

    @property
    def verb(self) -> str:
        """The command that made the commit, such as `scan`; empty if Python code did."""
        return self.author.command.partition(" ")[0]

    def of_roles(self, roles: Collection[str]) -> CommitEvent:
        """The event with the changes of files of these roles only; the same event for no roles."""
        if not roles:
            return self
        chosen = (row for row in self.changes if row.role in roles or row.target_role in roles)
        return replace(self, changes=tuple(chosen))

    def as_json(self) -> dict[str, Any]:
        """The event as schemas/write-hook.schema.json describes it."""
        author = self.author
        return {
            "verb": self.verb,
            "command": author.command,
            "at": format_moment(self.at),
            "actor": {"user": author.user, "session": author.session, "agent": author.agent},
            "root": self.root,
            "changes": [_change_json(row) for row in self.changes],
        }


def commit_event(
    steps: Iterable[CommitStep],
    at: datetime,
    author: CommitAuthor,
    root: str,
    role_of: Callable[[str], str | None],
) -> CommitEvent:
    """The event of a commit with these steps; `role_of` returns the role of a path."""
    steps = tuple(steps)
    changes = (change for effect in net_effects(steps) for change in file_changes(effect, steps))
    rows = (
        RoleChange(change, role_of(change.path), role_of(change.target) if change.target else None)
        for change in changes
    )
    return CommitEvent(at, author, root, tuple(rows))


def _change_json(row: RoleChange) -> dict[str, Any]:
    change = row.change
    target = {} if change.target is None else {"target": change.target, "target_role": row.target_role}
    return {"change": change.kind, "path": change.path, "role": row.role, **target}
