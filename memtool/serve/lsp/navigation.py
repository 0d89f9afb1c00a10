"""Navigation: definition, references, document links, symbols and folding."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from memtool.core.notes.link_resolver import ResolvedLink
from memtool.serve.lsp.documents import protocol_range
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.verbs.editor import symbols
from memtool.verbs.editor.places import (
    DocumentSpan,
    link_at,
    link_target,
    record_definition,
    record_id_at,
    references_to,
    tag_at,
    tag_uses_in,
)

_KINDS = {
    "heading": types.SymbolKind.String,
    "fact": types.SymbolKind.Constant,
    "rule": types.SymbolKind.Property,
    "message": types.SymbolKind.Event,
    "note": types.SymbolKind.File,
    "turn": types.SymbolKind.Event,
    "tag": types.SymbolKind.Key,
}


def definition(state: LspWorkspace, params: types.DefinitionParams) -> list[types.Location] | None:
    """Where the link or the id at a position leads."""
    node = state.node_of(params.text_document.uri)
    if node is None:
        return None
    offset = TextBuffer(node.text, state.documents.encoding).offset(
        params.position.line, params.position.character
    )
    if (link := link_at(node, offset)) is not None:
        target = link_target(state.graph, node, link)
        return locations(state, [target] if target else [])
    if tag_at(node, offset) is None and (record := record_id_at(node.text, offset)) is not None:
        target = record_definition(state.graph, record[0])
        return locations(state, [target] if target else [])
    return None


def references(state: LspWorkspace, params: types.ReferenceParams) -> list[types.Location] | None:
    """All links and uses of what is at a position."""
    node = state.node_of(params.text_document.uri)
    if node is None:
        return None
    offset = TextBuffer(node.text, state.documents.encoding).offset(
        params.position.line, params.position.character
    )
    spans = references_to(state.graph, node, offset, include_declaration=params.context.include_declaration)
    return locations(state, spans)


def locations(state: LspWorkspace, spans: Iterable[DocumentSpan]) -> list[types.Location]:
    """Spans as locations; the text of each file is read once."""
    buffers: dict[str, TextBuffer | None] = {}
    found: list[types.Location] = []
    for span in dict.fromkeys(spans):
        if span.start == span.end == 0:  # the whole file, which need not be text
            start = types.Position(0, 0)
            found.append(types.Location(state.documents.uri_of(span.path), types.Range(start, start)))
            continue
        if span.path not in buffers:
            buffers[span.path] = state.buffer_of(span.path)
        buffer = buffers[span.path]
        if buffer is not None:
            where = protocol_range(buffer, span.start, span.end)
            found.append(types.Location(state.documents.uri_of(span.path), where))
    return found


def document_links(state: LspWorkspace, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The links of a document whose files exist."""
    node = state.node_of(params.text_document.uri)
    if node is None:
        return None
    buffer = TextBuffer(node.text, state.documents.encoding)
    links: list[types.DocumentLink] = []
    for link in node.markup.links:
        resolved = state.graph.names.resolve(link, node.path)
        if not isinstance(resolved, ResolvedLink) or resolved.matched_by in {"self", "folder"}:
            continue
        uri = state.documents.uri_of(resolved.path)
        links.append(
            types.DocumentLink(protocol_range(buffer, link.start, link.end), uri, tooltip=resolved.path)
        )
    return links


def document_highlights(
    state: LspWorkspace, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """The uses of a tag in the document itself."""
    node = state.node_of(params.text_document.uri)
    if node is None:
        return None
    buffer = TextBuffer(node.text, state.documents.encoding)
    tag = tag_at(node, buffer.offset(params.position.line, params.position.character))
    if tag is None:
        return None
    uses = tag_uses_in(node, tag.name)
    return [types.DocumentHighlight(protocol_range(buffer, use.start, use.end)) for use in uses]


def document_symbols(
    state: LspWorkspace, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | None:
    """The headings, facts and rules of a document, or the messages of a turn."""
    path = state.documents.path_of(params.text_document.uri)
    buffer = state.buffer_of(path) if path is not None else None
    if path is None or buffer is None:
        return None
    found = symbols.document_symbols(state.workspace, path, buffer.text)
    return [_protocol_symbol(buffer, symbol) for symbol in found]


def _protocol_symbol(buffer: TextBuffer, symbol: symbols.OutlineSymbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name or symbol.kind,
        kind=_KINDS[symbol.kind],
        range=protocol_range(buffer, symbol.start, symbol.end),
        selection_range=protocol_range(buffer, symbol.name_start, symbol.name_end),
        detail=symbol.detail or None,
        children=[_protocol_symbol(buffer, child) for child in symbol.children],
    )


def workspace_symbols(
    state: LspWorkspace, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """The notes, facts, rules and turns whose names match a query; with `#` before it, the uses of a tag."""
    graph = state.graph
    listing = state.lint.files.listing if state.lint is not None else None
    scope = state.context().scope
    paths = [
        path
        for path in (listing.files if listing is not None else ())
        if (located := state.workspace.role_of(path)) is not None and scope.admits(located.group)
    ]
    return [
        types.SymbolInformation(location, symbol.name, _KINDS[symbol.kind])
        for symbol in symbols.workspace_symbols(graph, paths, params.query)
        for location in locations(state, [DocumentSpan(symbol.path, symbol.start, symbol.end)])
    ]


def folding_ranges(state: LspWorkspace, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """The frontmatter, the sections and the code blocks of a document."""
    path = state.documents.path_of(params.text_document.uri)
    buffer = state.buffer_of(path) if path is not None else None
    if path is None or buffer is None or not path.lower().endswith((".md", ".markdown")):
        return None
    ranges: list[types.FoldingRange] = []
    for folded in symbols.folded_lines(buffer.text):
        first, last = buffer.position_of_line(folded.first), buffer.position_of_line(folded.last)
        kind = types.FoldingRangeKind.Region if folded.kind == "section" else None
        ranges.append(types.FoldingRange(first, last, kind=kind))
    return ranges
