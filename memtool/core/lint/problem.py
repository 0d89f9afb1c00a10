"""Problem: one lint finding, with its position, code and message; and the edits that fix it, applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.core.lint.lint_target import SourceText
from memtool.core.secrets.redact import redact
from memtool.core.text.edits import TextEdit, apply_edits

_FILE_WIDE = (
    *("M100", "M101", "M102", "M103", "M104", "M105", "M20"),
    *("M214", "M215", "M216", "M217", "M220", "M3"),
)
_LINE_CODES = ("M202", "M203", "M204", "M205", "M206", "M207", "M208", "M209")

_MAX_ROUNDS = 20
"""More rounds than any text needs: an edit removes characters or makes line endings more uniform."""


class TextProblem(NamedTuple):
    """A problem at an offset of a text; `edits` fix it, if there is exactly one correct fix."""

    offset: int
    code: str
    message: str
    edits: tuple[TextEdit, ...] = ()


class Problem(Struct, frozen=True):
    """A problem of a file or folder; the path is relative to the root, line and column count from 1.

    `fingerprint` identifies the problem wherever its line moves in the file; it reveals nothing of the text.
    `is_fixable` says whether `--fix` fixes this one; of a code that it fixes there may be others.
    """

    path: str
    line: int
    col: int
    code: str
    message: str
    fingerprint: str = ""
    is_fixable: bool = False
    edits: tuple[TextEdit, ...] = ()

    @property
    def _key(self) -> tuple[object, ...]:
        """The fields that are compared: all except `is_fixable` and `edits`."""
        return self.path, self.line, self.col, self.code, self.message, self.fingerprint

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Problem) else NotImplemented

    def __lt__(self, other: Problem) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)


def locate_problems(path: str, source: SourceText, text_problems: Iterable[TextProblem]) -> Iterator[Problem]:
    """The problems of a text with their file, line, column and fingerprint."""
    fingerprints: dict[int, str] = {}
    for mark in text_problems:
        line, col = source.position(mark.offset)
        about = ""
        if not is_file_wide(mark.code):
            if line not in fingerprints:
                fingerprints[line] = line_fingerprint(source.line(line))
            about = fingerprints[line]
        yield Problem(path, line, col, mark.code, mark.message, about, bool(mark.edits), mark.edits)


def is_file_wide(code: str) -> bool:
    """Whether a problem with this code concerns the whole file, so that it needs no fingerprint of a line."""
    return code.startswith(_FILE_WIDE) and code not in _LINE_CODES


def line_fingerprint(line: str) -> str:
    """A hash of the words of a line, with secrets redacted first so that none can be guessed from it."""
    words = " ".join(redact(line).split())
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def apply_fixes(text: str, find_edits: Callable[[str], Iterable[TextEdit]]) -> str:
    """The text after all edits that `find_edits` returns for it, called again after each round."""
    for _ in range(_MAX_ROUNDS):
        edits = _non_overlapping(find_edits(text))
        if not edits:
            break
        text = apply_edits(text, edits).text
    return text


def _non_overlapping(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits in order, without those that overlap another; these wait for the next round."""
    chosen: list[TextEdit] = []
    for candidate in sorted(set(edits), key=lambda each: (each.start, -each.end)):
        if not chosen or candidate.start >= chosen[-1].end + (chosen[-1].start == candidate.start):
            chosen.append(candidate)
    return chosen
