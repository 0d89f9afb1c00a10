"""What of memory goes into a prompt, without secrets, control characters and invisible characters."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.messages import PastMessage
from memtool.core.context.retrieved import RetrievedMemory, SelectedMemory
from memtool.core.context.section import PromptSection, cut_section
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean

_CUT = 2
"""Of a section, what may fit is cleaned, and as much again: no secret that is cut there is shown."""
_LEAST = 20_000
"""Characters of a section that are cleaned in any case."""
_ROUNDS = 4
_CACHED, _CACHE_SIZE = 8_000, 2_048
"""Characters of a text that is cached as it was cleaned, and how many such texts are: a watcher cleans the
same messages and sections for one prompt after another.
"""


def cleaned_text(text: str) -> str:
    """The text without secrets and without characters that cannot be seen."""
    return _cleaned(text) if len(text) <= _CACHED else redact(clean(text))


@functools.lru_cache(_CACHE_SIZE)
def _cleaned(text: str) -> str:
    return redact(clean(text))


def cleaned_sections(sections: Iterable[PromptSection], most: int | None) -> list[PromptSection]:
    """The sections cleaned; where a prompt has room for `most` characters, without what never fits."""
    limit = None if most is None else max(_CUT * most, _LEAST)
    bounded = sections if limit is None else (cut_section(section, limit, len) for section in sections)
    return [section.with_text(cleaned_text(section.text)) for section in bounded if section is not None]


def cleaned_snippets(snippets: Iterable[PromptSnippet]) -> list[PromptSnippet]:
    """The snippets cleaned."""
    return [replace(snippet, text=cleaned_text(snippet.text)) for snippet in snippets]


def select_cleaned(
    memory: RetrievedMemory, room: int, standing: str
) -> tuple[RetrievedMemory, SelectedMemory]:
    """What of memory fits into `room` characters, cleaned, and the memory with what was cleaned for it.

    Messages are cleaned whole, since a passage may hold a part of a secret that is not recognised; and only
    those that are shown, since most are not, like most replies.
    """
    texts: frozenset[str] = frozenset()
    replies: frozenset[str] = frozenset()
    for number in range(_ROUNDS + 1):
        selected = memory.select(room, standing)
        if number < _ROUNDS:
            shown = frozenset(snippet.path for snippet in selected.snippets if snippet.speaker)
            answered = frozenset(snippet.path for snippet in selected.snippets if snippet.reply)
        else:
            shown = answered = frozenset(message.path for message in memory.messages)
        messages = tuple(
            _cleaned_message(message, shown - texts, answered - replies) for message in memory.messages
        )
        if messages == memory.messages:
            break
        texts, replies = texts | shown, replies | answered
        memory = replace(memory, messages=messages)
    else:
        selected = memory.select(room, standing)
    return memory, selected


def _cleaned_message(message: PastMessage, texts: Collection[str], replies: Collection[str]) -> PastMessage:
    """The message, its text cleaned if its file is in `texts`, and its reply if it is in `replies`."""
    if message.path in texts:
        message = replace(message, text=cleaned_text(message.text).strip(), name=cleaned_text(message.name))
    if message.path in replies:
        reply, name = cleaned_text(message.reply).strip(), cleaned_text(message.reply_name)
        message = replace(message, reply=reply, reply_name=name)
    return message
