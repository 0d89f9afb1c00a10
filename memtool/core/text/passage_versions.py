"""Passage versions: a passage of free text that several machines changed, each version under a label.

Each label is a comment of Markdown, so that it interrupts any block and hides nothing of a version, and ends
in words that a rendered note shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtool.core.text.regex import regex

_END = "<!-- memtool: end of versions -->"
_LABEL = r"<!-- memtool: version (\d{1,6}) of (\d{1,6})[^\n]{0,100} --> <b>[^\n<]{0,100}</b>[ \t]*"
_END_LINE = r"<!-- memtool: end of versions -->[ \t]*"
LABEL_LINE = r"(?m)^<!-- memtool: (?:version (?P<number>\d{1,6}) of \d{1,6}\b|end of versions -->)"
"""The beginning of a label in a text; the one after the last version has no number."""
OTHER_VALUE = "# other version: "
"""Begins the comment in frontmatter with a value that another machine gave the key before it."""


def render(versions: Sequence[str]) -> str:
    """The passage with all versions, in this order; the only one without a label."""
    if len(versions) == 1:
        return versions[0]
    lines: list[str] = []
    for number, version in enumerate(versions, 1):
        name = f"ersion {number} of {len(versions)}"
        lines += [f"<!-- memtool: v{name}; keep one and remove these labels --> <b>V{name}</b>", version]
    return "\n".join([*lines, _END])


def parse(lines: Sequence[str], start: int) -> tuple[list[str], int] | None:
    """The versions of the passage that begins on a line, and the line after it; None if none begins there."""
    first = regex(_LABEL).fullmatch(lines[start])
    if first is None or first[1] != "1":
        return None
    labels = [start]
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if not line.startswith("<!-- memtool: "):
            continue
        if re.fullmatch(_END_LINE, line):
            ends = [*labels[1:], number]
            if len(labels) != int(first[2]):
                return None
            texts = ("\n".join(lines[low + 1 : high]) for low, high in zip(labels, ends, strict=True))
            return [text.strip("\n") for text in texts], number + 1
        label = regex(_LABEL).fullmatch(line)
        if label is None:
            continue
        if int(label[1]) != len(labels) + 1 or label[2] != first[2]:
            return None
        labels.append(number)
    return None
