"""What the server answers before all files are loaded, and what it reports while settings are invalid."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from memtool.cli.lsp_session import lsp_session_factory
from memtool.serve.lsp.documents import file_uri
from memtool.serve.lsp.features import FEATURES
from memtool.serve.lsp.lsp_workspace import LoadStage, LspWorkspace
from tests.serve.mcp.talk import session
from tests.trees import SAMPLE

FACTS, NOTE = "memory/semantic/facts.md", "memory/notes/zettel/celadon.md"


@pytest.fixture
def state(tmp_path: Path) -> LspWorkspace:
    """A workspace with two open documents, and no files loaded."""
    shutil.copytree(SAMPLE, root := tmp_path / "w")
    state = LspWorkspace(lsp_session_factory(session(root, tmp_path)))
    for path in (FACTS, NOTE):
        uri = file_uri(str(root / path))
        state.documents.open(types.TextDocumentItem(uri, "markdown", 1, (root / path).read_text()))
    return state


def about(state: LspWorkspace, path: str, words: str) -> tuple[types.TextDocumentIdentifier, types.Position]:
    document = state.documents.at(path)
    assert document is not None
    at = document.buffer.position(document.buffer.text.index(words) + 2)
    return types.TextDocumentIdentifier(document.uri), types.Position(*at)


def answered(state: LspWorkspace, method: str, params: Any) -> Any:
    """What a request is answered before the files are loaded; they must not be loaded for it."""
    assert FEATURES[method].needs(state, params) <= state.stage
    found = FEATURES[method].answer(state, types.ClientCapabilities(), params)
    assert state.lint is None
    return found


def test_what_one_file_says_is_answered_before_all_files_are_loaded(state):
    document, position = about(state, FACTS, "- [")
    assert answered(state, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(document))
    assert answered(state, types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(document)) is not None
    assert answered(state, types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, position))
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert answered(state, types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(document, everything))


def load_until(state: LspWorkspace, stage: LoadStage) -> None:
    """Load the files up to a stage, as the thread of the server does."""
    loading = state.load()
    while state.stage < stage:
        state.adopt(next(loading))


def completed(state: LspWorkspace, line: str) -> set[str]:
    """What completion offers at the end of a line, which the note gets at its end."""
    document = state.documents.at(NOTE)
    assert document is not None
    text = f"{document.buffer.text}\n{line}"
    document.change([types.TextDocumentContentChangeWholeDocument(text)], document.version + 1)
    params = types.CompletionParams(
        types.TextDocumentIdentifier(document.uri), types.Position(*document.buffer.position(len(text)))
    )
    return {item.label for item in answered(state, types.TEXT_DOCUMENT_COMPLETION, params).items}


def test_links_are_completed_by_file_names_before_any_file_is_read(state):
    load_until(state, LoadStage.PATHS)
    assert completed(state, "[[test") == {"test-tiles"}
    assert completed(state, "[[test-tiles#")
    assert completed(state, "](test") == {"test-tiles.md"}


def test_links_and_tags_of_frontmatter_are_completed_and_followed_once_the_texts_are_read(state):
    load_until(state, LoadStage.TEXTS)
    assert completed(state, "[[test") >= {"Test tiles"}
    assert completed(state, "#gl") == {"glaze"}
    document, position = about(state, NOTE, "[[Test tiles")
    assert answered(state, types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(document, position))
    assert answered(state, types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkParams(document))
    assert answered(state, types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, position))


def test_code_actions_that_an_editor_asks_for_by_itself_do_not_wait(state):
    load_until(state, LoadStage.PATHS)
    document, position = about(state, FACTS, "- [")
    where = types.Range(position, position)
    automatic = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic)
    params = types.CodeActionParams(document, where, automatic)
    assert answered(state, types.TEXT_DOCUMENT_CODE_ACTION, params)


def test_what_needs_links_and_tags_of_all_files_waits(state):
    document, position = about(state, NOTE, "[[Test tiles")
    hover = FEATURES[types.TEXT_DOCUMENT_HOVER]
    assert hover.needs(state, types.HoverParams(document, position)) is LoadStage.TEXTS
    assert hover.needs(state, types.HoverParams(document, types.Position(0, 0))) is LoadStage.NOTHING
    for method in (types.TEXT_DOCUMENT_REFERENCES, types.TEXT_DOCUMENT_RENAME, types.WORKSPACE_SYMBOL):
        assert FEATURES[method].needs(state, None) is LoadStage.ALL


def test_the_files_are_loaded_in_stages_once(state):
    stages = [(loaded.stage, loaded.lint is not None) for loaded in state.load()]
    assert stages == [
        (LoadStage.PATHS, False),
        (LoadStage.TEXTS, False),
        (LoadStage.TEXTS, True),
        (LoadStage.ALL, True),
    ]
    for loaded in state.load():
        state.adopt(loaded)
    assert [loaded.stage for loaded in state.load()] == [LoadStage.ALL]


def test_no_path_is_listed_for_a_user_before_its_text_is_read(state, tmp_path):
    own = LspWorkspace(lsp_session_factory(session(tmp_path / "w", tmp_path, MEMTOOL_USER="marta")))
    assert next(own.load()).stage is LoadStage.TEXTS
