"""A tool: a row that names a verb, what it takes, what it does to memory, and how its answer reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from memtool.core.privacy.recalled import recalled
from memtool.serve.mcp.argument import Argument
from memtool.serve.mcp.desk import Desk

SEARCHES = "searches"
"""The lane of calls that use the indexes of documents and turns."""
WRITES = "writes"
"""The lane of calls that use the index of facts or hold the workspace's lock."""


class Reply(Struct, frozen=True):
    """What a tool answers: a text, and, where it is small and says all of it, the same as data.

    Claude Code and Codex show their models the data alone where there is any, OpenClaw shows both.
    """

    text: str
    data: Mapping[str, Any] | None = None
    is_error: bool = False


class Tool(Struct, frozen=True):
    """One tool. Calls of one `lane` wait for each other; those of none run beside all.

    It is there where the layout has the role that it `needs`, and for a group only if it is `for_groups`.
    `at_hand`: a model needs it from the first moment, also where a client shows it the names of tools alone.
    `repeats`: calling it again with the same arguments changes nothing more. `answer` is the schema of the
    reply's data.
    """

    name: str
    title: str
    about: str
    arguments: tuple[Argument, ...]
    call: Callable[[Desk, Mapping[str, Any]], Reply]
    at_hand: bool = False
    lane: str | None = None
    writes: bool = False
    destroys: bool = False
    repeats: bool = True
    needs: str | None = None
    for_groups: bool = True
    answer: Mapping[str, Any] | None = None


def told(text: str, notices: Iterable[str] = ()) -> str:
    """What memory says, marked so that it is never taken for something new, and what to know besides."""
    rest = "".join(f"\nnote: {notice}" for notice in dict.fromkeys(notices))
    return recalled(text).rstrip("\n") + rest


def path_line(path: str) -> str:
    """A path that cannot begin a line of its own, whatever characters its file was named with."""
    return path if path.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in path)


def noted(text: str, notices: Iterable[str]) -> str:
    """A sentence of ours, and what to know besides."""
    return "\n".join([text, *(f"note: {notice}" for notice in dict.fromkeys(notices))])
