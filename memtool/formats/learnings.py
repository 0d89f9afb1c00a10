"""Learnings: dated list items on mistakes and corrections, newest first (five-layer memory)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from memtool.core.records.entries import Fact, Owner
from memtool.core.records.turn import parse_moment
from memtool.core.text.record_merge import MergeRecord
from memtool.core.text.regex import regex
from memtool.formats.syntax.owner_tag import render_tag, split_tag
from memtool.formats.syntax.record_tree import merge_tree

_COUNT = r" \((\d{1,6}) times\)$"
_TIME = r"(?a)\ufeff?[-*+] \[(\d{4}-[^\]\n]{1,40})\]"
_ENTRY = r"\ufeff?[-*+] (?:\[\d{4}-[^\]\n]{1,40}\][ \t]*)?(\S.*)"


class LearningsFile(Struct, frozen=True):
    """A file of learnings: the text before its first entry, and the entries with their continuation lines."""

    head: str
    entries: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole file."""
        return self.head + "".join(self.entries)


def parse(text: str) -> LearningsFile:
    """Split a text before each unindented list item; `split(text).text == text`."""
    parts = re.split(r"(?m)^(?=\ufeff?[-*+] )", text)
    return LearningsFile(parts[0], tuple(parts[1:]))


def parse_entry(entry: str) -> Fact | None:
    """An entry's text without its count, and owner, as a fact for comparison; None for an empty item."""
    match = regex(_ENTRY).match(entry.split("\n", 1)[0].rstrip("\r"))
    if match is None:
        return None
    owner, words = split_tag(match[1])
    return Fact("learning", regex(_COUNT).sub("", words), owner)


def count_of(entry: str) -> int:
    """How often what an entry says has happened."""
    match = regex(_COUNT).search(entry.split("\n", 1)[0].rstrip("\r"))
    return int(match[1]) if match else 1


def render_entry(time: str, text: str, owner: Owner | None, count: int = 1) -> str:
    """An entry, without its newline; `time` as RFC 3339, `count` as `count_of` reads it."""
    return f"- [{time}] {render_tag(owner)}{text}{f' ({count} times)' if count > 1 else ''}"


def add(text: str, entry: str) -> str:
    """The text with an entry before all others, with the text's own line ends."""
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    parts = parse(text)
    head = parts.head
    if head.strip("\ufeff \t\r\n"):
        head = head if head.endswith("\n") else head + end
        head = head if parts.entries or head.endswith(end * 2) else head + end
    return LearningsFile(head, (entry + end, *parts.entries)).text


def rotate(text: str, max_chars: int) -> tuple[str, Sequence[str]]:
    """Split off the oldest entries of a text longer than `max_chars` characters: the text to keep, and those.

    The newest entries that fit in half of `max_chars` stay, and always the newest one. The others are
    returned oldest first, each with its newline.
    """
    if len(text) <= max_chars:
        return text, ()
    parts = parse(text)
    newest: list[str] = []
    room = max_chars // 2 - len(parts.head)
    for entry in parts.entries:
        if newest and len(entry) > room:
            break
        newest.append(entry)
        room -= len(entry)
    oldest = [
        entry if entry.endswith("\n") else f"{entry}\n" for entry in reversed(parts.entries[len(newest) :])
    ]
    return LearningsFile(parts.head, tuple(newest)).text, oldest


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the entries of two versions of a base, newest first; of equal ones the greater count."""
    return merge_tree(base, ours, theirs, _describe)


def _describe(block: str) -> MergeRecord:
    fact = parse_entry(block)
    if fact is None:
        return MergeRecord(block, block)
    stamp = regex(_TIME).match(block)
    moment = parse_moment(stamp[1]) if stamp else None
    age = (-moment.timestamp() if moment else 0.0,)
    _, _, rest = block.partition("\n")
    key = f"{fact.owner or ''}\n{fact.detail}\n{rest}"
    return MergeRecord(key, block, rank=(count_of(block), -age[0]), order=age)
