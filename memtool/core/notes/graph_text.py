"""Graphs as text for other programs: Graphviz DOT, Mermaid and a JSON record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memtool.core.notes.graph import GraphNode, NoteGraph
from memtool.core.text.clean import clean

_DOT = {
    "note": "",
    "page": ' shape=note fillcolor="#eef1f5"',
    "tag": ' shape=plaintext style="" fontcolor="#8a5a00"',
    "missing": ' style="rounded,dashed" color="#b0b0b0" fontcolor="#808080"',
}
_MERMAID = {"note": ('["', '"]'), "page": ('[/"', '"/]'), "tag": ('(["', '"])'), "missing": ('("', '")')}
_CLASSES = "classDef missing stroke-dasharray: 4 3,opacity: 0.6"
_ENTITIES = {char: f"#{ord(char)};" for char in '"#;`<>&\\{}[]()|'}
MERMAID_EDGES = 500
"""The default limit of edges in Mermaid (`maxEdges`)."""


def dot_lines(graph: NoteGraph) -> Iterator[str]:
    """The lines of a graph in DOT, for Graphviz programs such as `dot_lines` and `sfdp`."""
    yield "digraph notes {"
    yield '  graph [rankdir=LR overlap=prism splines=true bgcolor="transparent"]'
    yield '  node [shape=box style="rounded,filled" fillcolor="#ffffff" fontname="sans-serif" fontsize=11]'
    yield '  edge [color="#8a8f98" arrowsize=0.6]'
    for node in graph.nodes:
        label = _quoted(display_title(node))
        yield f"  {_quoted(node.id)} [label={label} tooltip={_quoted(node.id)}{_DOT[node.kind]}]"
    for edge in graph.edges:
        source, target = graph.nodes[edge.source].id, graph.nodes[edge.target].id
        weight = f" [weight={edge.count}]" if edge.count > 1 else ""
        yield f"  {_quoted(source)} -> {_quoted(target)}{weight}"
    yield "}"


def mermaid_lines(graph: NoteGraph) -> Iterator[str]:
    """The lines of a graph in Mermaid's flowchart syntax."""
    yield "graph LR"
    for number, node in enumerate(graph.nodes):
        opening, closing = _MERMAID[node.kind]
        text = "".join(_ENTITIES.get(char, char) for char in display_title(node))
        yield f"  n{number}{opening}{text}{closing}"
    for edge in graph.edges:
        yield f"  n{edge.source} --> n{edge.target}"
    missing = [f"n{number}" for number, node in enumerate(graph.nodes) if node.kind == "missing"]
    if missing:
        yield f"  {_CLASSES}"
        yield f"  class {','.join(missing)} missing"


def graph_record(graph: NoteGraph) -> dict[str, Any]:
    """A graph as `out-note.schema.json` describes it: nodes, and edges between their ids."""
    nodes = graph.nodes
    return {
        "nodes": [
            {"id": node.id, "title": node.title, "kind": node.kind, "tags": list(node.tags)} for node in nodes
        ],
        "edges": [
            {"source": nodes[edge.source].id, "target": nodes[edge.target].id, "count": edge.count}
            for edge in graph.edges
        ],
    }


def display_title(node: GraphNode) -> str:
    """The title of a node on one line, else its id; never empty."""
    return " ".join(clean(node.title).split()) or " ".join(clean(node.id).split()) or "?"


def _quoted(text: str) -> str:
    """A quoted DOT string. An unescaped backslash would begin an escape such as `\\N`, the node's name."""
    bare = " ".join(clean(text).split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{bare}"'
