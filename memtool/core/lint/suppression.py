"""Suppressions: comments in a file that turn off lint problems.

`<!-- memtool: ignore M501 -->` on a line suppresses problems on that line, and if it is alone on its line
also on the next; in frontmatter, code and TOML it may be `# memtool: ignore M501`. `ignore-file` applies to
the whole file. Without codes a comment applies to all codes; the text after the codes is the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from memtool.core.lint.codes.all_codes import UNSUPPRESSIBLE
from memtool.core.lint.lint_target import SourceText
from memtool.core.lint.problem import Problem
from memtool.core.text.regex import regex

_COMMENT = (
    r"<!--[ \t]*memtool:[ \t]*ignore(?P<file>-file)?\b(?P<codes>(?:[ \t,]+M\d{0,3}\b)*)[^\n]{0,1000}?-->"
    r"|#[ \t]*memtool:[ \t]*ignore(?P<file_>-file)?\b(?P<codes_>(?:[ \t,]+M\d{0,3}\b)*)[^\n]*"
)


class Suppressions(Struct, frozen=True):
    """The prefixes of the codes that are suppressed, by line and for the whole file."""

    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    file: tuple[str, ...] = ()

    def covers(self, problem: Problem) -> bool:
        """Whether a problem of the file is suppressed."""
        if problem.code in UNSUPPRESSIBLE:
            return False
        prefixes = (*self.lines.get(problem.line, ()), *self.file)
        return any(problem.code.startswith(prefix) for prefix in prefixes)

    def __bool__(self) -> bool:
        """Whether the file has any suppression."""
        return bool(self.lines or self.file)


def parse_suppressions(source: SourceText) -> Suppressions:
    """The suppressions in a text."""
    if "memtool:" not in source.text:
        return Suppressions()
    lines: dict[int, dict[str, None]] = {}
    file: dict[str, None] = {}
    for line, is_alone, is_for_file, codes in _comments(source):
        if is_for_file:
            file |= codes
            continue
        for number in (line, line + 1) if is_alone else (line,):
            lines.setdefault(number, {}).update(codes)
    return Suppressions({number: tuple(codes) for number, codes in lines.items()}, tuple(file))


def _comments(source: SourceText) -> Iterator[tuple[int, bool, bool, dict[str, None]]]:
    last_line = 0
    for match in regex(_COMMENT).finditer(source.text):
        line = source.position(match.start())[0]
        is_alone = line != last_line and _is_alone(source, line, match.start(), match.end())
        last_line = line
        codes = (match["codes"] or match["codes_"] or "").replace(",", " ").split()
        yield line, is_alone, bool(match["file"] or match["file_"]), dict.fromkeys(codes or ("M",))


def _is_alone(source: SourceText, line: int, start: int, end: int) -> bool:
    """Whether a comment is alone on its line, apart from quote markers before it."""
    before, after = source.text[source.line_start(line) : start], source.text[end : source.line_end(line)]
    return not before.strip("\ufeff> \t") and not after.strip()
