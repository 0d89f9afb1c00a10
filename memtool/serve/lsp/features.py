"""The requests that the server answers: the function of each, and whether it needs all files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from msgspec import Struct

from memtool.serve.lsp import code_actions, completion, hover, navigation, rename
from memtool.serve.lsp.lsp_workspace import LspWorkspace


class LspFeature(Struct, frozen=True):
    """A request of the protocol: the function that answers it, and the options of its registration.

    `needs_files` tells whether it must wait until all files are loaded; else it answers from the file that it
    is about.
    """

    answer: Callable[[LspWorkspace, types.ClientCapabilities, Any], Any]
    options: Any = None
    needs_files: Callable[[LspWorkspace, Any], bool] = lambda _, __: True


def _feature(
    answer: Callable[[LspWorkspace, Any], Any],
    options: Any = None,
    needs_files: Callable[[LspWorkspace, Any], bool] = lambda _, __: True,
) -> LspFeature:
    return LspFeature(lambda state, _, params: answer(state, params), options, needs_files)


def _of_one_file(answer: Callable[[LspWorkspace, Any], Any]) -> LspFeature:
    return _feature(answer, needs_files=lambda _, __: False)


FEATURES: dict[str, LspFeature] = {
    types.TEXT_DOCUMENT_COMPLETION: _feature(
        completion.completion, types.CompletionOptions(trigger_characters=list(completion.TRIGGERS))
    ),
    types.TEXT_DOCUMENT_HOVER: _feature(hover.hover, needs_files=hover.hover_needs_files),
    types.TEXT_DOCUMENT_INLAY_HINT: _of_one_file(hover.inlay_hints),
    types.TEXT_DOCUMENT_DEFINITION: _feature(navigation.definition),
    types.TEXT_DOCUMENT_REFERENCES: _feature(navigation.references),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: _feature(navigation.document_highlights),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: _feature(
        navigation.document_links, types.DocumentLinkOptions(resolve_provider=False)
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _of_one_file(navigation.document_symbols),
    types.WORKSPACE_SYMBOL: _feature(navigation.workspace_symbols),
    types.TEXT_DOCUMENT_FOLDING_RANGE: _of_one_file(navigation.folding_ranges),
    types.TEXT_DOCUMENT_PREPARE_RENAME: _feature(rename.prepare_rename),
    types.TEXT_DOCUMENT_RENAME: LspFeature(rename.rename_symbol, types.RenameOptions(prepare_provider=True)),
    types.TEXT_DOCUMENT_CODE_ACTION: LspFeature(
        code_actions.code_actions, types.CodeActionOptions(code_action_kinds=list(code_actions.KINDS))
    ),
}
