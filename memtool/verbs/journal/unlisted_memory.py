"""What is stored besides the lines that `trace --all` lists, counted by kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.context.filled import filled_text
from memtool.core.records.scope import Scope
from memtool.core.text.regex import regex
from memtool.formats import long_term, semantic, session_state
from memtool.formats.syntax import frontmatter
from memtool.layouts.layout import Layout, LocatedFile
from memtool.layouts.seeds import unfilled_text
from memtool.verbs.history.turn_counts import count_turns
from memtool.verbs.indexing.indexes import SearchIndexes

_ABOUT_USER = "user"
"""The name of the core file that is about the user, in any case."""
_NEW_TEXT = r"\s*(?:[-*+>|]\s|\||\d{1,9}[.)]\s|`{3}|~{3}|\*\*|[^\W\d_][\w /-]{0,30}:\s)"
"""The beginning of a line that does not continue the one above: list items, tables, `City: Bonn`."""
_HARD_BREAKS = ("  ", "\\")
"""The ends of a line after which the next one of its paragraph is a text of its own."""


class UnlistedCount(Struct, frozen=True):
    """How much of one kind `trace_all` does not list: `noun` is its singular.

    `paths` are the files that contain it, where they are few; otherwise `command` finds or prints it, if one
    does.
    """

    noun: str
    count: int
    command: str = ""
    paths: tuple[str, ...] = ()


class TracedFile(Struct, frozen=True):
    """A file whose lines are traced, and its place in the layout."""

    path: str
    located: LocatedFile
    text: str


def count_unlisted(
    layout: Layout, files: Sequence[TracedFile], indexes: SearchIndexes, scope: Scope
) -> tuple[UnlistedCount, ...]:
    """What is stored besides what `trace_all` lists, without kinds of which there is nothing."""

    def entries(role: str) -> int:
        texts = (file.text for file in files if file.located.role == role)
        return sum(len(session_state.entries(session_state.parse(text))) for text in texts)

    def count_files(role: str) -> int:
        return sum(file.located.role == role for file in files)

    turns = sum(count.files for count in count_turns(indexes.turns, UTC, [], None, scope).values())
    superseded = sum(
        record.superseded is not None
        for file in files
        if file.located.role == "semantic"
        for record in semantic.records(semantic.parse(file.text))
    )
    old_items = {
        file.path: sum(map(long_term.is_superseded, long_term.items(long_term.parse(file.text))))
        for file in files
        if file.located.role == "long-term"
    }
    counts = (
        _count_lines("core-memory line", "core", layout, files),
        _count_lines("working-memory line", "working-memory", layout, files),
        _count_lines("other long-term line", "long-term", layout, files),
        UnlistedCount("note", count_files("note"), "memtool search --role note WORD"),
        UnlistedCount("memory-tool file", count_files("memories"), "memtool memories view /memories"),
        UnlistedCount("session-state line", entries("session-state")),
        UnlistedCount("archived session-state line", entries("session-state-archive")),
        UnlistedCount("turn", turns, "memtool replay"),
        UnlistedCount("daily note", count_files("daily-note")),
        UnlistedCount("episode", count_files("episode"), "memtool episodes"),
        UnlistedCount("superseded fact", superseded, "memtool facts --all"),
        UnlistedCount(
            "superseded long-term line",
            sum(old_items.values()),
            paths=tuple(path for path, count in old_items.items() if count),
        ),
    )
    return tuple(count for count in counts if count.count)


def lines_about_user(layout: Layout, file: TracedFile) -> dict[int, str]:
    """What a core file about the user says, such as USER.md, by the number of its first line; else empty.

    The lines of a paragraph are one text. Headings and the lines that a new file has
    are left out.
    """
    if file.located.role != "core" or PurePosixPath(file.path).stem.lower() != _ABOUT_USER:
        return {}
    own, first = {*_own_lines(layout, file)}, frontmatter.split(file.text)[2]
    texts: dict[int, str] = {}
    start, before = 0, ""
    for number, row in enumerate(file.text.splitlines(), 1):
        if number < first or row not in own or row.lstrip().startswith("#"):
            before = ""
            continue
        if before and not regex(_NEW_TEXT).match(row) and not before.endswith(_HARD_BREAKS):
            texts[start] += f" {row.strip()}"
        else:
            start, texts[number] = number, row.strip()
        before = row
    return texts


def _count_lines(noun: str, role: str, layout: Layout, files: Sequence[TracedFile]) -> UnlistedCount:
    """The lines of a role's files that `trace_all` does not list.

    Headings, list items of long-term memory and the lines that a new file has do not count.
    """
    counts: dict[str, int] = {}
    for file in files:
        if file.located.role == role and not lines_about_user(layout, file):
            items = long_term.items(long_term.parse(file.text)) if role == "long-term" else ()
            rows = file.text.split("\n")
            listed = {rows[item.line - 1].rstrip("\r") for item in items}
            own = (line for line in _own_lines(layout, file) if not line.lstrip().startswith("#"))
            counts[file.path] = sum(line not in listed for line in own)
    return UnlistedCount(noun, sum(counts.values()), paths=tuple(path for path in counts if counts[path]))


def _own_lines(layout: Layout, file: TracedFile) -> list[str]:
    """The lines of a file, without frontmatter and blank ones, that a new file of its path does not have."""
    body = frontmatter.parse(file.text).body
    seed = unfilled_text(layout, PurePosixPath(file.path), file.located.role)
    return [line for line in filled_text(body, seed).splitlines() if line.strip()]
