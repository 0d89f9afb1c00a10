"""What of the sections of every prompt a conversation has been given, so that each is injected once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from memtool.core.context.section import PromptSection
from memtool.core.digest import blake2b


class InjectedText(NamedTuple):
    """The text of a file when it was injected: its length in characters, and a hash.

    `is_whole` is false where the agent's limit may have cut it.
    """

    size: int
    digest: str
    is_whole: bool


def injected_text(text: str, *, is_whole: bool) -> InjectedText:
    """The record of a text that is injected."""
    return InjectedText(len(text), _digest(text), is_whole)


def not_injected(
    sections: Iterable[PromptSection], injected: Mapping[str, InjectedText]
) -> list[PromptSection]:
    """The parts of sections that are not injected yet: additions at a file's end, and files that changed."""
    remaining: list[PromptSection] = []
    for section in sections:
        before = injected.get(section.path)
        if before is not None and _digest(section.text[: before.size]) == before.digest:
            addition = section.text[before.size :].strip("\n")
            remaining += [replace(section, text=addition, left_out=0)] if addition.strip() else []
        else:
            remaining.append(section)
    return remaining


def _digest(text: str) -> str:
    content = text.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=12).hexdigest()
