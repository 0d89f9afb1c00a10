"""Draw the pictures of the README from the sample workspace: `python -m tests.pictures .github/images`.

The picture of `stats` is what a terminal of 80 columns shows; its plot needs the extra `plots`.
"""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from html import escape
from pathlib import Path

_COLUMNS = 80
_CELL_WIDTH, _LINE_HEIGHT, _MARGIN = 8.4, 18, 16
_STATS = ("stats", "--by", "day", "--since", "2025-01-12")
_STYLE = """
rect { fill: #fbfaf7 } .bar { fill: #4269d0; shape-rendering: crispEdges }
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }
text { fill: #23272f; white-space: pre }
.head { font-weight: bold } .command { fill: #2f6fd6 }
@media (prefers-color-scheme: dark) {
  rect { fill: #14161b } .bar { fill: #7a9cf5 } text { fill: #e6e8ec } .command { fill: #7fb0ff }
}
"""


def terminal_svg(command: str, lines: list[str]) -> str:
    """An SVG image of a command and the lines it printed on a terminal; bold lines keep their weight."""
    width = _COLUMNS * _CELL_WIDTH + 2 * _MARGIN
    height = (len(lines) + 1) * _LINE_HEIGHT + 2 * _MARGIN
    size = f'viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(command)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="100%" height="{height}" rx="8"/>',
        *(_row(number, *styled) for number, styled in enumerate(_styled(command, lines), 1)),
    ]
    return "\n".join([*rows, "</svg>", ""])


def _styled(command: str, lines: list[str]) -> Iterator[tuple[str, str]]:
    yield "command", f"$ {command}"
    for line in lines:
        text = re.sub(r"\x1b\[[0-9;]*m", "", line)
        yield ("head" if line.startswith("\x1b[1m") else "line"), text


def _row(number: int, style: str, text: str) -> str:
    """A line as a text, with its full blocks as rectangles: fonts leave gaps between them."""
    top = _MARGIN + (number - 1) * _LINE_HEIGHT
    bars = "".join(
        f'<rect class="bar" x="{_MARGIN + run.start() * _CELL_WIDTH:.1f}" y="{top}"'
        f' width="{len(run[0]) * _CELL_WIDTH:.1f}" height="{_LINE_HEIGHT}"/>'
        for run in re.finditer("█+", text)
    )
    text = text.replace("█", " ")
    if not text.strip():
        return bars
    x, y = _MARGIN, _MARGIN + number * _LINE_HEIGHT - 4
    length = f'textLength="{len(text) * _CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'{bars}<text class="{style}" x="{x}" y="{y}" xml:space="preserve" {length}>{escape(text)}</text>'


def _on_terminal(arguments: tuple[str, ...], root: Path, environment: dict[str, str]) -> list[str]:
    reader, writer = pty.openpty()
    termios.tcsetwinsize(writer, (50, _COLUMNS))
    with subprocess.Popen(
        [sys.executable, "-m", "memtool", "--root", str(root), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        env=environment,
    ) as process:
        os.close(writer)
        written = b""
        with contextlib.suppress(OSError):  # raised at the end
            while block := os.read(reader, 1 << 16):
                written += block
    os.close(reader)
    if process.returncode:
        raise SystemExit(f"memtool {' '.join(arguments)} exited with {process.returncode}")
    return written.decode().splitlines()


def draw(folder: Path) -> None:
    """Write graph.svg and stats.svg into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        root = Path(home) / "sample-workspace"
        shutil.copytree(Path(__file__).parent.parent / "sample-workspace", root)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm"}
        environment["MEMTOOL_NOW"] = "2025-01-15T12:00:00Z"
        lines = _on_terminal(_STATS, root, environment)
        picture = terminal_svg(f"memtool {' '.join(_STATS)}", lines)
        (folder / "stats.svg").write_text(picture, encoding="utf-8")
        graph = ["note", "graph", "--tags", "--format", "svg"]
        command = [sys.executable, "-m", "memtool", "--root", str(root), *graph]
        drawn = subprocess.run(command, capture_output=True, check=True, env=environment).stdout
        (folder / "graph.svg").write_bytes(drawn)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
