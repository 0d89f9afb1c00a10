"""Graphs as one self-contained HTML page with pan, zoom, search and a list of links."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from memtool.core.notes.graph import NoteGraph
from memtool.core.notes.graph_layout import Point
from memtool.core.notes.graph_svg import UNIT, folder_hues
from memtool.core.notes.graph_text import display_title

_DATA = "{{graph}}"
_TITLE = "{{title}}"


def graph_page(graph: NoteGraph, positions: Sequence[Point], template: str, title: str = "Notes") -> str:
    """The template filled with the graph as JSON, so that no name in it is parsed as markup."""
    hues = folder_hues(graph)
    data = {
        "nodes": [
            {
                "id": node.id,
                "title": display_title(node),
                "kind": node.kind,
                "tags": list(node.tags),
                "hue": hue,
                "x": round(x * UNIT, 1),
                "y": round(y * UNIT, 1),
            }
            for node, hue, (x, y) in zip(graph.nodes, hues, positions, strict=True)
        ],
        "edges": [[edge.source, edge.target, edge.count] for edge in graph.edges],
    }
    before, _, after = template.replace(_TITLE, escape(title)).partition(_DATA)
    return before + script_json(data) + after


def script_json(data: object) -> str:
    """JSON escaped for a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
