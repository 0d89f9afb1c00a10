"""Length limits: the first place of a text that is cut from an agent's prompt."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import TextProblem


def over_limit(
    text: str, limit: int, code: str, description: str, *, start: int = 0, head: float = 1.0
) -> Iterator[TextProblem]:
    """The problem at the first character over `limit`, counted from `start`; none if the text fits.

    Blank lines at the end do not count. For a text that is cut in the middle, `head` is the share of the
    limit that is kept of its beginning.
    """
    size = len(text[start:].rstrip())
    if size > limit:
        offset = start + int(limit * head)
        exception = ", except the end of the file" if head < 1 else ""
        cut = f"{_cut_at_line(text, offset)}{exception}"
        yield TextProblem(offset, code, f"{size:,} characters, more than {description} of {limit:,}: {cut}")


def over_index_limit(text: str, max_lines: int, max_bytes: int) -> Iterator[TextProblem]:
    """The problem at the first place of an index over its limit of lines or of bytes."""
    all_lines = text.rstrip().split("\n")
    line_cut = len("\n".join(all_lines[:max_lines])) + 1 if len(all_lines) > max_lines else len(text)
    content = text.rstrip().encode("utf-8", "surrogateescape")
    byte_cut = len(text)
    if len(content) > max_bytes:
        read_text = content[:max_bytes].decode("utf-8", "surrogateescape")
        while not text.startswith(read_text):  # the limit is inside a character
            read_text = read_text[:-1]
        byte_cut = len(read_text)
    offset = min(line_cut, byte_cut)
    if offset < len(text.rstrip()):
        noun = "line" if len(all_lines) == 1 else "lines"
        actual = f"{len(all_lines):,} {noun} and {len(content):,} bytes"
        bound = f"the {max_lines} lines or {max_bytes:,} bytes that Claude Code reads"
        message = f"{actual}, more than {bound}: {_cut_at_line(text, offset)}"
        yield TextProblem(offset, "M303", message)


def _cut_at_line(text: str, offset: int) -> str:
    return f"the agent does not see the text from line {text.count(chr(10), 0, offset) + 1} on"
