"""The progress bar: only for long work, only on a terminal, on one line of it, and erased."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import sys
import termios

import pytest

from memtool.cli import output
from memtool.cli.progress import progress_bar


class Terminal:
    """A terminal in place of stderr, and what was written to it."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._reader, writer = pty.openpty()
        termios.tcsetwinsize(writer, (24, columns))
        self.file = os.fdopen(writer, "w")

    def close(self) -> str:
        """Close the terminal, and return what was written to it."""
        self.file.close()
        written = b""
        with contextlib.suppress(OSError):  # raised at the end
            while block := os.read(self._reader, 1 << 16):
                written += block
        os.close(self._reader)
        return written.decode()


@pytest.fixture
def terminal(request, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLUMNS", raising=False)
    return Terminal(getattr(request, "param", 80))


def test_a_bar_appears_after_half_a_second_and_is_erased_at_the_end(monkeypatch, terminal):
    monkeypatch.setattr(sys, "stderr", terminal.file)
    times = iter([0.0, 0.4, 0.6, 0.65, 0.8, 0.9])
    show = progress_bar("indexing", lambda: next(times))
    for done in (10, 20, 30, 40, 100):  # at 0.65 s the bar was just drawn
        show(done, 100)
    terminal.file.write("end")
    bars = "".join(
        f"\rindexing [{'#' * n}{' ' * (30 - n)}] {done}/100\x1b[K" for n, done in ((6, 20), (12, 40))
    )
    assert terminal.close() == f"{bars}\r\x1b[Kend"


def test_a_message_erases_the_bar(monkeypatch, terminal):
    monkeypatch.setattr(sys, "stderr", terminal.file)
    times = iter([0.0, 1.0])
    progress_bar("indexing", lambda: next(times))(1, 2)
    output.print_message("interrupted")
    assert terminal.close().endswith("1/2\x1b[K\r\x1b[Kmemtool: interrupted\r\n")


@pytest.mark.parametrize("terminal", [20, 40, 80], indirect=True)
def test_a_bar_fits_on_one_line(monkeypatch, terminal):
    monkeypatch.setattr(sys, "stderr", terminal.file)
    times = iter([0.0, 1.0])
    progress_bar("looking at turns", lambda: next(times))(2999, 3000)
    output.erase_status()
    bar = terminal.close().removeprefix("\r").removesuffix("\x1b[K\r\x1b[K")
    assert bar.startswith("looking at")
    assert len(bar) < terminal.columns


@pytest.mark.parametrize("name", ["dumb", None])
def test_there_is_no_bar_without_a_terminal_that_can_erase_it(monkeypatch, terminal, name):
    monkeypatch.setattr(sys, "stderr", io.StringIO() if name is None else terminal.file)
    if name is not None:
        monkeypatch.setenv("TERM", name)
    assert progress_bar("indexing") is None
    terminal.close()
