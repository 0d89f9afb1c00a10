"""Files too large for the index: read through, line by line, at every search."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.hit import Hit
from memtool.core.query import Query
from memtool.core.snippet import best_line
from memtool.core.text import fold, tokens
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.answer import Question


def in_large_files(
    workspace: Workspace,
    paths: Sequence[str],
    query: Query,
    question: Question,
    limit: int,
    notices: list[str],
) -> list[Hit]:
    """The lines of these files that hold most of the query's words, best first.

    Memory stays bounded however long the file; a file that cannot be read is named in `notices`.
    """
    wanted = sorted(tokens(question.text))
    groups = workspace.layout.readable_by(question.group) if question.group else None
    best: list[tuple[int, int, str, str]] = []
    for path in paths:
        located = workspace.located(path)
        if (
            located is None
            or not question.admits(path, located, groups)
            or not _in_roles(question, located.role)
        ):
            continue
        notices.append(f"{path} is too large for the index (search.max_file_bytes) and was read through")
        try:
            for number, line in workspace.disk.lines(PurePosixPath(path)):
                held = _held(fold(line), wanted)
                if held:
                    entry = (held, -number, path, line)
                    if len(best) < limit:
                        heapq.heappush(best, entry)
                    elif entry > best[0]:
                        heapq.heapreplace(best, entry)
        except MemtoolError as error:
            notices.append(str(error))
    return list(_hits(workspace, sorted(best, reverse=True), query, max(1, len(wanted))))


def _in_roles(question: Question, role: str) -> bool:
    return not question.roles or "all" in question.roles or role in question.roles


def _held(line: str, wanted: Sequence[str]) -> int:
    return sum(word in line for word in wanted)


def _hits(
    workspace: Workspace, best: list[tuple[int, int, str, str]], query: Query, words: int
) -> Iterator[Hit]:
    for held, minus_number, path, line in best:
        located = workspace.located(path)
        assert located is not None
        shown = best_line(line, query)
        yield Hit(
            path=path,
            line=-minus_number,
            end_line=-minus_number,
            role=located.role,
            source="document",
            score=held / words,
            snippet=shown.text,
            spans=shown.spans,
            text=line[:2000],
            date=located.day,
            group=located.group,
        )
