"""What a rename at a position of a document means."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_updates import written_anchor_span
from memtool.verbs.editor.places import heading_at, heading_span, link_at, link_target, tag_at
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph
from memtool.verbs.notes.rename import RenamedNote, RenamedTag, RenameTarget, heading_target


class PlacedTarget(Struct, frozen=True):
    """What is renamed, and the span of the document that names it."""

    target: RenameTarget
    start: int
    end: int


def rename_target_at(graph: LinkGraph, node: DocumentNode, offset: int) -> PlacedTarget | None:
    """The tag, heading or note that is named at an offset; on a link, what the link leads to.

    In the frontmatter, apart from tags and links, it is the note itself.
    """
    if (link := link_at(node, offset)) is not None:
        return _link_target(graph, node, link, offset)
    if (tag := tag_at(node, offset)) is not None:
        return PlacedTarget(RenamedTag(tag.name), tag.start, tag.end)
    if (heading := heading_at(node, offset)) is not None:
        index = node.headings.index(heading)
        return PlacedTarget(heading_target(node, index), *heading_span(node.text, heading))
    if node.is_note and offset < node.body:
        start = node.text.rfind("\n", 0, offset) + 1
        return PlacedTarget(RenamedNote(node.path), start, node.text.find("\n", offset))
    return None


def _link_target(graph: LinkGraph, node: DocumentNode, link: NoteLink, offset: int) -> PlacedTarget | None:
    target = link_target(graph, node, link)
    if target is None or target.path not in graph.nodes:
        return None
    linked = graph.nodes[target.path]
    if link.anchor and offset > link.target_end:
        index = linked.anchors.heading_index(link.anchor)
        if index is None:
            return None
        start, end = written_anchor_span(node.text, link) or (link.start, link.end)
        start += node.text[start:end].rfind("#") + 1  # the last step of `Second#Part`
        return PlacedTarget(heading_target(linked, index), start, end)
    if not linked.is_note:
        return None
    return PlacedTarget(RenamedNote(target.path), link.target_start, link.target_end)
