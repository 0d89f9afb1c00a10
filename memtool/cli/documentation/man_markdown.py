"""Markdown as the body of a man page: only the headings, lists, tables and code that memtool's pages use."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.cli.documentation import roff
from memtool.cli.documentation.markdown_blocks import ITEM, blocks, table_rows


def markdown_to_roff(text: str) -> Iterator[str]:
    """The roff lines of a Markdown page, without its title."""
    for block in blocks(text):
        first = block[0]
        if first.startswith("```"):
            yield from roff.literal(block[1:])
        elif first.startswith("#"):
            marks, _, title = first.partition(" ")
            if len(marks) > 1:
                yield roff.heading(title.upper() if marks == "##" else title, len(marks) - 1)
        elif first.startswith("|"):
            yield from _table(block)
        elif mark := ITEM.match(first):
            yield f'.IP "{roff.plain(mark[0].strip()) if mark[0] != "- " else chr(92) + "(bu"}" 4'
            yield from roff.sentences(" ".join([first[mark.end() :], *block[1:]]))
        else:
            yield from roff.paragraph(" ".join(block))


def _table(block: list[str]) -> Iterator[str]:
    """Each row as an item: the first cell is the term, the last its description, followed by the others."""
    heads, *rows = table_rows(block)
    for cells in rows:
        pairs = zip(heads[1:-1], cells[1:-1], strict=False)
        others = "; ".join(f"{head}: {cell}" for head, cell in pairs if cell)
        text = f"{cells[-1]} ({others})" if others else cells[-1]
        yield from roff.item(roff.markdown_line(cells[0]), roff.sentences(text))
