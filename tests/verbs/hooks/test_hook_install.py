"""`memtool hook install`: the hooks get into an agent's settings, once, and whatever was there stays."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from memtool.core.hooks.hook_command import mark_command
from memtool.formats.syntax import json_edit
from memtool.verbs.hooks.agent_files import PROJECT_SCOPE, USER_SCOPE, AgentFolders
from memtool.verbs.hooks.hook_install import install, uninstall, write_files
from tests.trees import NOW, clean_environment, contents, memtool

WHERE = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "openclaw": ".openclaw/openclaw.json",
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
}

EVENT_COUNTS = {"gemini": 5}
"""The hooks of an agent, where they are not seven."""


def run(home: Path, *arguments: str, **environment: str):
    return memtool(
        "hook", *arguments, home=home, cwd=home, environment={"PATH": "/usr/bin:/bin", **environment}
    )


def settings(home: Path, agent: str) -> Path:
    return home / WHERE[agent]


@pytest.mark.parametrize("agent", WHERE)
def test_installing_writes_what_is_printed_and_doing_it_again_changes_nothing(tmp_path, agent):
    printed = run(tmp_path, "print", agent, "--command", "memtool hook").stdout
    assert not settings(tmp_path, agent).exists()
    result = run(tmp_path, "install", agent, "--command", "memtool hook")
    assert result.returncode == 0
    assert result.stdout.startswith(f"created\t{settings(tmp_path, agent)}\n")
    assert settings(tmp_path, agent).read_text() in printed
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    again = run(tmp_path, "install", agent, "--command", "memtool hook")
    assert again.returncode == 0
    assert {line.partition("\t")[0] for line in again.stdout.splitlines()} == {"unchanged"}
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("text", ["{a: {enabled: true},}", "{ a: 1 }\n", "{\r\n  a: 1,\r\n}\r\n"])
def test_uninstalling_restores_the_bytes_of_json5(tmp_path, text):
    path = settings(tmp_path, "openclaw")
    path.parent.mkdir()
    path.write_bytes(text.encode())
    run(tmp_path, "install", "openclaw")
    assert b"memtool" in path.read_bytes()
    assert run(tmp_path, "uninstall", "openclaw").returncode == 0
    assert path.read_bytes().decode() == text


@pytest.mark.parametrize("agent", WHERE)
def test_what_was_installed_can_be_taken_away(tmp_path, agent):
    path = settings(tmp_path, agent)
    path.parent.mkdir()
    path.write_text('{\n    "theirs": [1, 2],\n    "hooks": {}\n}\n')
    before = path.read_text()
    run(tmp_path, "install", agent)
    assert path.read_text() != before
    assert json.loads(path.read_text())["theirs"] == [1, 2]
    result = run(tmp_path, "uninstall", agent)
    assert result.returncode == 0
    assert json.loads(path.read_text())["theirs"] == [1, 2]
    assert "memtool" not in path.read_text()
    assert not (tmp_path / ".openclaw/hooks/memtool").exists()
    before = contents(tmp_path)
    assert run(tmp_path, "uninstall", agent).returncode == 0  # nothing to do is a success
    assert contents(tmp_path) == before


@pytest.mark.parametrize("agent", WHERE)
def test_settings_that_memtool_made_itself_go_without_a_trace(tmp_path, agent):
    run(tmp_path, "install", agent)
    run(tmp_path, "install", agent, "--root", str(tmp_path / "memory"))
    result = run(tmp_path, "uninstall", agent)
    assert result.stdout.startswith(f"removed\t{settings(tmp_path, agent)}\n")
    assert "before:" not in result.stdout
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("agent", WHERE)
def test_settings_with_anything_else_in_them_stay_and_so_does_a_link(tmp_path, agent):
    path = settings(tmp_path, agent)
    run(tmp_path, "install", agent)
    text = path.read_text()
    path.write_text(text.replace("{", '{"theirs": 1,', 1))
    run(tmp_path, "uninstall", agent)
    assert json.loads(path.read_text())["theirs"] == 1
    path.rename(tmp_path / "kept")
    path.symlink_to(tmp_path / "kept")
    path.write_text(text)
    run(tmp_path, "uninstall", agent)
    assert path.is_symlink()
    assert "memtool" not in path.read_text()


@pytest.mark.parametrize("agent", [*WHERE, "pi"])
def test_a_second_installation_keeps_the_workspace_and_the_user_of_the_first(tmp_path, agent):
    root = str(tmp_path / "memory")
    memtool("init", root, home=tmp_path, cwd=tmp_path)
    run(tmp_path, "install", agent, "--root", root, "--user", "ann")
    before = contents(tmp_path)
    again = run(tmp_path, "install", agent)
    assert contents(tmp_path) == before
    assert f"in every project, the hooks use the memory in {root}" in again.stderr
    assert "no longer" not in again.stderr


def test_order_and_unknown_keys_stay_and_a_copy_is_kept(tmp_path):
    path = settings(tmp_path, "claude-code")
    path.parent.mkdir()
    text = '{\n\t"zeta": 1,\n\t"hooks": {\n\t\t"Stop": [{"hooks": [{"command": "say"}]}]\n\t}\n}\n'
    path.write_text(text)
    result = run(tmp_path, "install", "claude-code")
    [copy] = path.parent.glob("settings.json.*.memtool-backup")
    assert copy.read_text() == text
    assert result.stdout.splitlines()[0] == f"changed\t{path}\tbackup: {copy}"
    assert path.read_text().startswith('{\n\t"zeta": 1,\n\t"hooks": {\n\t\t"Stop": [{"hooks":')
    assert '[{"command": "say"}]}, {"hooks": [{"type": "command"' in path.read_text()
    run(tmp_path, "uninstall", "claude-code")
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"hooks": ', "is truncated"),
        ('{"hooks": []}', "hooks must be a JSON object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop must be a JSON array"),
        ("[]", "the file must be a JSON object"),
    ],
)
def test_broken_settings_are_refused_with_one_sentence_and_left_as_they_are(tmp_path, text, why):
    path = settings(tmp_path, "claude-code")
    path.parent.mkdir()
    path.write_text(text)
    for action in ("install", "uninstall"):
        result = run(tmp_path, action, "claude-code")
        assert result.returncode == 14
        assert result.stdout == ""
        assert f"{path}" in result.stderr
        assert why in result.stderr
        assert result.stderr.count("\n") == 1
        assert "; nothing was written" in result.stderr
    assert [one.name for one in path.parent.iterdir()] == ["settings.json"]
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "line 2 has a comment"),
        ('{\n  "a": "http://x",\n}\n', "line 2 has a comma after the last value"),
        ("{'a': 1}\n", "is not in double quotes"),
    ],
)
def test_what_claude_code_ignores_as_a_whole_gets_no_hooks_and_doctor_says_so(tmp_path, text, why):
    path = settings(tmp_path, "claude-code")
    path.parent.mkdir()
    path.write_text(text)
    result = run(tmp_path, "install", "claude-code")
    assert (result.returncode, path.read_text()) == (14, text)
    assert f"{why}, so claude-code ignores the whole file" in result.stderr
    path.unlink()
    run(tmp_path, "install", "claude-code")
    path.write_text(path.read_text().replace("{", "{ // mine", 1))
    memtool("init", ".", home=tmp_path, cwd=tmp_path)
    checked = memtool("doctor", "-q", home=tmp_path, cwd=tmp_path).stdout
    assert f"{path} is not JSON: line 1 has a comment, so claude-code ignores the whole file" in checked
    assert run(tmp_path, "uninstall", "claude-code").returncode == 0
    assert "hook" not in path.read_text()


@pytest.mark.parametrize("agent", ["gemini", "qwen"])
def test_comments_of_an_agent_that_allows_them_stay_and_other_faults_are_refused(tmp_path, agent):
    path = settings(tmp_path, agent)
    path.parent.mkdir()
    text = '// mine\n{\n  /* "hooks": {} */\n  "theirs": 1 // last\n}\n'
    path.write_text(text)
    assert run(tmp_path, "install", agent).returncode == 0
    installed = path.read_text()
    assert all(comment in installed for comment in ("// mine", '/* "hooks": {} */', "// last"))
    assert "cannot be read" not in memtool("doctor", cwd=tmp_path, home=tmp_path).stdout
    assert run(tmp_path, "uninstall", agent).returncode == 0
    assert json_edit.load(path.read_text()) == {"theirs": 1}
    path.write_text('{"theirs": 1,}')
    result = run(tmp_path, "install", agent)
    assert result.returncode != 0
    assert f"so {agent} does not start; nothing was written" in result.stderr
    assert path.read_text() == '{"theirs": 1,}'


def test_a_project_has_hooks_of_its_own(tmp_path):
    run(tmp_path, "install", "codex", "--scope", "project")
    assert (tmp_path / ".codex" / "hooks.json").exists()
    result = run(tmp_path, "install", "openclaw", "--scope", "project")
    assert result.returncode == 2
    assert "openclaw has no project hooks; omit --scope" in result.stderr


def test_hooks_in_both_settings_of_an_agent_are_worth_a_word(tmp_path):
    home = {"CODEX_HOME": str(tmp_path / "own")}
    assert "runs twice" not in run(tmp_path, "install", "codex", "--scope", "project", **home).stderr
    told = run(tmp_path, "install", "codex", **home).stderr
    assert (
        f"each hook runs twice: {tmp_path}/.codex/hooks.json also contains memtool's hooks; "
        "remove them from one of the two files" in told
    )


def test_agents_that_live_elsewhere_are_found_there(tmp_path):
    places = {"CLAUDE_CONFIG_DIR": "c", "CODEX_HOME": "x", "OPENCLAW_STATE_DIR": "o"}
    places |= {"GEMINI_CLI_HOME": "g", "QWEN_HOME": "q"}
    environment = {name: str(tmp_path / folder) for name, folder in places.items()}
    for agent in WHERE:
        run(tmp_path, "install", agent, **environment)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {
        "c/settings.json",
        "c/skills/memtool/SKILL.md",
        "x/hooks.json",
        "x/skills/memtool/SKILL.md",
        "o/openclaw.json",
        "o/skills/memtool/SKILL.md",
        "o/hooks/memtool/HOOK.md",
        "o/hooks/memtool/handler.js",
        "g/.gemini/settings.json",
        "g/.gemini/skills/memtool/SKILL.md",
        "q/settings.json",
        "q/skills/memtool/SKILL.md",
    }


def test_a_named_workspace_is_in_the_command(tmp_path):
    (tmp_path / "my memory").mkdir()
    memtool("--root", str(tmp_path / "my memory"), "hook", "install", "codex", home=tmp_path, cwd=tmp_path)
    hook = json.loads(settings(tmp_path, "codex").read_text())["hooks"]["Stop"][0]["hooks"][0]
    assert hook["command"].endswith(f"memtool --root '{tmp_path}/my memory' hook")


def test_a_dry_run_and_incognito_write_nothing_and_say_what_they_would(tmp_path):
    shown = memtool("--dry-run", "hook", "install", "openclaw", home=tmp_path, cwd=tmp_path).stdout
    assert f"+++ {settings(tmp_path, 'openclaw')}" in shown
    assert '+        "memtool": {' in shown
    memtool("--incognito", "hook", "install", "openclaw", home=tmp_path, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_prints_a_diff_that_applies_and_says_that_nothing_was_written(tmp_path):
    copy = tmp_path / "copy"
    for place in (tmp_path, copy):
        (place / ".claude").mkdir(parents=True)
        (place / ".claude/settings.json").write_text('{\n\t"model": "opus"\n}\n')
    result = run(tmp_path, "install", "claude-code", "--dry-run")
    notices = result.stderr.splitlines()
    assert (
        notices[0]
        == "memtool: dry run: nothing was written; the following applies once you install the hooks:"
    )
    assert notices[1].endswith("so start a new session")
    diff = result.stdout.replace(str(tmp_path), ".").encode()
    subprocess.run(["git", "apply"], cwd=copy, input=diff, check=True)
    run(tmp_path, "install", "claude-code")
    names = (".claude/settings.json", ".claude/skills/memtool/SKILL.md")
    assert [(copy / name).read_text() for name in names] == [(tmp_path / name).read_text() for name in names]


def test_the_advice_on_codexs_notify_is_a_line_of_toml(tmp_path):
    told = run(tmp_path, "install", "codex", "--command", "memtool hook").stderr
    line = next(line for line in told.splitlines() if "notify = " in line)
    found = tomllib.loads(line[line.index("notify = ") :])
    assert found == {"notify": ["memtool", "hook", "--codex-notify"]}
    assert "only after you approve it" in told


def test_who_acts_for_a_group_wires_no_agent(tmp_path):
    result = run(tmp_path, "install", "codex", MEMTOOL_GROUP="family")
    assert result.returncode == 13
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["install"], ["install", "nobody"], ["print"]])
def test_the_agent_must_be_one_that_is_known(tmp_path, words):
    result = run(tmp_path, *words)
    assert result.returncode == 2
    assert all(agent in result.stderr for agent in WHERE)


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "qwen"])
def test_a_command_of_ones_own_is_known_again(tmp_path, agent):
    run(tmp_path, "install", agent, "--command", "/opt/bin/mine.sh now")
    before = settings(tmp_path, agent).read_bytes()
    assert before.count(b"/opt/bin/mine.sh now # memtool hook") == EVENT_COUNTS.get(agent, 7)
    assert run(tmp_path, "install", agent).stdout.startswith("unchanged")
    assert settings(tmp_path, agent).read_bytes() == before
    assert run(tmp_path, "uninstall", agent).returncode == 0
    assert not settings(tmp_path, agent).exists()


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "qwen", "opencode", "pi"])
def test_the_users_own_command_stays_and_a_projects_is_replaced_with_a_sentence(tmp_path, agent):
    homes = {field: str(tmp_path / field) for field in AgentFolders.__struct_fields__}
    folders = AgentFolders(**homes)
    own = mark_command("/opt/wrap memtool --root /a hook")

    def done(scope, command, **more):
        installation = install(agent, scope, folders, command, **more)
        write_files(installation.files, NOW)
        return installation.command, " ".join(installation.advice)

    for scope in (USER_SCOPE, PROJECT_SCOPE):
        assert done(scope, own, is_named=True)[0] == own
    command, advice = done(USER_SCOPE, "memtool --root /b hook")
    assert command == own
    assert (
        f"which memtool left unchanged: {own}; that command does not use --root /b; to replace it, run:"
        in advice
    )
    command, advice = done(PROJECT_SCOPE, "memtool --root /b hook")
    assert command == "memtool --root /b hook"
    assert (
        f"to use that command, run: memtool hook install {agent} --scope project --command '{own}'" in advice
    )


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "qwen"])
def test_another_command_that_is_named_takes_the_place_of_the_one_before(tmp_path, agent):
    run(tmp_path, "install", agent, "--command", "one")
    assert run(tmp_path, "install", agent, "--command", "two words").stdout.startswith("changed")
    text = settings(tmp_path, agent).read_text()
    assert text.count("two words # memtool hook") == EVENT_COUNTS.get(agent, 7)
    assert "one # memtool" not in text
    run(tmp_path, "uninstall", agent)
    assert not settings(tmp_path, agent).exists()


def test_claude_waits_for_no_hook_that_only_puts_things_down(tmp_path):
    run(tmp_path, "install", "claude-code")
    hooks = json.loads(settings(tmp_path, "claude-code").read_text())["hooks"]
    waits = {event for event, [row] in hooks.items() if not row["hooks"][0].get("async")}
    assert waits == {"SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "SessionEnd"}


def test_a_word_that_is_no_action_is_told_and_is_no_success(tmp_path):
    result = run(tmp_path, "instal", "codex")
    assert result.returncode == 1  # 2 would keep an agent's prompt back
    assert result.stderr == (
        "memtool: unknown action 'instal' (did you mean 'memtool hook install'?); see memtool hook --help\n"
    )


def test_a_virtual_environment_need_not_be_active_where_the_agent_starts(tmp_path):
    venv.create(tmp_path / "v", symlinks=True)
    binaries = tmp_path / "v" / "bin"
    (binaries / "memtool").write_text("#!/bin/sh\n")
    (binaries / "memtool").chmod(0o755)
    environment = {**clean_environment(tmp_path), "PATH": f"{binaries}:/usr/bin:/bin"}
    environment["PYTHONPATH"] += f"{os.pathsep}{sysconfig.get_path('purelib')}"

    def run(*arguments):
        command = [binaries / "python", "-m", "memtool", "hook", *arguments]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )

    result = run("install", "claude-code")
    assert f'"command": "{binaries}/memtool hook"' in settings(tmp_path, "claude-code").read_text()
    assert (
        f"the hooks use memtool from the virtual environment {tmp_path / 'v'}; do not delete it"
        in result.stderr
    )
    run("uninstall", "claude-code")
    assert not settings(tmp_path, "claude-code").exists()
    project = run("install", "claude-code", "--scope", "project", "--dry-run")
    assert f'"command": "{binaries}/memtool hook"' in project.stdout
    assert "if other machines share the project, use --command 'memtool hook'" in project.stderr


def test_a_memtool_that_only_this_shell_finds_is_named_by_its_path(tmp_path):
    folders = {name: tmp_path / name for name in ("tools", ".local/bin")}
    for folder in folders.values():
        folder.mkdir(parents=True)
        (folder / "memtool").write_text("#!/bin/sh\n")
        (folder / "memtool").chmod(0o755)
    here = run(tmp_path, "print", "codex", PATH=f"{folders['tools']}:/usr/bin:/bin").stdout
    assert f'"command": "{folders["tools"]}/memtool hook"' in here
    everywhere = run(tmp_path, "print", "codex", PATH=f"{folders['.local/bin']}:/usr/bin:/bin").stdout
    assert '"command": "memtool hook"' in everywhere


def test_a_named_workspace_holds_for_the_scope_of_the_hooks(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    notices = {
        scope: run(tmp_path, "install", "codex", "--scope", scope, "--root", "w", "--dry-run").stderr
        for scope in ("user", "project")
    }
    assert f"in every project, the hooks use the memory in {tmp_path / 'w'}" in notices["user"]
    assert f"in this project, the hooks use the memory in {tmp_path / 'w'}" in notices["project"]


@pytest.mark.parametrize("agent", WHERE)
def test_uninstalling_says_that_there_are_no_hooks(tmp_path, agent):
    result = run(tmp_path, "uninstall", agent)
    assert result.returncode == 0
    assert f"{settings(tmp_path, agent)} contains no memtool hooks\n" in result.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "the input is not a JSON object; nothing was done"),
        ('{"hook_event_name": "UserPromtSubmit"}', "'UserPromtSubmit' is not an event that memtool handles"),
        ('{"prompt": "x"}', "the input names no event; nothing was done"),
        ('{"hook_event_name": "Stop", "cwd": "/"}', "no workspace in /; nothing was done"),
    ],
)
def test_a_hook_that_does_nothing_says_why_only_if_asked(tmp_path, text, reason):
    memtool("init", home=tmp_path, cwd=tmp_path)
    for options, message in (
        ((), ""),
        (("-v",), f"memtool: {reason}\n"),
        (("--dry-run",), f"memtool: {reason}\n"),
    ):
        result = memtool("hook", *options, home=tmp_path, cwd=tmp_path, stdin=text)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", message)


@pytest.mark.parametrize("command", ["it's", "one\ntwo", " "])
def test_what_no_shell_can_run_is_not_installed(tmp_path, command):
    result = run(tmp_path, "install", "claude-code", "--command", command)
    assert (result.returncode, result.stdout) == (2, "")
    assert "invalid command " in result.stderr
    assert not settings(tmp_path, "claude-code").exists()


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks":{}}',
        '{\n  "hooks": {\n    "Stop": [],\n    "BeforeAgent": [],\n    "PreToolUse": []\n  }\n}\n',
        '{"a": "x y", "hooks": {"internal": {"entries": {}}}}\n',
        '{\r\n\t"hooks": {"internal": {}}\r\n}',
        "{ }\n",
        "",
    ],
)
@pytest.mark.parametrize("agent", WHERE)
def test_settings_are_what_they_were_after_an_uninstallation(tmp_path, agent, text):
    homes = {field: str(tmp_path / field) for field in AgentFolders.__struct_fields__}
    folders = AgentFolders(**homes | {"openclaw_settings": str(tmp_path / "openclaw/openclaw.json")})
    path = Path(install(agent, USER_SCOPE, folders, "memtool hook").files[0].before.path)
    path.parent.mkdir()
    for command in ("memtool hook", "/opt/memtool hook"):
        path.write_bytes(text.encode())
        write_files(install(agent, USER_SCOPE, folders, command).files, NOW)
        write_files(install(agent, USER_SCOPE, folders, mark_command("new"), is_named=True).files, NOW)
        write_files(uninstall(agent, USER_SCOPE, folders, command).files, NOW)
        assert path.read_bytes() == text.encode()
        write_files(install(agent, USER_SCOPE, folders, command).files, NOW)
        path.write_text(json_edit.set_value(path.read_text(), ("later",), [1]))
        write_files(uninstall(agent, USER_SCOPE, folders, command).files, NOW)
        assert json.loads(path.read_text()) == {**json.loads(text or "{}"), "later": [1]}
