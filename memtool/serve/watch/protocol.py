"""The messages that a watcher accepts on its socket, one line of JSON each, and its replies.

A message names the version of memtool that sent it; nothing else of one from another version is read.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from memtool.core.records.search import SearchArguments


class StatusMessage(Struct, frozen=True, tag_field="ask", tag="status", forbid_unknown_fields=True):
    """Ask for the watcher's process number."""

    version: str


class StopMessage(Struct, frozen=True, tag_field="ask", tag="stop", forbid_unknown_fields=True):
    """Ask the watcher to end."""

    version: str


class SearchMessage(Struct, frozen=True, tag_field="ask", tag="search", forbid_unknown_fields=True):
    """Ask for a search; `environment` are the caller's variables whose names begin with MEMTOOL_."""

    version: str
    arguments: SearchArguments
    environment: dict[str, str]


class HookMessage(Struct, frozen=True, tag_field="ask", tag="hook", forbid_unknown_fields=True):
    """Ask for the answer to an agent's hook: its JSON object, and the options of the command.

    `event_id` is random: whoever records the event, the watcher or the hook itself, records it once.
    """

    version: str
    event_id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    record: dict[str, Any]
    given: dict[str, Any]
    environment: dict[str, str]


Message = StatusMessage | StopMessage | SearchMessage | HookMessage


def read_message(record: object) -> Message:
    """A message from its JSON values. Raises ValueError for anything else."""
    message: Message = msgspec.convert(record, type=Message)
    return message


class HookReply(Struct, frozen=True):
    """What the process of a hook prints, what failed meanwhile, and the event as its log names it.

    `outcome` is what it prints on stderr with --verbose.
    """

    text: str = ""
    faults: tuple[str, ...] = ()
    event: str = ""
    outcome: str = ""
