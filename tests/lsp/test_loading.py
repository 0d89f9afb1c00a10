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
from memtool.serve.lsp.lsp_workspace import LspWorkspace
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
    assert not FEATURES[method].needs_files(state, params)
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


def test_a_hover_over_a_link_waits_for_the_files(state):
    document, position = about(state, NOTE, "[[Test tiles")
    hover = FEATURES[types.TEXT_DOCUMENT_HOVER]
    assert hover.needs_files(state, types.HoverParams(document, position))
    assert not hover.needs_files(state, types.HoverParams(document, types.Position(0, 0)))


def test_diagnostics_are_loaded_before_the_link_graph(state):
    first, last = state.load()
    assert (first.graph, first.lint) == (None, last.lint)
    assert last.graph is not None
    state.adopt(last)
    assert len([*state.load()]) == 1
