"""Conflict markers: the places of a text in which a merge left both versions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memtool.core.lint.problem import TextProblem
from memtool.core.notes.link_parser import parse_markup
from memtool.core.text import passage_versions
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex

_MARKER = r"(?m)^(?:<{7}(?: [^\n]*)?\n|\|{7}(?: [^\n]*)?\n|={7}\r?\n|>{7}(?: [^\n]*)?(?:\n|\Z))"
"""A marker of git; the one with bars is of its style diff3, which shows the common ancestor too."""
_LOG_FORMATS = frozenset({"session-state"})
"""Formats of logs, whose versions are merged as the union of their entries in order of time."""


def conflict_problems(text: str, path: str, file_format: str, *, is_markdown: bool) -> Iterator[TextProblem]:
    """The conflicts of the text of a file, with an edit for each that has one right answer.

    In Markdown, markers in code are an example and no conflict.
    """
    for conflict in find_conflicts(text, is_markdown=is_markdown):
        answer = _answer(conflict, file_format)
        if answer is None:
            command = f"memtool merge --conflicts --path {shlex.quote(path)}"
            message = f"Git conflict: run {command}, or combine the two versions"
            yield TextProblem(conflict.start, "M112", message)
        else:
            message = "Git conflict that memtool lint --fix can resolve"
            edit = TextEdit(conflict.start, conflict.end, answer)
            yield TextProblem(conflict.start, "M111", message, (edit,))


def find_conflicts(text: str, *, is_markdown: bool) -> list[Conflict]:
    """The conflicts of a text in order; in Markdown without those in code."""
    if "<<<<<<<" not in text or not (conflicts := [*_conflicts(text)]):
        return []
    literal = parse_markup(text, 0).literal if is_markdown else ()
    return [
        conflict for conflict in conflicts if not any(start < conflict.start < end for start, end in literal)
    ]


def conflict_versions(text: str, conflicts: Sequence[Conflict]) -> tuple[str | None, str, str]:
    """The texts of the base, ours and theirs; no base if not every conflict shows its own."""
    base = _filled(text, conflicts, lambda conflict: conflict.base or "")
    return (
        base if all(conflict.base is not None for conflict in conflicts) else None,
        _filled(text, conflicts, lambda conflict: conflict.ours),
        _filled(text, conflicts, lambda conflict: conflict.theirs),
    )


def without_markers(text: str, conflicts: Sequence[Conflict]) -> str:
    """The text with both versions of each conflict, and lines that both have once."""
    return _filled(text, conflicts, _both)


def _filled(text: str, conflicts: Sequence[Conflict], answer: Callable[[Conflict], str]) -> str:
    parts: list[str] = []
    end = 0
    for conflict in conflicts:
        parts += text[end : conflict.start], answer(conflict)
        end = conflict.end
    return "".join((*parts, text[end:]))


def _both(conflict: Conflict) -> str:
    ours, theirs = (side.splitlines(keepends=True) for side in (conflict.ours, conflict.theirs))
    return "".join((*ours, *(line for line in theirs if line not in ours)))


def version_problems(text: str, *, is_markdown: bool) -> Iterator[TextProblem]:
    """The passages and the frontmatter values of which `memtool merge` left several versions."""
    if passage_versions.OTHER_VALUE in text and text.startswith("---"):
        end = text.find("\n---", 3)
        for value in re.finditer(rf"(?m)^{passage_versions.OTHER_VALUE}", text[: max(end, 0)]):
            yield TextProblem(
                value.start(), "M113", "another version of the value above; keep only one version"
            )
    if "<!-- memtool: " not in text:
        return
    literal = parse_markup(text, 0).literal if is_markdown else ()
    is_open = False
    for label in regex(passage_versions.LABEL_LINE).finditer(text):
        if any(start < label.start() < end for start, end in literal):
            continue
        if label["number"] == "1" or not is_open:
            yield TextProblem(label.start(), "M113", "several versions of this passage; keep one of them")
        is_open = label["number"] is not None


class Conflict(NamedTuple):
    """A conflict from its first marker to after its last, and its versions; `base` in the style diff3."""

    start: int
    end: int
    ours: str
    base: str | None
    theirs: str


def _conflicts(text: str) -> Iterator[Conflict]:
    """The conflicts in order, in time linear in the text. Of nested beginnings the first counts."""
    opened = bars = middle = None
    for marker in regex(_MARKER).finditer(text):
        sign = marker[0][0]
        if opened is None:
            opened = marker if sign == "<" else None
        elif sign == "|" and bars is None and middle is None:
            bars = marker
        elif sign == "=" and middle is None:
            middle = marker
        elif sign == ">" and middle is not None:
            ours = text[opened.end() : (bars or middle).start()]
            base = text[bars.end() : middle.start()] if bars is not None else None
            theirs = text[middle.end() : marker.start()]
            yield Conflict(opened.start(), marker.end(), ours, base, theirs)
            opened = bars = middle = None


def _answer(conflict: Conflict, file_format: str) -> str | None:
    """The only right merge of a conflict; None if a person has to choose."""
    ours, base, theirs = conflict.ours, conflict.base, conflict.theirs
    if theirs in {ours, base}:
        return ours
    if ours == base:
        return theirs
    entries = list(dict.fromkeys([*ours.splitlines(keepends=True), *theirs.splitlines(keepends=True)]))
    if file_format in _LOG_FORMATS and all(regex(r"- \[\d{4}-").match(entry) for entry in entries):
        return "".join(sorted(entries, key=lambda entry: entry.partition("]")[0]))
    return None
