"""doctor: what is well is said to be, each thing that is not is found, and nothing is changed by looking."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from memtool.store.lock import hold
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.health.check_context import CheckContext
from memtool.verbs.health.tree_checks import unreadable
from tests.shared_folder import acting_as, folder_for_all
from tests.trees import NOW, SAMPLE, contents, make, memtool, opened

FIXED = {"MEMTOOL_NOW": NOW.isoformat()}


@pytest.fixture
def root():
    """A tree with which nothing is wrong, in a folder that everybody gets into."""
    with folder_for_all() as folder:
        yield well(folder / "w")


def well(root):
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".memtool"))
    shutil.rmtree(root / "memory/history/quarantine")
    for path in [root, *root.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    return root


def looked(root, **environment):
    result = memtool("--json", "doctor", home=root.parent, cwd=root, environment={**FIXED, **environment})
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return result.returncode, {one["check"]: one for one in found if one["state"] in {"wrong", "unknown"}}


def test_nothing_is_wrong_with_a_tree_that_is_well(root):
    before = contents(root)
    assert looked(root) == (0, {})
    assert contents(root) == before
    assert not (root / ".memtool").exists()


def open_to_others(root, path):
    root.chmod(0o755)
    (root / path).chmod(0o644)


def test_what_others_cannot_get_to_is_not_open_to_them(tmp_path):
    root = well(tmp_path / "w")
    open_to_others(root, "MEMORY.md")
    assert looked(root) == (0, {})


def test_the_private_folder_is_not_open_to_others_either(root):
    root.chmod(0o755)
    (root / ".memtool").mkdir(mode=0o755)
    (root / ".memtool").chmod(0o755)
    code, wrong = looked(root)
    assert (code, wrong.keys()) == (1, {"permissions"})
    assert wrong["permissions"]["detail"] == "other users can access 1 path, .memtool"
    (root / ".memtool").chmod(0o700)
    assert looked(root) == (0, {})


def test_permissions_are_those_of_the_files_that_lint_checks(root):
    root.chmod(0o755)
    (root / "src").mkdir()
    for path in ("MEMORY.md", "src/main.c"):
        (root / path).touch()
        (root / path).chmod(0o644)
    (root / "src").chmod(0o755)
    problem = looked(root)[1]["permissions"]
    assert problem["detail"] == "other users can access 1 path, MEMORY.md"
    command = shlex.split(problem["run"])
    assert memtool(*command[1:], home=root.parent, cwd=root).returncode == 0
    assert looked(root) == (0, {})
    assert (root / "src/main.c").stat().st_mode & 0o777 == 0o644


def test_installed_hooks_that_cannot_run_are_found(root):
    file = root.parent / ".claude/settings.json"

    def hooks(program):
        hook = {"type": "command", "command": f"{program} hook"}
        write(file, json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
        result = memtool("--json", "doctor", home=root.parent, cwd=root, environment=FIXED)
        return next(row for row in map(json.loads, result.stdout.splitlines()) if row["check"] == "hooks")

    assert hooks(f"{sys.executable} -m memtool")["state"] == "ok"
    assert hooks("cd /tmp && memtool")["state"] == "ok"  # a shell line says nothing about its programs
    gone = hooks("/nowhere/memtool --root '/a b'")
    assert gone["state"] == "wrong"
    assert gone["detail"] == f"the hooks in {file} cannot run: /nowhere/memtool not found or not executable"
    assert gone["run"] == "memtool hook install claude-code --root '/a b'"


@pytest.mark.parametrize("option", ["--root '{}'", "'--root={}'"])
def test_hooks_for_another_workspace_are_said_to_be(root, option):
    file = root.parent / ".claude/settings.json"

    def detail(named):
        hook_command = f"{sys.executable} -m memtool {option.format(named)} hook"
        hook = {"type": "command", "command": hook_command}
        write(file, json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
        result = memtool("doctor", "--json", home=root.parent, cwd=root)
        return next(row for row in map(json.loads, result.stdout.splitlines()) if row["check"] == "hooks")

    assert detail(root)["detail"] == f"installed in {file}"
    assert detail("/other place")["detail"] == (
        f"installed in {file} (for /other place, not for this workspace)"
    )


def test_hooks_that_depend_on_the_path_of_this_shell_are_a_note(root, tmp_path):
    (tmp_path / "memtool").write_text("#!/bin/sh\n")
    (tmp_path / "memtool").chmod(0o755)
    hook = {"type": "command", "command": "memtool hook"}
    write(root.parent / ".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    environment = {**FIXED, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    result = memtool("doctor", home=root.parent, cwd=root, environment=environment)
    assert f"so they fail where PATH does not contain {tmp_path}\n" in result.stdout


def write(path, text):
    for folder in reversed(path.parents):
        folder.mkdir(mode=0o700, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)


TURNS = "memory/history/turns/2025/01/15"
AT = "2025-01-15T09:40:00Z"
OLD = f'{{"id": "t", "seq": 9, "created_at": "{AT}", "messages": [{{"Role": "user", "Content": "x"}}]}}'
HELD = '{"id": "c", "lane": "procedural"}\n'
FAULTS = {
    "lint": lambda root: write(root / "memory/semantic/more.md", "- [prefrence] tea\n"),
    "settings": lambda root: write(root / "memtool.toml", 'layout = "native"\nsummarizer = "rm -rf /"\n'),
    "permissions": lambda root: open_to_others(root, "MEMORY.md"),
    "leftovers": lambda root: write(root / "memory/.0123456789ab.memtool-tmp", "half"),
    "commits": lambda root: write(root / "memory/cognition/audit.jsonl", '{"at": "2025-01-0'),
    "turns": lambda root: write(root / TURNS / f"{9:020}.json", OLD),
    "heads": lambda root: write(
        root / "memory/history/state/head.json", '{"last_seq": 1, "updated_at": "x"}'
    ),
    "quarantine": lambda root: write(root / "memory/history/quarantine/2025/01/15/x.json", "{"),
    "migrations": lambda root: (root / "MEMORY.md").rename(root / "memory.md"),
    "candidates": lambda root: write(root / "memory/cognition/sessions/s/buffer.jsonl", HELD),
    "formats": lambda root: write(root / "memory/cognition/salience.json", "{"),
    "clock": lambda root: write(root / "memtool.toml", 'layout = "native"\ntimezone = "Mars/Olympus"\n'),
    "index integrity": lambda root: write(root / ".memtool/index/x.toc", "x"),
    "watcher": lambda root: write(root / ".memtool/watch.pid", "999999999\n"),
    "sessions": lambda root: write(
        root / "memory/cognition/sessions/s/turns.jsonl",
        '{"at": "2025-01-02T00:00:00Z", "owner": "user:a", "role": "user", "content": "x"}\n',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_with_what_to_run(name, root):
    FAULTS[name](root)
    code, wrong = looked(root)
    assert code == 1
    assert name in wrong
    assert wrong[name]["run"]
    others = wrong.keys() - {name}
    assert others - {"lint"} <= {"turns": {"heads"}, "heads": {"formats"}, "candidates": {"sessions"}}.get(
        name, set()
    )


def test_what_to_edit_is_named_as_a_shell_takes_it(tmp_path):
    root = make(tmp_path / "my tree", {"memtool.toml": 'layout = "native"\n'})
    make(root, {"memory/cognition/salience.json": "{", "memory/semantic/a b.md": "- [x] broken ^\n"})
    for name in ("settings", "formats", "candidates"):
        FAULTS[name](root)
        run = looked(root)[1][name]["run"].partition(";")[0]
        _, path = shlex.split(run)
        assert Path(path).is_file(), run


def test_a_number_in_quarantine_is_past_no_head(root):
    write(root / TURNS / f"{9:020}.json", "{")
    assert looked(root)[1]["turns"]["run"] == "memtool upgrade-history --dry-run"
    memtool("upgrade-history", home=root.parent, cwd=root, environment=FIXED)
    assert looked(root)[1].keys() == {"quarantine"}


def test_a_problem_that_lint_finds_is_named_with_its_reason(root):
    FAULTS["lint"](root)
    assert ": M" in looked(root)[1]["lint"]["detail"]


def test_a_write_hook_that_can_never_run_is_found(root):
    config = root.parent / ".config/memtool/config.toml"
    write(config, '[[write_hook]]\ncommand = "cd / && git commit"\nverbs = ["scan"]\nroles = ["note"]\n')
    assert "commands" not in looked(root)[1]
    (root / "here.sh").write_text("#!/bin/sh\n")
    (root / "here.sh").chmod(0o700)
    for lines, name in (
        (
            'command = "no-such-program --now"',
            "write_hook 1 (no-such-program --now): 'no-such-program' not found",
        ),
        ('command = "./here.sh"', "'./here.sh' not found"),
        ('command = ["/no/such/program"]', "'/no/such/program' not found"),
        ('command = "cat"\nverbs = ["scna"]', "unknown name 'scna' in the verbs list"),
        ('command = "cat"\nroles = ["daily"]', "unknown name 'daily' in the roles list"),
    ):
        write(config, f"[[write_hook]]\n{lines}\n")
        assert name in looked(root)[1]["commands"]["detail"]


@pytest.mark.parametrize("line", ["no-such; true", "(no-such)", "PATH=/x no-such", "~/no-such", "$PROGRAM x"])
def test_of_shell_syntax_nothing_is_claimed(tmp_path, line):
    assert Delegate("summarizer", line, {"PATH": "/usr/bin:/bin"}, str(tmp_path)).missing_program() is None


def test_the_remedy_of_a_setting_names_its_file(root):
    config = root.parent / ".config/memtool/config.toml"
    for text in ("git = true\n", "git = tru\n", "lock_timeout = 'soon'\n"):
        write(config, text)
        assert looked(root)[1]["settings"]["run"] == f"$EDITOR {config}; memtool help settings"
    config.unlink()
    assert looked(root, MEMTOOL_GIT="1")[1]["settings"]["run"] == "unset MEMTOOL_GIT; memtool help settings"


def test_a_command_that_is_not_there_is_found_and_one_that_is_there_is_not_run(root):
    config = root.parent / ".config/memtool/config.toml"
    ran = root.parent / "ran"
    write(config, f'summarizer = "touch {ran}"\nextractor = "no-such-program --now"\n')
    code, wrong = looked(root)
    assert (code, wrong.keys()) == (1, {"commands"})
    assert "no-such-program" in wrong["commands"]["detail"]
    assert not ran.exists()


def test_a_setting_that_nobody_can_use_is_a_line_and_no_end(root):
    write(root / "memtool.toml", 'layout = "native"\nlock_timeout = "soon"\n')
    code, wrong = looked(root)
    assert (code, wrong.keys()) == (1, {"settings"})


def test_a_socket_of_a_dead_watcher_is_found(root, monkeypatch):
    make(root, {".memtool/x": ""})
    monkeypatch.chdir(root)  # a path of a socket is at most 107 bytes long
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(".memtool/socket")
    assert looked(root)[1]["watcher"]["detail"] == "the watcher stopped without removing .memtool/socket"


def test_who_holds_the_lock_is_said(root):
    with hold(str(root), 1.0):
        result = memtool("--json", "doctor", home=root.parent, cwd=root, environment=FIXED)
    (lock,) = [one for one in map(json.loads, result.stdout.splitlines()) if one["check"] == "lock"]
    assert lock["state"] == "note"
    assert str(os.getpid()) in lock["detail"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to root")
def test_what_cannot_be_told_is_told_apart(root):
    (root / "memory/notes").chmod(0)
    code, wrong = looked(root)
    (root / "memory/notes").chmod(0o700)
    assert (code, wrong["unreadable"]["state"]) == (3, "unknown")


def test_what_commands_of_another_user_left_is_found(root):
    make(root, {".memtool/unfinished/x": "", ".memtool/lock": "", "learnings/errors.md": ""})
    left = [root / name for name in (".memtool/unfinished", ".memtool/lock", "learnings")]
    for path in [root, *root.rglob("*")]:
        os.chown(path, 4001, 4001)
    for path in left:
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.chown(path, 4002, 4002)
    with acting_as(4001):
        workspace = opened(root, "native")
        context = CheckContext(
            workspace, workspace.listing(), NOW, {}, *[None] * 3
        )  # the check needs no index
        found = unreadable(context)
    assert (found.state, found.next_command) == ("wrong", f'sudo chown -R "$(id -un)" {root}')
    assert found.message.endswith("3 paths, including learnings")


def test_the_page_is_for_people(root):
    result = memtool("doctor", home=root.parent, cwd=root, environment=FIXED)
    assert result.stdout.startswith(f"ok      workspace             {root}\n")
    open_to_others(root, "MEMORY.md")
    quiet = memtool("doctor", "-q", home=root.parent, cwd=root, environment=FIXED)
    assert quiet.stdout.splitlines() == [
        "wrong   permissions           other users can access 1 path, MEMORY.md",
        f"{'':30}memtool lint --fix --select M503,M504",
    ]


def test_it_does_not_import_what_it_does_not_need(root):
    heavy = "[one for one in ('whoosh', 'numpy', 'jsonschema') if one in sys.modules]"
    code = f"import sys; from memtool.cli.commands import doctor; print({heavy})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


@pytest.mark.parametrize(("ago", "count"), [(0, "1 session open"), (3, "0 sessions open")])
def test_a_session_of_hooks_is_open_until_it_is_idle(tmp_path, ago, count):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "prompt": "What is the time in Tokyo?",
    }
    then = {"MEMTOOL_NOW": (NOW - timedelta(days=ago)).isoformat()}
    memtool("hook", home=tmp_path, cwd=root, environment=then, stdin=json.dumps(event))
    shown = memtool("doctor", home=tmp_path, cwd=root, environment=FIXED).stdout
    assert count in shown
