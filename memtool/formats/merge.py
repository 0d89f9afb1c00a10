"""Merge one file's text into another's, keeping every line of both and marking where the text came from."""

from __future__ import annotations

from memtool.formats import daily_note
from memtool.formats.syntax import text_lines


def source_comment(path: str) -> str:
    """The comment line that precedes merged text and names its source; rendered Markdown hides it."""
    return f"<!-- from {path.replace('--', '- -')} -->"


def merge_text(text: str, other: str, path: str, *, is_daily_note: bool) -> str:
    """`text` with the text that came from `path` appended; unchanged if it was merged before.

    Of two daily notes the free text goes before the blocks, so that it does not become part of the last
    exchange.
    """
    newline = text_lines.newline(text)
    front, blocks = _split_before_blocks(other) if is_daily_note else (other, "")
    head, rest = _split_before_blocks(text) if is_daily_note else (text, "")
    addition = f"{source_comment(path)}{newline}{_terminate(front, newline)}"
    start = text.find(addition)
    if start >= 0 and blocks in text[start + len(addition) :]:
        return text
    return f"{_terminate(head, newline)}{addition}{_terminate(rest, newline) if blocks else rest}{blocks}"


def _split_before_blocks(text: str) -> tuple[str, str]:
    """Split a daily note before its first block."""
    head = daily_note.parse(text).head
    end = min(len(text_lines.join(head)) + bool(head), len(text)) if head else 0
    return text[:end], text[end:]


def _terminate(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
