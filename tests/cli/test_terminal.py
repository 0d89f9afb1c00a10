"""On a terminal: colours where they are wanted, a progress bar for long work, and nothing of it in a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.trees import clean_environment, make, memtool


@pytest.fixture
def root(tmp_path):
    root = make(
        tmp_path / "w", {f"memory/notes/inbox/{i}.md": "# Harbour\n\nThe pilot boat.\n" for i in range(250)}
    )
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    return root


def on_a_terminal(root, home, *arguments, **more):
    """What a command writes on a terminal."""
    ours, theirs = pty.openpty()
    environment = clean_environment(home, TERM="xterm", **more)
    command = [sys.executable, "-m", "memtool", "--root", str(root), *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    written = b""
    while True:
        try:
            block = os.read(ours, 1 << 16)
        except OSError:  # the terminal is gone with its last writer
            break
        if not block:
            break
        written += block
    os.close(ours)
    process.wait(20)
    return written.decode()


def test_colours_are_for_terminals_that_want_them(root, tmp_path):
    assert "\x1b[1;31mpilot\x1b[0m" in on_a_terminal(root, tmp_path, "search", "pilot", "-n", "1")
    for plain in (
        on_a_terminal(root, tmp_path, "search", "pilot", "-n", "1", NO_COLOR="1"),
        memtool("--root", str(root), "search", "pilot", "-n", "1", home=tmp_path).stdout,
    ):
        assert "pilot" in plain
        assert "\x1b" not in plain


def test_no_memory_drives_the_terminal(root, tmp_path):
    make(root, {"memories/a.md": "red \x1b[31m\ttab\n"})
    shown = on_a_terminal(root, tmp_path, "memories", "view", "/memories/a.md")
    assert "     1\tred \ttab\r\n" in shown
    piped = memtool("--root", str(root), "memories", "view", "/memories/a.md", home=tmp_path).stdout
    assert "     1\tred \ttab\n" in piped


def test_long_work_shows_progress_and_wipes_it(root, tmp_path):
    written = on_a_terminal(root, tmp_path, "reindex")
    assert "\r\x1b[K" in written
    assert written.endswith("documents\t260\r\nturns\t0\r\n")
    assert memtool("--root", str(root), "reindex", home=tmp_path).stderr == ""


def test_a_long_page_goes_through_the_pager_where_there_is_a_screen(root, tmp_path):
    paged = on_a_terminal(root, tmp_path, "help", "--all", PAGER="sed s/^/paged:/").splitlines()
    assert len(paged) > 500
    assert all(line.startswith("paged:") for line in paged)
    left = on_a_terminal(root, tmp_path, "help", "formats", PAGER="sed q")
    assert left == "# The formats\r\n"
    piped = memtool(
        "help", "--all", home=tmp_path, environment={"PAGER": "sed s/^/paged:/", "COLUMNS": "300"}
    )
    assert "paged:" not in piped.stdout
    assert piped.stdout == memtool("help", "--all", home=tmp_path).stdout


def test_a_terminal_is_not_waited_for(root, tmp_path):
    ours, theirs = pty.openpty()
    result = subprocess.run(
        [sys.executable, "-m", "memtool", "--root", str(root), "scan"],
        stdin=theirs,
        capture_output=True,
        text=True,
        env=clean_environment(tmp_path),
        timeout=20,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert result.returncode == 2
    assert "no text given" in result.stderr
