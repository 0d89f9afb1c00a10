"""Compaction decisions: whether a conversation must be compacted, and which messages are removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct

from memtool.core.compaction.conversation import ConversationItem, call_result_pairs
from memtool.core.digest import blake2b

SHARE_AFTER_COMPACTION = 0.35
"""The share of the context that counts as used after a compaction (Qanot)."""
MIN_MESSAGES = 7
"""The number of messages of the shortest conversation that is compacted."""
MARKER_PREFIX = "[CONTEXT COMPACTION:"
"""The beginning of the marker of removed messages."""


class CompactionStage(Enum):
    """What the expected size of the context requires: nothing, a flush of facts, or a compaction."""

    EASY = 0
    FLUSH = 1
    COMPACT = 2


class CompactionThresholds(Struct, frozen=True):
    """The shares of the context from which facts are flushed and messages removed."""

    flush: float = 0.60
    compact: float = 0.70


class NextTurnEstimate(Struct, frozen=True):
    """How the size of the context after the next turn is estimated: (tokens + average reply) x factor.

    `replies` is how many average replies are added, 0 where only the tokens in use count (OpenLegion).
    `factor` allows for counts that are too low: Qanot's is 1.2.
    """

    replies: float = 1.0
    factor: float = 1.0


_PLAIN_ESTIMATE = NextTurnEstimate()


class KeepCounts(Struct, frozen=True):
    """How many messages are kept at the beginning and at the end."""

    first: int = 2
    last: int = 4


class ConversationSplit(Struct, frozen=True):
    """The indexes of the messages that are kept and of those that are dropped; together all messages."""

    kept: tuple[int, ...]
    dropped: tuple[int, ...]


class InsertedMessage(Enum):
    """A message that a compaction inserts: the marker, and those between two messages of one role.

    The value is its role and its text; the text of the marker is `compaction_marker`.
    """

    MARKER = ("user", "")
    REPLY = ("assistant", "Understood.")
    REQUEST = ("user", "Continue.")

    @property
    def role(self) -> str:
        """The role of the message."""
        return self.value[0]

    @property
    def text(self) -> str:
        """The text of the message."""
        return self.value[1]


def expected_tokens(used: int, replies: Sequence[int], estimate: NextTurnEstimate = _PLAIN_ESTIMATE) -> int:
    """The number of tokens expected in the context after the next turn.

    `used` is the number now, `replies` are the sizes of the replies so far.
    """
    average = sum(replies) / len(replies) if replies else 0.0
    return round((used + estimate.replies * average) * estimate.factor)


def compaction_stage(
    expected: int, limit: int, thresholds: CompactionThresholds = CompactionThresholds()
) -> CompactionStage:
    """The stage of a context with room for `limit` tokens that is expected to hold `expected`."""
    share = expected / max(1, limit)
    if share >= thresholds.compact:
        return CompactionStage.COMPACT
    return CompactionStage.FLUSH if share >= thresholds.flush else CompactionStage.EASY


def split_conversation(
    items: tuple[ConversationItem, ...], keep: KeepCounts = KeepCounts()
) -> ConversationSplit:
    """Split a conversation: keep the first and last messages, system messages, and the partners of these.

    At most half of the messages are kept as the last ones. A tool call and its results are kept or dropped
    together. A conversation of six messages or fewer is kept whole.
    """
    total = len(items)
    if total < MIN_MESSAGES:
        return ConversationSplit(tuple(range(total)), ())
    tail = min(keep.last, total // 2)
    kept = {*range(min(keep.first, total)), *range(total - tail, total)}
    kept |= {number for number, item in enumerate(items) if item.role == "system"}
    partners: dict[int, list[int]] = {}
    for call, result in call_result_pairs(items):
        partners.setdefault(call, []).append(result)
        partners.setdefault(result, []).append(call)
    queue = [number for number in kept if number in partners]
    while queue:
        added = [partner for partner in partners[queue.pop()] if partner not in kept]
        kept.update(added)
        queue += added
    return ConversationSplit(
        tuple(sorted(kept)), tuple(number for number in range(total) if number not in kept)
    )


def remaining_messages(
    items: Sequence[ConversationItem], split: ConversationSplit
) -> list[int | InsertedMessage]:
    """What remains of a split with dropped messages: the indexes of kept messages, and those to insert.

    The marker is in the first gap. Providers refuse two messages of the user, or of the agent, in a row:
    where a gap leaves that, one of the other role is inserted, as in OpenLegion. Messages that follow each
    other in the conversation itself stay so; system messages between them are passed over.
    """
    dropped = set(split.dropped)
    order: list[int | InsertedMessage] = []
    role, previous, gap = "", -1, None
    for index in sorted((*split.kept, split.dropped[0])):
        entry: int | InsertedMessage = InsertedMessage.MARKER if index in dropped else index
        if not dropped.isdisjoint(range(previous, index + 1)):
            gap = len(order)
        entry_role = items[entry].role if isinstance(entry, int) else entry.role
        if entry_role != "system":
            if gap is not None and entry_role == role and role in {"user", "assistant"}:
                order.insert(gap, InsertedMessage.REPLY if role == "user" else InsertedMessage.REQUEST)
            role, gap = entry_role, None
        order.append(entry)
        previous = index
    return order


def compaction_marker(removed: int, where: Sequence[str]) -> str:
    """The marker that replaces removed messages; `where` are the files that hold their content."""
    read = f" Check {_list(where)} for important information from the removed messages." if where else ""
    return (
        f"{MARKER_PREFIX} {removed} earlier messages were removed to free context space. "
        f"Recent conversation preserved below.{read}]"
    )


def is_marker(text: str) -> bool:
    """Whether the text of a message is the marker of a compaction."""
    return text.lstrip().startswith(MARKER_PREFIX)


def compaction_id(raw: Iterable[str]) -> str:
    """The id of the compaction of these messages; equal messages give an equal id."""
    digest = blake2b(digest_size=8)
    for text in raw:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return f"compact-{digest.hexdigest()}"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
