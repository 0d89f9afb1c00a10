"""Write hooks in the user's configuration: the `[[write_hook]]` tables."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from memtool.core.history.commit_event import CommitEvent
from memtool.errors import BadUsage
from memtool.store.config.validation import shown_value

_Text = Annotated[str, Meta(min_length=1)]
_Command = _Text | Annotated[tuple[_Text, ...], Meta(min_length=1)]
_KEYS: dict[str, tuple[Any, str]] = {
    "command": (_Command, "a shell command, or a list of a program and its arguments"),
    "roles": (tuple[_Text, ...], "a list of roles"),
    "verbs": (tuple[_Text, ...], "a list of memtool commands"),
}
"""The keys of a table, each with its type and what it is in messages."""


class WriteHook(Struct, frozen=True, forbid_unknown_fields=True):
    """A command to run after a commit: a shell line, or the program and its arguments.

    It runs after commits of the commands `verbs`, for files of `roles`; after all if these are empty.
    """

    command: _Command
    roles: tuple[_Text, ...] = ()
    verbs: tuple[_Text, ...] = ()

    def selected(self, event: CommitEvent) -> CommitEvent | None:
        """The event with the changes that the hook is for; None if there is none."""
        if self.verbs and event.verb not in self.verbs:
            return None
        event = event.of_roles(self.roles)
        return event if event.changes else None


def read_write_hooks(value: object, source: str) -> tuple[WriteHook, ...]:
    """The hooks of the value of `write_hook`. Raises BadUsage, which names the source, table and key."""
    if not isinstance(value, list | tuple) or not all(isinstance(table, dict) for table in value):
        raise BadUsage(
            f"{source}: write_hook must be a list of [[write_hook]] tables, not {shown_value(value)}"
        )
    return tuple(
        _read(table, f"{source}: write_hook {number}") for number, table in enumerate(value, start=1)
    )


def _read(table: dict[str, Any], place: str) -> WriteHook:
    """The hook of a table. Raises BadUsage, which begins with the place."""
    for key, content in table.items():
        if key not in _KEYS:
            raise BadUsage(f"{place}: unknown key {key!r}; choose from {', '.join(_KEYS)}")
        kind, meaning = _KEYS[key]
        try:
            msgspec.convert(content, kind)
        except msgspec.ValidationError as error:
            raise BadUsage(f"{place}: {key} must be {meaning}, not {shown_value(content)}") from error
    if "command" not in table:
        raise BadUsage(f"{place}: command is missing")
    return msgspec.convert(table, WriteHook)
