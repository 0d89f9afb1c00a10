"""note graph: notes and their links as a graph, and its pictures."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from memtool.core.notes.drawing import Point, positions
from memtool.core.notes.graph import Edge, Graph, Node
from memtool.core.notes.graph_text import dot, mermaid
from memtool.core.notes.names import name_key
from memtool.core.text.pattern import compiled
from memtool.errors import MissingExtra
from memtool.layouts.load import text_of
from memtool.verbs.notes.web import Sheet, Tie, Web

_ATTACHMENT = (
    r"\.(?:png|jpe?g|gif|bmp|svg|webp|avif|heic|tiff?|ico|pdf|mp3|wav|m4a|ogg|3gp|flac|webm|mp4|ogv|mov|mkv"
    r"|canvas|base|txt|csv|tsv|json|ya?ml|toml|xml|html?|css|js|ts|py|sh|zip|gz|docx?|xlsx?|pptx?|odt|epub)$"
)
_SEED = 0
_SCALED = 400
"""Nodes up to which multidimensional scaling is quick: 0.1 s; it takes 11 s for 2,000."""
_ROUNDS = (50, 500)
_PUSHES = 400_000_000
"""Most pairs of nodes times rounds of the layout: about a second."""


def graph(web: Web, *, tags: bool = False, start: Sheet | None = None, depth: int = 1) -> Graph:
    """Build the graph of all notes, of linked pages, of missing link targets, and of tags if `tags` is set.

    With `start`, only the nodes at most `depth` links away from that file. Images and other files are
    left out.
    """
    nodes: dict[str, Node] = {}
    counts: dict[tuple[str, str], int] = {}
    for file in web.sheets.values():
        if file.is_note or file is start:
            nodes[file.path] = _node(file)
    for edge in web.ties:
        source, target = edge.source.path, _target(web, edge)
        if target is None or target.id == source:
            continue
        nodes.setdefault(source, _node(edge.source))
        nodes.setdefault(target.id, target)
        counts[source, target.id] = counts.get((source, target.id), 0) + 1
    if tags:
        for path in [path for path in nodes if path in web.sheets]:
            for tag in web.sheets[path].tags:
                tag_id = f"#{name_key(tag)}"
                nodes.setdefault(tag_id, Node(tag_id, f"#{tag}", "tag"))
                counts[path, tag_id] = 1
    names = sorted(nodes)
    index = {name: number for number, name in enumerate(names)}
    edges = tuple(Edge(index[a], index[b], count) for (a, b), count in sorted(counts.items()))
    full_graph = Graph(tuple(nodes[name] for name in names), edges)
    return full_graph if start is None else full_graph.around(index[start.path], depth)


def drawn(graph: Graph, form: str) -> Iterator[str]:
    """Yield the lines of a graph in a format: dot, mermaid, svg or html.

    Raises MissingExtra for svg and html if igraph is not installed.
    """
    if form == "dot":
        yield from dot(graph)
    elif form == "mermaid":
        yield from mermaid(graph)
    elif form == "svg":
        from memtool.core.notes.graph_svg import svg

        yield from svg(graph, picture_positions(graph), text_of("graph.css"))
    else:
        from memtool.core.notes.graph_html import html

        yield html(graph, picture_positions(graph), text_of("graph.html"))


def picture_positions(graph: Graph) -> list[Point]:
    """Return a position for each node, the same for the same graph. Raises MissingExtra without igraph."""
    return positions(graph.neighbours, force_layout)


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
            "a picture of a graph needs igraph; pip install 'memtool[graph]' brings it "
            "(--format dot, mermaid and json do without)"
        ) from error
    igraph.set_random_number_generator(random.Random(_SEED))  # noqa: S311
    try:
        graph = igraph.Graph(n=count, edges=edges)
        degrees = graph.degree()
        layout = graph.layout_fruchterman_reingold(
            weights=[1 / math.sqrt(min(degrees[a], degrees[b])) for a, b in edges],
            seed=graph.layout_mds() if count <= _SCALED else None,
            niter=max(_ROUNDS[0], min(_ROUNDS[1], _PUSHES // (count * count))),
            grid=False,
        )
    finally:
        igraph.set_random_number_generator(random)
    return [(x, y) for x, y in layout]


def _node(node: Sheet) -> Node:
    return Node(node.path, node.head.title, "note" if node.is_note else "page", node.tags)


def _target(graph: Web, edge: Tie) -> Node | None:
    """The node that a link leads to; None for an image, a folder, or a file outside the tree."""
    if edge.to is not None:
        node = graph.sheets.get(edge.to)
        return None if node is None else _node(node)
    name = edge.link.target
    if graph.fault(edge) not in {"missing", "unwritten"} or compiled(_ATTACHMENT).search(name.lower()):
        return None
    title = name.rpartition("/")[2].removesuffix(".md")
    return Node(f"?{name_key(title)}", title, "missing")
