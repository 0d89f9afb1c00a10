"""Logs: entries of session states, daily notes, buffers and learnings that do not read as what they are."""

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


def session(sheet: Sheet, subject: Subject) -> Iterator[Mark]:
    """The write-ahead log: in a file that has entries, what begins like one is meant as one."""
    state = session_state.parse(sheet.text)
    speaks = session_state.header(state) is not None or any(line.entry for line in state.lines)
    seen: set[str] = set()
    for number, line in enumerate(state.lines, start=1):
        at = sheet.start(number)
        if line.entry is None:
            if (
                (dated := compiled(rf"(?a){_DATED}").match(line.raw))
                and is_iso(dated[1])
                and not is_real(dated[1])
            ):
                yield Mark(at + dated.start(1), "M206", f"{dated[1]} is a time that there is not")
            elif dated and speaks and not _is_hidden(sheet, number):
                yield Mark(
                    at, "M205", f"it begins like an entry and is none: {_why(line.raw[dated.end() :])}"
                )
            continue
        category = line.entry.category
        if said := unknown(category, subject.words.log):
            yield Mark(at + line.raw.index(f"**{category}**") + 2, "M209", said)
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


def _is_hidden(sheet: Sheet, line: int) -> bool:
    return any(first <= line <= last for first, last in outline(sheet.text).code)


def daily(sheet: Sheet, subject: Subject) -> Iterator[Mark]:
    """A daily note: its title, the times of its blocks, and blocks that stand there twice."""
    text = sheet.text
    if "aily Note" in text and (title := compiled(_TITLE).search(text)):
        if not is_real(title[1]):
            yield Mark(title.start(1), "M206", f"{title[1]} is a day that there is not")
        elif subject.is_named_by_day and subject.day is not None and title[1] != subject.day.isoformat():
            yield Mark(title.start(1), "M208", f"the title says {title[1]}, and the file {subject.day}")
    if "## [" not in text:
        return
    for found in compiled(_NO_TIME).finditer(text):
        yield Mark(found.start(1), "M206", f"{found[1]} is a time that there is not")
    for found in compiled(_OWNED).finditer(text):
        if daily_note.parse(found[0]).blocks[0].exchange is None:
            yield Mark(found.start(), "M205", "it begins like a block and is none: its owner is none")
    blocks = [one.strip() for one in text.split("\n## [")[1:]]
    if len(set(blocks)) != len(blocks):
        yield from _twice(text, blocks)


def _twice(text: str, blocks: list[str]) -> Iterator[Mark]:
    at, seen = 0, set()
    for block in blocks:
        at = text.index("\n## [", at) + 1
        if block in seen and compiled(_CLOCK).match(block) and "\n" in block:
            yield Mark(at, "M213", "the same block stands above")
        seen.add(block)


def buffer(sheet: Sheet, _: Subject) -> Iterator[Mark]:
    """A working buffer: the times of its blocks."""
    for pattern in (_BUFFERED, _STARTED):
        for found in compiled(pattern).finditer(sheet.text):
            if is_iso(found[1]) and not is_real(found[1]):
                yield Mark(found.start(1), "M206", f"{found[1]} is a time that there is not")
    blocks = working_buffer.parse(sheet.text).blocks
    seen: set[str] = set()
    line = len(working_buffer.parse(sheet.text).head) + 1
    for block in blocks:
        said = "\n".join(block.lines).strip()
        if block.entry and said in seen:
            yield Mark(sheet.start(line), "M213", "the same block stands above")
        seen.add(said)
        line += len(block.lines)


def learnings(sheet: Sheet, _: Subject) -> Iterator[Mark]:
    """Learnings: the times of their entries, by which the newest are told."""
    for found in compiled(rf"(?am)^{_DATED}").finditer(sheet.text):
        if is_iso(found[1]) and not is_real(found[1]):
            yield Mark(found.start(1), "M206", f"{found[1]} is a time that there is not")
