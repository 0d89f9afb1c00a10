"""What is printed: data to stdout, talk to stderr, and a closed pipe that ends quietly."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memtool.errors import Unwritable

_COLOURS = {"path": "35", "line": "32", "match": "1;31", "dim": "2", "good": "32", "bad": "31", "warn": "33"}


class ReaderGone(Exception):
    """Whoever read the output has seen enough. (Not an OSError, which click would make exit code 1 of.)"""


def put(line: str) -> None:
    """One line of data. Names and bytes that are not UTF-8 come out as the bytes they are."""
    _write(line.encode("utf-8", "surrogateescape") + b"\n")


def put_row(*columns: str) -> None:
    """One line of columns with tabs between them, safe for a terminal."""
    put("\t".join(map(printable, columns)))


def put_raw(text: str, end: str = "") -> None:
    """Text exactly as it is, bytes that are not UTF-8 included."""
    _write((text + end).encode("utf-8", "surrogateescape"))


def put_text(text: str) -> None:
    """A text of several lines and a line end; on a terminal, without what would drive it."""
    if on_terminal():
        text = "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))
    put_raw(text, "\n")


def put_json(record: Mapping[str, Any]) -> None:
    """One record as a line of JSON; a byte that is not UTF-8 is escaped, so the line always parses."""
    line = json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
    _write(line.encode("utf-8", "backslashreplace") + b"\n")


def flush() -> None:
    """Hand over what was printed so far, so that a reader of a pipe sees it now."""
    with _writing():
        sys.stdout.flush()


def _write(content: bytes) -> None:
    with _writing():
        sys.stdout.buffer.write(content)


def _give_up() -> None:
    """Leave nothing for the interpreter to write to stdout when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Turn what can go wrong with stdout into what it means. Raises ReaderGone, Unwritable."""
    if sys.stdout is None:
        raise Unwritable("the output could not be written: stdout is closed")
    try:
        yield
    except BrokenPipeError as error:
        _give_up()
        raise ReaderGone from error
    except OSError as error:
        _give_up()
        raise Unwritable(f"the output could not be written: {error.strerror or error}") from error


@contextlib.contextmanager
def unread() -> Iterator[None]:
    """Whoever reads what is printed in here may leave: what comes after is done, and the answer given."""
    with contextlib.suppress(ReaderGone):
        yield


def say(text: str) -> None:
    """A sentence for people, on stderr; lost where that is closed, for the exit code says enough."""
    line = printable(text).encode("utf-8", "backslashreplace").decode()
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"memtool: {line}\n")


def advise(text: str) -> None:
    """A page for people, on stderr, where it is the answer to nothing that was asked."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{text}\n")


def printable(text: str) -> str:
    """A text in which no control character can drive the terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(ord(char)) for char in text)


def _escaped(code: int) -> str:
    """A character as Python writes it; a byte that was no UTF-8 as that byte."""
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plural(count: int, noun: str) -> str:
    """A count with its noun, in the plural where it is not 1: `1 file`, `3 files`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def on_terminal() -> bool:
    """Whether stdout is a terminal; one that is closed is none."""
    return sys.stdout is not None and sys.stdout.isatty()


def coloured() -> bool:
    """Whether stdout is a terminal that wants colours (https://no-color.org)."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    """A text in a named colour; call it only where `coloured()`."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def painted(text: str, spans: Iterable[tuple[int, int]], colour: str) -> str:
    """A text with some spans of it in colour."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts += [text[done:start], paint(text[start:end], colour)]
        done = end
    return "".join([*parts, text[done:]])


def where(path: str, line: int, column: int | None, text: str) -> str:
    """A line `path:line:column: text` for people, in colours where they are wanted."""
    name, numbers = printable(path), str(line) if column is None else f"{line}:{column}"
    if coloured():
        name, numbers = paint(name, "path"), paint(numbers, "line")
    return f"{name}:{numbers}: {printable(text)}".rstrip()
