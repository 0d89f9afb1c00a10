"""Output: data to stdout, messages to stderr, colours, and quiet handling of closed pipes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from memtool.errors import TRACEBACK_VARIABLE, OutputFailed

ColourMode = Literal["auto", "always", "never"]
_COLOURS = {
    "path": "35",
    "line": "32",
    "match": "1;31",
    "dim": "2",
    "head": "1",
    "good": "32",
    "bad": "31",
    "warn": "33",
}


_ROWS_ALIGNED = 500
"""Rows in succession that are aligned together on a terminal."""
_pending_rows: list[list[str]] = []
_is_status_shown = False
"""Whether the terminal of stderr shows a line that is to be erased, such as a progress bar."""


_SPACES_AND_JOINERS = frozenset("\u00a0\u00ad\u1680\u202f\u205f\u3000\u200c\u200d").union(
    map(chr, range(0x2000, 0x200B))
)
"""Characters that Python calls unprintable, but that texts need: Persian words, emoji, French punctuation."""


class OutputPipeClosed(Exception):
    """The reader of stdout closed its pipe. (Not an OSError: click would turn that into exit code 1.)"""


def put(line: str) -> None:
    """Print one line of data. Bytes that are not UTF-8, kept as surrogates, are written unchanged."""
    _write(line.encode("utf-8", "surrogateescape") + b"\n")


def put_row(*columns: str) -> None:
    """Print one line of columns separated by tabs, with control characters escaped.

    On a terminal, rows in succession are aligned in columns, and the last column is wrapped.
    """
    if not on_terminal():
        put("\t".join(map(printable, columns)))
        return
    _pending_rows.append([*map(printable, columns)])
    if len(_pending_rows) >= _ROWS_ALIGNED:
        _put_pending_rows()


def _put_pending_rows() -> None:
    """Print the rows that wait for each other to be aligned."""
    from memtool.cli.terminal import table, terminal_columns

    rows = [*_pending_rows]
    _pending_rows.clear()
    for line in table(rows, terminal_columns()):
        put(line)


def put_wrapped(prefix: str, text: str, indent: int | None = None) -> None:
    """Print `prefix` and `text` as one line; on a terminal the text is wrapped at blanks and indented."""
    put(wrapped(prefix, text, indent))


def put_indented(line: str, indent: int) -> None:
    """Print an indented line whole, such as a command to copy; indented less on a narrow terminal."""
    if on_terminal():
        from memtool.cli.terminal import INDENT, display_width, terminal_columns

        if indent + display_width(line) > terminal_columns():
            indent = INDENT
    put(f"{'':<{indent}}{line}")


def wrapped(prefix: str, text: str, indent: int | None = None) -> str:
    """`prefix` and `text` as one line; on a terminal, the text wrapped at blanks and indented."""
    if not on_terminal():
        return f"{prefix}{text}".rstrip()
    from memtool.cli.terminal import INDENT, terminal_columns, wrap

    return wrap(prefix, text, terminal_columns(), INDENT if indent is None else indent)


def put_raw(text: str, end: str = "") -> None:
    """Print text exactly as it is, including bytes that are not UTF-8."""
    _write((text + end).encode("utf-8", "surrogateescape"))


def put_text(text: str, end: str = "") -> None:
    """Print a text of several lines as it is; on a terminal, control characters are escaped."""
    if on_terminal():
        lines = text.replace("\r\n", "\n").split("\n")
        text = "\n".join(map(printable_line, lines))
    put_raw(text, end)


def put_json(record: Mapping[str, Any]) -> None:
    """Print one record as a line of JSON; bytes that are not UTF-8 are escaped, so the line always parses.

    On a terminal, all characters that are not ASCII are escaped in a record that could control it.
    """
    import json

    line = json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
    if on_terminal() and not line.isprintable():
        line = json.dumps(record, separators=(", ", ": "))
    _write(line.encode("utf-8", "backslashreplace") + b"\n")


def flush() -> None:
    """Flush stdout, so that its reader sees what was printed so far."""
    if _pending_rows:
        _put_pending_rows()
    erase_status()
    with _translate_errors():
        sys.stdout.flush()


def _write(content: bytes) -> None:
    if _pending_rows:
        _put_pending_rows()
    erase_status()
    with _translate_errors():
        sys.stdout.buffer.write(content)


def _discard_stdout() -> None:
    """Redirect stdout to /dev/null, so that the interpreter's flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate errors of stdout. Raises OutputPipeClosed for a closed pipe, OutputFailed for any other."""
    if sys.stdout is None:
        raise OutputFailed("stdout is closed")
    try:
        yield
    except BrokenPipeError as error:
        _discard_stdout()
        raise OutputPipeClosed from error
    except OSError as error:
        _discard_stdout()
        raise OutputFailed(error.strerror or str(error)) from error


@contextlib.contextmanager
def ignore_closed_pipe() -> Iterator[None]:
    """End the block when the reader closes its pipe; what follows still runs and sets the exit code."""
    with contextlib.suppress(OutputPipeClosed):
        yield


def print_message(text: str) -> None:
    """Print one message on stderr; nothing if stderr is closed."""
    if _pending_rows:  # else they would follow a message that was printed after them
        with contextlib.suppress(OutputPipeClosed, OutputFailed):
            _put_pending_rows()
    erase_status()
    line = printable(text).encode("utf-8", "backslashreplace").decode()
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            line = f"memtool: {line}"
            if sys.stderr.isatty():
                from memtool.cli.terminal import terminal_columns, wrap

                line = wrap("", line, terminal_columns(sys.stderr))
            sys.stderr.write(f"{line}\n")


def show_status(line: str) -> None:
    """Show a line on the terminal of stderr, in place of the one before, until `erase_status`."""
    global _is_status_shown  # noqa: PLW0603  there is one stderr
    _is_status_shown = True
    with contextlib.suppress(OSError):
        sys.stderr.write(f"\r{line}\x1b[K")
        sys.stderr.flush()


def erase_status() -> None:
    """Erase the line that `show_status` shows; data and messages do so before they are written."""
    global _is_status_shown  # noqa: PLW0603  there is one stderr
    if _is_status_shown:
        _is_status_shown = False
        with contextlib.suppress(OSError):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def log_to_stderr(log_format: str) -> None:
    """Log a server's warnings to stderr; with MEMTOOL_TRACEBACK also the tracebacks of bugs."""
    import logging

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=log_format, force=True)
    if os.environ.get(TRACEBACK_VARIABLE):
        logging.getLogger("memtool").setLevel(logging.DEBUG)


def print_page(text: str) -> None:
    """Print a help page that was not asked for on stderr."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{text}\n")


def printable(text: str) -> str:
    """A text with its control characters escaped, so that it cannot control the terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in _SPACES_AND_JOINERS else _escape(ord(char)) for char in text
    )


def printable_line(text: str) -> str:
    """A line as `printable` returns it, except that its tabs stay."""
    return "\t".join(map(printable, text.split("\t")))


def _escape(code: int) -> str:
    """The escape sequence of a character as Python writes it; for a byte that is not UTF-8, of that byte."""
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plural(count: int, noun: str) -> str:
    """A count with its noun, with a plural `s` unless the count is 1: `1 file`, `3 files`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def counted(counts: Mapping[str, int]) -> str:
    """Counts with their names; a name in the plural agrees with its count: `2 upgraded, 1 fact`."""
    return ", ".join(
        plural(count, name[:-1]) if name.endswith("s") else f"{count} {name}"
        for name, count in counts.items()
    )


def on_terminal() -> bool:
    """Whether stdout is open and a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def use_colours(mode: ColourMode = "auto") -> bool:
    """Whether to use colours; `auto`: stdout is a terminal that is not `dumb`, and NO_COLOR is not set.

    See https://no-color.org.
    """
    if mode != "auto":
        return mode == "always"
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    """A text in a named colour; call it only if `use_colours()`."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def paint_spans(text: str, spans: Iterable[tuple[int, int]], colour: str) -> str:
    """A text with some spans of it in colour."""
    parts: list[str] = []
    end_of_last = 0
    for start, end in spans:
        parts += [text[end_of_last:start], paint(text[start:end], colour)]
        end_of_last = end
    return "".join([*parts, text[end_of_last:]])


def format_location(path: str, line: int, column: int | None, text: str) -> str:
    """A line `path:line:column: text`, in colours if `use_colours()`; on a terminal wrapped to its width."""
    name, numbers = printable(path), str(line) if column is None else f"{line}:{column}"
    if use_colours():
        name, numbers = paint(name, "path"), paint(numbers, "line")
    return wrapped(f"{name}:{numbers}: ", printable(text))
