"""A graph of notes: what is linked with what, and the part of it that lies around one note."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct


class Node(Struct, frozen=True):
    """A knot: a note, another page of memory, a tag, or a name that links call and no file has.

    `id` is its path, `#tag`, or `?name`; `kind` is note, page, tag or missing.
    """

    id: str
    title: str
    kind: str
    tags: tuple[str, ...] = ()


class Edge(Struct, frozen=True):
    """How many links lead from one knot to another, by their places among the nodes."""

    source: int
    target: int
    count: int


class Graph(Struct, frozen=True, dict=True):
    """Knots in a fixed order, and the links between them; none leads to where it came from."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each knot those that it is linked with, in either direction."""
        found: list[set[int]] = [set() for _ in self.nodes]
        for edge in self.edges:
            found[edge.source].add(edge.target)
            found[edge.target].add(edge.source)
        return tuple(tuple(sorted(one)) for one in found)

    def around(self, start: int, depth: int) -> Graph:
        """The knots at most `depth` links away from one, in either direction, and all links between them."""
        seen = {start}
        border = {start}
        while border and depth > 0:
            depth -= 1
            border = {there for here in border for there in self.neighbours[here]} - seen
            seen |= border
        return self.only(seen)

    def only(self, kept: Iterable[int]) -> Graph:
        """Some of the knots, in their order, and the links between them."""
        place = {old: new for new, old in enumerate(sorted(kept))}
        edges = (
            Edge(place[edge.source], place[edge.target], edge.count)
            for edge in self.edges
            if edge.source in place and edge.target in place
        )
        return Graph(tuple(self.nodes[old] for old in place), tuple(edges))
