"""Files that other programs change while documents are open, and edits of files that are not open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lsp.client import LspClient, LspError
from tests.trees import make

ALPHA, BETA, GAMMA = (f"memory/notes/zettel/{name}.md" for name in ("alpha", "beta", "gamma"))
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
        client.codes(uri, expected=set())
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
        assert edits[client.uri(BETA)][0]["range"]["start"] == {"line": 4, "character": 0}
        assert edits[client.uri(GAMMA)][0]["newText"] == "[[delta]]\n"


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
        assert change["edits"][0]["newText"] == "[[delta]] x\n"
