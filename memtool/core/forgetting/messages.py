"""Messages that are removed from a conversation, so that calls of tools and their results stay in pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class PartLink(NamedTuple):
    """A part of a message: `call` or `result` with the id of the call, or anything else with none."""

    kind: str = ""
    call: str = ""


def unpaired_parts(messages: Sequence[Sequence[PartLink]], removed: Collection[int]) -> list[tuple[int, int]]:
    """The parts of remaining messages whose counterpart is in a removed one: (message, part), in order."""
    lost = {"call": set[str](), "result": set[str]()}
    for number in removed:
        for part in messages[number]:
            if part.kind:
                lost[part.kind].add(part.call)
    left = [(number, parts) for number, parts in enumerate(messages) if number not in removed]
    answered = {part.call for _, parts in left for part in parts if part.kind == "result"}
    called = {part.call for _, parts in left for part in parts if part.kind == "call"}
    return [
        (number, index)
        for number, parts in left
        for index, part in enumerate(parts)
        if (part.kind == "result" and part.call in lost["call"] - called)
        or (part.kind == "call" and part.call in lost["result"] - answered)
    ]
