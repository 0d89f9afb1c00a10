"""Without psycopg, the commands of the fleet say which extra to install, and all others work."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.trees import SAMPLE, clean_environment

CODE = """
import sys
sys.modules["psycopg"] = None
from memtool.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def run(home, *arguments):
    return subprocess.run(
        [sys.executable, "-c", CODE, *arguments],
        cwd=home,
        env=clean_environment(home),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("action", [["init", "dbname=x"], ["join", "dbname=x", "--as", "desk"]])
def test_a_command_of_the_fleet_names_the_extra(tmp_path, action):
    (tmp_path / "memtool.toml").write_text('layout = "native"\n')
    done = run(tmp_path, "fleet", *action)
    assert done.returncode == 18
    assert "pip install '.[fleet]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_help_of_the_fleet_and_other_commands_work(tmp_path):
    assert run(tmp_path, "fleet", "--help").returncode == 0
    assert run(tmp_path, "search", "--incognito", "--root", str(SAMPLE), "kiln").returncode == 0
