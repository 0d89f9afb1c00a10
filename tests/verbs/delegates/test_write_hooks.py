"""Write hooks: the user's commands after a commit, which can read all about it and fail none of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import PurePosixPath

import pytest

from memtool.core.records.plan import Append
from memtool.serve.watch.daemon import is_alive
from memtool.store.config import schemas
from memtool.store.workspace import open_workspace
from memtool.verbs.delegates.write_hooks import add_write_hooks
from tests import forked
from tests.trees import clean_environment, make, memtool

FILES = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n"}


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", FILES)


def configure(root, *hooks, more=""):
    """Configure hooks, each a command and further lines of its table."""
    tables = (f"[[write_hook]]\ncommand = '''{command}'''\n{lines}\n" for command, lines in hooks)
    make(root.parent / ".config/memtool", {"config.toml": more + "".join(tables)})


def run(root, *words, **environment):
    return memtool(*words, home=root.parent, cwd=root, environment=environment)


def received(root) -> list[dict]:
    lines = (root.parent / "log").read_text().splitlines() if (root.parent / "log").exists() else []
    return [json.loads(line) for line in lines]


def append(root, **environment):
    """Commit in this process; returns what was told of the hooks."""
    variables = {**clean_environment(root.parent), "XDG_CONFIG_HOME": f"{root.parent}/.config", **environment}
    workspace, told = open_workspace(str(root), variables), []
    add_write_hooks(workspace, variables, lambda work: work(), told.append)
    with workspace.lock():
        workspace.commit([Append(PurePosixPath("MEMORY.md"), "- a\n")])
    return told


LOG = ("cat >> ~/log", "")


def test_a_hook_is_told_who_changed_which_files_how_and_nothing_that_they_say(root):
    configure(root, LOG)
    done = run(root, "scan", "-m", "I prefer oolong", "--user", "ann", "--session", "s1")
    assert (done.returncode, done.stderr) == (0, "")
    (record,) = received(root)
    assert list(schemas.violations("write-hook", record)) == []
    assert (record["verb"], record["root"]) == ("scan", str(root))
    assert record["actor"] == {"user": "ann", "session": "s1", "agent": None}
    assert record["changes"] == [
        {"change": "create", "path": "SESSION-STATE.md", "role": "session-state"},
        {"change": "replace", "path": "MEMORY.md", "role": "long-term"},
    ]
    assert "oolong" not in json.dumps(record)


def test_each_commit_of_a_command_is_one_call_in_order(root):
    configure(root, LOG, ("echo 2 >> ~/second", ""))
    given = "I prefer oolong\nI prefer sencha\nthanks\nMy name is Odil\n"
    memtool("scan", "--lines", "-", home=root.parent, cwd=root, stdin=given)
    assert [record["command"] for record in received(root)] == ["scan --lines"] * 3
    assert (root.parent / "second").read_text() == "2\n2\n2\n"


def test_a_hook_runs_for_its_verbs_and_roles(root):
    configure(
        root,
        ("cat >> ~/log", 'roles = ["long-term", "note"]'),
        ("touch ~/never", 'verbs = ["save", "undo"]'),
        ("touch ~/never", 'verbs = ["scan"]\nroles = ["episode"]'),
    )
    run(root, "scan", "-m", "I prefer oolong")
    (record,) = received(root)
    assert [row["path"] for row in record["changes"]] == ["MEMORY.md"]
    assert not (root.parent / "never").exists()


@pytest.mark.parametrize("words", [["--dry-run"], ["--incognito"]])
def test_what_writes_nothing_runs_no_hook(root, words):
    configure(root, LOG)
    assert run(root, *words, "scan", "-m", "I prefer oolong").returncode == 0
    assert run(root, "search", "oolong").returncode == 1
    assert received(root) == []


def test_a_hook_that_fails_is_told_and_fails_nothing(root):
    hooks = [
        "cat > /dev/null; exit 7",
        "cat > /dev/null; no-such-program",
        "no-such-program",
        f"{root}/hook",
        "sleep 60",
        "exec cat >> ~/log",
    ]
    configure(root, *((command, "") for command in hooks), more="[delegate]\nseconds = 0.3\n")
    make(root, {"hook": "#!/bin/sh\ntouch ~/pwned\n"})
    (root / "hook").chmod(0o755)
    told = append(root)
    assert (root / "MEMORY.md").read_text() == "# Memory\n- a\n"
    assert len(told) == 5
    reasons = [
        "write_hook 1 (cat > /dev/null; exit 7) failed with exit code 7",
        "write_hook 2 (cat > /dev/null; no-such-program) failed with exit code 127",
        "write_hook 3 (no-such-program) failed with exit code 127: 'no-such-program' not found",
        "inside the workspace",
        "write_hook 5 (sleep 60) timed out after 0.3 s",
    ]
    for sentence, reason in zip(told, reasons, strict=True):
        assert reason in sentence
        assert sentence in (root / ".memtool/log").read_text()
    assert len(received(root)) == 1  # the last one ran all the same
    assert not (root.parent / "pwned").exists()


def test_a_failing_hook_does_not_change_what_the_command_prints(root):
    configure(root, ("echo out; exit 1", ""))
    done = run(root, "-q", "scan", "-m", "I prefer oolong")
    assert (done.returncode, done.stdout) == (0, "preference\tI prefer oolong\n")
    assert done.stderr == "memtool: write_hook 1 (echo out; exit 1) failed with exit code 1\n"


def test_a_hook_starts_outside_the_workspace_and_knows_where_it_is(root):
    make(root, {"json.py": "import os; os.system('touch ~/pwned')"})
    script = "python3 -c 'import json, os, sys; print(json.load(sys.stdin)[\"root\"], os.getcwd())' > ~/said"
    configure(root, (f'{script}; echo "$MEMTOOL_ROOT" >> ~/said', ""))
    assert append(root) == []
    assert (root.parent / "said").read_text() == f"{root} /\n{root}\n"
    assert not (root.parent / "pwned").exists()


def test_a_hook_may_call_memtool_and_is_not_called_for_what_that_writes(root):
    configure(root, ('memtool -q scan -m "I prefer $(wc -l < ~/log) cups"', ""), LOG)
    programs = make(root.parent / "bin", {"../log": ""})
    forked.write_command(programs / "memtool")
    assert append(root, PATH=f"{programs}:{os.environ['PATH']}") == []
    assert "I prefer 0 cups" in (root / "MEMORY.md").read_text()
    assert len(received(root)) == 1


@pytest.mark.parametrize("value", ["1", "0"])
def test_the_guard_switches_hooks_off(root, value):
    configure(root, LOG)
    assert append(root, MEMTOOL_WRITE_HOOK=value) == []
    assert received(root) == []


def test_hooks_of_several_processes_run_one_at_a_time(root):
    script = "mkdir ~/busy || touch ~/two; sleep 0.05; rmdir ~/busy; echo >> ~/count"
    configure(root, (script, ""))
    children = []
    for _ in range(4):
        if (child := os.fork()) == 0:
            try:
                append(root)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    assert (root.parent / "count").read_text() == "\n" * 4
    assert not (root.parent / "two").exists()


def test_what_a_hook_leaves_running_in_its_process_group_ends_with_it(root):
    configure(root, ("sleep 300 & echo $! > ~/pid", ""))
    assert append(root) == []
    process = int((root.parent / "pid").read_text())
    while is_alive(process):
        time.sleep(0.01)


def test_forget_passes_on_paths_alone(root):
    configure(root, LOG)
    run(root, "scan", "-m", "I prefer oolong", "--user", "ann")
    run(root, "forget", "--user", "ann", "--yes")
    record = received(root)[-1]
    assert record["verb"] == "forget"
    assert list(schemas.violations("write-hook", record)) == []
    assert "oolong" not in json.dumps(received(root))


def test_without_hooks_nothing_is_imported_for_them(root):
    code = (
        "import sys; from memtool.cli.main import run; run(['scan', '-m', 'I prefer oolong']);"
        "print([m for m in sys.modules if 'hook' in m or 'commit_event' in m or m == 'subprocess'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=clean_environment(root.parent),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "oolong" in (root / "MEMORY.md").read_text()
