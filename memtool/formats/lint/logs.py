"""Checks of logs: invalid or duplicate entries of session states, daily notes, buffers and learnings."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.moment import is_iso, is_real
from memtool.core.lint.problem import Mark
from memtool.core.lint.sheet import Sheet
from memtool.core.lint.subject import Subject
from memtool.core.lint.word import unknown
from memtool.core.text.pattern import compiled
from memtool.formats import daily_note, session_state, working_buffer
from memtool.formats.syntax.outline import outline

_DATED = r"\ufeff?[-*+] \[(\d{4}-[^\]\n]{1,40})\]"
_NO_TIME = (
    r"(?am)^\ufeff?## \[(?!(?:[01]\d|2[0-3]|\d):[0-5]\d(?::[0-5]\d)?\])(\d{1,2}:\d\d(?::\d\d)?)\][^\n]*"
)
_OWNED = r"(?am)^\ufeff?## \[[012]\d:[0-5]\d(?::[0-5]\d)?\][ \t]*\[(?:user|session):[^\n]*"
_CLOCK = r"(?a)\d\d:\d\d(?::\d\d)?\]"
_TITLE = r"(?am)^\ufeff?# Daily Notes?[ \t]*(?:--|[—–:-])[ \t]*(\d{4}-\d\d-\d\d)[ \t\r]*$"
_BUFFERED = r"(?am)^\ufeff?## \[(\d{4}-\d\d-\d\d[ T][\d:]{4,8})\] (?:Human|Agent)"
_STARTED = r"(?am)^\*\*Started:\*\*[ \t]+(\S+)[ \t\r]*$"
_TAGGED = r"[ \t]*\[(?:user|session):"


def session(source: Sheet, target: Subject) -> Iterator[Mark]:
    """Check a session state: once a file has entries, every line that begins like one should be one."""
    state = session_state.parse(source.text)
    has_entries = session_state.header(state) is not None or any(line.entry for line in state.lines)
    seen: set[str] = set()
    for number, line in enumerate(state.lines, start=1):
        at = source.start(number)
        if line.entry is None:
            if (
                (dated := compiled(rf"(?a){_DATED}").match(line.raw))
                and is_iso(dated[1])
                and not is_real(dated[1])
            ):
                yield Mark(at + dated.start(1), "M206", f"{dated[1]} is a time that there is not")
            elif dated and has_entries and not _is_hidden(source, number):
                yield Mark(
                    at, "M205", f"it begins like an entry and is none: {_why(line.raw[dated.end() :])}"
                )
            continue
        category = line.entry.category
        if message := unknown(category, target.words.log):
            yield Mark(at + line.raw.index(f"**{category}**") + 2, "M209", message)
        entry = line.raw.strip("\ufeff\r ")
        if entry in seen:
            yield Mark(at, "M213", "the same entry, of the same second, stands above")
        seen.add(entry)


def _why(rest: str) -> str:
    if compiled(_TAGGED).match(rest) and not compiled(r" \[(?:user|session):[^\]\s]{1,128}\] ").match(rest):
        return "its owner is none"
    if "**" not in rest:
        return "behind the time, a **category**: is missing"
    return "it is not `- [TIME] **category**: words`"


def _is_hidden(source: Sheet, line: int) -> bool:
    return any(first <= line <= last for first, last in outline(source.text).code)


def daily(source: Sheet, target: Subject) -> Iterator[Mark]:
    """Check a daily note: its title, the times of its blocks, and duplicate blocks."""
    text = source.text
    if "aily Note" in text and (title := compiled(_TITLE).search(text)):
        if not is_real(title[1]):
            yield Mark(title.start(1), "M206", f"{title[1]} is a day that there is not")
        elif target.is_named_by_day and target.day is not None and title[1] != target.day.isoformat():
            yield Mark(title.start(1), "M208", f"the title says {title[1]}, and the file {target.day}")
    if "## [" not in text:
        return
    for match in compiled(_NO_TIME).finditer(text):
        yield Mark(match.start(1), "M206", f"{match[1]} is a time that there is not")
    for match in compiled(_OWNED).finditer(text):
        if daily_note.parse(match[0]).blocks[0].exchange is None:
            yield Mark(match.start(), "M205", "it begins like a block and is none: its owner is none")
    blocks = [block.strip() for block in text.split("\n## [")[1:]]
    if len(set(blocks)) != len(blocks):
        yield from _twice(text, blocks)


def _twice(text: str, blocks: list[str]) -> Iterator[Mark]:
    at, seen = 0, set()
    for block in blocks:
        at = text.index("\n## [", at) + 1
        if block in seen and compiled(_CLOCK).match(block) and "\n" in block:
            yield Mark(at, "M213", "the same block stands above")
        seen.add(block)


def buffer(source: Sheet, _: Subject) -> Iterator[Mark]:
    """Check a working buffer: the times of its blocks, and duplicate blocks."""
    for pattern in (_BUFFERED, _STARTED):
        for match in compiled(pattern).finditer(source.text):
            if is_iso(match[1]) and not is_real(match[1]):
                yield Mark(match.start(1), "M206", f"{match[1]} is a time that there is not")
    blocks = working_buffer.parse(source.text).blocks
    seen: set[str] = set()
    line = len(working_buffer.parse(source.text).head) + 1
    for block in blocks:
        block_text = "\n".join(block.lines).strip()
        if block.entry and block_text in seen:
            yield Mark(source.start(line), "M213", "the same block stands above")
        seen.add(block_text)
        line += len(block.lines)


def learnings(source: Sheet, _: Subject) -> Iterator[Mark]:
    """Check learnings: the times of their entries."""
    for match in compiled(rf"(?am)^{_DATED}").finditer(source.text):
        if is_iso(match[1]) and not is_real(match[1]):
            yield Mark(match.start(1), "M206", f"{match[1]} is a time that there is not")
