"""Completion of links, tags, categories, frontmatter keys and ids of facts."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from memtool.serve.lsp.documents import protocol_range
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.verbs.editor.completion import complete
from memtool.verbs.memory_files.semantic_files import StoredFact, all_facts

TRIGGERS = ("[", "(", "#", "^", "/", "*")
"""The characters after which an editor asks without being told to."""
_KINDS = {
    "note": types.CompletionItemKind.File,
    "alias": types.CompletionItemKind.Reference,
    "heading": types.CompletionItemKind.Class,
    "block": types.CompletionItemKind.Property,
    "tag": types.CompletionItemKind.Keyword,
    "category": types.CompletionItemKind.EnumMember,
    "key": types.CompletionItemKind.Field,
    "fact": types.CompletionItemKind.Constant,
    "file": types.CompletionItemKind.File,
}


def completion(state: LspWorkspace, params: types.CompletionParams) -> types.CompletionList | None:
    """What may follow at a position of an open document."""
    document = state.documents.with_uri(params.text_document.uri)
    if document is None:
        return None
    buffer = document.buffer
    offset = buffer.offset(params.position.line, params.position.character)

    def load_facts() -> Sequence[StoredFact]:
        workspace = state.facts_workspace
        return all_facts(workspace, []) if workspace is not None else ()

    found = complete(state.graph, document.path, buffer.text, offset, load_facts)
    typed = buffer.text[found[0].start : offset] if found else ""
    items = [
        types.CompletionItem(
            item.label,
            kind=_KINDS[item.kind],
            detail=item.detail or None,
            sort_text=f"{number:04}",
            # the client filters by what is typed; `^` and `#` are part of it
            filter_text=typed if not item.label.startswith(typed) else item.label,
            text_edit=types.TextEdit(protocol_range(buffer, item.start, item.end), item.new),
        )
        for number, item in enumerate(found)
    ]
    return types.CompletionList(is_incomplete=True, items=items)
