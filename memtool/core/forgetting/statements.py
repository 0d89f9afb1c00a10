"""Statements: what a record says, without the marks of its file's format."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.text.regex import regex

_OPENING = (
    r"[ \t]*(?:>[ \t]*)*(?:\ufeff?#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])[ \t]+)?"
    r"(?:\[[ xX]\][ \t]+|\[\d[^\]\n]*\][ \t]*|\[(?:user|session):[^\]\s]+\][ \t]*|\[[a-z][a-z0-9_]+\][ \t]+"
    r"|\*\*\w+\*\*:[ \t]*|\*\*(?:User|Agent):\*\*[ \t]*|(?:Human|Agent \(summary\))[ \t]*$)*"
)
"""The marker, time, owner, category or speaker before what a line says."""
_CLOSING = (
    r"(?:[ \t]+(?:\^[A-Za-z0-9-]{1,64}|\[superseded:[^\]\n]*\]|\(pinned\)|\(archived[^)\n]*\)))+[ \t\r]*$"
)
_QUOTE = r" — \"(.*)\"[ \t\r]*$"
_SPEAKER = r"(?i)^(?:user|agent|assistant|human):[ \t]+"


def plain_lines(text: str) -> Iterator[str]:
    """The lines of a record without marks, blank ones left out."""
    for line in text.split("\n"):
        opening = regex(_OPENING).match(line)
        said = regex(_CLOSING).sub("", line[opening.end() :] if opening else line).strip()
        if said:
            yield said


def statements(text: str) -> list[str]:
    """Each text that a record says: the whole of it, its lines, and the quote that a fact rests on."""
    lines = [*plain_lines(text)]
    said = ["\n".join(lines), *lines]
    for line in lines:
        if quote := regex(_QUOTE).search(line):
            said += [line[: quote.start()], quote[1]]
        said.append(regex(_SPEAKER).sub("", line))
    return [*dict.fromkeys(part for part in said if part)]
