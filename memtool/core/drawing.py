"""Drawings: where the knots of a graph lie on a plane, always the same for the same graph.

First each connected part is laid out by the distances from a few far-apart knots (Pivot MDS: Brandes and
Pich, "Eigensolver Methods for Progressive Multidimensional Scaling of Large Data", 2007), then it settles
under springs and repulsion (Fruchterman and Reingold, 1991; repulsion only between near cells of a grid).
The parts stand in rows, the largest first.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence

_FEWEST = 25
_ROOM = 3.2
_GAP = 1.4
"""Between drawings side by side, and one above the other, so that names have room."""
_CHARGE = 0.07
_GRAVITY = 0.012
_STRIDE = 2.5
_CELL = 1.8
_BLOCK = 7.2
_REACH = 3.2
"""A link's length is 1. Charges push by 1 / distance, near ones up to the root of the reach one by one."""
_NEAR = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1))
Point = tuple[float, float]
_Box = tuple[float, float, float, float]
_PIVOTS = 24
_WORK = 60_000
"""Knots times rounds of settling: it bounds the time, some seconds for thousands of knots."""
_GOLDEN = math.pi * (3 - math.sqrt(5))
_FAR = 10_000
_CROWD = 48
"""Neighbours on the plane that push a knot at most; what is more crowded than that parts anyway."""


def positions(neighbours: Sequence[Sequence[int]]) -> list[Point]:
    """A place for each knot, given those it is linked with; linked ones lie about 1 apart."""
    placed: list[Point] = [(0.0, 0.0)] * len(neighbours)
    parts = sorted(_parts(neighbours), key=lambda part: (-len(part), part[0]))
    locals_ = [_settled(_spread(part, neighbours), part, neighbours) for part in parts]
    for part, local, (x, y) in zip(parts, locals_, _packed(locals_), strict=True):
        for number, point in zip(part, local, strict=True):
            placed[number] = (x + point[0], y + point[1])
    return placed


def _packed(drawings: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """Where each drawing goes, in rows about one middle, so that none covers another."""
    boxes = [
        (min(x for x, _ in one), min(y for _, y in one), max(x for x, _ in one), max(y for _, y in one))
        for one in drawings
    ]
    area = sum((right - left + _ROOM) * (bottom - top + _GAP) for left, top, right, bottom in boxes)
    width = max([math.sqrt(area * 1.5), *(right - left for left, _, right, _ in boxes)])
    y = 0.0
    for row in _rows(boxes, width):
        x = -(sum(right - left for left, _, right, _ in row) + _ROOM * (len(row) - 1)) / 2
        for left, top, right, _ in row:
            yield x - left, y - top
            x += right - left + _ROOM
        y += max(bottom - top for _, top, _, bottom in row) + _GAP


def _rows(boxes: Sequence[_Box], width: float) -> Iterator[list[_Box]]:
    """The boxes in rows that are hardly wider than that."""
    row: list[_Box] = []
    x = height = 0.0
    for box in boxes:
        left, top, right, bottom = box
        is_crumb = bottom - top + _GAP < height / 2.5  # none beside a cake
        if row and (x + right - left > width or is_crumb):
            yield row
            row, x, height = [], 0.0, 0.0
        row.append(box)
        x += right - left + _ROOM
        height = max(height, bottom - top)
    if row:
        yield row


def _parts(neighbours: Sequence[Sequence[int]]) -> list[list[int]]:
    """The connected parts, each in order."""
    seen = [False] * len(neighbours)
    parts = []
    for start in range(len(neighbours)):
        if not seen[start]:
            seen[start] = True
            part = [start]
            for here in part:
                for there in neighbours[here]:
                    if not seen[there]:
                        seen[there] = True
                        part.append(there)
            parts.append(sorted(part))
    return parts


def _spread(part: list[int], neighbours: Sequence[Sequence[int]]) -> list[Point]:
    """The knots of a part by their distances from pivots, the first two axes of variation."""
    count = len(part)
    if count == 1:
        return [(0.0, 0.0)]
    index = {number: place for place, number in enumerate(part)}
    near = [[index[there] for there in neighbours[number]] for number in part]
    pivot = max(range(count), key=lambda place: (len(near[place]), -place))
    nearest = [_FAR] * count
    rows: list[list[float]] = []
    for _ in range(min(_PIVOTS, count)):
        steps = _steps(near, pivot)
        rows.append([float(step * step) for step in steps])
        nearest = [min(old, new) for old, new in zip(nearest, steps, strict=True)]
        pivot = max(range(count), key=lambda place: (nearest[place], -place))
    total = sum(map(sum, rows)) / (count * len(rows))
    means = [sum(row[place] for row in rows) / len(rows) for place in range(count)]
    columns = [
        [-(value - mean - sum(row) / count + total) / 2 for value, mean in zip(row, means, strict=True)]
        for row in rows
    ]
    products = [[sum(map(float.__mul__, a, b)) for b in columns] for a in columns]
    first = _eigenvector(products, ())
    second = _eigenvector(products, (first,))
    xs, ys = (
        [sum(map(float.__mul__, vector, values)) for values in zip(*columns, strict=True)]
        for vector in (first, second)
    )
    scale = math.sqrt(count) * 0.55
    width = max(map(abs, (*xs, *ys))) or 1.0
    return _apart([(x / width * scale, y / width * scale) for x, y in zip(xs, ys, strict=True)])


def _apart(points: list[Point]) -> list[Point]:
    """The points, those on one spot spread around it as the seeds of a sunflower are."""
    crowd: dict[tuple[int, int], int] = {}
    spread = []
    for place, (x, y) in enumerate(points):
        spot = (round(x * 2), round(y * 2))
        rank = crowd.get(spot, 0)
        crowd[spot] = rank + 1
        reach = 0.45 * math.sqrt(rank) + 0.02
        turn = rank * _GOLDEN + place * 0.01
        spread.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    return spread


def _steps(near: Sequence[Sequence[int]], start: int) -> list[int]:
    """How many links each knot is away from one."""
    steps = [_FAR] * len(near)
    steps[start] = 0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in near[here]:
            if steps[there] == _FAR:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps


def _eigenvector(matrix: list[list[float]], others: Sequence[list[float]]) -> list[float]:
    """The strongest eigenvector that is none of the others, by powers; the same start every time."""
    vector = [1.0 + 0.37 * ((place * 7) % 5) for place in range(len(matrix))]
    for _ in range(40):
        for other in others:
            share = sum(a * b for a, b in zip(vector, other, strict=True))
            vector = [a - share * b for a, b in zip(vector, other, strict=True)]
        vector = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
        length = math.sqrt(sum(a * a for a in vector))
        if length < 1e-9:
            return [1.0 if place == len(others) else 0.0 for place in range(len(matrix))]
        vector = [a / length for a in vector]
    return vector


def _settled(points: list[Point], part: list[int], neighbours: Sequence[Sequence[int]]) -> list[Point]:
    """The points after rounds of springs along links and repulsion between all."""
    count = len(part)
    if count == 1:
        return [(0.0, 0.0)]
    index = {number: place for place, number in enumerate(part)}
    links = [
        (place, index[there], *_spring(len(neighbours[number]), len(neighbours[there])))
        for place, number in enumerate(part)
        for there in neighbours[number]
        if there > number
    ]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    rounds = max(_FEWEST, min(200, _WORK // count, 15 * count))
    for turn in range(rounds):
        heat = (1 - turn / rounds) ** 1.2
        dxs, dys = _pushed(xs, ys)
        for a, b, strength, bias in links:
            dx, dy = xs[b] - xs[a], ys[b] - ys[a]
            pull = (1 - 1 / (math.sqrt(dx * dx + dy * dy) + 1e-6)) * strength
            dxs[a] += dx * pull * bias
            dys[a] += dy * pull * bias
            dxs[b] -= dx * pull * (1 - bias)
            dys[b] -= dy * pull * (1 - bias)
        for place in range(count):
            dx, dy = dxs[place] - xs[place] * _GRAVITY, dys[place] - ys[place] * _GRAVITY
            length = math.sqrt(dx * dx + dy * dy)
            if length > 1e-9:
                step = min(length * 1.4, _STRIDE) * heat / length
                xs[place] += dx * step
                ys[place] += dy * step
    middle = (sum(xs) / count, sum(ys) / count)
    return [(x - middle[0], y - middle[1]) for x, y in zip(xs, ys, strict=True)]


def _spring(own: int, other: int) -> tuple[float, float]:
    """How strong a spring is between knots with so many links, and how much of its pull moves the first.

    As in d3-force: hubs are held loosely, and the knot with fewer links moves more.
    """
    return 1 / min(own, other), other / (own + other)


def _pushed(xs: list[float], ys: list[float]) -> tuple[list[float], list[float]]:
    """How far each point is pushed by all others: one by one by those near it, those far off by the cell."""
    cells: dict[tuple[int, int], list[int]] = {}
    blocks: dict[tuple[int, int], list[float]] = {}
    for place, (x, y) in enumerate(zip(xs, ys, strict=True)):
        cells.setdefault((math.floor(x / _CELL), math.floor(y / _CELL)), []).append(place)
        block = blocks.setdefault((math.floor(x / _BLOCK), math.floor(y / _BLOCK)), [0.0, 0.0, 0.0])
        block[0] += 1
        block[1] += x
        block[2] += y
    masses = [(_CHARGE * mass, x / mass, y / mass) for mass, x, y in blocks.values()]
    dxs, dys = [0.0] * len(xs), [0.0] * len(xs)
    soft = _BLOCK * _BLOCK / 6
    for (column, row), members in cells.items():
        x, y = (column + 0.5) * _CELL, (row + 0.5) * _CELL
        farx = fary = 0.0
        for mass, mx, my in masses:
            ex, ey = x - mx, y - my
            push = mass / (ex * ex + ey * ey + soft)
            farx += ex * push
            fary += ey * push
        around = [other for near in _NEAR for other in cells.get((column + near[0], row + near[1]), ())]
        for number, a in enumerate(members):
            x, y, dx, dy = xs[a], ys[a], farx, fary
            for b in around[number + 1 : number + 1 + _CROWD]:
                ex, ey = x - xs[b], y - ys[b]
                square = ex * ex + ey * ey
                if square < _REACH:
                    push = _CHARGE * (1 / (square + 0.02) - 1 / _REACH)
                    ex, ey = ex * push, ey * push
                    dx += ex
                    dy += ey
                    dxs[b] -= ex
                    dys[b] -= ey
            dxs[a] += dx
            dys[a] += dy
    return dxs, dys
