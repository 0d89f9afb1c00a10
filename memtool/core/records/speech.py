"""Which message a filter means: its speaker, its session, and its chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memtool.core.records.turn import ASSISTANT, Message, TextPart, Turn
from memtool.core.text.chat_log import only_sender
from memtool.core.text.folding import search_fold
from memtool.core.text.tokenizer import atoms

_CHAT_KEYS = ("chat", "chat_id", "chat_jid", "conversation_id", "thread_id")
"""Keys under which hosts name the chat of a turn or of a message (nano: chat_jid)."""
_AGENT_NAMES = frozenset({"agent", "ai", "bot", "model"})
"""What users call the role `assistant`, besides its name."""


def short_name(name: str) -> str | None:
    """The short name of a speaker: the first word of the name, folded."""
    words = atoms(search_fold(name))
    return words[0] if words else None


def speaker_keys(values: Iterable[str]) -> tuple[str, ...]:
    """What a message's role or its speaker's short name is one of, for speakers as a filter spells them."""
    keys: dict[str, None] = {}
    for value in values:
        name = short_name(value) or value
        keys[ASSISTANT if name in _AGENT_NAMES else name] = None
    return tuple(keys)


def speaker_name(message: Message) -> str:
    """Who spoke, where the message says so beside its role, or the marks of a chat's log do; else empty."""
    name = message.more.get("name")
    if isinstance(name, str) and name:
        return name
    return next(
        (name for part in message.parts if isinstance(part, TextPart) and (name := only_sender(part.text))),
        "",
    )


def is_spoken_by(message: Message, values: Iterable[str]) -> bool:
    """Whether one of these speakers spoke a message."""
    return not {message.role, short_name(speaker_name(message))}.isdisjoint(speaker_keys(values))


def turn_session(turn: Turn) -> str:
    """The session that a turn is of, as it says itself or its source does; empty where neither does."""
    return next(_texts(turn.more, ("session",)), "") or next(_texts(_source(turn), ("session",)), "")


def turn_chat(turn: Turn) -> str:
    """The chat that a turn is of, as the turn, its source or a message names it; else the source's session.

    A turn that was not imported from another program has no source; its chat is its session.
    """
    named = (turn.more, _source(turn), *(message.more for message in turn.messages))
    found = next((chat for fields in named for chat in _texts(fields, _CHAT_KEYS)), "")
    return found or next(_texts(_source(turn), ("session",)), "") or turn_session(turn)


def _source(turn: Turn) -> Mapping[str, Any]:
    source = turn.more.get("source")
    return source if isinstance(source, dict) else {}


def _texts(fields: Mapping[str, Any], keys: Iterable[str]) -> Iterator[str]:
    yield from (value for key in keys if isinstance(value := fields.get(key), str) and value)
