"""On a terminal: colours where they are wanted, a progress bar for long work, and nothing of it in a pipe."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios

import pytest

from tests.trees import clean_environment, make, memtool


@pytest.fixture
def root(tmp_path):
    root = make(
        tmp_path / "w", {f"memory/notes/inbox/{i}.md": "# Harbour\n\nThe pilot boat.\n" for i in range(250)}
    )
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    memtool("--root", str(root), "reindex", home=tmp_path)  # else a search may show the progress of its index
    return root


def on_a_terminal(root, home, *arguments, columns=80, **more):
    """What a command writes on a terminal."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
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


def test_color_overrides_the_terminal_and_no_color(root, tmp_path):
    arguments = ("search", "pilot", "-n", "1", "--color")
    assert "\x1b" not in on_a_terminal(root, tmp_path, *arguments, "never")
    assert "\x1b[1;31mpilot" in on_a_terminal(root, tmp_path, *arguments, "always", NO_COLOR="1")
    in_pipe = memtool("--root", str(root), *arguments, "always", home=tmp_path).stdout
    assert "\x1b[1;31mpilot" in in_pipe


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_a_hit_is_wrapped_at_blanks_on_a_terminal_and_whole_in_a_pipe(root, tmp_path, columns):
    text = "The harbour master of Skarvik opens the third sluice at noon and closes it at a quarter to four."
    path = "memory/notes/inbox/" + "a-long-name-" * 3 + "of-a-note.md"
    make(root, {path: f"{text}\n"})
    shown = on_a_terminal(root, tmp_path, "search", "sluice", columns=columns, NO_COLOR="1")
    first, *others = shown.splitlines()
    assert first.startswith(f"{path}:1:")
    assert all(len(line) <= columns and line.startswith("    ") for line in others)
    assert " ".join(shown.split()) == f"{path}:1: {text}"
    piped = memtool("--root", str(root), "search", "sluice", home=tmp_path).stdout
    assert piped == f"{path}:1: {text}\n"


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_help_fits_the_terminal(root, tmp_path, columns):
    for name in ("stats", "status", "rules"):
        page = on_a_terminal(root, tmp_path, "help", name, columns=columns)
        assert "Examples:" in page
        assert [line for line in page.splitlines() if len(line) > columns and "memtool" not in line] == []


def test_no_memory_drives_the_terminal(root, tmp_path):
    make(root, {"memories/a.md": "red \x1b[31m\ttab\n"})
    shown = on_a_terminal(root, tmp_path, "memories", "view", "/memories/a.md")
    assert "     1\tred \ttab\r\n" in shown
    piped = memtool("--root", str(root), "memories", "view", "/memories/a.md", home=tmp_path).stdout
    assert "     1\tred \ttab\n" in piped


@pytest.mark.parametrize("command", ["get memory/notes/evil.md --raw", "truncate memory/notes/evil.md"])
def test_no_file_drives_the_terminal_that_shows_it(root, tmp_path, command):
    text = "# Evil\r\n\n\x1b]0;t\x07\u202ex\x9b2J \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f680\u3000\n"
    path = make(root, {"memory/notes/evil.md": text}) / "memory/notes/evil.md"
    words = [
        str(path) if word.endswith(".md") and "truncate" in command else word for word in command.split()
    ]
    shown = on_a_terminal(root, tmp_path, *words)
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & {*shown}
    escaped = r"\x1b]0;t\x07\u202ex\x9b2J"
    assert escaped + " \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f680\u3000\r\n" in shown
    assert r"\x0d" not in shown
    assert memtool("--root", str(root), *words, home=tmp_path).stdout == text


def test_a_note_is_shown_without_control_characters_as_get_prints_it(root, tmp_path):
    make(root, {"memory/notes/evil.md": "# Evil\n\n\x1b]0;t\x07\u202ex\n"})
    printed = [
        memtool("--root", str(root), *command.split(), home=tmp_path).stdout
        for command in ("note show evil", "get memory/notes/evil.md", "note show evil --json")
    ]
    assert printed[0] == printed[1] == json.loads(printed[2])["text"]
    assert printed[0].isascii()
    assert "\x1b" not in printed[0]


def test_no_record_of_json_drives_the_terminal(root, tmp_path):
    make(root, {"memory/notes/a\u202eb.md": "kiln\n"})
    shown = on_a_terminal(root, tmp_path, "--json", "search", "kiln")
    assert json.loads(shown)["path"] == "memory/notes/a\u202eb.md"
    assert "\u202e" not in shown


def test_quiet_work_shows_no_progress(root, tmp_path):
    assert on_a_terminal(root, tmp_path, "-q", "reindex") == ""
    assert memtool("--root", str(root), "reindex", home=tmp_path).stderr == ""


def test_a_long_page_goes_through_the_pager_where_there_is_a_screen(root, tmp_path):
    paged = on_a_terminal(root, tmp_path, "help", "--all", PAGER="sed s/^/paged:/").splitlines()
    assert len(paged) > 500
    assert all(line.startswith("paged:") for line in paged)
    left = on_a_terminal(root, tmp_path, "help", "formats", PAGER="sed q")
    assert left == "File formats\r\n"
    piped = memtool(
        "help", "--all", home=tmp_path, environment={"PAGER": "sed s/^/paged:/", "COLUMNS": "300"}
    )
    assert "paged:" not in piped.stdout
    assert piped.stdout == memtool("help", "--all", home=tmp_path).stdout


def test_context_on_a_terminal_prints_what_is_part_of_every_prompt(root, tmp_path):
    (root / "MEMORY.md").write_text("# Memory\n\n- The kiln is free on Thursdays.\n")
    result = with_terminal_as_stdin(root, tmp_path, "context")
    assert result.returncode == 0
    assert "The kiln is free on Thursdays." in result.stdout


def test_a_terminal_is_not_waited_for(root, tmp_path):
    result = with_terminal_as_stdin(root, tmp_path, "scan")
    assert result.returncode == 2
    assert "no text given" in result.stderr


def with_terminal_as_stdin(root, tmp_path, command):
    ours, theirs = pty.openpty()
    result = subprocess.run(
        [sys.executable, "-m", "memtool", "--root", str(root), command],
        stdin=theirs,
        capture_output=True,
        text=True,
        env=clean_environment(tmp_path),
        timeout=20,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    return result
