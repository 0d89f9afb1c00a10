"""The documents that the editor has open, whatever their URIs and versions."""

from __future__ import annotations

from lsprotocol import types

from tests.lsp.editor import Editor
from tests.trees import make

NOTE = "memory/notes/zettel/a.md"


def opened_as(editor: Editor, uri: str, text: str) -> None:
    editor.state.documents.open(types.TextDocumentItem(uri, "markdown", 1, text))


def title(editor: Editor) -> str:
    return editor.state.graph.nodes[NOTE].head.title


def test_a_file_that_is_open_by_two_uris_keeps_the_text_of_the_one_that_is_left(tmp_path):
    editor = Editor(make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', NOTE: "# File\n"}), tmp_path)
    first, second = editor.uri(NOTE), editor.uri(NOTE).replace("zettel/", "zettel/../zettel/")
    opened_as(editor, first, "# First\n")
    opened_as(editor, second, "# Second\n")
    assert title(editor) == "Second"
    document = editor.state.documents.close(second)
    assert document is not None
    editor.state.close(document)
    assert title(editor) == "First"
    assert editor.state.buffer_of(NOTE).text == "# First\n"
    assert [document.uri for document in editor.state.documents.all()] == [first]


def test_a_document_that_is_opened_again_with_the_same_version_has_its_new_text(tmp_path):
    editor = Editor(make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', NOTE: "# File\n"}), tmp_path)
    for name in ("One", "Two"):
        opened_as(editor, editor.uri(NOTE), f"# {name}\n")
        assert title(editor) == name
