"""The skill of `memtool hook install`: it teaches commands that work, and is never taken from its user."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.hooks.agent_skill import PROJECT_FOLDERS, SKILL_FILE, is_generated_skill, skill_text
from memtool.core.hooks.hook_event import AGENTS
from memtool.layouts.resources import resource_text
from tests.transcript import console_blocks, differences, steps
from tests.trees import memtool

TEMPLATE = resource_text("agent-skill/SKILL.md")
USER_PLACES = {
    "claude-code": ".claude/skills/memtool/SKILL.md",
    "codex": ".codex/skills/memtool/SKILL.md",
    "openclaw": ".openclaw/skills/memtool/SKILL.md",
    "gemini": ".gemini/skills/memtool/SKILL.md",
    "qwen": ".qwen/skills/memtool/SKILL.md",
    "opencode": ".config/opencode/skills/memtool/SKILL.md",
    "pi": ".pi/agent/skills/memtool/SKILL.md",
}
"""Where each agent's documentation says that it reads skills of its user."""
PROJECT_AGENTS = [agent for agent in AGENTS if PROJECT_FOLDERS[agent]]


def hook(home: Path, *arguments: str, **environment: str):
    return memtool("hook", *arguments, home=home, cwd=home, environment=environment)


def skill(home: Path, agent: str) -> Path:
    return home / USER_PLACES[agent]


def test_its_commands_print_what_it_says(tmp_path):
    page = console_blocks(skill_text(TEMPLATE, "memtool hook"))
    taught = {step.command.split()[1] for step in steps(page)}
    assert taught == {"search", "recall", "save", "facts", "forget"}
    assert not list(differences(page, tmp_path))


def test_it_has_the_frontmatter_of_a_skill_and_is_short():
    text = skill_text(TEMPLATE, "memtool --root '/my memory' hook")
    frontmatter = yaml.safe_load(text.split("---\n")[1])
    assert frontmatter["name"] == SKILL_FILE.split("/")[1]
    assert 1 <= len(frontmatter["description"]) <= 1024
    assert all(isinstance(value, str) for value in frontmatter["metadata"].values())
    assert text.count("\n") < 60


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("memtool hook", "$ memtool search"),
        ("memtool --root '/my memory' hook", "$ memtool --root '/my memory' search"),
        ("/venv/bin/python -m memtool hook", "$ /venv/bin/python -m memtool search"),
        ("/opt/bin/mine.sh now # memtool hook", "$ memtool search"),
    ],
)
def test_it_names_the_program_and_the_workspace_of_the_hooks(command, line):
    assert line in skill_text(TEMPLATE, command)


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agent_with_hooks_gets_it_where_the_agent_reads_skills(tmp_path, agent):
    result = hook(tmp_path, "install", agent)
    assert f"created\t{skill(tmp_path, agent)}\n" in result.stdout
    assert is_generated_skill(skill(tmp_path, agent).read_text())
    assert f"removed\t{skill(tmp_path, agent)}\n" in hook(tmp_path, "uninstall", agent).stdout
    assert not skill(tmp_path, agent).parent.parent.exists()


@pytest.mark.parametrize("agent", PROJECT_AGENTS)
def test_hooks_of_a_project_have_their_skill_in_the_project(tmp_path, agent):
    (tmp_path / "p").mkdir()
    arguments = ("hook", "install", agent, "--scope", "project")
    memtool(*arguments, home=tmp_path, cwd=tmp_path / "p")
    assert (tmp_path / "p" / PROJECT_FOLDERS[agent] / SKILL_FILE).exists()
    assert not skill(tmp_path, agent).exists()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("change", [lambda text: text + "\nMine.\n", lambda text: "Mine.\n"])
def test_one_that_the_user_changed_is_neither_overwritten_nor_removed(tmp_path, agent, change):
    hook(tmp_path, "install", agent)
    text = change(skill(tmp_path, agent).read_text())
    skill(tmp_path, agent).write_text(text)
    for action in ("install", "uninstall"):
        result = hook(tmp_path, action, agent)
        assert result.returncode == 0
        assert f"unchanged\t{skill(tmp_path, agent)}\n" in result.stdout
        assert f"{skill(tmp_path, agent)} was left unchanged: memtool did not create it" in result.stderr
        assert skill(tmp_path, agent).read_text() == text


def test_that_of_an_earlier_version_is_replaced_without_a_backup(tmp_path):
    earlier = skill_text("---\nname: memtool\ndescription: Old\n---\nOld text\n", "memtool hook")
    path = skill(tmp_path, "claude-code")
    path.parent.mkdir(parents=True)
    path.write_text(earlier)
    assert f"changed\t{path}\n" in hook(tmp_path, "install", "claude-code").stdout
    assert "memtool search" in path.read_text()
    assert os.listdir(path.parent) == ["SKILL.md"]


def test_the_folder_of_other_skills_stays(tmp_path):
    hook(tmp_path, "install", "codex")
    (tmp_path / ".codex/skills/other").mkdir()
    hook(tmp_path, "uninstall", "codex")
    assert os.listdir(tmp_path / ".codex/skills") == ["other"]


def test_hook_print_names_it_and_prints_it_as_json(tmp_path):
    result = hook(tmp_path, "print", "codex")
    json.loads(result.stdout)
    assert f"hook install also adds the skill {skill(tmp_path, 'codex')}; --json" in result.stderr
    records = [json.loads(line) for line in hook(tmp_path, "print", "codex", "--json").stdout.splitlines()]
    hook(tmp_path, "install", "codex")
    path = skill(tmp_path, "codex")
    assert records[-1] == {"path": str(path), "text": path.read_text()}


def test_a_dry_run_shows_it_and_writes_nothing(tmp_path):
    shown = hook(tmp_path, "install", "codex", "--dry-run").stdout
    assert f"+++ {skill(tmp_path, 'codex')}\n" in shown
    assert "+name: memtool\n" in shown
    assert not (tmp_path / ".codex").exists()


@given(st.integers(0, 5000), st.characters())
def test_any_change_of_a_character_is_seen(position, character):
    text = skill_text(TEMPLATE, "memtool hook")
    position %= len(text)
    changed = text[:position] + character + text[position + 1 :]
    assert is_generated_skill(text)
    assert is_generated_skill(changed) == (changed == text)


def test_it_uses_the_command_that_the_hooks_keep(tmp_path):
    hook(tmp_path, "install", "gemini", "--command", "MEMTOOL_USER=ann memtool hook")
    hook(tmp_path, "install", "gemini")
    assert "$ MEMTOOL_USER=ann memtool search" in skill(tmp_path, "gemini").read_text()


def test_one_that_is_no_text_does_not_keep_the_hooks(tmp_path):
    hook(tmp_path, "install", "gemini")
    skill(tmp_path, "gemini").write_bytes(b"\xff\xfe")
    assert hook(tmp_path, "uninstall", "gemini").returncode == 0
    assert not (tmp_path / ".gemini" / "settings.json").exists()
    assert skill(tmp_path, "gemini").read_bytes() == b"\xff\xfe"


def test_a_link_of_a_project_leads_no_file_out_of_it(tmp_path):
    (tmp_path / "p" / ".gemini").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "p" / ".gemini" / "skills").symlink_to(tmp_path / "elsewhere")
    result = memtool("hook", "install", "gemini", "--scope", "project", home=tmp_path, cwd=tmp_path / "p")
    assert result.returncode == 14
    assert "outside the project" in result.stderr
    assert not list((tmp_path / "elsewhere").iterdir())
    assert not (tmp_path / "p" / ".gemini" / "settings.json").exists()
