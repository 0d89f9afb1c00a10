"""Commands with actions: how the action is found, whose options are taken, and what is refused."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib import import_module

import pytest

from memtool.cli.actions import ActionGroup
from memtool.cli.table import COMMANDS
from tests.trees import SAMPLE, memtool

GROUPS = [
    command
    for row in COMMANDS.values()
    if isinstance(command := import_module(f"memtool.cli.commands.{row.module}").command, ActionGroup)
]
EXAMPLES = {
    re.split(" {2,}", line)[0]: None
    for group in GROUPS
    if group.name != "fleet"
    for each in (group, *group.commands.values())
    for line in each.epilog.strip().splitlines()
    if line.startswith("memtool ") and not re.search(r"[|<>~{}]|--daemon|watch$", line)
}
"""The examples that are one command line, without those that start a watcher or need a database."""
MESSAGES = '[{"role": "user", "content": "I fear the exam."}]'
PROPOSAL = '{"lane": "procedural", "rule": "Be brief.", "evidence": ["Please be brief"]}\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("actions")
    shutil.copytree(SAMPLE, folder / "w")
    (folder / "w/memory/notes/inbox/faulty.md").write_text("# Faulty\n\n[[nothing]]\n")
    return folder / "w"


def run(root, *arguments):
    return memtool(*arguments, home=root.parent, cwd=root)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "facts", "list", "-n", "2", "--category", "relationship"],
        ["facts", "--json", "list", "-n", "2", "--category", "relationship"],
        ["facts", "list", "--json", "--category=relationship", "-n2"],
        ["facts", "-n", "2", "--category", "relationship", "list", "--json"],
        ["facts", "--category", "relationship", "-n2", "--json", "--", "list"],
    ],
    ids=" ".join,
)
def test_options_stand_before_or_after_the_action(root, arguments):
    result = run(root, *arguments)
    assert result.returncode == 0
    assert [line[:14] for line in result.stdout.splitlines()] == ['{"id": "m-77c2', '{"id": "m-0be3']


@pytest.mark.parametrize(
    ("arguments", "owner"),
    [
        (["facts", "list", "--purge"], "facts forget"),
        (["facts", "--purge", "list"], "facts forget"),
        (["facts", "show", "m-1", "--category", "goal"], "facts list' and 'facts top"),
        (["rules", "list", "--pin"], "rules add"),
        (["rules", "add", "x", "--archived"], "rules list"),
        (["watch", "status", "--daemon"], "watch run"),
        (["watch", "--unit", "systemd", "stop"], "watch run"),
        (["session", "status", "--idle", "1h"], "session sweep"),
        (["quarantine", "list", "--all"], "quarantine restore' and 'quarantine purge"),
        (["quarantine", "restore", "--older-than", "3"], "quarantine purge"),
        (["episodes", "show", "latest", "-n", "1"], "episodes list"),
        (["feedback", "list", "--note", "x"], "feedback add"),
        (["learn", "win", "--tool", "tar", "x"], "learn error"),
        (["note", "links", "--tag", "x"], "note new"),
        (["memories", "view", "/memories", "--file-text", "x"], "memories create"),
        (["hook", "uninstall", "codex", "--budget", "9"], "hook answer"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_of_another_action_is_refused(root, arguments, owner):
    result = run(root, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"it is an option of '{owner}'; see memtool {arguments[0]} " in result.stderr


def test_a_command_with_an_action_list_lists_without_an_action(root):
    lists = [group for group in GROUPS if "list" in group.commands]
    assert len(lists) > 5
    for group in lists:
        results = [run(root, group.name, *words) for words in ([], ["list"])]
        assert [result.returncode in {0, 1} for result in results] == [True, True]
        assert results[0].stdout == results[1].stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["note"], "missing action; choose new, show, mv"),
        (
            ["facts", "lst"],
            "unknown action 'lst' (did you mean 'memtool facts list'?); choose list, top, show, edit or",
        ),
        (
            ["facts", "7"],
            "give the action before this value: memtool facts show 7; choose list, top, show, edit or forget",
        ),
        (["facts", "--bogus", "list"], "no such option"),
        (
            ["facts", "show"],
            "missing argument ID...; memtool facts list prints the ids; usage: memtool facts show [OPTIONS]",
        ),
        (
            ["facts", "list", "top"],
            "unexpected argument 'top'; to search facts, run: memtool recall top; usage: memtool facts list",
        ),
        (["facts", "list", "-n", "0"], "--limit must be a whole number (1 or more), not 0"),
        (["facts", "list", "-n", "many"], "--limit must be a whole number (1 or more), not 'many'"),
        (
            ["watch", "stat"],
            "unknown action 'stat' (did you mean 'memtool watch status'?); choose run, stop or status",
        ),
        (["watch", "--unit"], "--unit needs a value; choose systemd or launchd"),
        (["watch", "{}"], "unknown action '{}'; choose run, stop or status"),
        (["watch", "--unit", "systemd", "--daemon"], "cannot be combined; see memtool watch run --help"),
        (["memories", "vew", "/memories"], "unknown action 'vew' (did you mean 'memtool memories view'?)"),
        (
            ["memories", "create", "/memories/a.md"],
            "missing option --file-text; usage: memtool memories create [OPTIONS] PATH",
        ),
        (["completion"], "missing action; choose bash, zsh, fish or install"),
        (["completion", "tcsh"], "unknown action 'tcsh'"),
        (["learn", "error", "--tool"], "--tool needs a value: memtool learn error --tool NAME"),
        (
            ["quarantine", "purge", "--all", "x"],
            "to purge files, give their paths, --all or --older-than",
        ),
        (["note", "graph", "--depth", "2"], "--depth requires --from NOTE"),
        (["note", "new", "-"], "missing title"),
        (
            ["help", "facts", "nothing"],
            "no command or topic 'facts nothing'; 'memtool help topics' lists the topics",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_says_what_is_wrong(root, arguments, message):
    result = run(root, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert re.search("; (see|usage:) memtool ", result.stderr)
    assert result.stderr.count("\n") == 1


def test_a_command_line_without_an_action_takes_the_default_action(root):
    assert "ExecStart" in run(root, "watch", "--unit", "systemd").stdout
    assert "ExecStart" in run(root, "watch", "run", "--unit", "systemd").stdout
    view = '{"command": "view", "path": "/memories/customers.md"}'
    printed = run(root, "memories", "view", "/memories/customers.md").stdout
    for arguments in (
        ["memories"],
        ["memories", "-"],
        ["memories", "answer"],
        ["memories", "--style", "sdk"],
    ):
        assert memtool(*arguments, home=root.parent, cwd=root, stdin=view).stdout == printed


@pytest.mark.parametrize("arguments", [["watch", "--help"], ["watch", "-h", "-q"], ["help", "watch"]])
def test_the_help_of_a_command_lists_its_actions_and_the_options_of_the_default(root, arguments):
    shown = run(root, *arguments).stdout
    for line in ("  run (default)  Watch the workspace until", "  stop           Stop", "  --daemon "):
        assert line in shown


@pytest.mark.parametrize(
    "arguments", [["facts", "list", "--help"], ["facts", "-h", "list"], ["help", "facts", "list"]]
)
def test_an_action_has_help_of_its_own(root, arguments):
    shown = run(root, *arguments).stdout
    assert shown.startswith("Usage: memtool facts list [OPTIONS]\n\n  Print facts, file by file")
    assert "--category" in shown
    assert "--purge" not in shown


@pytest.mark.parametrize(
    "arguments",
    [["lint", "--format", "json"], ["context", "--format", "json"], ["note", "graph", "--format", "json"]],
    ids=" ".join,
)
def test_format_json_prints_what_json_prints(root, arguments):
    command = [word for word in arguments if word not in {"--format", "json"}]
    printed = run(root, *arguments).stdout
    assert printed
    assert printed == run(root, *command, "--json").stdout == run(root, *arguments, "--json").stdout


@pytest.mark.parametrize(
    "arguments",
    [["lint", "--format", "sarif"], ["context", "--format", "text"], ["note", "graph", "--format", "dot"]],
    ids=" ".join,
)
def test_json_and_another_format_cannot_be_combined(root, arguments):
    for command_line in (["--json", *arguments], [*arguments, "--json"]):
        result = run(root, *command_line)
        assert (result.returncode, result.stdout) == (2, "")
        assert f"--json and --format {arguments[-1]} cannot be combined" in result.stderr


def test_the_journal_names_the_action(root):
    assert run(root, "rules", "--pin", "add", "Sign every letter").returncode == 0
    assert run(root, "log", "-n", "1").stdout.split("\t")[2] == "rules add --pin"


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_works(example, tmp_path):
    """It exits with 0, or with 1 or 14 where the sample has nothing to print or a broken turn."""
    shutil.copytree(SAMPLE, tmp_path / "w")
    (tmp_path / "w/groups/family").mkdir()
    (tmp_path / "w/messages.json").write_text(MESSAGES)
    (tmp_path / "w/proposals.jsonl").write_text(PROPOSAL)
    environment = {"SHELL": "/bin/bash"}
    arguments = shlex.split(example)[1:]
    result = memtool(*arguments, home=tmp_path, cwd=tmp_path / "w", environment=environment)
    assert result.returncode in {0, 1, 14}, result.stderr
