"""Length limits: the first place of a text that is cut from an agent's prompt."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import TextProblem


def shown_size(text: str) -> int:
    """The characters of a text that count towards a limit: all but blanks and blank lines at its end."""
    return len(text.rstrip())


def over_limit(
    text: str, limit: int, code: str, agent: str = "", *, start: int = 0, head: float = 1.0
) -> Iterator[TextProblem]:
    """The problem at the first character over `limit`, counted from `start`; none if the text fits.

    `agent` is the name of the program whose limit it is; without one it is memtool's. For a text that is cut
    in the middle, `head` is the share of the limit that is kept of its beginning.
    """
    size = shown_size(text[start:])
    if size > limit:
        offset = start + int(limit * head)
        exception = ", except the end of the file" if head < 1 else ""
        whose = f"{agent}'s limit" if agent else "the limit"
        cut = f"{_cut_at_line(text, offset, agent)}{exception}"
        yield TextProblem(offset, code, f"{size:,} characters, more than {whose} of {limit:,}: {cut}")


def over_bytes(text: str, max_bytes: int, code: str, agent: str) -> Iterator[TextProblem]:
    """The problem at the first character that is not in the bytes which an agent reads; none if all are."""
    content = text.rstrip().encode("utf-8", "surrogateescape")
    if len(content) > max_bytes:
        offset = _characters_within(text, content, max_bytes)
        message = f"{len(content):,} bytes, more than the {max_bytes:,} that {agent} reads"
        yield TextProblem(offset, code, f"{message}: {_cut_at_line(text, offset, agent)}")


def over_index_limit(text: str, max_lines: int, max_bytes: int) -> Iterator[TextProblem]:
    """The problem at the first place of an index over its limit of lines or of bytes."""
    all_lines = text.rstrip().split("\n")
    line_cut = len("\n".join(all_lines[:max_lines])) + 1 if len(all_lines) > max_lines else len(text)
    content = text.rstrip().encode("utf-8", "surrogateescape")
    byte_cut = _characters_within(text, content, max_bytes)
    offset = min(line_cut, byte_cut)
    if offset < len(text.rstrip()):
        noun = "line" if len(all_lines) == 1 else "lines"
        actual = f"{len(all_lines):,} {noun} and {len(content):,} bytes"
        bound = f"the {max_lines} lines or {max_bytes:,} bytes that Claude Code reads"
        message = f"{actual}, more than {bound}: {_cut_at_line(text, offset, 'Claude Code')}"
        yield TextProblem(offset, "M303", message)


def _characters_within(text: str, content: bytes, max_bytes: int) -> int:
    """How many characters of a text are within a number of bytes of its content."""
    if len(content) <= max_bytes:
        return len(text)
    read_text = content[:max_bytes].decode("utf-8", "surrogateescape")
    while not text.startswith(read_text):  # the limit is inside a character
        read_text = read_text[:-1]
    return len(read_text)


def _cut_at_line(text: str, offset: int, agent: str) -> str:
    does_not_show = f"{agent} does not see" if agent else "memtool leaves out"
    return f"{does_not_show} the text from line {text.count(chr(10), 0, offset) + 1} on"
