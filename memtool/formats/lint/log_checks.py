"""Checks of logs: invalid or duplicate entries of session states, daily notes, buffers and learnings."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.lint_target import LintTarget, SourceText, unknown_category_message
from memtool.core.lint.problem import TextProblem
from memtool.core.lint.timestamps import has_iso_form, is_valid_iso
from memtool.core.text.regex import regex
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


def check_session_state(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """Check a session state: once a file has entries, every line that begins like one should be one."""
    state = session_state.parse(source.text)
    has_entries = session_state.header(state) is not None or any(line.entry for line in state.lines)
    seen: set[str] = set()
    for number, line in enumerate(state.lines, start=1):
        at = source.line_start(number)
        if line.entry is None:
            if (
                (dated := regex(rf"(?a){_DATED}").match(line.raw))
                and has_iso_form(dated[1])
                and not is_valid_iso(dated[1])
            ):
                yield TextProblem(at + dated.start(1), "M206", f"invalid date or time: {dated[1]}")
            elif dated and has_entries and not _is_in_code(source, number):
                yield TextProblem(
                    at,
                    "M205",
                    f"malformed entry: {_entry_reason(line.raw[dated.end() :])}",
                )
            continue
        category = line.entry.category
        if message := unknown_category_message(category, target.categories.log):
            yield TextProblem(at + line.raw.index(f"**{category}**") + 2, "M209", message)
        entry = line.raw.strip("\ufeff\r ")
        if entry in seen:
            yield TextProblem(at, "M213", "duplicate of an earlier entry with the same time")
        seen.add(entry)


def _entry_reason(rest: str) -> str:
    if regex(_TAGGED).match(rest) and not regex(r" \[(?:user|session):[^\]\s]{1,128}\] ").match(rest):
        return "invalid owner"
    if "**" not in rest:
        return "no `**category**:` after the time"
    return "expected `- [TIME] **category**: text`"


def _is_in_code(source: SourceText, line: int) -> bool:
    return any(first <= line <= last for first, last in outline(source.text).code_spans)


def check_daily_note(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """Check a daily note: its title, the times of its blocks, and duplicate blocks."""
    text = source.text
    if "aily Note" in text and (title := regex(_TITLE).search(text)):
        if not is_valid_iso(title[1]):
            yield TextProblem(title.start(1), "M206", f"invalid date: {title[1]}")
        elif target.is_named_by_day and target.day is not None and title[1] != target.day.isoformat():
            message = f"date {title[1]} in the title but {target.day} in the file name"
            yield TextProblem(title.start(1), "M208", message)
    if "## [" not in text:
        return
    for match in regex(_NO_TIME).finditer(text):
        yield TextProblem(match.start(1), "M206", f"invalid time: {match[1]}")
    for match in regex(_OWNED).finditer(text):
        if daily_note.parse(match[0]).blocks[0].exchange is None:
            yield TextProblem(match.start(), "M205", "malformed block: invalid owner")
    blocks = [block.strip() for block in text.split("\n## [")[1:]]
    if len(set(blocks)) != len(blocks):
        yield from _duplicate_blocks(text, blocks)


def _duplicate_blocks(text: str, blocks: list[str]) -> Iterator[TextProblem]:
    at, seen = 0, set()
    for block in blocks:
        at = text.index("\n## [", at) + 1
        if block in seen and regex(_CLOCK).match(block) and "\n" in block:
            yield TextProblem(at, "M213", "duplicate of an earlier block")
        seen.add(block)


def check_working_buffer(source: SourceText, _: LintTarget) -> Iterator[TextProblem]:
    """Check a working buffer: the times of its blocks, and duplicate blocks."""
    for pattern in (_BUFFERED, _STARTED):
        for match in regex(pattern).finditer(source.text):
            if has_iso_form(match[1]) and not is_valid_iso(match[1]):
                yield TextProblem(match.start(1), "M206", f"invalid time: {match[1]}")
    blocks = working_buffer.parse(source.text).blocks
    seen: set[str] = set()
    line = len(working_buffer.parse(source.text).head) + 1
    for block in blocks:
        block_text = "\n".join(block.lines).strip()
        if block.entry and block_text in seen:
            yield TextProblem(source.line_start(line), "M213", "duplicate of an earlier block")
        seen.add(block_text)
        line += len(block.lines)


def check_learnings(source: SourceText, _: LintTarget) -> Iterator[TextProblem]:
    """Check learnings: the times of their entries."""
    for match in regex(rf"(?am)^{_DATED}").finditer(source.text):
        if has_iso_form(match[1]) and not is_valid_iso(match[1]):
            yield TextProblem(match.start(1), "M206", f"invalid time: {match[1]}")
