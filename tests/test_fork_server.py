"""A forked command is like one that an interpreter was started for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests import forked
from tests.trees import clean_environment, make

PAGES = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n\n- tea\n"}
LONG = "".join(f'{{"text": "I prefer recipe {number}", "more": "{number:0200}"}}\n' for number in range(800))
"""More than a pipe holds, as is what is printed of it."""


@pytest.mark.parametrize(
    ("arguments", "stdin", "more"),
    [
        (["--version"], "", {}),
        (["nonsense"], "", {}),
        (["search", ""], "", {}),
        (["get", "MEMORY.md"], "", {"MEMTOOL_ROOT": "w"}),
        (["--root", "w", "scan", "--dry-run", "-m", "Ich trinke lieber grünen Tee \udcff"], "", {}),
        (["--root", "w", "scan", "--dry-run", "--jsonl", "--json"], LONG, {}),
        (["--root", "w", "append-daily", "--dry-run", "--user-text", "x"], "", {"TZ": "Asia/Tashkent"}),
        (["--root", "w", "get", "MEMORY.md"], "", {"LC_ALL": "C", "PYTHONUTF8": "0"}),
        (["--root", "w", "get", "MEMORY.md"], "", {"PYTHONPATH": "nonexistent", "PYTHONSAFEPATH": "1"}),
    ],
)
def test_a_fork_prints_and_ends_as_a_new_process(arguments, stdin, more, tmp_path):
    make(tmp_path / "w", PAGES)
    environment = clean_environment(tmp_path, MEMTOOL_NOW="2025-01-15T10:30:00Z", **more)
    started = subprocess.run(
        [sys.executable, "-m", "memtool", *arguments],
        input=stdin.encode(),
        capture_output=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    done = forked.run(arguments, stdin.encode(), tmp_path, environment)
    assert (done.returncode, done.stdout, done.stderr) == (
        started.returncode,
        started.stdout,
        started.stderr,
    )


def test_a_fork_has_the_umask_and_the_folder_that_it_was_given(tmp_path):
    before = os.umask(0o027)
    try:
        done = forked.run(["init", "new"], b"", tmp_path, clean_environment(tmp_path))
    finally:
        os.umask(before)
    assert done.returncode == 0
    assert (tmp_path / "new").stat().st_mode & 0o777 in {0o700, 0o750}


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [(["watch"], subprocess.DEVNULL, 0), (["scan", "--lines"], subprocess.PIPE, -signal.SIGTERM)],
)
def test_the_program_for_shells_passes_signals_on_and_ends_as_the_command(arguments, stdin, code, tmp_path):
    root, program = make(tmp_path / "w", PAGES), tmp_path / "memtool"
    forked.write_command(program)
    process = subprocess.Popen(
        [program, "--root", root, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=clean_environment(tmp_path),
    )
    if process.stdin:
        process.stdin.write(b"I prefer tea\n")
        process.stdin.flush()
    assert process.stdout.readline() in {
        f"memtool: watching {root}\n".encode(),
        b"preference\tI prefer tea\n",
    }
    process.terminate()
    assert process.wait(timeout=30) == code


def test_a_command_that_is_not_given_its_folder_or_streams_is_started(tmp_path):
    program = tmp_path / "memtool"
    forked.write_command(program)
    command = f'mkdir gone && cd gone && rmdir ../gone && "{program}" --version <&- && "{program}" --version'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=clean_environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"memtool") == 2


def test_a_command_that_takes_too_long_is_killed(tmp_path):
    root = make(tmp_path / "w", PAGES)
    arguments = ["--root", str(root), "watch"]
    with pytest.raises(subprocess.TimeoutExpired):
        forked.run(arguments, b"", tmp_path, clean_environment(tmp_path), timeout=0.2)
