"""Learnings: dated lines on what went wrong and what was corrected, the newest first (five-layer memory)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from memtool.core.records.entry import Fact, Owner
from memtool.core.text.pattern import compiled
from memtool.formats.syntax.tag import tag, take

_ENTRY = r"\ufeff?[-*+] (?:\[\d{4}-[^\]\n]{1,40}\][ \t]*)?(\S.*)"


class Split(Struct, frozen=True):
    """A file of learnings: what stands before its first entry, and the entries, each with its own lines."""

    head: str
    entries: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole file again."""
        return self.head + "".join(self.entries)


def split(text: str) -> Split:
    """A text cut before each list item at the margin; `split(text).text == text`."""
    parts = re.split(r"(?m)^(?=\ufeff?[-*+] )", text)
    return Split(parts[0], tuple(parts[1:]))


def said(entry: str) -> Fact | None:
    """What an entry says, of whom, to be compared; None for an item that says nothing."""
    match = compiled(_ENTRY).match(entry.split("\n", 1)[0].rstrip("\r"))
    if match is None:
        return None
    owner, words = take(match[1])
    return Fact("learning", words, owner)


def line(time: str, text: str, owner: Owner | None) -> str:
    """An entry, without its newline; `time` as RFC 3339."""
    return f"- [{time}] {tag(owner)}{text}"


def added(text: str, entry: str) -> str:
    """The text with an entry before all others; lines end as they do there."""
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    parts = split(text)
    head = parts.head
    if head.strip("\ufeff \t\r\n"):
        head = head if head.endswith("\n") else head + end
        head = head if parts.entries or head.endswith(end * 2) else head + end
    return Split(head, (entry + end, *parts.entries)).text


def rotated(text: str, most: int) -> tuple[str, Sequence[str]]:
    """The text with its newest entries in half of `most` characters once it is longer, and the others.

    The newest entry always stays; the others are given oldest first, each with its newline.
    """
    if len(text) <= most:
        return text, ()
    parts = split(text)
    kept: list[str] = []
    room = most // 2 - len(parts.head)
    for entry in parts.entries:
        if kept and len(entry) > room:
            break
        kept.append(entry)
        room -= len(entry)
    old = [entry if entry.endswith("\n") else f"{entry}\n" for entry in reversed(parts.entries[len(kept) :])]
    return Split(parts.head, tuple(kept)).text, old
