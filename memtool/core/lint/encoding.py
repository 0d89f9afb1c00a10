"""Encoding: whether a file's bytes are UTF-8 text, and its line ends all of one kind."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Mark
from memtool.core.text.edited import Edit
from memtool.core.text.pattern import compiled

_FOREIGN = "[\udc80-\udcff]"
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")
_BOM = "\ufeff"


def decoded(content: bytes) -> tuple[str, bool]:
    """A file's text, bytes that are not UTF-8 as lone surrogates, and whether there are none of these."""
    try:
        return content.decode(), True
    except UnicodeDecodeError:
        return content.decode("utf-8", "surrogateescape"), False


def is_text(text: str) -> bool:
    """Whether more can be said of what was decoded: it has no NUL in its middle, and is not UTF-16."""
    if text.startswith(_UTF_16):
        return False
    return "\0" not in text or (bool(body := text.rstrip("\0")) and "\0" not in body)


def marks(text: str, *, is_utf_8: bool) -> Iterator[Mark]:
    """What is wrong with the encoding of a text; of what is no text, that alone."""
    if text.startswith(_UTF_16):
        yield Mark(0, "M101", "the file is UTF-16, and not UTF-8")
        return
    if not is_utf_8:
        yield _foreign(text)
    if "\0" in text:
        yield from _nul(text)
        if not is_text(text):
            return
    if text.startswith(_BOM):
        yield Mark(0, "M102", "the file begins with a byte order mark", (Edit(0, 1, ""),))
    yield from _line_ends(text)


def _foreign(text: str) -> Mark:
    found = [match.start() for match in compiled(_FOREIGN).finditer(text)]
    code = ord(text[found[0]]) - 0xDC00
    others = f"; there are {len(found)} such bytes" if len(found) > 1 else ""
    return Mark(found[0], "M101", f"byte 0x{code:02x} is not UTF-8{others}")


def _nul(text: str) -> Iterator[Mark]:
    count = text.count("\0")
    if is_text(text):
        end = len(text) - count
        yield Mark(end, "M104", f"the file ends in {_count(count, 'NUL byte')}", (Edit(end, len(text), ""),))
    else:
        yield Mark(text.index("\0"), "M105", f"the file holds {_count(count, 'NUL byte')} and is no text")


def _line_ends(text: str) -> Iterator[Mark]:
    windows = text.count("\r\n")
    unix = text.count("\n") - windows if windows else 0
    if not windows or not unix:
        return
    first = text.index("\n")
    keep_windows = windows > unix or (windows == unix and text[first - 1 : first] == "\r")
    if keep_windows:
        edits = tuple(Edit(one.start(), one.start(), "\r") for one in compiled(r"(?<!\r)\n").finditer(text))
        few, many, wrong = "LF", "CR LF", unix
    else:
        edits = tuple(Edit(one.start(), one.end() - 1, "") for one in compiled(r"\r+\n").finditer(text))
        few, many, wrong = "CR LF", "LF", windows
    said = (
        f"{wrong} of {windows + unix} lines {'ends' if wrong == 1 else 'end'} in {few}, the others in {many}"
    )
    yield Mark(edits[0].start, "M103", said, edits)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
