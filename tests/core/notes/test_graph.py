"""Graphs: whatever notes are called, each picture is well-formed, the same every time, and drawn in time."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import igraph  # noqa: F401  importing it takes longer than an example may
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.notes.graph import GraphEdge, GraphNode, NoteGraph
from memtool.core.notes.graph_html import graph_page
from memtool.core.notes.graph_layout import node_positions
from memtool.core.notes.graph_svg import folder_hues, svg_lines
from memtool.core.notes.graph_text import dot_lines, graph_record, mermaid_lines
from memtool.layouts.resources import resource_text
from memtool.verbs.notes.note_graph import force_layout, picture_positions

HOSTILE = [
    "</script><script>alert(1)</script>", "<!--", "]]>", '"; x -> y; "', "\\N\\", "a\nb", "end", "`**b**`",
    "&lt;b&gt; & <b>", "{{title}}", "{{graph}}", "\u202etxt.exe", "\x00\x1b[31m", "漢字 🔥👩\u200d💻",
    "#quot;", "'", "", "\ud800", "a" * 300, "</title>", "${x}", "%00", "<<>>", "|]})",
]  # fmt: skip
names = st.sampled_from(HOSTILE) | st.text(max_size=12)
STYLE = resource_text("graph.css")
PAGE = resource_text("graph.html")


def hostile() -> NoteGraph:
    nodes = tuple(
        GraphNode(f"a/{name}{n}.md", name, ("note", "page", "tag", "missing")[n % 4], (name,))
        for n, name in enumerate(HOSTILE)
    )
    pairs = [(n, (n * 7 + 1) % len(nodes)) for n in range(len(nodes))]
    return NoteGraph(nodes, tuple(GraphEdge(a, b, 1 + a % 3) for a, b in pairs if a != b))


@st.composite
def graphs(draw):
    titles = draw(st.lists(names, max_size=8))
    kinds = st.sampled_from(["note", "page", "tag", "missing"])
    nodes = tuple(GraphNode(f"{n}{title}", title, draw(kinds), (title,)) for n, title in enumerate(titles))
    ends = st.integers(0, max(0, len(nodes) - 1))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=12)) if nodes else []
    return NoteGraph(nodes, tuple(GraphEdge(a, b, 1) for a, b in dict.fromkeys(pairs) if a != b))


@given(graphs())
def test_every_picture_is_well_formed(graph):
    picture = "\n".join(svg_lines(graph, picture_positions(graph), STYLE))
    root = ET.fromstring(picture)
    circles = [one for one in root if one.tag.endswith("circle")]
    assert len(circles) == len(graph.nodes)
    lines = list(dot_lines(graph))
    assert len(lines) == 5 + len(graph.nodes) + len(graph.edges)
    for line in lines[4:-1]:
        assert re.fullmatch(r'(  "(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")?(?: \[.*\])?)', line), line
    drawn = list(mermaid_lines(graph))
    for number, line in enumerate(drawn[1 : 1 + len(graph.nodes)]):
        body = re.fullmatch(rf'  n{number}\W{{1,2}}"([^"]*)"\W{{1,2}}', line)
        assert body, line
        assert not set("<>[]{}()`\\\n") & set(body[1])
    assert json.loads(json.dumps(graph_record(graph), ensure_ascii=True)) == graph_record(graph)


@given(graphs())
def test_nothing_in_a_name_becomes_markup_of_the_page(graph):
    page = graph_page(graph, picture_positions(graph), PAGE)
    assert shape(page) == shape(graph_page(NoteGraph((), ()), [], PAGE))
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    assert [node["id"] for node in data["nodes"]] == [node.id for node in graph.nodes]
    assert all(node["title"] for node in data["nodes"])
    assert len(data["edges"]) == len(graph.edges)


def shape(page: str) -> list[tuple[str, tuple[object, ...]]]:
    """Every element of a page with its attributes."""
    found: list[tuple[str, tuple[object, ...]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append((tag, tuple(attrs)))

    Reader().feed(page)
    return found


def test_a_page_asks_nothing_of_the_network():
    page = graph_page(hostile(), picture_positions(hostile()), PAGE)
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href|action|url)\s*[=(]\s*["']?(?:https?:)?//""", page)
    assert "fetch(" not in page
    assert "innerHTML" not in page


def test_a_page_brings_the_positions_of_its_notes():
    graph = clustered(30)
    page = graph_page(graph, picture_positions(graph), PAGE)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    assert len({(node["x"], node["y"]) for node in data["nodes"]}) == 30


@pytest.mark.skipif(shutil.which("dot") is None, reason="NOT TESTED: there is no graphviz")
def test_graphviz_reads_what_is_written_for_it():
    text = "\n".join(dot_lines(hostile()))
    given_ = text.encode("utf-8", "replace")
    done = subprocess.run(["dot", "-Tsvg"], input=given_, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_same_graph_is_drawn_the_same_and_linked_knots_lie_near():
    graph = clustered(120)
    places = picture_positions(graph)
    assert places == picture_positions(graph)
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in places)
    linked = [math.dist(places[edge.source], places[edge.target]) for edge in graph.edges]
    others = [math.dist(places[a], places[b]) for a in range(0, 120, 3) for b in range(1, 120, 7) if a != b]
    assert sum(linked) / len(linked) < 0.5 * sum(others) / len(others)
    least = min(math.dist(a, b) for n, a in enumerate(places) for b in places[n + 1 :])
    assert least > 0.05


@given(graphs())
def test_the_components_of_a_picture_do_not_overlap(graph):
    places = picture_positions(graph)
    corners = []
    for nodes in components(graph):
        xs, ys = [places[node][0] for node in nodes], [places[node][1] for node in nodes]
        corners.append((min(xs), min(ys), max(xs), max(ys)))
    for number, (left, top, right, bottom) in enumerate(corners):
        for other in corners[number + 1 :]:
            assert right < other[0] or other[2] < left or bottom < other[1] or other[3] < top


def components(graph: NoteGraph) -> list[tuple[int, ...]]:
    """The connected components of a graph."""
    number = {node.id: place for place, node in enumerate(graph.nodes)}
    whole = (graph.neighbourhood(place, len(graph.nodes)).nodes for place in range(len(graph.nodes)))
    return list({tuple(number[node.id] for node in nodes) for nodes in whole})


def test_rows_stand_about_one_middle_and_what_is_alone_below_the_rest():
    ring = [(one - 1) % 30 for one in range(30)]
    alone: tuple[int, ...] = ()
    places = node_positions(
        [*((ring[one], (one + 1) % 30) for one in range(30)), alone, alone, alone], force_layout
    )
    whole, crumbs = places[:30], places[30:]
    middle = (min(x for x, _ in whole) + max(x for x, _ in whole)) / 2
    assert sum(x for x, _ in crumbs) / 3 == pytest.approx(middle)
    assert min(y for _, y in crumbs) > max(y for _, y in whole)


def test_each_of_ten_folders_has_a_colour_of_its_own_whatever_else_there_is():
    notes = tuple(GraphNode(f"{n % 10}/{n}.md", "n", "note") for n in range(20))
    others = tuple(
        GraphNode(f"{kind}{n}", "n", kind) for n in range(30) for kind in ("page", "tag", "missing")
    )
    hues = folder_hues(NoteGraph((*others, *notes), ()))
    assert len({*hues[len(others) :]}) == 10


@pytest.mark.parametrize(
    "links",
    [
        [(0, n) for n in range(1, 700)],
        [(n, n + 1) for n in range(699)],
        [],
        [(n, n + 1) for n in range(0, 700, 2)],
        [(a, b) for a in range(60) for b in range(a + 1, 60)],
    ],
    ids=["a star", "a chain", "nothing", "pairs", "all with all"],
)
def test_the_nodes_of_odd_graphs_lie_apart(links):
    near: list[set[int]] = [set() for _ in range(701)]
    for a, b in links:
        near[a].add(b)
        near[b].add(a)
    places = node_positions([sorted(one) for one in near], force_layout)
    assert len(set(places)) == len(places)


def clustered(count: int) -> NoteGraph:
    dice = random.Random(5)
    nodes = tuple(GraphNode(f"{n % 7}/{n}.md", f"Note {n}", "note") for n in range(count))
    pairs = {(n, n % 7) for n in range(7, count)} | {(n, n + 1) for n in range(6)}
    pairs |= {(n, dice.randrange(7) * 1 + n % 7) for n in range(7, count, 9)}
    return NoteGraph(nodes, tuple(GraphEdge(a, b, 1) for a, b in sorted(pairs) if a != b))
