"""Limits: the first place of a text that an agent with a limit does not see."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Mark


def beyond(
    text: str, limit: int, code: str, what: str, *, start: int = 0, head: float = 1.0
) -> Iterator[Mark]:
    """The mark on the first character behind `limit`, counted from `start`; nothing where all fits.

    Blank lines at the end do not count. Of what is cut in its middle, `head` is the share that is kept of the
    beginning.
    """
    size = len(text[start:].rstrip())
    if size > limit:
        at = start + int(limit * head)
        end = " but for its end" if head < 1 else ""
        said = f"{what} of {limit:,} characters: {size:,} are there, and {_unseen(text, at)}{end}"
        yield Mark(at, code, said)


def beyond_index(text: str, lines: int, size: int) -> Iterator[Mark]:
    """The mark on the first line that is behind so many lines or bytes of an index, whichever ends first."""
    rows = text.rstrip().split("\n")
    by_lines = len("\n".join(rows[:lines])) + 1 if len(rows) > lines else len(text)
    read = text.rstrip().encode("utf-8", "surrogateescape")
    by_size = len(text)
    if len(read) > size:
        cut = read[:size].decode("utf-8", "surrogateescape")
        while not text.startswith(cut):  # its last character was cut in two
            cut = cut[:-1]
        by_size = len(cut)
    at = min(by_lines, by_size)
    if at < len(text.rstrip()):
        held = f"{len(rows):,} lines, {len(read):,} bytes"
        said = (
            f"longer than the {lines} lines or {size:,} bytes that Claude reads ({held}): {_unseen(text, at)}"
        )
        yield Mark(at, "M303", said)


def _unseen(text: str, at: int) -> str:
    return f"the agent does not see line {text.count(chr(10), 0, at) + 1} and what follows"
