"""Merge one file's text into another's, keeping every line of both and marking where the text came from."""

from __future__ import annotations

from memtool.formats import daily_note
from memtool.formats.syntax import text_lines


def mark(path: str) -> str:
    """The comment line that precedes merged text and names its source; rendered Markdown hides it."""
    return f"<!-- from {path.replace('--', '- -')} -->"


def merged(there: str, came: str, path: str, *, daily: bool) -> str:
    """`there` with the text that came from `path` appended; unchanged if it was merged before.

    Of two daily notes the free text goes before the blocks, so that it does not become part of the last
    exchange.
    """
    newline = text_lines.newline(there)
    front, blocks = _parts(came) if daily else (came, "")
    head, rest = _parts(there) if daily else (there, "")
    addition = f"{mark(path)}{newline}{_ended(front, newline)}"
    start = there.find(addition)
    if start >= 0 and blocks in there[start + len(addition) :]:
        return there
    return f"{_ended(head, newline)}{addition}{_ended(rest, newline) if blocks else rest}{blocks}"


def _parts(text: str) -> tuple[str, str]:
    """Split a daily note before its first block."""
    head = daily_note.parse(text).head
    end = min(len(text_lines.join(head)) + bool(head), len(text)) if head else 0
    return text[:end], text[end:]


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
