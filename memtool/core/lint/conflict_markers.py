"""Conflict markers: the places of a text in which a merge left both versions between its markers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.core.lint.problem import TextProblem
from memtool.core.notes.link_parser import parse_markup
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex

_CONFLICT = (
    r"(?ms)^<{7}(?: [^\n]*)?\n(?P<ours>.*?)(?:^\|{7}(?: [^\n]*)?\n(?P<base>.*?))?"
    r"^={7}\r?\n(?P<theirs>.*?)^>{7}(?: [^\n]*)?(?:\n|\Z)"
)
"""The markers of git, also in its style diff3, which shows the common ancestor too."""
_LOG_FORMATS = frozenset({"session-state"})
"""Formats of logs, whose versions are merged as the union of their entries in order of time."""


def conflict_problems(text: str, file_format: str, *, is_markdown: bool) -> Iterator[TextProblem]:
    """The conflicts of a text, with an edit for each that has one right answer.

    In Markdown, markers in code are an example and no conflict.
    """
    if "<<<<<<<" not in text or not (matches := [*regex(_CONFLICT).finditer(text)]):
        return
    literal = parse_markup(text, 0).literal if is_markdown else ()
    for match in matches:
        if any(start < match.start() < end for start, end in literal):
            continue
        answer = _answer(match, file_format)
        if answer is None:
            message = "git's conflict markers: both versions of a line stand here, and one is right"
            yield TextProblem(match.start(), "M112", message)
        else:
            message = "git's conflict markers around versions that can be merged"
            yield TextProblem(match.start(), "M111", message, (TextEdit(*match.span(), answer),))


def _answer(match: re.Match[str], file_format: str) -> str | None:
    """The only right merge of a conflict; None if a person has to choose."""
    ours, base, theirs = match["ours"], match["base"], match["theirs"]
    if theirs in {ours, base}:
        return ours
    if ours == base:
        return theirs
    entries = list(dict.fromkeys([*ours.splitlines(keepends=True), *theirs.splitlines(keepends=True)]))
    if file_format in _LOG_FORMATS and all(regex(r"- \[\d{4}-").match(entry) for entry in entries):
        return "".join(sorted(entries, key=lambda entry: entry.partition("]")[0]))
    return None
