"""Which commands a fleet may run on the machine of a tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.cli.table import COMMANDS
from memtool.core.fleet.job_command import RUNNABLE, parse_job_command
from memtool.errors import BadUsage

PARTS = [
    *{word for name in RUNNABLE for word in name.split()},
    "--root",
    "--fix",
    "-q",
    "--idle",
    "2h",
    "=",
    "/",
]


@pytest.mark.parametrize(
    "command",
    [
        "maintain",
        "maintain --idle 2h --dry-run",
        "lint --fix",
        "lint --severity=error --select M1,M203",
        "session sweep --idle 90s -q",
        "session-end --user ann --session s1 --if-idle 30m --reason timeout",
        "quarantine list --json",
        "fleet push",
    ],
)
def test_maintenance_may_run(command):
    assert parse_job_command(command.split()) == tuple(command.split())


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["compact"],
        ["fleet"],
        ["fleet", "join", "DSN", "--as", "x"],
        ["fleet", "run"],
        ["quarantine", "purge"],
        ["config", "set", "embedder", "sh"],
        ["hook"],
        ["maintain", "--root", "/"],
        ["--root", "/", "maintain"],
        ["maintain", "--layout", "nano"],
        ["maintain", "--idle"],
        ["maintain", "--idle", "--root"],
        ["maintain", "--idle", "2h\n"],
        ["maintain", "--idle=2h;sh"],
        ["maintain", "--idle", "٢h"],
        ["maintain", "--dry-run=1"],
        ["maintain", "-qv"],
        ["maintain", "--"],
        ["maintain", "-h"],
        ["lint", "--baseline", "/etc/passwd"],
        ["lint", "--write-baseline"],
        ["lint", "MEMORY.md"],
        ["lint", "-"],
        ["lint", "--fix", "--fix"],
        ["session-end", "--transcript", "/etc/passwd"],
        ["session-end", "--summarizer", "sh"],
        ["session-end", "--session", "../x"],
        ["session-end", "--session", "-x"],
        ["session-end", "--reason", ""],
        ["session-end", "--user", "a" * 65],
        ["maintain\0"],
        ["maintain "],
        ["MAINTAIN"],
        [b"maintain"],
        [None],
        ["maintain", 1],
        ["maintain"] * 17,
    ],
)
def test_anything_else_is_refused(words):
    with pytest.raises(BadUsage):
        parse_job_command(words)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=5))
def test_what_may_run_names_no_path_and_no_other_option(words):
    try:
        command = parse_job_command(words)
    except BadUsage:
        return
    assert command == tuple(words)
    assert command[0] in COMMANDS
    assert not any("/" in word or word in {"--root", "--layout", "--incognito"} for word in command)


def test_a_machine_may_allow_less():
    assert parse_job_command(["lint"], ["lint"]) == ("lint",)
    with pytest.raises(BadUsage, match="does not allow its fleet to run 'maintain'; allowed commands: lint"):
        parse_job_command(["maintain"], ["lint"])
