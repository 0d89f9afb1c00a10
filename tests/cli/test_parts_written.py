"""Commands that write in several steps exit with 20 after the first; before, with the code of the error."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtool.cli.hooks.agent_folders import agent_folders
from memtool.errors import PartlyApplied, StaleWrite
from memtool.verbs.hooks.hook_install import install, write_files
from tests.trees import SAMPLE, memtool

TURNS = "memory/history/turns/2025/01"
MESSAGES = json.dumps([{"role": "user", "content": "Fire it"}, {"role": "assistant", "content": "Yes"}])
PROPOSAL = '{"lane": "procedural", "rule": "Sign letters", "evidence_quote": "Sign letters"}'


@pytest.fixture
def root(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    (tmp_path / "w/a.json").write_text(MESSAGES)
    (tmp_path / "w/b.json").write_text("[")
    return tmp_path / "w"


def run(root: Path, *arguments: str, stdin: str = ""):
    return memtool(*arguments, home=root.parent, cwd=root, stdin=stdin)


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        ([f"{TURNS}/14/{2:020}.json", "nope.json"], 20),
        ([f"{TURNS}/14/{2:020}.json", "--dry-run", "nope.json"], 1),
        (["nope.json", f"{TURNS}/14/{2:020}.json"], 1),
    ],
)
def test_a_file_after_others_cannot_be_quarantined(root, paths, code):
    result = run(root, "quarantine", "add", *paths)
    assert result.returncode == code
    assert ("(files quarantined: 1), because nope.json: no such file" in result.stderr) == (code == 20)


@pytest.mark.parametrize(
    ("paths", "code"), [(["a.json", "b.json"], 20), (["b.json"], 2), (["b.json", "b.json"], 2)]
)
def test_a_transcript_beside_others_cannot_be_imported(root, paths, code):
    assert run(root, "import", "--dry-run", *paths).returncode != 20
    assert run(root, "import", *paths).returncode == code


@pytest.mark.parametrize(("lines", "code"), [(f"nonsense\n{PROPOSAL}\n", 20), ("nonsense\n", 2)])
def test_a_line_beside_others_is_no_proposal(root, lines, code):
    result = run(root, "candidates", "add", "--user", "ann", "--session", "s1", stdin=lines)
    assert result.returncode == code
    assert ("fix line 1 and send only that line" in result.stderr) == (code == 20)


def test_gits_configuration_cannot_be_written(root):
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git/config.lock").touch()
    result = run(root, "merge", "--install")
    assert result.returncode == 20
    assert "only some of the changes were written (.gitattributes)" in result.stderr
    assert run(root, "merge", "--install").returncode == 19


def test_the_settings_of_an_agent_change_while_its_hooks_are_installed(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text("{}\n")
    installation = install(
        "claude-code", "user", agent_folders({"CLAUDE_CONFIG_DIR": str(tmp_path)}), "memtool hook"
    )
    settings.write_text('{"model": "opus"}\n')
    now = datetime(2025, 1, 15, tzinfo=UTC)
    with pytest.raises(PartlyApplied, match=r"written \(.*SKILL\.md\)"):
        write_files(installation.files, now)
    with pytest.raises(StaleWrite):
        write_files(installation.files[:1], now)
