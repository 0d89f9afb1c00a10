"""A file that a command reads, or stdin, as an argument or the value of an option."""

from __future__ import annotations

import sys
from typing import IO, Any, BinaryIO

import click

from memtool.errors import BadUsage


class InputFile(click.File):
    """A file that is opened for reading bytes; `-` is stdin. Raises BadUsage if stdin is closed."""

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> IO[Any]:
        """Open the file, or return stdin."""
        return open_stdin() if value == "-" else super().convert(value, param, ctx)


def open_stdin() -> BinaryIO:
    """Return stdin. Raises BadUsage if it is closed."""
    if sys.stdin is None:
        raise BadUsage("stdin is closed; give a file, or pipe the text to stdin")
    return sys.stdin.buffer
