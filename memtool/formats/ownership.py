"""Ownership: which user each line of a file belongs to, and a file's text as one user may see it.

A line is a user's where it is under an owner tag `[user:ann]`: that of its list item, of the heading of its
block or section, or of the file's frontmatter (`owner: user:ann`). A JSON file has its user in the key `user`
and a line of JSON Lines in `owner`. A session's tag says where a line is from and makes it nobody's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

from memtool.core.records.scope import sees
from memtool.core.records.turn import CONCURRENT
from memtool.core.text.regex import regex
from memtool.formats.syntax import frontmatter

_USER_TAG = r"\[user:([^\]\s]{1,128})\]"
_LABELS = r"(?:\[(?!user:)[^\]\n]*\][ \t]*)*(?:\*\*[^*\n]+\*\*:?[ \t]+)?(?:\[(?!user:)[^\]\n]*\][ \t]*)*"
"""What may precede a tag: a time, a category, a task's box."""
_ITEM = r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)"
_OWNED_ITEM = rf"{_ITEM}{_LABELS}{_USER_TAG}"
_HEADING = r" {0,3}(#{1,6})(?:[ \t]|$)"
_OWNED_HEADING = rf" {{0,3}}(#{{1,6}})[ \t]+{_LABELS}{_USER_TAG}"
_BLOCK = r"(?a)## (?:\[\d|Session Compaction )"
"""A heading that memtool writes, with the tag anywhere in it; its block reaches to the next one."""
_FENCE = r" {0,3}(?:`{3,}|~{3,})"
_BLOCK_ROLES = frozenset({"daily-note", "working-buffer"})
"""Roles whose files are blocks under such headings; no other heading ends one."""
_OWNER = r"(user:[^\s\"']{1,128})"
_OWNER_KEY = r"(?m)^owner:[ \t]+[\"']?(user:[^\s\"']{1,128})"
"""The owner in frontmatter that is not valid YAML: a fault elsewhere must not show the file to others."""
_FIRST_KEY = r"---\nowner: (user:[^\s\"']{1,128})\n"
_JSON_USER = rb'"user"\s*:\s*"([^"\\]{1,128})"'
_MARK = "user:"
_NO_LEVEL = 7
"""Deeper than any heading: there is no section with an owner."""


class LineOwners:
    """Tells the owner of each line of a Markdown text, when given the lines in order.

    An owner is a tag such as `user:ann`, "" for everybody; a line under the tags of several users has them
    all, sorted and with blanks between. `file_owner` is the owner of every line, as `file_owner` reads it.
    """

    def __init__(self, role: str, file_owner: str = "") -> None:
        self._has_blocks = role in _BLOCK_ROLES
        self._file_owner = file_owner
        self._section, self._level = "", _NO_LEVEL
        self._items: list[tuple[int, str]] = []
        self._in_fence = self._is_after_blank = False

    def owner_of_next(self, line: str) -> str:
        """The owner of the line that follows those that were given before."""
        line = line.removeprefix("\ufeff").rstrip("\r")
        if not line or line.isspace():
            self._is_after_blank = True
        elif not self._begins_section(line):
            self._continue_items(line)
            self._is_after_blank = False
        owners = {self._file_owner, self._section, *(owner for _, owner in self._items)} - {""}
        return " ".join(sorted(owners))

    def _begins_section(self, line: str) -> bool:
        """Note a heading that begins or ends a section with an owner; a fence hides only those without."""
        if line[:1] not in "# `~":
            return False
        if regex(_FENCE).match(line):
            self._in_fence = not self._in_fence
            return False
        heading = regex(_HEADING).match(line)
        if heading is None:
            return False
        level, has_tag_anywhere = len(heading[1]), regex(_BLOCK).match(line) is not None
        begins_block = has_tag_anywhere and self._has_blocks
        tag = regex(_USER_TAG if has_tag_anywhere else _OWNED_HEADING)
        if (match := tag.search(line) if has_tag_anywhere else tag.match(line)) is not None:
            owner, is_inner = (
                f"{_MARK}{match[match.lastindex or 1]}",
                level > self._level and not begins_block,
            )
            self._section = " ".join(sorted({*self._section.split(), owner})) if is_inner else owner
            self._level = self._level if is_inner else level
        elif begins_block or not (self._in_fence or self._has_blocks or level > self._level):
            self._section, self._level = "", _NO_LEVEL
        elif self._in_fence:
            return False
        self._items, self._is_after_blank = [], False
        return True

    def _continue_items(self, line: str) -> None:
        """Note the list items that a line begins or is in: lines that are indented deeper, or lazy ones."""
        item = regex(_ITEM).match(line)
        if item is None and not self._is_after_blank:
            return
        indent = len(line) - len(line.lstrip(" \t"))
        while self._items and self._items[-1][0] >= indent:
            self._items.pop()
        if item is not None:
            tag = regex(_OWNED_ITEM).match(line)
            self._items.append((indent, f"{_MARK}{tag[2]}" if tag else ""))


def file_owner(text: str) -> str:
    """The owner that a Markdown file's frontmatter names, as a tag; "" for none and for a session."""
    if _MARK not in text:
        return ""
    keys = frontmatter.load_keys(text)
    if isinstance(keys, dict):
        owner = regex(_OWNER).match(named) if isinstance(named := keys.get("owner"), str) else None
    else:
        owner = regex(_OWNER_KEY).search(frontmatter.parse(text).meta)
    return owner[1] if owner else ""


def with_file_owner(text: str, owner: str) -> str:
    """The text of a file that is all of one owner's; `without_file_owner` undoes it."""
    key = f"---\nowner: {owner}\n"
    if text.startswith("---\n") and not text.startswith("---\n---\n") and frontmatter.parse(text).meta:
        return key + text.removeprefix("---\n")
    return f"{key}---\n{text}"


def without_file_owner(text: str) -> tuple[str, str]:
    """A file's owner where that is the first key of its frontmatter, else "", and the text without this."""
    match = regex(_FIRST_KEY).match(text)
    if match is None:
        return "", text
    rest = text[match.end() :]
    return match[1], rest.removeprefix("---\n") if rest.startswith("---\n") else f"---\n{rest}"


def line_owners(text: str, role: str) -> tuple[str, ...]:
    """The owner of each line of a Markdown text (see `LineOwners`); empty where no line has one."""
    if _MARK not in text:
        return ()
    owners = LineOwners(role, file_owner(text))
    found = tuple(owners.owner_of_next(line) for line in text.split("\n"))
    return found if any(found) else ()


def keeps_owners(role: str, merged: str, versions: Collection[str]) -> bool:
    """Whether each line of a merged Markdown text has the owner that it has in one of the versions.

    Lines that no version has, such as labels, do not count.
    """
    if not any(_MARK in text for text in versions):
        return True
    known: dict[str, set[str]] = {}
    for text in versions:
        for line, owner in _owned_lines(text, role):
            known.setdefault(line, set()).add(owner)
    return all(owner in known.get(line, {owner}) for line, owner in _owned_lines(merged, role))


def _owned_lines(text: str, role: str) -> Iterator[tuple[str, str]]:
    """The lines of a text that are not blank, without blanks around them, each with its owner."""
    lines = text.split("\n")
    for line, owner in zip(lines, line_owners(text, role) or ("",) * len(lines), strict=True):
        if said := line.removeprefix("\ufeff").strip():
            yield said, owner


def json_owner(content: bytes) -> str:
    """The owner of a JSON file, as a tag: its key `user`; of other files, any that they mention.

    A turn's file that contains turns of other users, after a merge, has the tags of all of them.
    """
    if b'"user"' not in content or (mention := re.search(_JSON_USER, content)) is None:
        return ""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        return _MARK + mention[1].decode("utf-8", "replace")
    if not isinstance(record, dict):
        return ""
    merged = record.get(CONCURRENT)
    turns = (
        [record, *(each for each in merged if isinstance(each, dict))]
        if isinstance(merged, list)
        else [record]
    )
    users = {user for turn in turns if isinstance(user := turn.get("user"), str) and user}
    return " ".join(sorted(f"{_MARK}{user}" for user in users))


def visible_lines(text: str, role: str, owners: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Each line of a Markdown text, and whether it is for these owners; every one where none is named."""
    of_lines = line_owners(text, role) if owners else ()
    lines = text.split("\n")
    if not of_lines:
        return ((line, True) for line in lines)
    return ((line, sees(owners, owner)) for line, owner in zip(lines, of_lines, strict=True))


def visible_content(content: bytes, path: str, role: str, owners: Collection[str]) -> bytes | None:
    """A file as these owners may see it: lines of others are empty, so that each line keeps its number.

    None where the whole file is another user's.
    """
    if not owners or b"user" not in content:
        return content
    text = content.decode("utf-8", "surrogateescape")
    if not sees(owners, file_owner(text)):
        return None
    if path.endswith(".jsonl"):
        return b"\n".join(b"" if is_others_record(line, owners) else line for line in content.split(b"\n"))
    if path.endswith(".json"):
        return content if sees(owners, json_owner(content)) else None
    shown = "\n".join(line if is_shown else "" for line, is_shown in visible_lines(text, role, owners))
    return shown.encode("utf-8", "surrogateescape")


def is_others_record(line: bytes, owners: Collection[str]) -> bool:
    """Whether a line of JSON Lines is of another user: by `owner`, or by `user`."""
    if b"user" not in line:
        return False
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        return not sees(owners, json_owner(line))
    named = record.get("owner")
    owner = named if isinstance(named, str) and named.startswith(_MARK) else json_owner(line)
    return not sees(owners, owner)
