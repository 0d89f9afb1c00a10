"""Logs whose entries form a tree: the conversation is the branch that ends last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memtool.transcripts.json_lines import text_of


class TreeEntry(NamedTuple):
    """An entry on a line. Without an id it belongs to the conversation at any position.

    `parent` is None for a root, and empty for an entry that names none: it follows the one before it.
    """

    number: int
    id: str
    parent: str | None
    is_message: bool


def tree_entry(
    number: int, record: Mapping[str, Any], id_key: str, parent_key: str, *, is_message: bool
) -> TreeEntry:
    """The entry of a record whose id and parent are under these keys."""
    parent = record.get(parent_key, "")
    parent = parent if isinstance(parent, str) else None
    return TreeEntry(number, text_of(record, id_key), parent, is_message)


def branch_of(
    leaf: str | None, parents: Mapping[str, str | None], before: Mapping[str, str | None]
) -> set[str]:
    """The ids from a leaf to its root. A parent that has no entry is replaced by the entry before."""
    current, branch = leaf, set[str]()
    while current is not None and current not in branch:
        branch.add(current)
        parent = parents[current]
        current = parent if parent is None or parent in parents else before[current]
    return branch


def conversation_lines(entries: Iterable[TreeEntry | None]) -> set[int]:
    """The line numbers of the messages on each session's branch that ends last.

    None separates sessions. Of entries with the same id the first counts. A parent that is not in the file
    is replaced by the entry before.
    """
    live: set[int] = set()
    numbers: dict[str, int] = {}
    parents: dict[str, str | None] = {}
    before: dict[str, str | None] = {}
    leaf: str | None = None
    last: str | None = None

    def settle() -> None:
        live.update(numbers[entry] for entry in branch_of(leaf, parents, before) if entry in numbers)

    for entry in entries:
        if entry is None:
            settle()
            numbers, parents, before, leaf, last = {}, {}, {}, None, None
            continue
        if not entry.id:
            live.update([entry.number] if entry.is_message else [])
            continue
        if entry.id not in parents:
            parents[entry.id] = last if entry.parent == "" else entry.parent
            before[entry.id] = last
        last = entry.id
        if entry.is_message:
            numbers.setdefault(entry.id, entry.number)
            leaf = entry.id
    settle()
    return live
