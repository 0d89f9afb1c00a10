"""The documents that the editor has open, whatever their URIs and versions."""

from __future__ import annotations

from lsprotocol import types

from memtool.serve.lsp.documents import OpenDocuments
from tests.lsp.client import LspClient
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


def test_files_are_spelled_as_the_folder_that_the_client_opened(tmp_path):
    """The folder may be in the workspace, contain it, or be another one; the links of the client stay."""
    root = make(tmp_path / "parent/w", {"memtool.toml": 'layout = "native"\n', NOTE: "# File\n"})
    for name, target in {"notes": root / "memory/notes", "up": tmp_path / "parent", "w2": root}.items():
        (tmp_path / name).symlink_to(target)
    other = make(tmp_path / "other", {"x.md": ""})
    for folder, spelled in [
        ("notes", {NOTE: "notes/zettel/a.md", "memory/b.md": "parent/w/memory/b.md"}),
        ("up", {NOTE: f"up/w/{NOTE}"}),
        ("w2", {NOTE: f"w2/{NOTE}"}),
        ("parent/w/memory", {NOTE: f"parent/w/{NOTE}"}),
        (str(other), {NOTE: f"parent/w/{NOTE}"}),
    ]:
        documents = OpenDocuments(str(root))
        documents.add_folder(str(tmp_path / folder))
        assert {path: documents.uri_of(path) for path in spelled} == {
            path: (tmp_path / name).as_uri() for path, name in spelled.items()
        }
        assert [documents.path_of(documents.uri_of(path)) for path in spelled] == [*spelled]


def test_the_edits_of_a_client_at_a_linked_folder_name_its_files(tmp_path):
    other = "memory/notes/zettel/b.md"
    root = make(
        tmp_path / "w", {"memtool.toml": 'layout = "native"\n', NOTE: "# A\n\n## One\n", other: "[[a#One]]\n"}
    )
    link = tmp_path / "link"
    link.symlink_to(root / "memory/notes")
    with LspClient(link, tmp_path, names_root=False) as client:
        uri = client.open("zettel/a.md")
        edit = client.at("rename", uri, 2, 4, newName="Two")
        changed = [change["textDocument"]["uri"] for change in edit["documentChanges"]]
        assert sorted(changed) == [uri, client.uri("zettel/b.md")]
