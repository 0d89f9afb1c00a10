"""Canvases: their cards follow a note, and that can be taken back; what stands on one is linked."""

from __future__ import annotations

import json
import shutil

import pytest

from memtool.errors import UnreadableFile
from memtool.verbs.journal.undo import undo
from memtool.verbs.notes.link_graph import load_link_graph
from memtool.verbs.notes.note_extract import plan_extraction
from memtool.verbs.notes.note_move import move_note
from memtool.verbs.notes.notes import find_orphans
from memtool.verbs.notes.rename import RenamedHeading, plan_rename
from tests.faulty import FaultyDisk, Stopped
from tests.trees import NOW, contents, make, memtool, opened

BOARD = (
    '{\n\t"nodes":[\n\t\t{"id":"1","type":"file","file":"ü/n.md","subpath":"#N","x":0},\n'
    '\t\t{"id":"2","type":"file","file":"ü/n2.md"},\n'
    '\t\t{"id":"3","type":"text","text":"ü/n.md [[n#N|x]] [n](../ü/n.md)\\n[[n2]]"}\n'
    '\t],\n\t"edges":[]\n}'
)
FILES = {
    "ü/n.md": "# N\n\n[[m]]\n",
    "ü/n2.md": "# N2\n",
    "m.md": "[n](ü/n.md)\n",
    "boards/b.canvas": BOARD,
    "c.canvas": '{"nodes":[{"type":"file","file":"m.md"}]}',
    "empty.canvas": "",
    "no.canvas": b"\0\xff",
}
MOVED = (
    BOARD.replace('"ü/n.md","subpath":"#N"', '"a/k.md","subpath":"#K"')
    .replace("[[n#N|x]]", "[[k#K|x]]")
    .replace("(../ü/n.md)", "(../a/k.md)")
)


def run_move(workspace):
    return move_note(workspace, "ü/n.md", "a/k", "K", [])


def test_cards_follow_a_note_and_it_can_be_taken_back(tmp_path):
    root = make(tmp_path, FILES)
    before = contents(root)
    done = run_move(opened(root, "obsidian"))
    assert (done.links, done.files) == (4, ("m.md", "boards/b.canvas"))
    after = contents(root)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed == {"ü/n.md", "a/k.md", "m.md", "boards/b.canvas"}
    assert after["boards/b.canvas"].decode() == MOVED
    assert undo(opened(root, "obsidian")).plan
    assert contents(root) == before
    assert undo(opened(root, "obsidian"), [undo_of(root)]).plan
    assert contents(root) == after


def undo_of(root):
    journal = memtool("log", "--json", "--root", str(root), "--layout", "obsidian", home=root.parent)
    return next(row["id"] for row in map(json.loads, journal.stdout.splitlines()) if row["undoes"])


def test_a_title_alone_names_the_file_of_a_vault_and_the_heading_that_says_it(tmp_path):
    root = make(tmp_path, FILES)
    move_note(opened(root, "obsidian"), "ü/n.md", None, "K", [])
    board = BOARD.replace('"ü/n.md","subpath":"#N"', '"ü/K.md","subpath":"#K"')
    assert (root / "boards/b.canvas").read_text() == board.replace("[[n#N|x]]", "[[K#K|x]]").replace(
        "(../ü/n.md)", "(../ü/K.md)"
    )


@pytest.mark.parametrize("stays", [True, False])
def test_wherever_it_stops_the_next_call_ends_it(stays, tmp_path):
    files = {**FILES, "ü/n.md": "x\n"} if stays else FILES

    def run(root, stop_at=None):
        disk = FaultyDisk(str(root), stop_at)
        workspace = opened(root, "obsidian", disk=lambda _: disk)
        move_note(workspace, "ü/n.md", "a/k", None, []) if stays else run_move(workspace)
        return len(disk.done)

    steps = run(make(tmp_path / "whole", files))
    expected = contents(tmp_path / "whole")
    assert steps > 3
    for stop_at in range(steps):
        root = make(tmp_path / f"stop{stop_at}", files)
        with pytest.raises(Stopped):
            run(root, stop_at)
        assert contents(root).get("boards/b.canvas") in {BOARD.encode(), expected["boards/b.canvas"]}
        run(root)
        assert contents(root) == expected
        shutil.rmtree(root)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"nodes":[{"type":"file","file":"ü/n.md"}', "x.canvas is "),
        ('{"nodes":[{"type":"file","file":"\\u00FC/N.md",}]}', "x.canvas is not JSON"),
        (b'\xff{"file":"n.md"', "x.canvas is not JSON"),
        (b'{"file":"n.md"\0', "x.canvas contains a NUL"),
        ('{"nodes":[{"type":"text","text":"\\ud800 [[n]]"}]}', "contains an unpaired surrogate"),
    ],
)
def test_one_that_cannot_be_read_ends_it_before_anything_is_written(text, why, tmp_path):
    root = make(tmp_path, {**FILES, "x.canvas": text})
    before = contents(root)
    with pytest.raises(UnreadableFile, match=f"(?s){why}.* nothing was changed"):
        run_move(opened(root, "obsidian"))
    assert contents(root) == before


def test_one_that_cannot_be_opened_ends_it_too(tmp_path):
    root = make(tmp_path / "w", {**FILES, "memtool.toml": 'layout = "obsidian"\n'})
    (root / "boards/b.canvas").chmod(0)
    result = memtool("note", "mv", "m", "k", home=tmp_path, cwd=root)
    if result.returncode == 0:
        pytest.skip("who runs this may read everything")
    assert "boards/b.canvas" in result.stderr
    assert (root / "m.md").exists()


def test_a_dry_run_shows_what_changes_of_a_canvas(tmp_path):
    root = make(tmp_path / "w", {**FILES, "memtool.toml": 'layout = "obsidian"\n'})
    shown = memtool("note", "mv", "m", "k", "--dry-run", home=tmp_path, cwd=root).stdout
    assert '+{"nodes":[{"type":"file","file":"k.md"}]}' in shown
    assert (root / "m.md").exists()


def test_what_stands_on_a_canvas_is_no_orphan(tmp_path):
    files = {
        "memtool.toml": 'layout = "obsidian"\n',
        "a.md": "[[b]]\n",
        "b.md": "b\n",
        "c.md": "c\n",
        "d.md": "d\n",
    }
    root = make(tmp_path, files)
    assert orphaned(root) == ["a.md", "c.md", "d.md"]
    nodes = [{"type": "file", "file": "c.md"}, {"type": "text", "text": "[[D]] [[gone]]"}]
    make(root, {"x.canvas": json.dumps({"nodes": nodes}), "broken.canvas": "{"})
    assert orphaned(root) == ["a.md"]


def orphaned(root):
    found = [sheet.path for sheet in find_orphans(load_link_graph(opened(root), []))]
    said = memtool("lint", "--json", "--select", "M405", "--root", str(root), home=root.parent).stdout
    assert [json.loads(row)["path"] for row in said.splitlines()] == found
    return found


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/x", ".git/config", ".obsidian/app.json", "a/../../out.md"]
)
def test_a_card_leads_nothing_out_of_memory(path, tmp_path):
    board = json.dumps({"nodes": [{"type": "file", "file": path}]})
    root = make(tmp_path / "w", {"n.md": "n\n", "x.canvas": board})
    make(tmp_path, {"out.md": "o\n"})
    move_note(opened(root, "obsidian"), "n", "m", None, [])
    assert (root / "x.canvas").read_text() == board
    assert (tmp_path / "out.md").read_text() == "o\n"


HIVES = {
    "hives.md": "# Hives\n\n## Winter feed\n\nFondant. ^fondant\n\n### Syrup\n\nTwo to one.\n\n## Tools\n",
    "b.canvas": json.dumps(
        {
            "nodes": [
                {"type": "file", "file": "hives.md", "subpath": "#Winter feed"},
                {"type": "file", "file": "hives.md", "subpath": "#Winter feed#Syrup"},
                {"type": "file", "file": "hives.md", "subpath": "#^fondant"},
                {"type": "file", "file": "hives.md", "subpath": "#Tools"},
                {"type": "file", "file": "hives.md"},
                {"type": "text", "text": "[[hives#Syrup]] [[hives#Tools]] [[hives]]"},
            ],
            "edges": [],
        }
    ),
}


def cards(text):
    return [
        (row["file"], row.get("subpath")) if row["type"] == "file" else row["text"]
        for row in json.loads(text)["nodes"]
    ]


def test_cards_follow_a_renamed_heading(tmp_path):
    graph = load_link_graph(opened(make(tmp_path, HIVES), "obsidian"), [])
    plan = plan_rename(graph, RenamedHeading("hives.md", 2), "Sirup")
    text = {str(change.path): change.text for change in plan}["b.canvas"]
    assert cards(text)[:3] == [
        ("hives.md", "#Winter feed"), ("hives.md", "#Winter feed#Sirup"), ("hives.md", "#^fondant"),
    ]  # fmt: skip
    assert cards(text)[5] == "[[hives#Sirup]] [[hives#Tools]] [[hives]]"


def test_cards_follow_an_extracted_section(tmp_path):
    graph = load_link_graph(opened(make(tmp_path, HIVES), "obsidian"), [])
    section = plan_extraction(graph, graph.nodes["hives.md"], 1, NOW)
    (change,) = section.canvases
    assert cards(change.text) == [
        (section.path, "#Winter feed"),
        (section.path, "#Winter feed#Syrup"),
        (section.path, "#^fondant"),
        ("hives.md", "#Tools"),
        ("hives.md", None),
        "[[Winter feed#Syrup]] [[hives#Tools]] [[hives]]",
    ]
