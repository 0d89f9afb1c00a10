"""Real processes that are killed or meet a limit of the disk: exit code and files agree."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from tests.disk_limits import LimitLaw
from tests.trees import clean_environment, contents, memtool

LIMITED = """
import resource, sys
from memtool.cli.main import run
sys.dont_write_bytecode = True  # Python would leave a module of this checkout compiled in part
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(run(sys.argv[2:]))
"""
LONG = "word " * 80
COMMANDS = {
    "scan": (["scan", "-m", f"Remember that the ox is red. I prefer {LONG}"], ""),
    "append-turn": (["append-turn"], json.dumps({"role": "user", "content": LONG})),
    "save": (["save", LONG], ""),
    "migrate": (["migrate", "--to", "q15"], ""),
}


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "w"
    memtool("init", str(root), "--layout", "native", home=tmp_path)
    memtool("--root", str(root), "scan", "-m", "I prefer green tea", home=tmp_path)
    return root


@pytest.mark.parametrize("name", COMMANDS)
def test_a_limit_of_the_file_size_leaves_all_or_nothing(root, tmp_path, name):
    arguments, text = COMMANDS[name]
    before = contents(root)
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, "250", "--root", str(root), *arguments],
        input=text.encode(),
        capture_output=True,
        env=clean_environment(tmp_path),
        check=False,
    )
    if name == "migrate":  # in steps, each of them whole
        assert (result.returncode, b"steps completed" in result.stderr) == (20, True)
    else:
        assert result.returncode == 19, result.stderr
        assert contents(root) == before


@pytest.mark.parametrize("engine", ["whoosh", "sqlite"])
def test_a_search_answers_where_new_stamps_of_the_same_files_cannot_be_written(root, tmp_path, engine):
    (root / "memtool.toml").write_text(f'layout = "native"\n[search]\nengine = "{engine}"\n')
    memtool("--root", str(root), "search", "tea", home=tmp_path)
    for path in root.glob("*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, "0", "--root", str(root), "search", "tea"],
        capture_output=True,
        env=clean_environment(tmp_path),
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert b"I prefer green tea" in result.stdout


@pytest.mark.parametrize(
    ("name", "kind", "amount"),
    [
        ("memories", "fsize", 64),
        ("lint --fix", "fsize", 300),
        ("reindex", "nofile", 6),
        ("memories --jsonl", "tmpfs", 0),
    ],
)
def test_the_exit_code_agrees_with_a_disk_that_refuses(tmp_path, name, kind, amount):
    try:
        code, violation = LimitLaw(name, tmp_path).check(kind, amount)
    except PermissionError as error:
        pytest.skip(str(error))
    assert not violation
    assert code in {19, 20}


def test_a_kill_in_the_middle_of_a_large_append_tears_no_line(root, tmp_path):
    append = [
        sys.executable,
        "-m",
        "memtool",
        "--root",
        str(root),
        "append-daily",
        "--full",
        "--at",
        "2025-01-15",
    ]
    environment = clean_environment(tmp_path)
    subprocess.run([*append, "--user-text", "first"], env=environment, check=True, capture_output=True)
    note = root / "memory/2025-01-15.md"
    before = note.read_bytes()
    process = subprocess.Popen(
        [*append, "--jsonl"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    process.stdin.write(json.dumps({"note": "long " * 4_000_000}).encode() + b"\n")
    process.stdin.close()
    while note.stat().st_size == len(before) and process.poll() is None:
        pass  # it has begun to write
    process.send_signal(signal.SIGKILL)
    process.wait()
    whole = note.stat().st_size > len(before) + 20_000_000
    subprocess.run([*append, "--user-text", "last"], env=environment, check=True, capture_output=True)
    after = note.read_bytes()
    assert after.startswith(before)
    assert len(after) < len(before) + (20_001_000 if whole else 1_000)
    assert after.endswith(b"**User:** last\n\n") or b"**User:** last\n" in after[-100:]


@pytest.mark.parametrize("command", ["search", "recall"])
def test_an_index_that_the_disk_refuses_is_not_said_to_be_rebuilt(root, tmp_path, command):
    memtool("--root", str(root), "save", "The kiln is red", home=tmp_path)
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, "100", "--root", str(root), command, "kiln"],
        capture_output=True,
        env=clean_environment(tmp_path),
        text=True,
        check=False,
    )
    assert "The kiln is red" in result.stdout
    assert re.search(
        rf"cannot be used \(.+\); this {command} reads the (?:fact )?files without the index", result.stderr
    )
    assert "rebuilding" not in result.stderr
