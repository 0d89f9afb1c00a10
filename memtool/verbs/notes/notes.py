"""Find notes by path, id, title or alias, and list orphans, broken links and tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.notes.link_resolver import ResolvedLink, name_key
from memtool.core.notes.tags import TagCount, is_under
from memtool.errors import UnreadableFile
from memtool.formats.note import TAG_KEYS
from memtool.verbs.notes.canvases import files_on_canvases
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkEdge, LinkGraph

_CONTEXT_CHARS = 160
_CHARS_BEFORE_LINK = 60


class NoteMatch(Struct, frozen=True):
    """The file that a name refers to, and the paths of others that match it."""

    node: DocumentNode
    others: tuple[str, ...] = ()


def find_note(graph: LinkGraph, name: str) -> NoteMatch | None:
    """Return the file with this path, id, title, name or alias; None if there is none.

    Raises UnreadableFile if the text of that file could not be read.
    """
    target = graph.names.resolve_target(name.strip())
    if isinstance(target, ResolvedLink) and target.path in graph.unread:
        subject = target.path if name == target.path else f"{name!r} refers to {target.path}, which"
        raise UnreadableFile(f"{subject} {graph.unread[target.path]}")
    if not isinstance(target, ResolvedLink) or target.path not in graph.nodes:
        return None
    others = tuple(path for path in target.others if path in graph.nodes)
    return NoteMatch(graph.nodes[target.path], others)


def similar_titles(graph: LinkGraph, name: str) -> tuple[str, ...]:
    """Return up to three titles similar to a name."""
    from difflib import get_close_matches

    titles = {name_key(note.head.title): note.head.title for note in graph.notes()}
    return tuple(titles[key] for key in get_close_matches(name_key(name), titles, n=3))


def find_orphans(graph: LinkGraph) -> tuple[DocumentNode, ...]:
    """Return the notes that no other file links to and no canvas shows.

    A map with outgoing links is not counted, for nothing needs to link to it.
    """
    maps = graph.workspace.layout.notes.places.get("maps")
    linked = {edge.target_path for edge in graph.edges if edge.target_path != edge.source.path}
    on_canvases = {*files_on_canvases(graph.workspace, graph.files, graph.names)}
    return tuple(
        note
        for note in graph.notes()
        if note.path not in on_canvases
        and note.path not in linked
        and not (maps and note.path.startswith(f"{maps}/") and graph.links(note.path))
    )


def broken_links(graph: LinkGraph) -> Iterator[tuple[LinkEdge, str]]:
    """Yield every link with a fault: see `LinkGraph.fault`."""
    for edge in graph.edges:
        if fault := graph.fault(edge):
            yield edge, fault


def workspace_tags(graph: LinkGraph) -> tuple[TagCount, ...]:
    """Return the tags of all files, the most used first."""
    return graph.tags.counts()


def find_tagged(graph: LinkGraph, tag: str) -> Iterator[tuple[DocumentNode, int]]:
    """Yield the files that have a tag or one nested below it, with the line of its first use."""
    for node in graph.nodes.values():
        if any(is_under(name, tag) for name in node.head.tags):
            yield node, _frontmatter_line(node, tag)
        elif lines := [inline.line for inline in node.inline_tags if is_under(inline.name, tag)]:
            yield node, lines[0]


def link_context(edge: LinkEdge) -> str:
    """Return the text around a link, from its line."""
    line = edge.source.lines[edge.link.line - 1]
    start = max(0, edge.link.column - 1 - _CHARS_BEFORE_LINK)
    if len(line) <= _CONTEXT_CHARS:
        return line.strip()
    start = min(start, len(line) - _CONTEXT_CHARS)
    excerpt = line[start : start + _CONTEXT_CHARS].strip()
    return f"{'…' if start else ''}{excerpt}{'…' if start + _CONTEXT_CHARS < len(line) else ''}"


def node_json(node: DocumentNode) -> dict[str, Any]:
    """Return a file as a JSON object."""
    head = node.head
    return {
        "path": node.path,
        "role": node.located.role,
        "group": node.located.group,
        "id": head.id,
        "title": head.title,
        "created": head.created,
        "tags": list(node.tags),
        "aliases": list(head.aliases),
    }


def edge_json(graph: LinkGraph, edge: LinkEdge) -> dict[str, Any]:
    """Return a link as a JSON object: its position, its text and its target."""
    link, match = edge.link, edge.target if isinstance(edge.target, ResolvedLink) else None
    return {
        "path": edge.source.path,
        "line": link.line,
        "column": link.column,
        "kind": link.kind,
        "embed": link.embed,
        "link": edge.text,
        "target": link.target,
        "anchor": link.anchor,
        "label": link.label,
        "to": match.path if match else None,
        "by": match.matched_by if match else None,
        "others": list(match.others) if match else [],
        "fault": graph.fault(edge) or None,
    }


def _frontmatter_line(node: DocumentNode, tag: str) -> int:
    """The frontmatter line of a tag, or else the line where the tags begin."""
    key, first_line, in_tags = name_key(tag), 0, False
    for number, line in enumerate(node.text[: node.body].split("\n"), 1):
        if line[:1].strip("-#"):  # a key of its own
            in_tags = line.partition(":")[0].strip().lower() in TAG_KEYS
            first_line = first_line or (number if in_tags else 0)
        if in_tags and key in name_key(line.partition(":")[2] or line):
            return number
    return first_line or 1
