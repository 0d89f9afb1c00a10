"""The requests that the server answers: the function of each, and how much of the files it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from msgspec import Struct

from memtool.serve.lsp import code_actions, completion, hover, navigation, rename
from memtool.serve.lsp.lsp_workspace import LoadStage, LspWorkspace


class LspFeature(Struct, frozen=True):
    """A request of the protocol: the function that answers it, and the options of its registration.

    `needs` tells how much of the files must be loaded before it is answered.
    """

    answer: Callable[[LspWorkspace, types.ClientCapabilities, Any], Any]
    options: Any = None
    needs: Callable[[LspWorkspace, Any], LoadStage] = lambda _, __: LoadStage.ALL


def _feature(answer: Callable[[LspWorkspace, Any], Any], needs: LoadStage, options: Any = None) -> LspFeature:
    return LspFeature(lambda state, _, params: answer(state, params), options, lambda _, __: needs)


FEATURES: dict[str, LspFeature] = {
    types.TEXT_DOCUMENT_COMPLETION: _feature(
        completion.completion,
        LoadStage.PATHS,
        types.CompletionOptions(trigger_characters=list(completion.TRIGGERS)),
    ),
    types.TEXT_DOCUMENT_HOVER: LspFeature(
        lambda state, _, params: hover.hover(state, params), needs=hover.needs
    ),
    types.TEXT_DOCUMENT_INLAY_HINT: _feature(hover.inlay_hints, LoadStage.NOTHING),
    types.TEXT_DOCUMENT_DEFINITION: _feature(navigation.definition, LoadStage.TEXTS),
    types.TEXT_DOCUMENT_REFERENCES: _feature(navigation.references, LoadStage.ALL),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: _feature(navigation.document_highlights, LoadStage.PATHS),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: _feature(
        navigation.document_links, LoadStage.TEXTS, types.DocumentLinkOptions(resolve_provider=False)
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _feature(navigation.document_symbols, LoadStage.NOTHING),
    types.WORKSPACE_SYMBOL: _feature(navigation.workspace_symbols, LoadStage.ALL),
    types.TEXT_DOCUMENT_FOLDING_RANGE: _feature(navigation.folding_ranges, LoadStage.NOTHING),
    types.TEXT_DOCUMENT_PREPARE_RENAME: _feature(rename.prepare_rename, LoadStage.TEXTS),
    types.TEXT_DOCUMENT_RENAME: LspFeature(rename.rename_symbol, types.RenameOptions(prepare_provider=True)),
    types.TEXT_DOCUMENT_CODE_ACTION: LspFeature(
        code_actions.code_actions,
        types.CodeActionOptions(code_action_kinds=list(code_actions.KINDS)),
        code_actions.needs,
    ),
}
