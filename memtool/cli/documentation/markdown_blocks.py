"""The blocks of a Markdown page: headings, paragraphs, list items, tables and code. Comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

ITEM = re.compile(r"(- |\d+\. )")
"""The beginning of a list item."""
_COMMENT = re.compile(r"<!--.*-->")


def blocks(page: str) -> Iterator[list[str]]:
    """The lines of each block; a block of code starts with its fence and ends before the closing one."""
    block: list[str] = []
    fenced = False
    for line in page.split("\n"):
        if line.startswith("```"):
            if block:
                yield block
            fenced, block = not fenced, [] if fenced else [line]
        elif fenced:
            block.append(line)
        elif _COMMENT.fullmatch(line):
            continue
        elif not line.strip() or line.startswith("#") or ITEM.match(line):
            if block:
                yield block
            block = [line] if line.strip() else []
        elif block and block[0].startswith("#"):
            yield block
            block = [line]
        else:
            block.append(line)
    if block:
        yield block


def table_rows(block: list[str]) -> list[list[str]]:
    """The cells of each row of a table, the head first, without the line below the head."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]
        for number, line in enumerate(block)
        if number != 1
    ]
