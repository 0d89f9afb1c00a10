"""The page of `memtool note graph --format html`, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtool.core.notes.graph import GraphEdge, GraphNode, NoteGraph
from memtool.core.notes.graph_html import graph_page
from memtool.layouts.resources import resource_text
from memtool.verbs.notes.note_graph import picture_positions
from tests.browser import Browser, browser
from tests.core.notes.test_graph import clustered, hostile

TITLE = "return document.querySelector('#note h2').textContent"
ROWS = "return [...document.querySelectorAll(`${arguments[0]} span`)].map((one) => one.textContent)"
TYPE = (
    "const i = document.querySelector('input'); i.value = arguments[0]; i.dispatchEvent(new Event('input'))"
)
COLOURS = """
const canvas = document.querySelector('canvas'), seen = new Map();
const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
for (let i = 0; i < all.length; i += 4) {
  const key = (all[i] << 16) + (all[i + 1] << 8) + all[i + 2];
  seen.set(key, (seen.get(key) || 0) + 1);
}
const [key] = [...seen].sort((a, b) => b[1] - a[1])[0];
return [seen.size, (key >> 16) + ((key >> 8) & 255) + (key & 255)];
"""
VIEW = "return {...graphView.view}"


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def shown(window: Browser, folder: Path, graph: NoteGraph) -> Browser:
    page = folder / "graph.html"
    page.write_text(
        graph_page(graph, picture_positions(graph), resource_text("graph.html")), encoding="utf-8"
    )
    window.dark(is_dark=False)
    window.open(page)
    return window


def small() -> NoteGraph:
    nodes = tuple(
        GraphNode(f"{folder}/{name}.md", name.title(), "note", ("clay",))
        for folder, name in [("a", "kiln"), ("a", "cone"), ("b", "glaze"), ("b", "alone")]
    )
    return NoteGraph(
        (*nodes, GraphNode("?gone", "gone", "missing")),
        (GraphEdge(0, 1, 1), GraphEdge(0, 2, 2), GraphEdge(2, 0, 1), GraphEdge(1, 4, 1)),
    )


def test_a_click_shows_a_note_and_what_it_is_linked_with(window, tmp_path):
    page = shown(window, tmp_path, small())
    at = page.run("return graphView.where('a/kiln.md')")
    page.click(at["x"], at["y"])
    assert page.run(TITLE) == "Kiln"
    assert page.run("return document.querySelector('#note code').textContent") == "a/kiln.md"
    assert page.run(ROWS, "#out li") == ["Cone", "Glaze"]
    assert page.run(ROWS, "#in li") == ["Glaze"]
    page.run("document.querySelector('#out button').click()")
    assert page.run(TITLE) == "Cone"
    assert page.run(ROWS, "#out li") == ["gone"]
    page.keys("Escape")
    assert page.run("return document.querySelector('#note').hidden")
    assert page.complaints() == []


def test_a_search_finds_titles_paths_and_tags(window, tmp_path):
    page = shown(window, tmp_path, small())
    page.keys("/", "GLA")
    assert page.run(ROWS, "#found li") == ["Glaze"]
    page.keys("Enter")
    assert page.run(TITLE) == "Glaze"
    page.run(TYPE, "#clay b/")
    assert sorted(page.run(ROWS, "#found li")) == ["Alone", "Glaze"]
    page.run(TYPE, "zzz")
    assert page.run("return document.querySelector('#found').textContent") == "No matching notes"
    assert page.complaints() == []


def test_the_wheel_zooms_where_it_points_and_a_drag_moves_the_view_or_a_note(window, tmp_path):
    page = shown(window, tmp_path, small())
    before, at = page.run(VIEW), page.run("return graphView.where('b/glaze.md')")
    page.wheel(at["x"], at["y"], -300)
    after, still = page.run(VIEW), page.run("return graphView.where('b/glaze.md')")
    assert after["k"] > before["k"] * 1.3
    assert abs(still["x"] - at["x"]) < 2
    assert abs(still["y"] - at["y"]) < 2
    page.drag(still["x"], still["y"], 60, 40)
    moved = page.run("return graphView.where('b/glaze.md')")
    assert (round(moved["x"] - still["x"]), round(moved["y"] - still["y"])) == (60, 40)
    assert page.run(VIEW) == after
    other = page.run("return graphView.where('a/kiln.md')")
    page.drag(620, 40, -50, 30)
    gone = page.run("return graphView.where('a/kiln.md')")
    assert (round(gone["x"] - other["x"]), round(gone["y"] - other["y"])) == (-50, 30)


def test_a_folder_that_is_left_out_is_left_out(window, tmp_path):
    page = shown(window, tmp_path, small())
    labels = page.run("return [...document.querySelectorAll('#legend button')].map((b) => b.textContent)")
    assert labels == ["a2", "b2", "not written yet1"]
    at = page.run("return graphView.where('b/glaze.md')")
    page.run("document.querySelectorAll('#legend button')[1].click()")
    page.click(at["x"], at["y"])
    assert page.run("return document.querySelector('#note').hidden")


def test_of_many_folders_each_can_be_left_out_and_so_can_what_is_not_written_yet(window, tmp_path):
    notes = tuple(GraphNode(f"folder {n}/a.md", f"a {n}", "note") for n in range(30))
    page = shown(
        window, tmp_path, NoteGraph((*notes, GraphNode("?gone", "gone", "missing")), (GraphEdge(0, 30, 1),))
    )
    rows = page.run(ROWS, "#legend button")
    assert len(rows) == 31
    assert rows[-1] == "not written yet"


def test_a_click_beside_a_dot_that_was_zoomed_chooses_nothing(window, tmp_path):
    page = shown(window, tmp_path, small())
    at = page.run("return graphView.where('b/glaze.md')")
    for _ in range(12):
        page.wheel(at["x"], at["y"], -200)
    at = page.run("return graphView.where('b/glaze.md')")
    page.click(at["x"] + 40, at["y"])
    assert page.run("return document.querySelector('#note').hidden")
    page.click(at["x"], at["y"])
    assert page.run(TITLE) == "Glaze"


def test_light_and_dark_are_two_pictures(window, tmp_path):
    page = shown(window, tmp_path, clustered(60))
    count, light = page.run(COLOURS)
    assert count > 40  # there is more than paper on it
    assert light > 700
    page.dark(is_dark=True)
    page.run("graphView.draw()")
    count, dark = page.run(COLOURS)
    assert count > 40
    assert dark < 120
    page.run("document.querySelector('#theme').click(); graphView.draw()")
    assert page.run(COLOURS)[1] == light
    page.complaints()  # of reading pixels


def test_names_are_names_and_nothing_else(window, tmp_path):
    page = shown(window, tmp_path, hostile())
    for node in hostile().nodes:
        page.run("graphView.select(arguments[0])", node.id.encode("utf-8", "replace").decode())
        page.run(TYPE, node.title.encode("utf-8", "replace").decode())
    assert page.run("return document.scripts.length") == 2
    assert page.run("return typeof alerted") == "undefined"
    page.run("graphView.select('a/</script><script>alert(1)</script>0.md')")
    assert page.run(TITLE) == "</script><script>alert(1)</script>"
    assert page.complaints() == []


def test_two_thousand_notes_stay_usable(window, tmp_path):
    page = shown(window, tmp_path, clustered(2000))
    times = "for (let i = 0; i < 10; i++) graphView.draw();"
    frame = page.run(f"const t = performance.now(); {times} return (performance.now() - t) / 10")
    assert frame < 120  # milliseconds; 5 on an idle machine without a graphics card
    page.keys("/", "note 199")
    assert len(page.run(ROWS, "#found li")) >= 11
    assert page.complaints() == []


def test_an_empty_notebook_is_said_to_be_one(window, tmp_path):
    page = shown(window, tmp_path, NoteGraph((), ()))
    assert page.run("return !document.querySelector('#empty').hidden")
    assert page.complaints() == []
