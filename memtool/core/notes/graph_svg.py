"""Graphs as one SVG image for light and dark backgrounds, with labels at the most linked nodes."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape

from memtool.core.notes.graph import GraphNode, NoteGraph
from memtool.core.notes.graph_layout import Point
from memtool.core.notes.graph_text import display_title
from memtool.core.text.clean import clean

UNIT = 46
"""Pixels between two linked nodes."""
_MARGIN = 80
_FONT_SIZE = 12
_MAX_LABEL = 32
_HUES = 10
_CELL_SIZE = 7
_HUB_RADIUS = 11.0


def svg_lines(graph: NoteGraph, positions: Sequence[Point], style: str) -> Iterator[str]:
    """The lines of an SVG image of a graph, with its nodes at these positions and this CSS."""
    places = [(x * UNIT, y * UNIT) for x, y in positions]
    left, top, right, bottom = _bounds(places)
    box = f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
    size = f'width="{right - left:.0f}" height="{bottom - top:.0f}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">'
    yield f"<title>Notes: {len(graph.nodes)}, links: {len(graph.edges)}</title>"
    yield f"<style>\n{style}</style>"
    yield f'<rect class="paper" x="{left:.0f}" y="{top:.0f}" width="100%" height="100%"/>'
    yield '<g class="links">'
    for edge in graph.edges:
        (ax, ay), (bx, by) = places[edge.source], places[edge.target]
        width = f' stroke-width="{min(edge.count, 4)}"' if edge.count > 1 else ""
        yield f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"{width}/>'
    yield "</g>"
    radii = [4 + 2.2 * math.sqrt(len(linked)) for linked in graph.neighbours]
    hues = folder_hues(graph)
    for node, hue, (x, y), radius in zip(graph.nodes, hues, places, radii, strict=True):
        kind = f"h{hue}" if node.kind == "note" else node.kind
        name = _escaped(
            display_title(node) if node.title == node.id else f"{display_title(node)} · {node.id}"
        )
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
        yield f"<title>{name}</title></circle>"
    for number, text in _labels(graph, places, radii):
        x, y = places[number]
        is_hub = ' class="hub"' if radii[number] > _HUB_RADIUS else ""
        yield f'<text{is_hub} x="{x:.1f}" y="{y + radii[number] + _FONT_SIZE:.1f}">{_escaped(text)}</text>'
    yield "</svg>"


def folder_hues(graph: NoteGraph) -> list[int]:
    """The hue of each node, by its folder; folders with more notes get theirs first.

    Nodes other than notes are coloured by their kind; here they get hue 0.
    """
    folders = [_folder(node) for node in graph.nodes]
    counts: dict[str, int] = {}
    for name in folders:
        if name is not None:
            counts[name] = counts.get(name, 0) + 1
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    hue: dict[str | None, int] = {folder: rank % _HUES for rank, folder in enumerate(ranked)}
    return [hue.get(folder, 0) for folder in folders]


def _folder(node: GraphNode) -> str | None:
    return node.id.rpartition("/")[0] if node.kind == "note" else None


def _bounds(places: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in places] or [0.0], [y for _, y in places] or [0.0]
    return min(xs) - _MARGIN, min(ys) - _MARGIN, max(xs) + _MARGIN, max(ys) + _MARGIN


def _labels(graph: NoteGraph, places: Sequence[Point], radii: Sequence[float]) -> Iterator[tuple[int, str]]:
    """The labels that fit, as (node, text), those of the most linked nodes first."""
    occupied_by_nodes: set[tuple[int, int]] = set()
    occupied_by_labels: set[tuple[int, int]] = set()
    for (x, y), radius in zip(places, radii, strict=True):
        occupied_by_nodes.update(_cells(x - radius, y - radius, x + radius, y + radius))
    order = sorted(range(len(graph.nodes)), key=lambda index: (-len(graph.neighbours[index]), index))
    for number in order:
        text = display_title(graph.nodes[number])
        text = text if len(text) <= _MAX_LABEL else f"{text[: _MAX_LABEL - 1].rstrip()}…"
        width = sum(1.0 if unicodedata.east_asian_width(char) in "WF" else 0.54 for char in text) * _FONT_SIZE
        (x, y), radius = places[number], radii[number]
        own_cells = set(_cells(x - radius, y - radius, x + radius, y + radius))
        top = y + radius + 3
        cells = set(_cells(x - width / 2, top, x + width / 2, top + _FONT_SIZE)) - own_cells
        if occupied_by_labels.isdisjoint(cells) and (
            radius > _HUB_RADIUS or occupied_by_nodes.isdisjoint(cells)
        ):
            occupied_by_labels |= cells
            yield number, text


def _cells(left: float, top: float, right: float, bottom: float) -> Iterator[tuple[int, int]]:
    """The cells of a fine grid that a rectangle touches."""
    for column in range(math.floor(left / _CELL_SIZE), math.floor(right / _CELL_SIZE) + 1):
        for row in range(math.floor(top / _CELL_SIZE), math.floor(bottom / _CELL_SIZE) + 1):
            yield column, row


def _escaped(text: str) -> str:
    """Text escaped for XML, without the characters that XML does not allow."""
    return escape("".join(char for char in clean(text) if char.isprintable() or char == " "))
