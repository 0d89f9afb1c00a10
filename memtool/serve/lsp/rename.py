"""Rename of a note, a heading or a tag with everything that names it."""

from __future__ import annotations

from lsprotocol import types

from memtool.errors import BadUsage
from memtool.serve.lsp.documents import protocol_range
from memtool.serve.lsp.edits import workspace_edit
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.verbs.editor.rename_places import PlacedTarget, rename_target_at
from memtool.verbs.notes.rename import current_name, plan_rename


def prepare_rename(
    state: LspWorkspace, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """What is renamed at a position, and its present name. Raises BadUsage."""
    _check_may_rename(state)
    found = _target_at(state, params.text_document.uri, params.position)
    if found is None:
        return None
    buffer, placed = found
    where = protocol_range(buffer, placed.start, placed.end)
    return types.PrepareRenamePlaceholder(where, current_name(state.graph, placed.target))


def rename_symbol(
    state: LspWorkspace, capabilities: types.ClientCapabilities, params: types.RenameParams
) -> types.WorkspaceEdit | None:
    """The edit that renames what is at a position, and updates all links to it or uses of it."""
    _check_may_rename(state)
    state.refresh()
    found = _target_at(state, params.text_document.uri, params.position)
    if found is None:
        raise BadUsage("there is no note, heading or tag at this position")
    return workspace_edit(
        state, capabilities, plan_rename(state.graph, found[1].target, params.new_name, state.context().scope)
    )


def _check_may_rename(state: LspWorkspace) -> None:
    """Raise BadUsage where nothing may be renamed."""
    context = state.context()
    if not context.workspace.writes:
        raise BadUsage("the workspace is read-only (incognito); nothing was renamed")
    if context.owner_tags:
        raise BadUsage(
            "nothing was renamed: MEMTOOL_USER hides some files, and links in those files would break; "
            "to rename, start the language server without MEMTOOL_USER"
        )


def _target_at(
    state: LspWorkspace, uri: str, position: types.Position
) -> tuple[TextBuffer, PlacedTarget] | None:
    node = state.node_of(uri)
    if node is None:
        return None
    buffer = TextBuffer(node.text, state.documents.encoding)
    placed = rename_target_at(state.graph, node, buffer.offset(position.line, position.character))
    return (buffer, placed) if placed is not None else None
