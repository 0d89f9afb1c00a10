"""note graph: notes and their links as a graph, and its pictures."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from memtool.core.notes.graph import GraphEdge, GraphNode, NoteGraph
from memtool.core.notes.graph_layout import Point, node_positions
from memtool.core.notes.graph_text import dot_lines, mermaid_lines
from memtool.core.notes.link import is_attachment
from memtool.core.notes.link_resolver import name_key
from memtool.errors import MissingExtra, extra_hint
from memtool.layouts.resources import resource_text
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkEdge, LinkGraph

_SEED = 0
_MOST_SCALED_NODES = 400
"""Nodes up to which multidimensional scaling is quick: 0.1 s; it takes 11 s for 2,000."""
_LEAST_AND_MOST_ROUNDS = (50, 500)
_MOST_PAIR_ROUNDS = 400_000_000
"""Most pairs of nodes times rounds of the layout: about a second."""


def build_graph(
    links: LinkGraph, *, tags: bool = False, start: DocumentNode | None = None, depth: int = 1
) -> NoteGraph:
    """Build the graph of all notes, of linked pages, of missing link targets, and of tags if `tags` is set.

    With `start`, only the nodes at most `depth` links away from that file. Images and other files are
    left out.
    """
    nodes: dict[str, GraphNode] = {}
    counts: dict[tuple[str, str], int] = {}
    for file in links.nodes.values():
        if file.is_note or file is start:
            nodes[file.path] = _node(file)
    for edge in links.edges:
        source, target = edge.source.path, _target_node(links, edge)
        if target is None or target.id == source:
            continue
        nodes.setdefault(source, _node(edge.source))
        nodes.setdefault(target.id, target)
        counts[source, target.id] = counts.get((source, target.id), 0) + 1
    if tags:
        for path in [path for path in nodes if path in links.nodes]:
            for tag in links.nodes[path].tags:
                tag_id = f"#{name_key(tag)}"
                nodes.setdefault(tag_id, GraphNode(tag_id, f"#{tag}", "tag"))
                counts[path, tag_id] = 1
    names = sorted(nodes)
    index = {name: number for number, name in enumerate(names)}
    edges = tuple(GraphEdge(index[a], index[b], count) for (a, b), count in sorted(counts.items()))
    full_graph = NoteGraph(tuple(nodes[name] for name in names), edges)
    return full_graph if start is None else full_graph.neighbourhood(index[start.path], depth)


def render_graph(graph: NoteGraph, graph_format: str) -> Iterator[str]:
    """Yield the lines of a graph in a format: dot, mermaid, svg or html.

    Raises MissingExtra for svg and html if igraph is not installed.
    """
    if graph_format == "dot":
        yield from dot_lines(graph)
    elif graph_format == "mermaid":
        yield from mermaid_lines(graph)
    elif graph_format == "svg":
        from memtool.core.notes.graph_svg import svg_lines

        yield from svg_lines(graph, picture_positions(graph), resource_text("graph.css"))
    else:
        from memtool.core.notes.graph_html import graph_page

        yield graph_page(graph, picture_positions(graph), resource_text("graph.html"))


def picture_positions(graph: NoteGraph) -> list[Point]:
    """Return a position for each node, the same for the same graph. Raises MissingExtra without igraph."""
    return node_positions(graph.neighbours, force_layout)


def force_layout(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """Return positions for the nodes of a connected component, by Fruchterman and Reingold (1991).

    As in d3-force, links between nodes of high degree pull less, so that clusters stay apart. Small graphs
    start from multidimensional scaling, which leaves fewer links crossing. igraph's grid variant is faster
    for thousands of nodes, but puts many of them on one spot.
    """
    try:
        import igraph
    except ImportError as error:
        raise MissingExtra(
            f"drawing the graph needs igraph; {extra_hint('graph')}, or use --format dot, mermaid or json"
        ) from error
    igraph.set_random_number_generator(random.Random(_SEED))  # noqa: S311
    try:
        graph = igraph.Graph(n=count, edges=edges)
        degrees = graph.degree()
        layout = graph.layout_fruchterman_reingold(
            weights=[1 / math.sqrt(min(degrees[a], degrees[b])) for a, b in edges],
            seed=graph.layout_mds() if count <= _MOST_SCALED_NODES else None,
            niter=max(
                _LEAST_AND_MOST_ROUNDS[0],
                min(_LEAST_AND_MOST_ROUNDS[1], _MOST_PAIR_ROUNDS // (count * count)),
            ),
            grid=False,
        )
    finally:
        igraph.set_random_number_generator(random)
    return [(x, y) for x, y in layout]


def _node(node: DocumentNode) -> GraphNode:
    return GraphNode(node.path, node.head.title, "note" if node.is_note else "page", node.tags)


def _target_node(graph: LinkGraph, edge: LinkEdge) -> GraphNode | None:
    """The node that a link leads to; None for an image, a folder, or a file outside the tree."""
    if edge.target_path is not None:
        node = graph.nodes.get(edge.target_path)
        return None if node is None else _node(node)
    name = edge.link.target
    if graph.fault(edge) not in {"missing", "unwritten"} or is_attachment(name):
        return None
    title = name.rpartition("/")[2].removesuffix(".md")
    return GraphNode(f"?{name_key(title)}", title, "missing")
