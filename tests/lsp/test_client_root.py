"""Which workspace the server serves: that of --root or MEMTOOL_ROOT, else that of the client's root."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtool.cli.lsp_session import lsp_opener
from memtool.cli.session import Session
from memtool.errors import NoWorkspace
from tests.lsp.client import LspClient, LspError
from tests.trees import make

NOTE = "memory/notes/zettel/a.md"


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, Path]:
    """Two workspaces."""
    files = {"memtool.toml": 'layout = "native"\n', NOTE: "# A\n\n[[nowhere]]\n"}
    return make(tmp_path / "one", files), make(tmp_path / "two", files)


def served(folders: list[Path], **variables: str) -> tuple[str, str]:
    """The root that is served for folders of a client, and the notice."""
    start = Session()
    start.environment = {"XDG_CONFIG_HOME": "/nonexistent", **variables}
    factory, notice = lsp_opener(start)([str(folder) for folder in folders])
    return factory().workspace.root, notice


def test_the_client_root_counts_and_not_the_current_folder(roots, monkeypatch):
    monkeypatch.chdir(roots[0])
    assert served([roots[1]]) == (str(roots[1]), "")
    assert served([roots[1] / "memory/notes"]) == (str(roots[1]), "")


def test_without_a_workspace_of_the_client_the_current_folder_counts(roots, tmp_path, monkeypatch):
    monkeypatch.chdir(roots[0])
    assert served([]) == served([tmp_path]) == (str(roots[0]), "")


def test_a_root_that_is_named_counts_before_that_of_the_client(roots, monkeypatch):
    monkeypatch.chdir("/")
    assert served([roots[1]], MEMTOOL_ROOT=str(roots[0])) == (str(roots[0]), "")


def test_folders_of_several_workspaces_are_a_notice(roots, monkeypatch):
    monkeypatch.chdir("/")
    one, two = roots
    assert served([one, one / "memory"]) == (str(one), "")
    root, notice = served([one, two])
    assert root == str(one)
    assert notice.startswith(f"memtool uses the workspace {one}, not {two};")


def test_without_any_workspace_the_error_names_the_folder_of_the_client(tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    with pytest.raises(NoWorkspace, match=f"no workspace in {tmp_path} or in any folder above it"):
        served([tmp_path])


def test_a_client_is_refused_outside_a_workspace_and_served_in_one(roots, tmp_path):
    with LspClient(roots[1], tmp_path, names_root=False, initializes=False) as client:
        client.root = tmp_path
        with pytest.raises(LspError, match="no workspace in"):
            client.initialize({})
        with pytest.raises(LspError, match="the first request must be 'initialize'"):
            client.request("workspace/symbol", {"query": ""})
        client.root = roots[1]
        client.initialize({}, folders=roots)
        assert client.codes(client.open(NOTE), expected={"M401"})
        shown = [row["params"] for row in client.messages if row["method"] == "window/showMessage"]
        assert [(row["type"], str(roots[1]) in row["message"]) for row in shown] == [(2, True)]
