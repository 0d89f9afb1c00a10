"""Layout of a graph drawing: connected components in rows, the largest first.

The caller passes the function that lays out one component, since a force layout needs an optional library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

_COLUMN_GAP = 3.2
_ROW_GAP = 1.4
"""Space between components side by side, and between rows, so that labels fit."""
_ROW_RATIO = 2.5
"""A component this many times lower than the current row begins a new row."""
Point = tuple[float, float]
ComponentLayout = Callable[[int, Sequence[tuple[int, int]]], Sequence[Point]]
"""Positions of a component, given its number of nodes and its edges; linked nodes lie about 1 apart."""
_Box = tuple[float, float, float, float]


def node_positions(neighbours: Sequence[Sequence[int]], layout: ComponentLayout) -> list[Point]:
    """Return a position for each node, given its neighbours; no component covers another."""
    placed: list[Point] = [(0.0, 0.0)] * len(neighbours)
    components = sorted(_components(neighbours), key=lambda nodes: (-len(nodes), nodes[0]))
    drawings = [_drawing(nodes, neighbours, layout) for nodes in components]
    for nodes, drawing, (x, y) in zip(components, drawings, _offsets(drawings), strict=True):
        for node, point in zip(nodes, drawing, strict=True):
            placed[node] = (x + point[0], y + point[1])
    return placed


def _components(neighbours: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The connected components, the nodes of each in order."""
    seen = [False] * len(neighbours)
    for start in range(len(neighbours)):
        if not seen[start]:
            seen[start] = True
            component = [start]
            for node in component:
                for other in neighbours[node]:
                    if not seen[other]:
                        seen[other] = True
                        component.append(other)
            yield sorted(component)


def _drawing(
    nodes: Sequence[int], neighbours: Sequence[Sequence[int]], layout: ComponentLayout
) -> Sequence[Point]:
    """The positions of one component's nodes."""
    if len(nodes) == 1:
        return [(0.0, 0.0)]
    index = {node: place for place, node in enumerate(nodes)}
    edges = [(index[node], index[other]) for node in nodes for other in neighbours[node] if other > node]
    return layout(len(nodes), edges)


def _offsets(drawings: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """The offset of each drawing, so that the drawings form centred rows without overlap."""
    boxes = [
        (
            min(x for x, _ in points),
            min(y for _, y in points),
            max(x for x, _ in points),
            max(y for _, y in points),
        )
        for points in drawings
    ]
    area = sum((right - left + _COLUMN_GAP) * (bottom - top + _ROW_GAP) for left, top, right, bottom in boxes)
    width = max([math.sqrt(area * 1.5), *(right - left for left, _, right, _ in boxes)])
    y = 0.0
    for row in _rows(boxes, width):
        x = -(sum(right - left for left, _, right, _ in row) + _COLUMN_GAP * (len(row) - 1)) / 2
        for left, top, right, _ in row:
            yield x - left, y - top
            x += right - left + _COLUMN_GAP
        y += max(bottom - top for _, top, _, bottom in row) + _ROW_GAP


def _rows(boxes: Sequence[_Box], width: float) -> Iterator[list[_Box]]:
    """The boxes in rows of about this width; a box much lower than its row begins the next row."""
    row: list[_Box] = []
    x = height = 0.0
    for box in boxes:
        left, top, right, bottom = box
        is_much_lower = bottom - top + _ROW_GAP < height / _ROW_RATIO
        if row and (x + right - left > width or is_much_lower):
            yield row
            row, x, height = [], 0.0, 0.0
        row.append(box)
        x += right - left + _COLUMN_GAP
        height = max(height, bottom - top)
    if row:
        yield row
