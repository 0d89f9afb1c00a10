"""Chunks: a Markdown text split along its structure into spans small enough to be a hit.

Headings, paragraphs, list items, fenced code and tables stay whole if they fit. The text under one heading is
one chunk if it fits and has no list; every top-level list item is a chunk of its own (with what is nested in
it), because in memory files an item is one memory. The exception is a block under a time, as in daily notes
(`## [10:30:00]`): an exchange stays together. The frontmatter is a chunk like any other, so that its title,
description and tags are found at their own lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.records.document import Chunk

CHUNK_LIMIT = 800
"""The most characters of a chunk, by default."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_TIMED = re.compile(r" {0,3}#{1,6}[ \t]+\[[\d :.TZ+-]+\]")
_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")  # `---` under a line is nearly always a rule
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_HIDDEN = re.compile(r" {1,3}#| {0,3}=+[ \t]*$")  # what makes a heading of a line but a `#` at its beginning
_SIGNS = frozenset("#`~-*+0123456789")  # first characters of lines that may be structure
_BEGINNINGS = _SIGNS | {" ", "="}
_ALONE = frozenset({"item", "front"})
"""Kinds of blocks that are chunks of their own, if not under a time."""
_SENTENCE_ENDS = (". ", "! ", "? ", "。", "！", "？")


class _Block(Struct, gc=False):
    """Lines `first` to `last` (counted from 0, both included) that belong together."""

    kind: str
    first: int
    last: int
    level: int = 0
    title: str = ""


def split_chunks(
    text: str, limit: int = CHUNK_LIMIT, owners: Sequence[str] = (), frontmatter: int = 0
) -> tuple[Chunk, ...]:
    """The chunks of a text in order; every line that is not blank is in one.

    No chunk is longer than `limit` characters. Lines end at LF only and are counted from 1; a CR before the
    LF is not part of a chunk's text. A line longer than `limit` is split at sentences, else at words, else
    anywhere; all pieces have its line number. Time is linear in the length of the text.

    `owners` are the owners of all lines; empty where they are everybody's. No chunk holds lines of two, nor a
    heading of another owner in its trail. `frontmatter` is how many lines the frontmatter has.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    lines = text.split("\n")
    has_fence = ("`" in text and "```" in text) or ("~" in text and "~~~" in text)
    sections = _sections if has_fence else _plain_sections
    result: list[Chunk] = []
    trail: list[tuple[int, str, str]] = []
    for section in sections(lines, frontmatter):
        head = section[0]
        if head.level:
            while trail and trail[-1][0] >= head.level:
                trail.pop()
            trail.append((head.level, head.title, owners[head.first] if owners else ""))
        if not owners and (whole := _whole(lines, section, limit)):
            titles = tuple([title for _, title, _ in trail])
            result.append(Chunk(head.first + 1, section[-1].last + 1, titles, whole))
            continue
        blocks = section
        if head.kind == "section":
            blocks = [*_blocks(lines, head.first, head.last + 1)]
        for begin, end in _spans(lines, blocks, limit):
            for first, last, owner in _spans_of_owners(begin, end, owners) if owners else ((begin, end, ""),):
                titles = tuple([title for _, title, of in trail if of in {"", owner}])
                result.extend(_split(lines, first, last, titles, limit, owner))
    return tuple(result)


def _spans_of_owners(first: int, last: int, owners: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The parts of a span of lines that have one owner each, with the owner."""
    start = first
    for i in range(first + 1, last + 1):
        if owners[i] != owners[start]:
            yield start, i - 1, owners[start]
            start = i
    yield start, last, owners[start]


def _plain_sections(lines: list[str], frontmatter: int) -> Iterator[list[_Block]]:
    """What `_sections` gives of a text without fences; a section without list items is one block, mostly."""
    marked = [i for i, line in enumerate(lines) if line[:1] in _BEGINNINGS and i >= frontmatter]
    if any(map(_HIDDEN.match, [lines[i] for i in marked if lines[i][0] in " ="])):
        yield from _sections(lines, frontmatter)
        return
    has_items = any(map(_ITEM.match, [lines[i] for i in marked if lines[i][0] != "#"]))
    first, heading = frontmatter, None
    section = [_Block("front", 0, frontmatter - 1)] if frontmatter else []
    for stop in (*[i for i in marked if lines[i][0] == "#"], len(lines)):
        following = _HEADING.match(lines[stop]) if stop < len(lines) else None
        if following is None and stop < len(lines):
            continue
        last = stop - 1
        while last >= first and (not lines[last] or lines[last].isspace()):
            last -= 1
        if heading is not None and (not has_items or _TIMED.match(lines[first])):
            yield [_Block("section", first, last, len(heading[1]), _title(heading[2] or ""))]
        elif section := [*section, *_blocks(lines, first, last + 1)]:
            yield section
        first, heading, section = stop, following, []


def _sections(lines: list[str], frontmatter: int) -> Iterator[list[_Block]]:
    """The blocks of each section, its heading first."""
    section = [_Block("front", 0, frontmatter - 1)] if frontmatter else []
    for block in _blocks(lines, frontmatter, len(lines)):
        if section and block.kind == "heading":
            yield section
            section = []
        section.append(block)
    if section:
        yield section


def _whole(lines: list[str], section: list[_Block], limit: int) -> str:
    """The text of a section that is one chunk, as most are; empty where that takes a closer look."""
    first, last = section[0].first, section[-1].last
    text = "\n".join(lines[first : last + 1]) if last > first else lines[first]
    if len(text) > limit or lines[last].isspace() or not lines[last]:
        return ""
    if len(section) > 1 and not _ALONE.isdisjoint([block.kind for block in section]):
        return text if _is_timed(lines, section) else ""
    return text


def _is_timed(lines: list[str], section: list[_Block]) -> bool:
    return section[0].kind == "heading" and _TIMED.match(lines[section[0].first]) is not None


def _spans(lines: list[str], section: list[_Block], limit: int) -> Iterator[tuple[int, int]]:
    """The section's blocks, joined where they fit into the limit and none needs a chunk of its own."""
    timed = _is_timed(lines, section)
    first = last = -1
    size = 0
    joins = False
    for block in section:
        extent = len(lines[block.first]) + 1
        if block.last > block.first:
            extent = sum(map(len, lines[block.first : block.last + 1])) + block.last + 1 - block.first
        alone = block.kind in _ALONE and not timed
        if first >= 0 and joins and not alone and size + (block.first - last - 1) + extent <= limit + 1:
            size += block.first - last - 1 + extent
            last = block.last
            continue
        if first >= 0:
            yield first, last
        first, last, size, joins = block.first, block.last, extent, not alone
    if first >= 0:
        yield first, last


def _split(
    lines: list[str], first: int, last: int, trail: tuple[str, ...], limit: int, owner: str
) -> Iterator[Chunk]:
    """Lines `first` to `last` as chunks within the limit: whole lines, or pieces of long lines."""
    if first == last and len(lines[first]) <= limit:
        if lines[first].strip():
            yield Chunk(first + 1, last + 1, trail, lines[first], owner)
        return
    if sum(map(len, lines[first : last + 1])) + last - first <= limit:
        yield from _chunk(lines, first, last, trail, owner)
        return
    start, size = first, 0
    for i in range(first, last + 1):
        if size and size + 1 + len(lines[i]) > limit:
            yield from _chunk(lines, start, i - 1, trail, owner)
            start, size = i, 0
        if len(lines[i]) > limit:
            for piece in _pieces(lines[i], limit):
                yield Chunk(i + 1, i + 1, trail, piece, owner)
            start, size = i + 1, 0
        else:
            size += len(lines[i]) + (i > start)
    if start <= last:
        yield from _chunk(lines, start, last, trail, owner)


def _chunk(lines: list[str], first: int, last: int, trail: tuple[str, ...], owner: str) -> Iterator[Chunk]:
    while first <= last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    if first <= last:
        yield Chunk(first + 1, last + 1, trail, "\n".join(lines[first : last + 1]), owner)


def _pieces(line: str, limit: int) -> Iterator[str]:
    start = 0
    while len(line) - start > limit:
        end = _split_offset(line, start, start + limit)
        if piece := line[start:end].strip():
            yield piece
        start = end
    if piece := line[start:].strip():
        yield piece


def _split_offset(line: str, start: int, end: int) -> int:
    """The best offset to split before `end`: after a sentence or a space in the second half, else `end`."""
    half = (start + end) // 2
    sentence = max(line.rfind(mark, half, end) + len(mark) for mark in _SENTENCE_ENDS)
    if sentence > half:
        return sentence
    space = max(line.rfind(" ", half, end), line.rfind("\t", half, end))
    return space + 1 if space >= half else end


def _blocks(lines: list[str], i: int, stop: int) -> Iterator[_Block]:
    """The blocks from line `i` on, before `stop`. Every line that is not blank is in exactly one."""
    while i < stop:
        line = lines[i]
        if not line or line.isspace():
            i += 1
        elif "#" in line[:4] and (heading := _HEADING.match(line)):
            yield _Block("heading", i, i, len(heading[1]), _title(heading[2] or ""))
            i += 1
        elif i + 1 < len(lines) and "=" in lines[i + 1][:4] and _is_underlined(lines, i):
            yield _Block("heading", i, i + 1, 1, line.strip())
            i += 2
        else:
            kind, end = _block_end(lines, i)
            yield _Block(kind, i, end - 1)
            i = end


def _block_end(lines: list[str], i: int) -> tuple[str, int]:
    """The kind of the block that starts at line `i`, and the line after it."""
    line = lines[i]
    if not line[0].isalpha():
        if fence := _FENCE.match(line):
            return "code", _after_fence(lines, i, fence[1])
        if _ITEM.match(line) and not _RULE.match(line):
            return "item", _after_item(lines, i)
        if line.lstrip().startswith("|"):
            while i < len(lines) and lines[i].lstrip().startswith("|"):
                i += 1
            return "table", i
    i += 1
    while i < len(lines) and not _starts_block(lines, i):
        i += 1
    return "paragraph", i


def _starts_block(lines: list[str], i: int) -> bool:
    line = lines[i]
    if line[:1].isalpha():
        return False
    sign = line.lstrip()[:1]
    return sign in {"", "|"} or (
        sign in _SIGNS and any(pattern.match(line) for pattern in (_HEADING, _FENCE, _ITEM))
    )


def _after_item(lines: list[str], i: int) -> int:
    """The line after an item: it continues on deeper lines, and on lazy ones without a blank line before."""
    depth = _indent(lines[i])
    i += 1
    end = i
    while i < len(lines):
        line = lines[i]
        if not line or line.isspace():
            i += 1
            continue
        if _indent(line) > depth:
            fence = _FENCE.match(line)
            i = _after_fence(lines, i, fence[1]) if fence else i + 1
        elif i == end and not _starts_block(lines, i) and not _RULE.match(line):
            i += 1
        else:
            break
        end = i
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _after_fence(lines: list[str], i: int, fence: str) -> int:
    for j in range(i + 1, len(lines)):
        mark = lines[j].strip()
        if len(mark) >= len(fence) and not mark.strip(fence[0]):
            return j + 1
    return len(lines)


def _is_underlined(lines: list[str], i: int) -> bool:
    return (
        _UNDERLINE.match(lines[i + 1]) is not None
        and not any(pattern.match(lines[i]) for pattern in (_ITEM, _FENCE, _RULE))
        and not lines[i].lstrip().startswith(("|", ">"))
    )


def _title(text: str) -> str:
    bare = text.strip()
    return bare.rstrip("#").rstrip() if bare.endswith("#") and " #" in f" {bare}" else bare
