"""Three-way merge of Markdown whose blocks are records: sections by heading, and the blocks of each section.

A block is a list item, a table row, a paragraph or fenced code, with the indented lines after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.text.record_merge import (
    MergeRecord,
    deleted_ids,
    greater_record,
    merge_records,
    merge_value,
)
from memtool.core.text.regex import regex
from memtool.formats.syntax import frontmatter, text_lines
from memtool.formats.syntax.frontmatter_merge import merge_frontmatter

_HEADING = r"(#{1,6})(?:[ \t]|$)"
_ITEM = r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)"
_FENCE = r"([ \t]*(?:[-*+][ \t]+)?)(`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})"

_SEPARATOR = "<!-- -->"
"""The line before a block that begins with an indented line, which would belong to the block before it."""
_SEPARATED = r"\A<!-- -->[ \t]*\n(?:[ \t]*\n)*(?=[ \t])"

Place = tuple[tuple[int, str], ...]
"""The headings above a record, each with its level."""
DescribeBlock = Callable[[str], MergeRecord]
"""Makes a record of a block's text, which has LF and no trailing blank lines."""


class BlockKind(Enum):
    """What a block is, as its first line says."""

    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    PARAGRAPH = "paragraph"
    CODE = "code"


class TextFrame(Struct, frozen=True):
    """A text's byte order mark, and its line end."""

    mark: str
    newline: str


class TreeSection(Struct, frozen=True):
    """A heading with its own blocks and the sections of deeper levels up to the next heading of its level.

    `blank` is the number of blank lines before the heading, -1 if that is memtool's to decide. The section of
    level 0 is the whole text; its heading is empty.
    """

    heading: str
    level: int
    blank: int
    blocks: tuple[MergeRecord, ...] = ()
    sections: tuple[TreeSection, ...] = ()


def plain_block(text: str) -> MergeRecord:
    """A record that is known by its text alone."""
    return MergeRecord(text, text)


def merge_tree(base: str, ours: str, theirs: str, describe: DescribeBlock = plain_block) -> str:
    """The text with the blocks that either version of a base added, without those that either deleted.

    A block stays under its heading; new sections follow the others of their level, and sections with the same
    heading become one. A heading that one side
    deleted remains if the other added something under it. Blank lines around new blocks are memtool's to
    decide. The frontmatter is merged by key; the byte order mark and the line ends are those of the side that
    changed them.
    """
    versions = [frame_and_lines(text) for text in (base, ours, theirs)]
    frame = merge_frames(*(frame for frame, _ in versions))
    metas, bodies = zip(*(frontmatter.split("\n".join(lines))[:2] for _, lines in versions), strict=True)
    meta = merge_frontmatter(*metas)
    old, left, right = (_parse(body.split("\n"), describe) for body in bodies)
    deleted = deleted_ids(*([record for _, record in _located(version)] for version in (old, left, right)))
    moves = _moved_records(old, left, right)
    gone = {key: None for key, moved in moves.items() if moved is None}
    old, left, right = (_with_final(version, gone) for version in (old, left, right))
    merged = _merge_section(old, _without_new_blanks(left, old), _without_new_blanks(right, old), deleted)
    body_lines = [*_render(_with_final(merged, _placed(merged, moves)))] if merged else []
    return in_frame(frame, [*meta.removesuffix("\n").split("\n"), *body_lines] if meta else body_lines)


def frame_and_lines(text: str) -> tuple[TextFrame, list[str]]:
    """Split a text into its frame and its lines, without CR and without the blank ones at the end."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    while lines and text_lines.is_blank(lines[-1]):
        lines.pop()
    return TextFrame(mark, text_lines.newline(text)), lines


def merge_frames(base: TextFrame, ours: TextFrame, theirs: TextFrame) -> TextFrame:
    """The frame that one side changed; where both changed a part of it, the greater of the two."""
    return TextFrame(
        merge_value(base.mark, ours.mark, theirs.mark, max),
        merge_value(base.newline, ours.newline, theirs.newline, max),
    )


def in_frame(frame: TextFrame, lines: Sequence[str]) -> str:
    """The text of these lines in a frame, each with its line end; empty without lines."""
    if not lines:
        return ""
    return frame.mark + "".join(f"{line}{frame.newline}" for line in lines)


def block_kind(text: str) -> BlockKind:
    """The kind of the block that a text or its first line is."""
    if regex(_ITEM).match(text):
        return BlockKind.ITEM
    if text.startswith("|"):
        return BlockKind.ROW
    if regex(_HEADING).match(text):
        return BlockKind.HEADING
    is_code = text.startswith(("`", "~")) and regex(_FENCE).match(text)
    return BlockKind.CODE if is_code else BlockKind.PARAGRAPH


def block_end(lines: Sequence[str], first: int) -> int:
    """The line after a block, which includes the indented lines that follow it, also after blank lines."""
    kind = block_kind(lines[first])
    if kind is BlockKind.HEADING:
        return first + 1
    end = number = _fence_end(lines, first)
    while number < len(lines):
        line = lines[number]
        if text_lines.is_blank(line):
            number += 1
            continue
        if line[0] not in " \t" and (
            number > end
            or kind in {BlockKind.CODE, BlockKind.ROW}
            or block_kind(line) is not BlockKind.PARAGRAPH
        ):
            break
        end = number = _fence_end(lines, number)
    return end


def block_text(lines: Sequence[str], first: int, end: int) -> str:
    """The text of a block; a fence in it that nothing closes is closed at its end.

    Otherwise the next fence of a merged text would close it.
    """
    block = [*lines[first:end]]
    number = first
    while number < end:
        after = _fence_end(lines, number)
        opening = regex(_FENCE).match(lines[number])
        if opening and after == number + 1:
            return "\n".join([*block, regex(r"[-*+]").sub(" ", opening[1]) + opening[2]])
        number = after
    return "\n".join(block)


def _parse(lines: Sequence[str], describe: DescribeBlock) -> TreeSection:
    return _nest([*_flat_parts(lines, describe)], 0, TreeSection("", 0, 0))[0]


def _nest(
    parts: Sequence[MergeRecord | TreeSection], start: int, section: TreeSection
) -> tuple[TreeSection, int]:
    """A section with its blocks and sections, which begin at `start` in the flat parts; and their end."""
    blocks: list[MergeRecord] = []
    sections: list[TreeSection] = []
    while start < len(parts):
        part = parts[start]
        if isinstance(part, MergeRecord):
            blocks.append(part)
            start += 1
        elif part.level > section.level:
            inner, start = _nest(parts, start + 1, part)
            sections.append(inner)
        else:
            break
    inner_sections = tuple(_by_heading(sections).values())
    return replace(section, blocks=tuple(blocks), sections=inner_sections), start


def _flat_parts(lines: Sequence[str], describe: DescribeBlock) -> Iterator[MergeRecord | TreeSection]:
    """The blocks, and the headings without content, in order."""
    number, blank = 0, 0
    while number < len(lines):
        line = lines[number]
        if text_lines.is_blank(line):
            number, blank = number + 1, blank + 1
        elif heading := regex(_HEADING).match(line):
            yield TreeSection(line.rstrip(), len(heading[1]), blank)
            number, blank = number + 1, 0
        else:
            end = block_end(lines, number)
            text = regex(_SEPARATED).sub("", block_text(lines, number, end), count=1)
            yield replace(describe(text), blank=blank)
            number, blank = end, 0


def _fence_end(lines: Sequence[str], number: int) -> int:
    """The line after the fenced code that a line opens; the next line if it opens none that is closed."""
    if opening := regex(_FENCE).match(lines[number]):
        mark = opening[2]
        closing = re.compile(rf"[ \t]*{re.escape(mark)}{re.escape(mark[0])}*[ \t]*")
        for at in range(number + 1, len(lines)):
            if closing.fullmatch(lines[at]):
                return at + 1
    return number + 1


def _without_new_blanks(section: TreeSection, base: TreeSection | None) -> TreeSection:
    """The section where the blank lines before blocks and headings that the base lacks are memtool's.

    Those before the base's headings are the base's: a heading can return after one side deleted it.
    """
    known = {record.key for record in base.blocks} if base else set()
    inner = _by_heading(base.sections) if base else {}
    return replace(
        section,
        blank=base.blank if base else -1,
        blocks=tuple(
            record if record.key in known else replace(record, blank=-1) for record in section.blocks
        ),
        sections=tuple(
            _without_new_blanks(child, inner.get(key)) for key, child in _by_heading(section.sections).items()
        ),
    )


def _merge_section(
    base: TreeSection | None, ours: TreeSection | None, theirs: TreeSection | None, deleted: Collection[str]
) -> TreeSection | None:
    """The section of two versions; None if one side deleted it and the other added nothing to it."""
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    sides = [section for section in (ours, theirs) if section is not None]
    empty = TreeSection(sides[0].heading, sides[0].level, 0)
    versions = [section or empty for section in (base, ours, theirs)]
    blocks = tuple(merge_records(*(version.blocks for version in versions), deleted=deleted))
    sections = _merge_sections(*(version.sections for version in versions), deleted=deleted)
    if base is not None and len(sides) == 1 and not blocks and not sections:
        return None
    return replace(sides[0], blocks=blocks, sections=sections)


def _located(section: TreeSection, place: Place = ()) -> Iterator[tuple[Place, MergeRecord]]:
    """All records of a section, each with the headings above it."""
    yield from ((place, record) for record in section.blocks)
    for inner in section.sections:
        yield from _located(inner, (*place, (inner.level, inner.heading)))


def _moved_records(*versions: TreeSection) -> dict[str, MergeRecord | None]:
    """The records that are once in the base, and that a side put under another heading.

    They are the base's wherever they are; the text is that of the side that changed it. None if the
    other side deleted it.
    """
    found: list[dict[str, list[tuple[Place, MergeRecord]]]] = []
    for version in versions:
        by_key: dict[str, list[tuple[Place, MergeRecord]]] = {}
        for place, record in _located(version):
            by_key.setdefault(record.key, []).append((place, replace(record, blank=0)))
        found.append(by_key)
    moved: dict[str, MergeRecord | None] = {}
    for key, before in found[0].items():
        left, right = (version.get(key, []) for version in found[1:])
        if len(before) > 1 or len(left) > 1 or len(right) > 1:
            continue
        if not left or not right:
            if any(place != before[0][0] for place, _ in (*left, *right)):
                moved[key] = None
        elif not before[0][0] == left[0][0] == right[0][0]:
            moved[key] = merge_value(before[0][1], left[0][1], right[0][1], greater_record)
    return moved


def _placed(
    merged: TreeSection, moves: Mapping[str, MergeRecord | None]
) -> dict[str, tuple[Place, MergeRecord]]:
    """The records that were moved, each with its place: of two places the greater."""
    places: dict[str, tuple[Place, MergeRecord]] = {}
    for place, record in _located(merged):
        if moved := moves.get(record.key):
            known = places.get(record.key)
            places[record.key] = max(place, known[0]) if known else place, moved
    return places


def _with_final(
    section: TreeSection, final: Mapping[str, tuple[Place, MergeRecord] | None], place: Place = ()
) -> TreeSection:
    """The section with the final text of records at their final place; None removes a record."""
    blocks: list[MergeRecord] = []
    for record in section.blocks:
        if record.key not in final:
            blocks.append(record)
        elif (decided := final[record.key]) and decided[0] == place:
            blocks.append(replace(record, text=decided[1].text))
    inner = (_with_final(each, final, (*place, (each.level, each.heading))) for each in section.sections)
    return replace(section, blocks=tuple(blocks), sections=tuple(inner))


def _merge_sections(
    base: Sequence[TreeSection],
    ours: Sequence[TreeSection],
    theirs: Sequence[TreeSection],
    *,
    deleted: Collection[str],
) -> tuple[TreeSection, ...]:
    """The sections of both sides, those of the base first.

    Deeper levels precede, as they do in every text: after a heading of a higher level they would be its own.
    """
    before, left, right = (_by_heading(sections) for sections in (base, ours, theirs))
    new = sorted({*left, *right} - {*before})
    merged = (
        _merge_section(before.get(key), left.get(key), right.get(key), deleted) for key in [*before, *new]
    )
    return tuple(sorted((section for section in merged if section), key=lambda section: -section.level))


def _by_heading(sections: Sequence[TreeSection]) -> dict[tuple[int, str], TreeSection]:
    """The sections by level and heading; those with the same heading become one."""
    found: dict[tuple[int, str], TreeSection] = {}
    for section in sections:
        key = section.level, section.heading
        if first := found.get(key):
            blocks, inner = (*first.blocks, *section.blocks), (*first.sections, *section.sections)
            inner = tuple(sorted(_by_heading(inner).values(), key=lambda each: -each.level))
            found[key] = replace(first, blocks=blocks, sections=inner)
        else:
            found[key] = section
    return found


def _render(root: TreeSection) -> Iterator[str]:
    """The lines of a text."""
    previous: BlockKind | None = None
    for part in _parts(root):
        if isinstance(part, TreeSection):
            text, kind = part.heading, BlockKind.HEADING
        else:
            text, kind = part.text, block_kind(part.text)
            if text[0] in " \t" and previous not in {None, BlockKind.HEADING}:
                text = f"{_SEPARATOR}\n{text}"
        blank = part.blank
        if blank < 0:
            blank = int(
                previous is not None and not (kind is previous and kind in {BlockKind.ITEM, BlockKind.ROW})
            )
        elif kind is BlockKind.PARAGRAPH and previous in {
            BlockKind.PARAGRAPH,
            BlockKind.ITEM,
        }:  # else it would continue that block
            blank = max(blank, 1)
        yield from [""] * blank
        yield from text.split("\n")
        previous = kind


def _parts(section: TreeSection) -> Iterator[MergeRecord | TreeSection]:
    """A section's blocks and sections in the order of the text."""
    yield from section.blocks
    for inner in section.sections:
        yield inner
        yield from _parts(inner)
