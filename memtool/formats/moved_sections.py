"""Moved sections: the sections of compactions, taken out of a file that older hosts wrote them to."""

from __future__ import annotations

from memtool.formats.compaction import is_title
from memtool.formats.syntax import lines as text_lines
from memtool.formats.syntax.outline import outline


def taken(text: str, note: str) -> tuple[str, str]:
    """The text without its sections, with a note where the first was; and the sections, in their order.

    Both texts are empty or end with a newline. Without a section the text comes back as it is.
    """
    heads = outline(text).headings
    rows = text_lines.split(text)
    spans: list[tuple[int, int]] = []
    for head in heads:
        if is_title(head.text) and (not spans or head.first > spans[-1][1]):
            after = next((one for one in heads if one.first > head.first and one.level <= head.level), None)
            spans.append((head.first - 1, after.first - 1 if after else len(rows)))
    if not spans:
        return text, ""
    kept: list[str] = []
    block: list[str] = []
    done = 0
    for start, end in spans:
        kept += rows[done:start]
        if not block and note not in rows:
            kept.append(note + ("\r" if rows[0].endswith("\r") else ""))
        block += rows[start:end]
        done = end
    kept += rows[done:]
    return _ended(kept), _ended(block)


def _ended(rows: list[str]) -> str:
    text = "\n".join(rows)
    return text if not text or text.endswith("\n") else text + "\n"
