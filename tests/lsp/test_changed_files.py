"""Files that other programs change while documents are open, and edits of files that are not open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtool.cli.lsp_session import lsp_session_factory
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from tests.lsp.client import LspClient, LspError, span
from tests.serve.mcp.talk import session
from tests.trees import make

ALPHA, BETA, GAMMA = (f"memory/notes/zettel/{name}.md" for name in ("alpha", "beta", "gamma"))
FACTS = "memory/semantic/facts.md"
FACTS_TEXT = "# Facts\n\n- [preference] User likes tea ^m-000001\n"
LINE = {"path": FACTS, "line": 3, "text": FACTS_TEXT.splitlines()[2]}
FORGET = {"command": "memtool.forgetFact", "arguments": [LINE]}
CANVAS = "memory/notes/maps/plan.canvas"
CARD = {"id": "1", "type": "file", "file": ALPHA, "x": 0, "y": 0, "width": 1, "height": 1}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "memtool.toml": 'layout = "native"\n',
        ALPHA: "# Alpha\n\n## Part\n",
        BETA: "# Beta\n\n[[Alpha]] [[alpha#Part]]\n",
        CANVAS: json.dumps({"nodes": [CARD], "edges": []}, indent=1),
    }
    return make(tmp_path / "w", files)


def codes(rows: list[dict[str, str]]) -> set[str]:
    return {row["code"] for row in rows}


def test_files_of_other_programs_are_noticed_without_the_client(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        uri = client.open(BETA)
        client.codes(uri, expected={"M405"})
        (root / ALPHA).unlink()
        client.diagnostics(uri, 1, lambda rows: "M401" in codes(rows))
        make(root, {GAMMA: "# Alpha\n\n## Part\n"})
        (root / BETA).write_text("# Beta\n\n[[Alpha]]\n")
        client.change(uri, 2, "# Beta\n\n[[Alpha]]\n")
        client.diagnostics(uri, 2, lambda rows: "M401" not in codes(rows))


def test_a_rename_edits_the_present_text_of_a_file(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        uri = client.open(ALPHA)
        client.at("hover", uri, 0, 0)  # the files are loaded
        make(root, {BETA: "# Beta\n\na new line\n\n[[Alpha]]\n", GAMMA: "# Gamma\n\n[[Alpha]]\n"})
        edit = client.at("rename", uri, 0, 3, newName="Delta")
        edits = {change["textDocument"]["uri"]: change["edits"] for change in edit["documentChanges"][:-1]}
        assert edits[client.uri(BETA)][0]["range"]["start"] == {"line": 4, "character": 2}
        assert edits[client.uri(GAMMA)][0] == {"range": span(2, 2, 2, 6), "newText": "delt"}


def test_a_file_that_does_not_exist_is_not_renamed(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        uri, removed = client.open(GAMMA, "# Gamma\n"), client.open(ALPHA)
        (root / ALPHA).unlink()
        for document, name in ((uri, "Delta"), (uri, "delta.md"), (removed, "delta.md")):
            with pytest.raises(LspError, match="has not been saved yet, or has been removed; save it"):
                client.at("rename", document, 0, 3, newName=name)


def test_a_rename_never_reverts_unsaved_changes_of_a_canvas(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        uri, canvas = client.open(ALPHA), client.open(CANVAS)
        assert client.at("rename", uri, 0, 3, newName="Delta")
        client.change(canvas, 2, (root / CANVAS).read_text().replace('"x": 0', '"x": 700'))
        with pytest.raises(LspError, match=r"plan\.canvas has unsaved changes"):
            client.at("rename", uri, 0, 3, newName="Delta")


def test_a_rename_never_reverts_unsaved_changes_of_a_very_large_note(root, tmp_path):
    text = f"# Beta\n\n[[Alpha]]\n\n{'word ' * 210_000}\n"
    make(root, {BETA: text})
    with LspClient(root, tmp_path) as client:
        uri, large = client.open(ALPHA), client.open(BETA)
        assert client.at("rename", uri, 0, 3, newName="Delta")
        client.change(large, 2, ((0, 0), (0, 0), "unsaved\n"))
        with pytest.raises(LspError, match=r"beta\.md has unsaved changes"):
            client.at("rename", uri, 0, 3, newName="Delta")


def test_positions_in_a_file_do_not_count_a_byte_order_mark(root, tmp_path):
    make(root, {BETA: "\ufeff[[Alpha]] x\n"})
    with LspClient(root, tmp_path) as client:
        uri = client.open(ALPHA)
        edit = client.at("rename", uri, 0, 3, newName="Delta")
        change = next(c for c in edit["documentChanges"] if c.get("textDocument", {})["uri"].endswith(BETA))
        assert change["edits"] == [{"range": span(0, 2, 0, 6), "newText": "delt"}]


def test_a_change_of_one_document_updates_the_diagnostics_of_another(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        alpha, beta = client.open(ALPHA), client.open(BETA)
        client.codes(beta, expected={"M405"})
        client.change(alpha, 2, "# Alpha\n\n## Other\n")
        client.codes(beta, expected={"M402", "M405"})
        client.close(alpha)
        client.codes(beta, expected={"M405"})


def test_a_command_is_refused_while_a_restored_document_is_unsaved(root, tmp_path):
    make(root, {FACTS: FACTS_TEXT})
    with LspClient(root, tmp_path) as client:
        client.open(FACTS, FACTS_TEXT + "- [preference] typed before the editor was restarted\n")
        with pytest.raises(LspError, match="unsaved changes"):
            client.request("workspace/executeCommand", FORGET)


def test_a_command_advises_to_reload_what_another_program_has_changed(root, tmp_path):
    make(root, {FACTS: FACTS_TEXT})
    theirs = FACTS_TEXT + "- [preference] another program wrote this\n"
    with LspClient(root, tmp_path) as client:
        uri = client.open(FACTS)
        client.diagnostics(uri)
        (root / FACTS).write_text(theirs)
        client.change(uri, 2, FACTS_TEXT + "\nTyped.\n")
        with pytest.raises(LspError, match=r"facts\.md has changed on disk; reload it in the editor and run"):
            client.request("workspace/executeCommand", FORGET)
        client.change(uri, 3, theirs)
        client.change(uri, 4, theirs + "\nTyped.\n")
        with pytest.raises(LspError, match=r"facts\.md has unsaved changes; save it and run"):
            client.request("workspace/executeCommand", FORGET)


def test_a_command_names_the_open_files_that_it_wrote(root, tmp_path):
    make(root, {FACTS: FACTS_TEXT})
    with LspClient(root, tmp_path) as client:
        client.open(FACTS)
        client.open(ALPHA)
        done = client.request("workspace/executeCommand", FORGET)
        assert done.endswith(f"; reload {FACTS} in the editor before you save")


def test_no_file_is_created_in_incognito_mode(root, tmp_path):
    for mode, count in (("persistent", 1), ("incognito", 0)):
        with LspClient(root, tmp_path, environment={"MEMTOOL_MODE": mode}) as client:
            uri = client.open(ALPHA)
            titles = [title for title in client.actions(uri, 2, 2) if title.startswith("Extract")]
            assert len(titles) == count


def test_a_file_of_another_machine_is_no_file_of_the_workspace(root, tmp_path):
    with LspClient(root, tmp_path) as client:
        for host, is_here in (("", True), ("localhost", True), ("elsewhere", False)):
            uri = client.uri(ALPHA).replace("file://", f"file://{host}")
            found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            assert bool(found) == is_here


def test_invalid_settings_are_shown_once_until_they_are_valid_again(root, tmp_path):
    settings = (root / "memtool.toml").read_text()
    client = LspClient(root, tmp_path)
    uri = client.open(BETA)
    client.codes(uri, expected={"M405"})
    for count in (1, 2):
        (root / "memtool.toml").write_text("layout = [\n")
        for _ in range(3):
            client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
            with pytest.raises(LspError, match=r"memtool\.toml is not valid TOML"):
                client.at("prepareRename", uri, 0, 3)
        while len(client.messages) < count:
            client.read_message()
        (root / "memtool.toml").write_text(settings)
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        (root / GAMMA).write_text(f"# Gamma {count}\n")
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        query = {"query": f"Gamma {count}"}
        while not client.request("workspace/symbol", query):
            pass
    assert [message["params"]["type"] for message in client.messages] == [2, 2]
    assert all("memtool.toml is not valid" in message["params"]["message"] for message in client.messages)
    client.request("shutdown")
    client.notify("exit")
    code, errors = client.end()
    assert code == 0
    assert errors.count("memtool.toml is not valid TOML") == 2


def test_only_files_that_lint_lists_count_as_changed(root, tmp_path):
    state = LspWorkspace(lsp_session_factory(session(root, tmp_path)))
    assert state.has_changed_files()
    state.refresh()
    make(root, {".obsidian/workspace.json": "{}", "node_modules/a/package.json": "{}"})
    assert not state.has_changed_files()
    make(root, {ALPHA: "# Alpha\n\n## Rewritten\n"})
    assert state.has_changed_files()
    state.refresh()
    assert state.graph.nodes[ALPHA].text.endswith("Rewritten\n")
    make(root, {GAMMA: "# Gamma\n"})
    assert state.has_changed_files()


@pytest.mark.parametrize(
    ("environment", "reason"),
    [({"MEMTOOL_MODE": "incognito"}, "read-only"), ({"MEMTOOL_USER": "ann"}, "MEMTOOL_USER")],
)
def test_a_rename_that_will_be_refused_asks_for_no_name(root, tmp_path, environment, reason):
    with LspClient(root, tmp_path, environment=environment) as client:
        for method, more in (("prepareRename", {}), ("rename", {"newName": "Delta"})):
            with pytest.raises(LspError, match=reason):
                client.at(method, client.uri(ALPHA), 0, 3, **more)
