"""Places in a JSON text: on which line a value stands, so that an editor can open it there."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from memtool.formats.syntax.json_text import load_at

Step = str | int


def line_of(text: str, path: Sequence[Step]) -> int:
    """The line (from 1) on which the value at `path` begins: keys and numbers, outermost first.

    Where there is no such value, the line of the last step that there is; 1 for none. The text is JSON that
    was read without an error.
    """
    at = _blanks(text, 0)
    best = 0
    for step in path:
        inner = _inside(text, at, step)
        if inner is None:
            break
        best = at = inner
    return text.count("\n", 0, best) + 1


def _inside(text: str, at: int, step: Step) -> int | None:
    """Where a value of the object or list that begins `at` begins itself; None where there is none."""
    if text[at : at + 1] != ("{" if isinstance(step, str) else "["):
        return None
    number = 0
    at = _blanks(text, at + 1)
    while text[at] not in "]}":
        key: Step = number
        if isinstance(step, str):
            key, at = load_at(text, at)
            at = _blanks(text, _blanks(text, at) + 1)  # past the colon
        if key == step:
            return at
        at = _blanks(text, load_at(text, at)[1])
        if text[at] == ",":
            at = _blanks(text, at + 1)
        number += 1
    return None


def _blanks(text: str, at: int) -> int:
    """Past the blanks, and a byte order mark, that begin there."""
    match = _blank().match(text, at)
    return match.end() if match else at


@functools.cache
def _blank() -> re.Pattern[str]:
    return re.compile(r"[ \t\n\r\ufeff]*")
