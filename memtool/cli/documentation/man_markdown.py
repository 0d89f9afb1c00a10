"""Markdown as the body of a man page: only the headings, lists, tables and code that memtool's pages use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.cli.documentation import roff

_ITEM = re.compile(r"(- |\d+\. )")


def markdown_to_roff(text: str) -> Iterator[str]:
    """The roff lines of a Markdown page, without its title."""
    for block in _blocks(text):
        first = block[0]
        if first.startswith("```"):
            yield from roff.literal(block[1:])
        elif first.startswith("#"):
            marks, _, title = first.partition(" ")
            if len(marks) > 1:
                yield roff.heading(title.upper() if marks == "##" else title, len(marks) - 1)
        elif first.startswith("|"):
            yield from _table(block)
        elif mark := _ITEM.match(first):
            yield f'.IP "{roff.plain(mark[0].strip()) if mark[0] != "- " else chr(92) + "(bu"}" 4'
            yield from roff.sentences(" ".join([first[mark.end() :], *block[1:]]))
        else:
            yield from roff.paragraph(" ".join(block))


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each block; a block of code starts with its fence."""
    block: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if line.startswith("```"):
            if block:
                yield block
            fenced, block = not fenced, [] if fenced else [line]
        elif fenced:
            block.append(line)
        elif not line.strip() or line.startswith("#") or _ITEM.match(line):
            if block:
                yield block
            block = [line] if line.strip() else []
        else:
            block.append(line)
    if block:
        yield block


def _table(block: list[str]) -> Iterator[str]:
    """Each row as an item: the first cell is the term, the last its description."""
    for row in block[2:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
        yield from roff.item(roff.markdown_line(cells[0]), roff.sentences(cells[-1]))
