"""What of a conversation may be remembered: all but what the user asks not to keep."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memtool.core.privacy.private import private_turns
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.turn import Message


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages of a conversation that may be remembered."""
    said = [without_recalled(text) for one in messages if (text := by_user(one)).strip()]
    return without(messages, private_turns(said))


def without(messages: Sequence[Message], turns: Collection[int]) -> tuple[Message, ...]:
    """The messages without turns of the user's, by number, and without what was answered to them."""
    left, number = [], -1
    for one in messages:
        number += bool(by_user(one).strip())
        if number not in turns:
            left.append(one)
    return tuple(left)


def by_user(message: Message) -> str:
    """What the user says in a message; empty where it is nobody's or another's."""
    return message.text if message.role == "user" else ""
