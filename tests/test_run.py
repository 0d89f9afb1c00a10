"""The runner of `make test`: temporary files in memory where that is possible, and pytest's exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.run import is_suitable

REPOSITORY = Path(__file__).parent.parent


def test_a_folder_needs_to_be_there_and_to_have_space(tmp_path):
    assert is_suitable(tmp_path, 1)
    assert not is_suitable(tmp_path, 1 << 62)
    assert not is_suitable(tmp_path / "missing", 1)


@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["--no-such-option"], 4)])
def test_the_exit_code_is_that_of_pytest(arguments, code):
    command = [sys.executable, "-m", "tests.run", "-p", "no:cacheprovider", *arguments]
    assert subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=False).returncode == code
