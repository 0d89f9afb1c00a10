"""Errors that end a command."""

from __future__ import annotations

import pytest

from memtool.cli.failures import report_failure
from memtool.cli.session import Session
from memtool.errors import Unwritable
from tests.trees import make, opened


@pytest.mark.parametrize(("is_quiet", "printed"), [(False, ""), (True, "memtool: it is full\n")])
def test_an_error_that_the_workspace_reported_when_it_was_opened_is_printed_once(
    tmp_path, capsys, is_quiet, printed
):
    workspace = opened(make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'}))
    workspace.notices = ("it is full",)
    session = Session()
    session.given["quiet"] = is_quiet
    session.adopt_workspace(workspace)
    assert report_failure(Unwritable("it is full"), session) == Unwritable.exit_code
    assert capsys.readouterr().err == printed
