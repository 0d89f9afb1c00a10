"""The part of a text that somebody has filled in: without the lines of the seed that it began as."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from memtool.core.context.section import heading_level


def filled_text(text: str, seed: str) -> str:
    """The text without its seed's lines; "" where nothing else is left.

    The seed's headings stay where something else is under them.
    """
    seed_lines = {line.strip() for line in seed.split("\n")} - {""}
    lines = text.split("\n")
    if seed_lines.isdisjoint(line.strip() for line in lines):
        return text
    own = [line for line in lines if line.strip() not in seed_lines or heading_level(line)]
    filled = "\n".join(_without_double_blanks(_without_bare_headings(own, seed_lines)))
    return filled if filled.strip() else ""


def _without_bare_headings(lines: Sequence[str], seed_lines: Collection[str]) -> Iterable[str]:
    """The lines without those headings of the seed that have nothing under them."""
    remaining: list[str] = []
    following = 1  # the level of the heading that follows; 0: a line of text; the end counts as a title
    for line in reversed(lines):
        level = heading_level(line)
        if 0 < following <= level and line.strip() in seed_lines:
            continue
        following = level if line.strip() else following
        remaining.append(line)
    return reversed(remaining)


def _without_double_blanks(lines: Iterable[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line.strip() or before.strip():
            yield line
        before = line
