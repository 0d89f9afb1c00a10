"""Places in a JSON text: on which line a value stands, so that an editor can open it there."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence

Step = str | int


def line_of(text: str, path: Sequence[Step]) -> int:
    """The line (from 1) on which the value at `path` begins: keys and numbers, outermost first.

    Where there is no such value, the line of the last step that there is; 1 for none. The text is JSON that
    was read without an error.
    """
    wanted = [*path]
    nesting: list[list[Step | None]] = []  # of each open list or object, the place in it
    best, matched = 0, -1
    key: str | None = None
    for match in _token().finditer(text):
        sign = match[0]
        if sign in "}]":
            nesting.pop()
            continue
        if sign == ",":
            if nesting and isinstance(nesting[-1][0], int):
                nesting[-1][0] += 1
            continue
        if sign == ":":
            continue
        in_object = bool(nesting) and not isinstance(nesting[-1][0], int)
        if in_object and key is None:
            key = str(json.loads(sign))
            nesting[-1][0] = key
            continue
        key = None  # a value begins here
        inside = len(nesting)
        steps = [one[0] for one in nesting[: len(wanted)]]
        if steps == wanted[:inside] and inside > matched:
            best, matched = match.start(), inside
            if inside == len(wanted):
                break
        if sign == "[":
            nesting.append([0])
        elif sign == "{":
            nesting.append([None])
    return text.count("\n", 0, best) + 1


@functools.cache
def _token() -> re.Pattern[str]:
    return re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
