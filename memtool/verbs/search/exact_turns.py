"""search --exact in turns: the lines of what was said that contain a text, newest turns first."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from memtool.core.history.upgrade import Upgraded
from memtool.core.records.hit import Hit, numbered
from memtool.core.records.message_text import spoken
from memtool.core.records.turn import Turn
from memtool.core.text.text import fold
from memtool.errors import Unreadable
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import readable_groups
from memtool.verbs.search.answer import Question
from memtool.verbs.search.search_turns import line_in_file
from memtool.verbs.turns.history import folders, groups, is_turn
from memtool.verbs.turns.turn_file import Current, read_turn

ROLE = "turn"
"""The role that is looked into here."""
_SNIPPET = 240


def exact_turns(
    workspace: Workspace, question: Question, needle: str, most: int, notices: list[str]
) -> list[Hit]:
    """At most so many lines that contain a folded text; every turn is read until there are enough.

    What cannot be read is named in `notices`.
    """
    allowed = readable_groups(workspace, question.group) if question.group is not None else None
    place = workspace.layout.place(ROLE)
    found: list[Hit] = []
    for group in groups(workspace):
        for folder in reversed([*folders(workspace, group, notices)]):
            names = [name for name in reversed(folder.files) if is_turn(name)]
            for name, _, content in workspace.disk.files(folder.path, names):
                path = str(folder.path / name)
                located = workspace.located(path) or Located(ROLE, place, {}, group)
                if isinstance(content, Unreadable):
                    notices.append(str(content))
                elif question.admits(path, located, allowed):
                    found += _hits(path, located, content, needle, question.context)
                if len(found) >= most:
                    return found[:most]
    return found


def _hits(path: str, located: Located, content: bytes, needle: str, context: int) -> Iterator[Hit]:
    raw = content.decode("utf-8", "replace")
    lines = raw.split("\n")
    for line, at, turn, speaker in _lines(content, raw, lines, needle):
        snippet, spans = cut(line.strip(), needle)
        yield Hit(
            path=path,
            line=at,
            end_line=at,
            role=ROLE,
            source="transcript",
            score=1.0,
            snippet=snippet,
            spans=spans,
            text=line,
            date=turn.at.date() if turn else located.day,
            group=located.group,
            before=numbered(lines, at - context, at - 1) if context else (),
            after=numbered(lines, at + 1, at + context) if context else (),
            speaker=speaker,
            seq=turn.seq if turn else None,
            at=turn.created_at if turn else None,
        )


def _lines(
    content: bytes, raw: str, lines: list[str], needle: str
) -> Iterator[tuple[str, int, Turn | None, str | None]]:
    """Each line that was said and contains the needle, the file's line it is on, its turn and who said it."""
    found = read_turn(content)
    if not isinstance(found, Current | Upgraded):
        yield from ((line, at, None, None) for at, line in enumerate(lines, 1) if needle in fold(line))
        return
    for number, message in enumerate(found.turn.messages):
        for offset, line in enumerate(spoken(message).split("\n")):
            if needle in fold(line):
                current = isinstance(found, Current)  # in a file of an old shape parts stand elsewhere
                at = line_in_file(raw, message, number, offset) if current else 1
                yield line, at, found.turn, message.role


def cut(line: str, needle: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of a line around the match, and where in it the match stands."""
    shown = unicodedata.normalize("NFC", line)
    ends = list(accumulate(len(fold(letter)) for letter in shown))
    at = "".join(map(fold, shown)).find(needle)
    if at < 0:  # the match is one only when the letters are folded together
        return shown[:_SNIPPET], ()
    first, last = bisect_right(ends, at), bisect_right(ends, at + len(needle) - 1) + 1
    start = max(0, first - _SNIPPET // 3) if len(shown) > _SNIPPET else 0
    return shown[start : start + _SNIPPET], ((first - start, min(last - start, _SNIPPET)),)
