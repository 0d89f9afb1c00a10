"""How bash, zsh and fish ask for completions: click's classes, with scripts and quoting of our own.

Our scripts hand over the line up to the cursor as it was typed, so that options joined by `=`, quotes, and
characters at which bash alone parts words are understood; click's own way of asking is understood as well.
"""

from __future__ import annotations

import os
import re
import signal
from typing import Any, NoReturn

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)
from msgspec import Struct

SHELLS = ("bash", "zsh", "fish")
"""The shells that can be taught."""
MARK = "as printed by: memtool completion"
"""What stands in each of our scripts, and in no other file."""

_PATIENCE = 2.0
"""Seconds after which a shell is told nothing: whoever typed has gone on."""
_CURSOR = "\0"
"""No word that is typed can hold it: it marks where the cursor stands."""
_SPECIAL = re.compile(r"[^\w@%+=:,./^-]")


class Line(Struct, frozen=True):
    """A command line up to the cursor: the words before, and the one that is typed.

    `raw` is that word as it stands, and `quote` the quotation mark that is still open in it.
    """

    words: tuple[str, ...]
    word: str
    raw: str = ""
    quote: str = ""


def script(shell: str) -> str:
    """The script that teaches a shell to complete memtool."""
    with open(
        os.path.join(os.path.dirname(__file__), "scripts", f"memtool.{shell}"), encoding="utf-8"
    ) as file:
        return file.read()


def read(line: str) -> Line:
    """A line as the shell will read it, after the name of the program."""
    *words, last = split_arg_string(line + _CURSOR) or [_CURSOR]
    start, quote = _open_word(line)
    return Line(tuple(words[1:]), last.partition(_CURSOR)[0], line[start:], quote)


def _open_word(line: str) -> tuple[int, str]:
    """Where the last word of a line begins, and the quotation mark that is open at the end of it."""
    start, quote, at = 0, "", 0
    while at < len(line):
        char = line[at]
        if char == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char.isspace():
            start = at + 1
        at += 1
    return start, quote


def quoted(text: str, quote: str) -> str:
    """A text as it has to stand on a line of a POSIX shell, behind a quotation mark that is open, if any."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return re.sub(r'([\\"$`])', r"\\\1", text)
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def expanded(words: list[str]) -> list[str]:
    """The words of a line with the shell's short forms of folders spelled out where a root is named."""
    found: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        name, joined, value = word.partition("=")
        if name == "--root" and joined:
            found.append(f"--root={_spelled_out(value)}")
        else:
            found.append(_spelled_out(word) if before == "--root" else word)
    return found


def _spelled_out(path: str) -> str:
    return os.path.expanduser(os.path.expandvars(path))


class _TooSlow(BaseException):
    """The answer is not worth waiting for. (No Exception, which something below might take for its own.)"""


def _give_up(*_: object) -> NoReturn:
    raise _TooSlow


class _Complete(ShellComplete):
    """What our three have in common: the script, the line, and silence."""

    def source(self) -> str:
        """The script."""
        return script(self.name)

    def line(self) -> Line:
        """The line as our script hands it over, or its words as click's scripts do."""
        line = os.environ.get("COMP_LINE")
        if line:
            return read(line)
        words, word = super().get_completion_args()
        return Line(tuple(words), word)

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before, and the beginning of the one that is typed."""
        line = self.line()
        return expanded([*line.words]), line.word

    def complete(self) -> str:
        """The answer to the shell, a line each; nothing at all where anything goes wrong, or takes too long.

        A message would land in the middle of what somebody types.
        """
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
        try:
            return super().complete()
        except (Exception, _TooSlow):  # whatever it is, the command itself will say it
            return ""
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """What may stand next; no name in it drives a terminal or breaks the answer's lines."""
        return [one for one in super().get_completions(args, incomplete) if str(one.value).isprintable()]


@add_completion_class
class Bash(_Complete, BashComplete):
    """bash: it replaces only a part of a word, and wants that part quoted."""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The type, and what is to be put in the place of what bash replaces."""
        if item.type in {"file", "dir"}:
            return f"{item.type},"
        line, replaced = self.line(), os.environ.get("COMP_REPLACED")
        apart = replaced is not None and line.raw.endswith(replaced)
        known = read(f"memtool {line.raw.removesuffix(replaced or '')}").word if apart else ""
        name = re.match(r"--[\w-]+=", line.word)
        value = (name[0] if name else "") + item.value
        if not value.startswith(known):  # another name, in the place of what was typed
            return f"{item.type},{quoted(value, line.quote)}"
        return f"{item.type},{quoted(value[len(known) :], line.quote)}"


@add_completion_class
class Zsh(_Complete, ZshComplete):
    """zsh: it quotes by itself."""


@add_completion_class
class Fish(_Complete, FishComplete):
    """fish: it quotes by itself."""
