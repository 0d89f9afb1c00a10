"""Write hooks in the user's configuration: the `[[write_hook]]` tables."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from memtool.core.history.commit_event import CommitEvent
from memtool.errors import BadUsage

_Text = Annotated[str, Meta(min_length=1)]


class WriteHook(Struct, frozen=True, forbid_unknown_fields=True):
    """A command to run after a commit: a shell line, or the program and its arguments.

    It runs after commits of the commands `verbs`, for files of `roles`; after all if these are empty.
    """

    command: _Text | Annotated[tuple[_Text, ...], Meta(min_length=1)]
    roles: tuple[_Text, ...] = ()
    verbs: tuple[_Text, ...] = ()

    def selected(self, event: CommitEvent) -> CommitEvent | None:
        """The event with the changes that the hook is for; None if there is none."""
        if self.verbs and event.verb not in self.verbs:
            return None
        event = event.of_roles(self.roles)
        return event if event.changes else None


def read_write_hooks(value: object, source: str) -> tuple[WriteHook, ...]:
    """The hooks of the value of `write_hook`. Raises BadUsage, which names the source."""
    try:
        return msgspec.convert(value, tuple[WriteHook, ...])
    except msgspec.ValidationError as error:
        raise BadUsage(
            f"{source}: write_hook is a list of tables with command, roles and verbs ([[write_hook]]), "
            f"not this: {error}"
        ) from error
