"""Told: what a conversation has heard of the memory that stands in every prompt, so that it is told once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from msgspec.structs import replace

from memtool.core.context.context import Section


class Told(NamedTuple):
    """What a file said when it was told: so many characters, with a hash of them.

    It was not told whole where the agent would not have taken so much.
    """

    size: int
    digest: str
    is_whole: bool


def told(text: str, *, is_whole: bool) -> Told:
    """A text as one that was told."""
    return Told(len(text), _digest(text), is_whole)


def untold(sections: Iterable[Section], known: Mapping[str, Told]) -> list[Section]:
    """What of sections was not told yet: what was added at a file's end, and files that changed before it."""
    found: list[Section] = []
    for section in sections:
        before = known.get(section.path)
        if before is not None and _digest(section.text[: before.size]) == before.digest:
            more = section.text[before.size :].strip("\n")
            found += [replace(section, text=more)] if more.strip() else []
        else:
            found.append(section)
    return found


def _digest(text: str) -> str:
    content = text.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=12).hexdigest()
