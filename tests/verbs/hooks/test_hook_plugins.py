"""`memtool hook install opencode` and `pi`: a plugin of memtool's own, and never another's."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.core.hooks.hook_plugin import command_words
from tests.trees import memtool

PLUGINS = {
    "opencode": ".config/opencode/plugins/memtool.js",
    "pi": ".pi/agent/extensions/memtool.js",
}
PROJECT = {"opencode": ".opencode/plugins/memtool.js", "pi": ".pi/extensions/memtool.js"}
NODE = shutil.which("node")


def run(home: Path, *arguments: str, **environment: str):
    surroundings = {"PATH": "/usr/bin:/bin", **environment}
    return memtool(*arguments, home=home, cwd=home, environment=surroundings)


def words(plugin: Path) -> list[str]:
    (line,) = [line for line in plugin.read_text().splitlines() if line.startswith("const COMMAND = ")]
    return json.loads(line.removeprefix("const COMMAND = ").removesuffix(";"))


@pytest.mark.parametrize("agent", PLUGINS)
def test_a_plugin_is_installed_once_and_taken_away_with_its_folder(tmp_path, agent):
    plugin = tmp_path / PLUGINS[agent]
    skill = plugin.parent.parent / "skills" / "memtool" / "SKILL.md"
    printed = run(tmp_path, "hook", "print", agent).stdout
    assert not plugin.exists()
    for action, done in (("install", "created"), ("install", "unchanged"), ("uninstall", "removed")):
        assert run(tmp_path, "hook", action, agent).stdout == f"{done}\t{plugin}\n{done}\t{skill}\n"
        assert action == "uninstall" or printed.startswith(plugin.read_text())
    assert not plugin.parent.exists()
    again = run(tmp_path, "hook", "uninstall", agent)
    assert (again.returncode, again.stderr) == (0, f"memtool: {plugin} contains no memtool hooks\n")


@pytest.mark.parametrize("agent", PLUGINS)
def test_a_project_and_an_agent_that_lives_elsewhere_have_plugins_of_their_own(tmp_path, agent):
    run(tmp_path, "hook", "install", agent, "--scope", "project")
    assert (tmp_path / PROJECT[agent]).exists()
    elsewhere = {"XDG_CONFIG_HOME": str(tmp_path / "c"), "PI_CODING_AGENT_DIR": str(tmp_path / "c")}
    told = run(tmp_path, "hook", "install", agent, **elsewhere).stderr
    assert f"each hook runs twice: {tmp_path / PROJECT[agent]} also contains memtool's hooks" in told
    assert len([*(tmp_path / "c").rglob("memtool.js")]) == 1


@pytest.mark.parametrize("agent", PLUGINS)
def test_a_plugin_of_the_users_with_that_name_is_left_alone(tmp_path, agent):
    plugin = tmp_path / PLUGINS[agent]
    plugin.parent.mkdir(parents=True)
    plugin.write_text("// My memtool\nexport default () => {};\n")
    result = run(tmp_path, "hook", "install", agent)
    assert result.returncode != 0
    assert "is not memtool's plugin; nothing was written" in result.stderr
    assert "contains no memtool hooks" in run(tmp_path, "hook", "uninstall", agent).stderr
    assert plugin.read_text() == "// My memtool\nexport default () => {};\n"
    assert len([*plugin.parent.iterdir()]) == 1


@pytest.mark.parametrize("agent", PLUGINS)
@pytest.mark.parametrize("name", ['it\'s "mine"', "a \\n \u2028 ${x} `y`", "ü */ // </script>"])
def test_any_path_of_a_workspace_arrives_as_one_word(tmp_path, agent, name):
    root = tmp_path / name.replace("/", "_")
    root.mkdir()
    run(tmp_path, "--root", str(root), "hook", "install", agent)
    plugin = tmp_path / PLUGINS[agent]
    assert words(plugin)[-3:] == ["--root", str(root), "hook"]
    if NODE:
        module = tmp_path / "module.mjs"
        module.write_text(plugin.read_text() + "\nconsole.log(JSON.stringify(COMMAND));\n")
        seen = subprocess.run([NODE, module], capture_output=True, text=True, check=True).stdout
        assert json.loads(seen) == words(plugin)


@pytest.mark.parametrize(
    "command",
    [
        "memtool hook | tee x",
        "A=1 memtool hook",
        "~/bin/memtool hook",
        "memtool --root ~/notes hook",
        "memtool --root $HOME/notes hook",
        'memtool --root "$HOME/notes" hook',
        "memtool --root /notes* hook",
        "memtool --root `pwd` hook",
    ],
)
def test_a_command_that_needs_a_shell_is_refused(tmp_path, command):
    result = run(tmp_path, "hook", "install", "pi", "--command", command)
    assert result.returncode == 2
    assert "the agent runs commands without a shell" in result.stderr
    assert not (tmp_path / ".pi").exists()


@pytest.mark.parametrize("path", ["'/a $b *~'", r"/a\ \$b\ \*~", '"/a \\$b *~"'])
def test_quoted_signs_of_a_shell_are_part_of_a_word(path):
    assert command_words(f"memtool --root {path} hook")[2].replace("\\", "") == "/a $b *~"


@pytest.mark.skipif(not NODE, reason="needs node")
@pytest.mark.parametrize(
    ("sent", "prompt"),
    [("Review the kiln", "/review kiln"), ("Is the kiln free?", "Is the kiln free?")],
    ids=["its message", "the next message"],
)
def test_a_slash_command_is_the_prompt_of_its_own_message_alone(tmp_path, sent, prompt):
    log = tmp_path / "events"
    run(tmp_path, "hook", "install", "opencode", "--command", f"/bin/sh -c 'cat >> {log}; echo >> {log}' sh")
    plugin = tmp_path / "plugin.mjs"
    plugin.write_text((tmp_path / PLUGINS["opencode"]).read_text())
    (tmp_path / "run.mjs").write_text(f"""
import {{ MemtoolPlugin }} from "./plugin.mjs";
const client = {{ session: {{ get: async () => ({{ data: {{}} }}) }} }};
const hooks = await MemtoolPlugin({{ client, directory: "/" }});
const of = {{ sessionID: "s" }};
const part = (text) => ({{ id: "prt_0123456789abcdef", type: "text", text }});
const output = {{ parts: [part("Review the kiln")] }};
await hooks["command.execute.before"]({{ command: "review", arguments: "kiln", ...of }}, output);
await hooks["chat.message"](of, {{ parts: [part({json.dumps(sent)})] }});
""")
    subprocess.run([NODE, tmp_path / "run.mjs"], check=True)
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert [event["prompt"] for event in events if "prompt" in event] == [prompt]


def test_a_command_of_the_users_stays_until_another_is_given(tmp_path):
    plugin = tmp_path / PLUGINS["pi"]
    run(tmp_path, "hook", "install", "pi", "--command", "/opt/bin/mine.sh now")
    assert words(plugin) == ["/opt/bin/mine.sh", "now"]
    run(tmp_path, "hook", "install", "pi")
    assert words(plugin) == ["/opt/bin/mine.sh", "now"]
    run(tmp_path, "hook", "install", "pi", "--command", "memtool hook")
    assert words(plugin) == ["memtool", "hook"]


def test_a_plugin_that_was_edited_is_backed_up(tmp_path):
    plugin = tmp_path / PLUGINS["opencode"]
    run(tmp_path, "hook", "install", "opencode")
    edited = plugin.read_text().replace("PROMPT_SECONDS = 10", "PROMPT_SECONDS = 2")
    plugin.write_text(edited)
    run(tmp_path, "hook", "install", "opencode")
    (copy,) = plugin.parent.glob("*.memtool-backup")
    assert copy.read_text() == edited
    assert "PROMPT_SECONDS = 10" in plugin.read_text()


@pytest.mark.parametrize("agent", PLUGINS)
def test_doctor_finds_a_plugin_that_cannot_run_and_an_old_one(tmp_path, agent):
    run(tmp_path, "init", ".")
    plugin = tmp_path / PLUGINS[agent]

    def check():
        rows = map(json.loads, run(tmp_path, "doctor", "--json").stdout.splitlines())
        return next(row for row in rows if row["check"] == "hooks")

    run(tmp_path, "hook", "install", agent, "--command", f"{sys.executable} -m memtool hook")
    assert check()["state"] == "ok"
    text = plugin.read_text()
    plugin.write_text(text.replace("PROMPT_SECONDS = 10", "PROMPT_SECONDS = 2"))
    assert check()["detail"] == f"{plugin} differs from the plugin that this version of memtool installs"
    plugin.write_text(text.replace(json.dumps(sys.executable), '"/nowhere/memtool"'))
    found = check()
    assert (found["state"], found["run"]) == ("wrong", f"memtool hook install {agent}")
    wrong = f"the hooks in {plugin} cannot run: /nowhere/memtool not found or not executable"
    assert found["detail"] == wrong
    plugin.write_text(text.replace("const COMMAND = [", "const COMMAND = "))
    assert check()["detail"] == f"{plugin} has no valid 'const COMMAND' line"


@pytest.mark.parametrize("agent", PLUGINS)
def test_the_command_in_a_projects_plugin_is_replaced(tmp_path, agent):
    run(tmp_path, "hook", "install", agent, "--scope", "project")
    plugin = tmp_path / PROJECT[agent]
    own = words(plugin)
    plugin.write_text(
        plugin.read_text().replace(json.dumps(own), '["/bin/sh", "-c", "x", "memtool", "hook"]')
    )
    assert words(plugin) != own
    run(tmp_path, "hook", "install", agent, "--scope", "project")
    assert words(plugin) == own
