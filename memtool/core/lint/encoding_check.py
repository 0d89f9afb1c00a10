"""Encoding check: UTF-8, byte order marks, NUL bytes and mixed line endings."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import TextProblem
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex

_INVALID_BYTE = "[\udc80-\udcff]"
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")
_BOM = "\ufeff"


def decode(content: bytes) -> tuple[str, bool]:
    """The text of a file, with invalid bytes as lone surrogates, and whether it is valid UTF-8."""
    try:
        return content.decode(), True
    except UnicodeDecodeError:
        return content.decode("utf-8", "surrogateescape"), False


def is_text(text: str) -> bool:
    """Whether a decoded file is text that can be checked: not UTF-16, and without NUL except at its end."""
    if text.startswith(_UTF_16):
        return False
    return "\0" not in text or (bool(body := text.rstrip("\0")) and "\0" not in body)


def encoding_problems(text: str, *, is_utf_8: bool) -> Iterator[TextProblem]:
    """The problems of a text's encoding; for a file that is not text, only that."""
    if text.startswith(_UTF_16):
        yield TextProblem(0, "M101", "file is UTF-16, not UTF-8")
        return
    if not is_utf_8:
        yield _invalid_utf_8(text)
    if "\0" in text:
        yield from _nul_bytes(text)
        if not is_text(text):
            return
    if text.startswith(_BOM):
        yield TextProblem(0, "M102", "byte order mark at the start of the file", (TextEdit(0, 1, ""),))
    yield from _mixed_line_endings(text)


def _invalid_utf_8(text: str) -> TextProblem:
    offsets = [match.start() for match in regex(_INVALID_BYTE).finditer(text)]
    byte = ord(text[offsets[0]]) - 0xDC00
    others = f" and {_count(len(offsets) - 1, 'other byte')}" if len(offsets) > 1 else ""
    return TextProblem(offsets[0], "M101", f"invalid UTF-8: byte 0x{byte:02x}{others}")


def _nul_bytes(text: str) -> Iterator[TextProblem]:
    count = text.count("\0")
    if is_text(text):
        end = len(text) - count
        yield TextProblem(
            end,
            "M104",
            f"{_count(count, 'NUL byte')} at the end of the file",
            (TextEdit(end, len(text), ""),),
        )
    else:
        yield TextProblem(text.index("\0"), "M105", f"not a text file: contains {_count(count, 'NUL byte')}")


def _mixed_line_endings(text: str) -> Iterator[TextProblem]:
    windows = text.count("\r\n")
    unix = text.count("\n") - windows if windows else 0
    if not windows or not unix:
        return
    first_lf = text.index("\n")
    keep_windows = windows > unix or (windows == unix and text[first_lf - 1 : first_lf] == "\r")
    if keep_windows:
        edits = tuple(
            TextEdit(match.start(), match.start(), "\r") for match in regex(r"(?<!\r)\n").finditer(text)
        )
        minority, majority, minority_count = "LF", "CR LF", unix
    else:
        edits = tuple(
            TextEdit(match.start(), match.end() - 1, "") for match in regex(r"\r+\n").finditer(text)
        )
        minority, majority, minority_count = "CR LF", "LF", windows
    verb = "ends" if minority_count == 1 else "end"
    lines = f"{minority_count} of {windows + unix} lines"
    message = f"mixed line endings: {lines} {verb} in {minority}, the rest in {majority}"
    yield TextProblem(edits[0].start, "M103", message, edits)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
