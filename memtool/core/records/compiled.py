"""A memory that its agent's host compiles: a head between two marks, and after it a log of what is newer."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class CompiledForm(Struct, frozen=True):
    """How the host marks the head; `heading` is the line above the newest `recent` characters of the log.

    `title` may stand before the head. `around` is the room for heading and blank lines.
    """

    title: str
    begin: str
    end: str
    heading: str
    recent: int
    around: int


class CompiledMemory(NamedTuple):
    """The head and the log of a compiled memory."""

    head: str
    log: str


def parse_compiled(text: str, form: CompiledForm) -> CompiledMemory | None:
    """The parts of a text in this form; None for any other, even if a mark occurs somewhere in it."""
    body = text.strip().removeprefix(form.title).lstrip()
    if not body.startswith(form.begin):
        return None
    head, end, log = body.removeprefix(form.begin).partition(form.end)
    return CompiledMemory(head.strip(), log.strip()) if end else None


def head_limit(memory: CompiledMemory, form: CompiledForm, limit: int) -> int:
    """How many characters of the head are in the prompt, of `limit` for all of the file."""
    return max(0, limit - form.recent - form.around) if memory.log else limit


def compiled_excerpt(memory: CompiledMemory, form: CompiledForm, limit: int) -> str:
    """The head, and the newest entries of the log under the heading, within `limit` characters.

    The head gives way, because the log has what the head does not. A log that is cut begins with an entry;
    an entry that is longer than all its room, with a line.
    """
    head, log = memory.head.strip(), memory.log.strip()
    if not log:
        return head
    if len(log) > form.recent:
        log = log[-form.recent :]
        for separator in ("\n## ", "\n"):
            if (start := log.find(separator)) >= 0:
                log = log[start:].strip()
                break
    head = head[: head_limit(memory, form, limit)]
    return f"{head}\n\n{form.heading}\n\n{log}".strip()
