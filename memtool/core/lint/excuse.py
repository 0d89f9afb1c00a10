"""Excuses: comments in a file by which a person says that a problem is none.

`<!-- memtool: ignore M501 -->` on a line excuses that line, and alone on a line the next one, too; in
frontmatter, code and TOML it may be `# memtool: ignore M501`. `ignore-file` excuses the whole file. Without
codes it means all of them; what stands behind the codes is the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from memtool.core.lint.codes import UNEXCUSED
from memtool.core.lint.problem import Problem
from memtool.core.lint.sheet import Sheet
from memtool.core.text.pattern import compiled

_COMMENT = (
    r"<!--[ \t]*memtool:[ \t]*ignore(?P<file>-file)?\b(?P<codes>(?:[ \t,]+M\d{0,3}\b)*)[^\n]{0,1000}?-->"
    r"|#[ \t]*memtool:[ \t]*ignore(?P<file_>-file)?\b(?P<codes_>(?:[ \t,]+M\d{0,3}\b)*)[^\n]*"
)


class Excuses(Struct, frozen=True):
    """For each line the beginnings of the codes that are excused there, and those of the whole file."""

    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    file: tuple[str, ...] = ()

    def cover(self, problem: Problem) -> bool:
        """Whether a problem of the file is excused."""
        if problem.code in UNEXCUSED:
            return False
        held = (*self.lines.get(problem.line, ()), *self.file)
        return any(problem.code.startswith(one) for one in held)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.lines or self.file)


def excuses(sheet: Sheet) -> Excuses:
    """The excuses of a text."""
    if "memtool:" not in sheet.text:
        return Excuses()
    lines: dict[int, dict[str, None]] = {}
    file: dict[str, None] = {}
    for line, alone, of_file, codes in _comments(sheet):
        if of_file:
            file |= codes
            continue
        for number in (line, line + 1) if alone else (line,):
            lines.setdefault(number, {}).update(codes)
    return Excuses({number: tuple(codes) for number, codes in lines.items()}, tuple(file))


def _comments(sheet: Sheet) -> Iterator[tuple[int, bool, bool, dict[str, None]]]:
    last = 0
    for found in compiled(_COMMENT).finditer(sheet.text):
        line = sheet.place(found.start())[0]
        alone = line != last and _is_alone(sheet, line, found.start(), found.end())
        last = line
        codes = (found["codes"] or found["codes_"] or "").replace(",", " ").split()
        yield line, alone, bool(found["file"] or found["file_"]), dict.fromkeys(codes or ("M",))


def _is_alone(sheet: Sheet, line: int, start: int, end: int) -> bool:
    """Whether nothing else stands on a line but the signs of quotes before it."""
    before, behind = sheet.text[sheet.start(line) : start], sheet.text[end : sheet.end(line)]
    return not before.strip("\ufeff> \t") and not behind.strip()
