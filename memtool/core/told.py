"""Told: what a conversation has heard of the memory that stands in every prompt, so that it is told once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from memtool.core.context import Section


class Told(NamedTuple):
    """How much of a file was told: so many characters, with a hash of them."""

    size: int
    digest: str


def told(text: str) -> Told:
    """A text as one that was told."""
    content = text.encode("utf-8", "surrogatepass")
    return Told(len(text), hashlib.blake2b(content, digest_size=12).hexdigest())


def untold(sections: Iterable[Section], known: Mapping[str, Told]) -> list[Section]:
    """What of sections was not told yet: what was added at a file's end, and files that changed before it."""
    found: list[Section] = []
    for section in sections:
        before = known.get(section.path)
        if before is not None and told(section.text[: before.size]) == before:
            more = section.text[before.size :].strip("\n")
            found += [replace(section, text=more)] if more.strip() else []
        else:
            found.append(section)
    return found
