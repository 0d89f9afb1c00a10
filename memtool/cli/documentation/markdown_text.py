"""Markdown as plain text for a terminal or a pipe: only what memtool's pages use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from memtool.cli.documentation.markdown_blocks import ITEM, blocks, table_rows

_INDENT = "    "
_GAP = "  "
_MIN_LAST_COLUMN = 24
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]+\)")
_STRONG = re.compile(r"\*\*([^*\n]+)\*\*")


def markdown_to_text(page: str, width: int) -> Iterator[str]:
    """The lines of a page, at most `width` columns wide, code and long words excepted."""
    was_item = False
    for number, block in enumerate(blocks(page)):
        first = block[0]
        is_item = bool(ITEM.match(first))
        if number and not (is_item and was_item):
            yield ""
        was_item = is_item
        if first.startswith("```"):
            yield from (f"{_INDENT}{line}".rstrip() for line in block[1:])
        elif first.startswith("#"):
            yield first.lstrip("# ") if first.startswith("# ") else first.lstrip("# ").upper()
        elif first.startswith("|"):
            yield from _table(table_rows(block), width)
        else:
            yield from _wrapped(" ".join(line.strip() for line in block), width, is_item=is_item)


def _wrapped(text: str, width: int, *, is_item: bool = False) -> list[str]:
    shown = _STRONG.sub(r"\1", _LINK.sub(r"\1", text))
    return wrap(
        shown,
        width,
        subsequent_indent=_GAP if is_item else "",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(rows: list[list[str]], width: int) -> Iterator[str]:
    """The rows in columns, the last one wrapped; as terms with descriptions where columns are too wide."""
    rows = [[cell.replace("\\|", "|").replace("`", "") for cell in row] for row in rows]
    *widths, last = [max(map(len, column)) for column in zip(*rows, strict=True)]
    start = sum(widths) + len(_GAP) * len(widths)
    if width - start < min(_MIN_LAST_COLUMN, last):
        for row in rows[1:]:
            yield row[0] if len(row) == 2 else f"{rows[0][0]}: {row[0]}"
            for head, cell in zip(rows[0][1:], row[1:], strict=True):
                label = f"{head}: " if len(row) > 2 else ""
                yield from (_INDENT + line for line in _wrapped(label + cell, width - len(_INDENT)) if cell)
        return
    for row in rows:
        fields = (cell.ljust(size) for cell, size in zip(row, widths, strict=False))
        head = _GAP.join([*fields, ""])
        lines = _wrapped(row[-1], width - start) or [""]
        yield (head + lines[0]).rstrip()
        yield from (" " * start + line for line in lines[1:])
