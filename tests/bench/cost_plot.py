"""Lines of cost against size on logarithmic axes, as SVG for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 470
LEFT, RIGHT, TOP, BOTTOM = 64, 220, 44, 52
LABEL_HEIGHT = 16
COLOURS = ("#4269d0", "#b3541e", "#2f8f4e", "#a463c2", "#c0394b", "#0e8a94", "#8a7200", "#7a5c48")
DARK_COLOURS = ("#7a9cf5", "#f0a06a", "#6cc98a", "#cf9ae8", "#f08490", "#5fd0da", "#d9c25a", "#c9a88f")
STYLE = """
rect { fill: #fbfaf7 } text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #23272f }
.title { font-weight: bold } .grid { stroke: #d9d7d0 } path { fill: none; stroke-width: 2 }
"""
DARK_STYLE = "rect { fill: #14161b } text { fill: #e6e8ec } .grid { stroke: #343841 }"


def plot(series: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """An SVG image of the cost in C of each command, by number of files."""
    points = [point for line in series.values() for point in line]
    sizes = sorted({size for size, _ in points})
    low = math.floor(math.log10(min(cost for _, cost in points)))
    high = max(low + 1, math.ceil(math.log10(max(cost for _, cost in points))))
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    span = math.log10(sizes[-1] / sizes[0]) or 1.0

    def x_of(size: int) -> float:
        return LEFT + math.log10(size / sizes[0]) / span * width

    def y_of(cost: float) -> float:
        return TOP + (high - math.log10(cost)) / (high - low) * height

    title = "Processor time against the number of files"
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    dark = f"@media (prefers-color-scheme: dark) {{ {DARK_STYLE} {_colours(DARK_COLOURS)} }}"
    heading = f'{title}, as multiples of python -c "import click"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{title}</title>",
        f"<style>{STYLE}{_colours(COLOURS)}{dark}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'<text class="title" x="{LEFT - 40}" y="26">{escape(heading)}</text>',
    ]
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{LEFT + width}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>')
    for files in sizes:
        x = x_of(files)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{TOP + height}"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP + height + 20}" text-anchor="middle">{files:,}</text>')
    parts.append(
        f'<text x="{LEFT + width / 2:.1f}" y="{HEIGHT - 12}" text-anchor="middle">files of 4 KB</text>'
    )
    ranked = sorted(series, key=lambda name: -series[name][-1][1])
    label = float(TOP - LABEL_HEIGHT)
    # labels go down from the top, and move up together where the last ones would leave the picture
    places = []
    for name in ranked:
        label = max(label + LABEL_HEIGHT, y_of(series[name][-1][1]))
        places.append(label)
    for index in range(len(places) - 1, -1, -1):
        lowest = HEIGHT - BOTTOM if index == len(places) - 1 else places[index + 1] - LABEL_HEIGHT
        places[index] = min(places[index], lowest)
    for number, (name, place) in enumerate(zip(ranked, places, strict=True)):
        line = sorted(series[name])
        path = " L".join(f"{x_of(size):.1f},{y_of(cost):.1f}" for size, cost in line)
        style = f"c{number % len(COLOURS)}"
        dashes = ' stroke-dasharray="6 4"' if number >= len(COLOURS) else ""
        end_x, end_y = x_of(line[-1][0]), y_of(line[-1][1])
        leader = f"M{end_x:.1f},{end_y:.1f} L{end_x + 18:.1f},{place:.1f}"
        parts.append(f'<path class="{style}"{dashes} d="M{path} {leader}"/>')
        figure = f"{line[-1][1]:,.0f}" if line[-1][1] >= 10 else f"{line[-1][1]:.1f}"
        parts.append(f'<text x="{end_x + 22:.1f}" y="{place + 4:.1f}">{escape(name)}: {figure}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _colours(colours: Sequence[str]) -> str:
    return " ".join(f".c{number} {{ stroke: {colour} }}" for number, colour in enumerate(colours))
