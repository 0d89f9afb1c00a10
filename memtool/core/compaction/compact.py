"""Compaction: whether a conversation has to shrink, and which of its messages give way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from hashlib import blake2b

from msgspec import Struct

from memtool.core.compaction.conversation import Item, pairs

MARGIN = 1.2
"""What an estimate of the next turn is multiplied by: counts are some 20 % too low at times (Qanot)."""
RESET = 0.35
"""The share of the context that is counted as used after a compaction (Qanot)."""
FEWEST = 7
"""Messages of the shortest conversation that is compacted."""
MARKER = "[CONTEXT COMPACTION:"
"""How the text begins that stands where messages were removed."""


class Stage(Enum):
    """How full the context will be: nothing to do, facts to be kept, or messages to give way."""

    EASY = 0
    FLUSH = 1
    COMPACT = 2


class Thresholds(Struct, frozen=True):
    """From which shares of the context facts are flushed and messages give way."""

    flush: float = 0.60
    compact: float = 0.70


class Keep(Struct, frozen=True):
    """How many messages stay at the beginning and at the end."""

    first: int = 2
    last: int = 4


class Split(Struct, frozen=True):
    """The numbers (from 0) of the messages that stay and of those that give way; together all of them."""

    kept: tuple[int, ...]
    dropped: tuple[int, ...]


def next_turn(used: int, replies: Sequence[int]) -> int:
    """How many tokens the context is likely to hold after the next turn.

    `used` are held now, `replies` what each answer so far took: (now + average reply) x 1.2, by Qanot.
    """
    average = sum(replies) / len(replies) if replies else 0.0
    return round((used + average) * MARGIN)


def stage(expected: int, limit: int, at: Thresholds = Thresholds()) -> Stage:
    """What is due when the context, which holds `limit` tokens, is expected to hold so many."""
    share = expected / max(1, limit)
    if share >= at.compact:
        return Stage.COMPACT
    return Stage.FLUSH if share >= at.flush else Stage.EASY


def split(items: tuple[Item, ...], keep: Keep = Keep()) -> Split:
    """Which messages stay: the first and the last, every system message, and what belongs to those.

    At the end never more than half stay by themselves; a tool's call and its results stay or go together. A
    conversation of six messages or fewer stays whole.
    """
    count = len(items)
    if count < FEWEST:
        return Split(tuple(range(count)), ())
    tail = min(keep.last, count // 2)
    stays = {*range(min(keep.first, count)), *range(count - tail, count)}
    stays |= {number for number, item in enumerate(items) if item.role == "system"}
    beside: dict[int, list[int]] = {}
    for one, other in pairs(items):
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    waiting = [number for number in stays if number in beside]
    while waiting:
        fresh = [other for other in beside[waiting.pop()] if other not in stays]
        stays.update(fresh)
        waiting += fresh
    return Split(tuple(sorted(stays)), tuple(number for number in range(count) if number not in stays))


def marker(removed: int, where: Sequence[str]) -> str:
    """The text that stands where messages were removed; `where` are the files that hold what they said."""
    read = f" Check {_list(where)} for any important context from earlier." if where else ""
    return (
        f"{MARKER} {removed} earlier messages were removed to free context space. "
        f"Recent conversation preserved below.{read}]"
    )


def is_marker(text: str) -> bool:
    """Whether a message is what a compaction left, and nobody's own words."""
    return text.lstrip().startswith(MARKER)


def request_id(raw: Iterable[str]) -> str:
    """The name of the compaction of just these messages: the same ones have the same name."""
    digest = blake2b(digest_size=8)
    for one in raw:
        digest.update(one.encode("utf-8", "surrogatepass") + b"\0")
    return f"compact-{digest.hexdigest()}"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
