"""Places in documents: what is at an offset, and where a link leads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.lint.lint_target import SourceText
from memtool.core.notes.anchors import block_offsets
from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_resolver import ResolvedLink
from memtool.core.notes.tags import TagSpan, is_under
from memtool.core.text.regex import regex
from memtool.formats.syntax.outline import Heading
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph

_ID = r"(?<![\w-])\^?([a-z]-[0-9A-Za-z][0-9A-Za-z-]{1,63})(?![\w-])"
"""The id of a fact, a rule or a candidate: one letter, a hyphen and a digest or a key."""


class DocumentSpan(Struct, frozen=True):
    """A span `text[start:end]` of a document."""

    path: str
    start: int
    end: int


def link_at(node: DocumentNode, offset: int) -> NoteLink | None:
    """The link at an offset, the innermost if there are several."""
    around = [link for link in node.markup.links if link.start <= offset <= link.end]
    return min(around, key=lambda link: link.end - link.start, default=None)


def tag_at(node: DocumentNode, offset: int) -> TagSpan | None:
    """The tag at an offset, in the text or in the frontmatter."""
    return next((tag for tag in node.tag_spans if tag.start - 1 <= offset <= tag.end), None)


def heading_at(node: DocumentNode, offset: int) -> Heading | None:
    """The heading on the line of an offset."""
    line = node.text.count("\n", 0, offset) + 1
    return next((item for item in node.headings if item.first <= line <= item.last), None)


def heading_span(text: str, heading: Heading) -> tuple[int, int]:
    """Where the text of a heading stands, without its marks."""
    start, line_end = heading.start, text.find("\n", heading.start)
    end = len(text) if line_end < 0 else line_end
    at = text.find(heading.text, start, end) if heading.text else -1
    return (at, at + len(heading.text)) if at >= 0 else (start, start + len(text[start:end].rstrip("\r")))


def record_id_at(text: str, offset: int) -> tuple[str, int, int] | None:
    """The id of a fact, rule or candidate at an offset, with its span.

    On the rest of a line it is the id at the end of the line, with the span of the line.
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line_end = len(text) if end < 0 else end
    matches = [*regex(_ID).finditer(text, start, line_end)]
    for match in matches:
        if match.start() <= offset <= match.end():
            return match[1], match.start(1), match.end(1)
    if matches and text[matches[-1].end() : line_end].strip() == "" and matches[-1][0].startswith("^"):
        return matches[-1][1], start, line_end
    return None


def link_target(graph: LinkGraph, node: DocumentNode, link: NoteLink) -> DocumentSpan | None:
    """Where a link leads: the heading or block that its anchor names, else the start of the file."""
    resolved = graph.names.resolve(link, node.path)
    if not isinstance(resolved, ResolvedLink) or resolved.matched_by == "folder":
        return None
    target = node if resolved.path == node.path else graph.nodes.get(resolved.path)
    if target is None:
        return DocumentSpan(resolved.path, 0, 0)
    start, end = anchor_span(target, link.anchor) or (0, 0)
    return DocumentSpan(resolved.path, start, end)


def anchor_span(node: DocumentNode, anchor: str) -> tuple[int, int] | None:
    """Where the heading or the block stands that an anchor names; None if there is none."""
    last = anchor.rpartition("#")[2].strip()
    if last.startswith("^"):
        offset = block_offsets(node.text, node.markup.literal).get(last[1:].lower())
        return None if offset is None else (node.text.rfind("\n", 0, offset) + 1, offset + len(last) - 1)
    index = node.anchors.heading_index(anchor) if anchor else None
    return None if index is None else heading_span(node.text, node.headings[index])


def record_definition(graph: LinkGraph, name: str) -> DocumentSpan | None:
    """The line of memory that has an id at its end."""
    for node in graph.nodes.values():
        if name in node.text:
            offset = block_offsets(node.text, node.markup.literal).get(name.lower())
            if offset is not None:
                return DocumentSpan(node.path, node.text.rfind("\n", 0, offset) + 1, offset + len(name))
    return None


def block_at(node: DocumentNode, offset: int) -> int | None:
    """The start of the line of the block whose id is at an offset; None if there is no such id."""
    offsets = block_offsets(node.text, node.markup.literal)
    found = (start for name, start in offsets.items() if start - 1 <= offset <= start + len(name))
    start = next(found, None)
    return None if start is None else node.text.rfind("\n", 0, start) + 1


def references_to(
    graph: LinkGraph, node: DocumentNode, offset: int, *, include_declaration: bool
) -> Iterator[DocumentSpan]:
    """All places that refer to what is at an offset: a tag, an id, a link's target, a heading, the file.

    An id is that of a fact, a rule or a candidate, or of a block.
    """
    link = link_at(node, offset)
    tag = None if link else tag_at(node, offset)
    record = None if link or tag else record_id_at(node.text, offset)
    if tag is not None:
        yield from tag_uses(graph, tag.name)
    elif record is not None:
        yield from record_uses(graph, record[0], include_declaration=include_declaration)
    elif link is not None:
        target = link_target(graph, node, link)
        if target is not None:
            if include_declaration:
                yield target
            yield from _links_to(graph, target.path, target.start if link.anchor else None)
    elif (block := block_at(node, offset)) is not None:
        if include_declaration:
            yield DocumentSpan(
                node.path, block, SourceText(node.text).line_end(node.text.count("\n", 0, block) + 1)
            )
        yield from _links_to(graph, node.path, block)
    elif (heading := heading_at(node, offset)) is not None and heading.level > 1:
        start, end = heading_span(node.text, heading)
        if include_declaration:
            yield DocumentSpan(node.path, start, end)
        yield from _links_to(graph, node.path, start)
    else:
        if include_declaration:
            yield DocumentSpan(node.path, 0, 0)
        yield from _links_to(graph, node.path, None)


def _links_to(graph: LinkGraph, path: str, start: int | None) -> Iterator[DocumentSpan]:
    """The links to a file or, with `start`, to the heading or block that begins there."""
    own = [edge for edge in graph.links(path) if edge.target_path == path]
    for edge in (*graph.backlinks(path), *own):
        if start is None or ((span := anchor_span(graph.nodes[path], edge.link.anchor)) and span[0] == start):
            yield DocumentSpan(edge.source.path, edge.link.start, edge.link.end)


def tag_uses(graph: LinkGraph, tag: str) -> Iterator[DocumentSpan]:
    """All uses of a tag and of those nested in it."""
    for path in sorted(graph.tags.notes_with(tag)):
        node = replace(graph.nodes[path])  # what is parsed of many files is not kept
        yield from tag_uses_in(node, tag)


def tag_uses_in(node: DocumentNode, tag: str) -> Iterator[DocumentSpan]:
    """The uses of a tag, and of those nested in it, in one file."""
    for span in node.tag_spans:
        if is_under(span.name, tag):
            yield DocumentSpan(node.path, span.start, span.end)


def record_uses(graph: LinkGraph, name: str, *, include_declaration: bool) -> Iterator[DocumentSpan]:
    """All places that name an id, with the line that has it only if `include_declaration`."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    definition = record_definition(graph, name)
    for node in graph.nodes.values():
        for match in pattern.finditer(node.text) if name in node.text else ():
            is_declaration = definition is not None and (node.path, match.end()) == (
                definition.path,
                definition.end,
            )
            if include_declaration or not is_declaration:
                yield DocumentSpan(node.path, match.start(), match.end())
