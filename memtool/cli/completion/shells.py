"""Completion in bash, zsh and fish: click's classes with scripts and quoting of memtool's own.

The scripts pass the line up to the cursor as it was typed. So `--option=value`, quotes, and the characters at
which only bash splits words are parsed correctly. The protocol of click's own scripts is supported as well.
"""

from __future__ import annotations

import os
import re
import signal
from typing import Any, NamedTuple, NoReturn

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

SHELLS = ("bash", "zsh", "fish")
"""The shells that completion supports."""
SCRIPT_MARK = "as printed by: memtool completion"
"""A line of each completion script, by which an installed script is recognised."""

_TIME_LIMIT = 2.0
"""Seconds after which the answer is empty, because the user has continued to type."""
_CURSOR = "\0"
"""Marks the cursor while a line is split: no typed word can contain it."""
_SPECIAL = re.compile(r"[^\w@%+=:,./^-]")


class TypedLine(NamedTuple):
    """A command line up to the cursor: the complete words, and the word being typed, without its quotes.

    `raw` is the word being typed with its quotes, and `quote` the quotation mark still open in it, or "".
    """

    words: tuple[str, ...]
    word: str
    raw: str = ""
    quote: str = ""


def script(shell: str) -> str:
    """The completion script of a shell."""
    with open(
        os.path.join(os.path.dirname(__file__), "scripts", f"memtool.{shell}"), encoding="utf-8"
    ) as file:
        return file.read()


def parse_line(line: str) -> TypedLine:
    """Parse a line as the shell does; the name of the program is left out of the words."""
    *words, last = split_arg_string(line + _CURSOR) or [_CURSOR]
    start, quote = _open_word(line)
    return TypedLine(tuple(words[1:]), last.partition(_CURSOR)[0], line[start:], quote)


def _open_word(line: str) -> tuple[int, str]:
    """The offset of the last word of a line, and the quotation mark still open at its end, or ""."""
    start, quote, position = 0, "", 0
    while position < len(line):
        char = line[position]
        if char == "\\" and quote != "'":
            position += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char.isspace():
            start = position + 1
        position += 1
    return start, quote


def quote_for_shell(text: str, quote: str) -> str:
    """A text quoted for a POSIX shell, as it continues after an open quotation mark, if any."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return re.sub(r'([\\"$`])', r"\\\1", text)
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def expand_root(words: list[str]) -> list[str]:
    """The words of a line, with `~` and variables expanded in the value of --root."""
    spelled_out: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        name, joined, value = word.partition("=")
        if name == "--root" and joined:
            spelled_out.append(f"--root={_expand_path(value)}")
        else:
            spelled_out.append(_expand_path(word) if before == "--root" else word)
    return spelled_out


def _expand_path(path: str) -> str:
    return os.path.expanduser(os.path.expandvars(path))


class _CompletionTimeout(BaseException):
    """Completion took too long. (A BaseException, so that no `except Exception` on the way catches it.)"""


def _raise_timeout(*_: object) -> NoReturn:
    raise _CompletionTimeout


class _MemtoolCompletion(ShellComplete):
    """The common part of the three shells: the script, parsing of the line, and silence on errors."""

    def source(self) -> str:
        """The completion script."""
        return script(self.name)

    def line(self) -> TypedLine:
        """The line from COMP_LINE, as memtool's scripts pass it, or the words that click's scripts pass."""
        line = os.environ.get("COMP_LINE")
        if line:
            return parse_line(line)
        words, word = super().get_completion_args()
        return TypedLine(tuple(words), word)

    def get_completion_args(self) -> tuple[list[str], str]:
        """The complete words, and the start of the word being typed."""
        line = self.line()
        return expand_root([*line.words]), line.word

    def complete(self) -> str:
        """The completions, one a line; empty on any error, or after the time limit.

        An error message would be printed into the line that the user is typing.
        """
        before = signal.signal(signal.SIGALRM, _raise_timeout)
        try:
            signal.setitimer(signal.ITIMER_REAL, _TIME_LIMIT)
            return super().complete()
        except (Exception, _CompletionTimeout):  # the command itself reports the error when it is run
            return ""
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """The completions, without values that contain control characters or line ends."""
        return [item for item in super().get_completions(args, incomplete) if str(item.value).isprintable()]


@add_completion_class
class MemtoolBashComplete(_MemtoolCompletion, BashComplete):
    """Completion in bash, which replaces only a part of the word and expects that part quoted."""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The type, and the text that takes the place of the part that bash replaces."""
        if item.type in {"file", "dir"}:
            return f"{item.type},"
        line, replaced = self.line(), os.environ.get("COMP_REPLACED")
        is_part = replaced is not None and line.raw.endswith(replaced)
        standing = parse_line(f"memtool {line.raw.removesuffix(replaced or '')}").word if is_part else ""
        name = re.match(r"--[\w-]+=", line.word)
        value = (name[0] if name else "") + item.value
        if not value.startswith(standing):  # the value does not continue what was typed: replace all of it
            return f"{item.type},{quote_for_shell(value, line.quote)}"
        return f"{item.type},{quote_for_shell(value[len(standing) :], line.quote)}"


@add_completion_class
class MemtoolZshComplete(_MemtoolCompletion, ZshComplete):
    """Completion in zsh, which quotes values itself."""


@add_completion_class
class MemtoolFishComplete(_MemtoolCompletion, FishComplete):
    """Completion in fish, which quotes values itself."""
