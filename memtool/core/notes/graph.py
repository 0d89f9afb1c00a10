"""The graph of notes and their links, and its subgraph around one note."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct


class GraphNode(Struct, frozen=True):
    """A node: a note, another memory file, a tag, or the target of a broken link.

    `id` is its path, `#tag` or `?target`; `kind` is note, page, tag or missing.
    """

    id: str
    title: str
    kind: str
    tags: tuple[str, ...] = ()


class GraphEdge(Struct, frozen=True):
    """The number of links from one node to another; `source` and `target` are indexes into the nodes."""

    source: int
    target: int
    count: int


class NoteGraph(Struct, frozen=True, dict=True):
    """Nodes in a fixed order and the edges between them; no edge connects a node with itself."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each node the nodes that it is linked with, in either direction."""
        adjacent: list[set[int]] = [set() for _ in self.nodes]
        for edge in self.edges:
            adjacent[edge.source].add(edge.target)
            adjacent[edge.target].add(edge.source)
        return tuple(tuple(sorted(indexes)) for indexes in adjacent)

    def neighbourhood(self, start: int, depth: int) -> NoteGraph:
        """The subgraph of the nodes at most `depth` links from `start`, in either direction."""
        seen = {start}
        frontier = {start}
        while frontier and depth > 0:
            depth -= 1
            frontier = {neighbour for node in frontier for neighbour in self.neighbours[node]} - seen
            seen |= frontier
        return self.subgraph(seen)

    def subgraph(self, nodes: Iterable[int]) -> NoteGraph:
        """The subgraph of these nodes, in their order, with all edges between them."""
        new_index = {old_index: index for index, old_index in enumerate(sorted(nodes))}
        edges = (
            GraphEdge(new_index[edge.source], new_index[edge.target], edge.count)
            for edge in self.edges
            if edge.source in new_index and edge.target in new_index
        )
        return NoteGraph(tuple(self.nodes[old_index] for old_index in new_index), tuple(edges))
