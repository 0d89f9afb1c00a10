"""Merging: one file's text into another's, with every line of both, and one that says where it came from."""

from __future__ import annotations

from memtool.formats import daily_note
from memtool.formats.syntax import lines as text_lines


def mark(path: str) -> str:
    """The line before what came from a file: a comment, which Markdown does not show."""
    return f"<!-- from {path.replace('--', '- -')} -->"


def merged(there: str, came: str, path: str, *, daily: bool) -> str:
    """The text that is there with what came from a path; itself where it holds that already.

    What came goes to the end. Of two daily notes the free text goes before the blocks, so that it is not
    taken for a part of the last exchange.
    """
    newline = text_lines.newline(there)
    front, blocks = _parts(came) if daily else (came, "")
    head, rest = _parts(there) if daily else (there, "")
    said = f"{mark(path)}{newline}{_ended(front, newline)}"
    at = there.find(said)
    if at >= 0 and blocks in there[at + len(said) :]:
        return there
    return f"{_ended(head, newline)}{said}{_ended(rest, newline) if blocks else rest}{blocks}"


def _parts(text: str) -> tuple[str, str]:
    """A daily note's text before its first block, and from there on."""
    head = daily_note.parse(text).head
    at = min(len(text_lines.join(head)) + bool(head), len(text)) if head else 0
    return text[:at], text[at:]


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
