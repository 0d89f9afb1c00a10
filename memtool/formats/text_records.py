"""Text records: the parts of a Markdown file that are kept or removed as a whole, as runs of its lines.

One reader for all formats: a log entry, a fact, a rule, a learning and a list item of prose are list items
with an optional time, category, owner and id; an exchange of a daily note or of a buffer is a block under its
heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.formats import compaction_section
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.owner_tag import TAG_PATTERN

_BLOCK = r"(?a)\ufeff?## \[\d"
_ITEM = r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t])"
_HEADING = r"\ufeff?(#{1,6})(?=[ \t])"
_FENCE = r" {0,3}(`{3,}|~{3,})"
_OPENING = (
    r"(?:\ufeff?#{1,6}[ \t]+|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)?"
    rf"(?:\[(?!user:|session:)[^\]\n]*\][ \t]+|\*\*\w+\*\*:[ \t]+)*(?:\[[^\]\n]*\][ \t]*)??{TAG_PATTERN}"
)
"""The beginning of a record's first line up to its owner tag: marker, time, category."""
_DAY = r"(?a)\[(\d{4}-\d\d-\d\d)[T \]]|^\ufeff?## Session Compaction (\d{4}-\d\d-\d\d)"
_ID = r"\^([A-Za-z0-9-]{1,64})[ \t\r]*$"


class TextRecord(Struct, frozen=True):
    """Lines `first` to `end` (from 0, `end` excluded) of a file; records may contain others.

    `text` is what the record itself says, `owner` the tag (`user:ann`), `day` its date as YYYY-MM-DD, each
    empty where it has none.
    """

    first: int
    end: int
    text: str
    owner: str = ""
    day: str = ""
    id: str = ""


def text_records(
    text: str,
    *,
    blocks: bool = False,
    single_lines: bool = False,
    is_structure: Callable[[str], bool] = lambda _: False,
) -> Iterator[TextRecord]:
    """The records of a file's body in order; blank lines, fences and structure belong to none.

    With `single_lines`, as in an extracted episode, each line is a record with the indented ones below it.
    With `blocks` a heading `## [TIME]` opens a record that reaches to the next one. A heading of level 2 and
    below is a record with its section, one of level 1 alone. A line for which `is_structure` is true, such as
    a heading that a layout's seed has, says nothing.
    """
    lines = text.split("\n")
    meta = frontmatter.split(text)[0].count("\n")
    number = meta
    while number < len(lines):
        end = _line_end(lines, number) if single_lines else _record_end(lines, number, blocks=blocks)
        line = lines[number].rstrip("\r")
        if not line.strip("\ufeff \t"):
            number += 1
            continue
        if regex(_FENCE).match(line):
            close = _fence_end(lines, number)
            yield from (
                _record(lines, inner, inner + 1) for inner in range(number + 1, close) if lines[inner].strip()
            )
            number = close + 1
            continue
        if blocks and regex(_BLOCK).match(line):
            yield _record(lines, number, end)
            number = end
            continue
        heading = regex(_HEADING).match(line)
        if heading:
            is_plain = is_structure(line) or line.startswith(compaction_section.HEADING)
            found = _record(lines, number, end)
            yield TextRecord(number, end, "" if is_plain else line, found.owner, found.day)
            number += 1
            continue
        if is_structure(line):
            number += 1
            continue
        own_end = end
        if single_lines or regex(_ITEM).match(line):
            nested = (at for at in range(number + 1, end) if regex(_ITEM).match(lines[at]))
            own_end = next(nested, end)
        found = _record(lines, number, own_end)
        yield TextRecord(number, end, found.text, found.owner, found.day, found.id)
        number = own_end


def without_lines(text: str, removed: set[int]) -> str:
    """The text without these lines (from 0); where two blank lines would meet, one goes.

    All other lines stay byte for byte.
    """
    lines = text.split("\n")
    kept: list[str] = []
    is_after_cut = False
    for number, line in enumerate(lines):
        if number in removed:
            is_after_cut = True
            continue
        is_last = number == len(lines) - 1
        if is_after_cut and not line.strip() and not is_last and (not kept or not kept[-1].strip()):
            continue
        is_after_cut = False
        kept.append(line)
    if removed and kept and len(lines) - 1 in removed:
        kept.append("")  # the last line had no newline; the one before it keeps its own
    return "\n".join(kept)


def says_nothing(text: str, is_structure: Callable[[str], bool]) -> bool:
    """Whether a file has nothing but frontmatter, titles and structure."""
    lines = frontmatter.split(text)[1].split("\n")
    return all(
        not line.strip("\ufeff \t\r")
        or line.lstrip("\ufeff").startswith("# ")
        or is_structure(line.rstrip("\r"))
        for line in lines
    )


def _record(lines: Sequence[str], first: int, end: int) -> TextRecord:
    end = _without_blank_end(lines, first, end)
    head = lines[first].rstrip("\r")
    tag = regex(_OPENING).match(head)
    day = regex(_DAY).search(head)
    name = regex(_ID).search(head)
    return TextRecord(
        first,
        end,
        "\n".join(lines[first:end]),
        f"{tag[1]}:{tag[2]}" if tag else "",
        (day[1] or day[2]) if day else "",
        name[1] if name else "",
    )


def _record_end(lines: Sequence[str], first: int, *, blocks: bool) -> int:
    """The end of the record that begins with a line, without the blank lines after it."""
    line = lines[first]
    if blocks and regex(_BLOCK).match(line):
        end = _next(lines, first + 1, _ends_block)
    elif heading := regex(_HEADING).match(line):
        level = len(heading[1])
        end = first + 1 if level == 1 else _section_end(lines, first, level, blocks=blocks)
    elif item := regex(_ITEM).match(line):
        end = _item_end(lines, first, len(item[0]) - len(item[0].lstrip()))
    elif line.lstrip().startswith("|"):
        end = first + 1
    else:
        end = _next(lines, first + 1, lambda at: not at.strip() or _starts_another(at))
    return _without_blank_end(lines, first, end)


def _line_end(lines: Sequence[str], first: int) -> int:
    """The end of a line with its indented continuation lines and nested items."""
    indent = len(lines[first]) - len(lines[first].lstrip(" \t"))
    unindented = _next(lines, first + 1, lambda line: line.strip() and not line[0].isspace())
    return _without_blank_end(lines, first, min(unindented, _item_end(lines, first, indent)))


def _without_blank_end(lines: Sequence[str], first: int, end: int) -> int:
    while end > first + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _next(lines: Sequence[str], start: int, stops: Callable[[str], object]) -> int:
    return next((number for number in range(start, len(lines)) if stops(lines[number])), len(lines))


def _ends_block(line: str) -> bool:
    return (
        line.startswith((compaction_section.HEADING, "<!-- from ")) or regex(_BLOCK).match(line) is not None
    )


def _starts_another(line: str) -> bool:
    return any(regex(pattern).match(line) for pattern in (_HEADING, _ITEM, _FENCE))


def _section_end(lines: Sequence[str], first: int, level: int, *, blocks: bool) -> int:
    number = first + 1
    while number < len(lines):
        if regex(_FENCE).match(lines[number]):
            number = _fence_end(lines, number)
        heading = regex(_HEADING).match(lines[number]) if number < len(lines) else None
        if (heading and len(heading[1]) <= level) or (heading and blocks and _ends_block(lines[number])):
            return number
        number += 1
    return len(lines)


def _item_end(lines: Sequence[str], first: int, indent: int) -> int:
    """The line after a list item, its nested items and its continuation lines."""
    number, after_blank = first + 1, False
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            after_blank = True
        else:
            depth = len(line) - len(line.lstrip(" \t"))
            if depth <= indent and (after_blank or _starts_another(line)):
                return number
            after_blank = False
        number += 1
    return len(lines)


def _fence_end(lines: Sequence[str], first: int) -> int:
    """The line that closes a fence; the end of the text where none does."""
    opening = re.match(_FENCE, lines[first])
    mark = opening[1] if opening else "```"
    closes = re.compile(rf" {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t\r]*$")
    return _next(lines, first + 1, closes.match)
