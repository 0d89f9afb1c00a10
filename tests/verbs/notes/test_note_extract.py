"""Extraction of a section: what linked to the section, or to a part of it, leads to the new note."""

from __future__ import annotations

import pytest

from memtool.core.notes.link_resolver import ResolvedLink
from memtool.core.text.edits import apply_edits
from memtool.errors import BadUsage
from memtool.verbs.notes.link_graph import load_link_graph
from memtool.verbs.notes.note_extract import plan_extraction, section_at
from tests.trees import NOW, SAMPLE, make, opened

HIVES = "memory/notes/bees/hives.md"
TILL = "groups/shop/memory/till.md"
HIVES_NOTE = """\
# Hives

See [[#Winter feed]], [[hives#Tools]] and [feed](#winter-feed).

## Winter feed

Fondant, see [[#Syrup]] and [[#Tools]]. ^fondant

### Syrup

Two to one.

## Tools

A smoker. ^smoker
"""


def extracted(root, heading):
    """The texts by path after the section was extracted, and the graph of them."""
    graph = load_link_graph(opened(root), [])
    node = graph.nodes[HIVES]
    line = node.text.split("\n").index(heading) + 1
    index = section_at(node, line)
    assert index is not None
    section = plan_extraction(graph, node, index, NOW)
    texts = {path: apply_edits(graph.nodes[path].text, edits).text for path, edits in section.edits.items()}
    texts[section.path] = section.text
    make(root, texts)
    return texts, load_link_graph(opened(root), [])


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[[hives#Winter feed]]", "[[winter-feed]]"),
        ("[[Hives#winter FEED|feed]]", "[[winter-feed|feed]]"),
        ("![[memory/notes/bees/hives.md#Winter feed]]", "![[winter-feed.md]]"),
        ("[[hives#Hives#Winter feed]]", "[[winter-feed]]"),
        ("[[hives#Winter feed#Syrup]]", "[[winter-feed#Winter feed#Syrup]]"),
        ("[[hives#Syrup]]", "[[winter-feed#Syrup]]"),
        ("[[hives#Hives#Syrup]]", "[[winter-feed#Syrup]]"),
        ("[[hives#^fondant]]", "[[winter-feed#^fondant]]"),
        ("[feed](../bees/hives.md#winter-feed)", "[feed](../inbox/winter-feed.md)"),
        ("[feed](<../bees/hives.md#Winter feed>)", "[feed](<../inbox/winter-feed.md>)"),
        ("[feed](/memory/notes/bees/hives.md#syrup)", "[feed](/memory/notes/inbox/winter-feed.md#syrup)"),
        ("[feed][1]\n\n[1]: ../bees/hives.md#winter-feed", "[feed][1]\n\n[1]: ../inbox/winter-feed.md"),
        ("[[hives#Tools]]", "[[hives#Tools]]"),
        ("[[hives#^smoker]]", "[[hives#^smoker]]"),
        ("[[hives]]", "[[hives]]"),
        ("[[hives#Nothing]]", "[[hives#Nothing]]"),
    ],
)
def test_a_link_to_a_part_of_the_section_leads_to_the_new_note(tmp_path, link, expected):
    source = "memory/notes/maps/garden.md"
    files = {"memtool.toml": 'layout = "native"\n', HIVES: HIVES_NOTE, source: f"# Garden\n\nOn {link}\n"}
    texts, graph = extracted(make(tmp_path / "w", files), "## Winter feed")
    assert texts.get(source, files[source]) == f"# Garden\n\nOn {expected}\n"
    assert [graph.fault(edge) for edge in graph.links(source)] == ["heading" if "Nothing" in link else ""]


def test_links_of_the_document_itself_lead_to_the_new_note(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', HIVES: HIVES_NOTE}
    texts, graph = extracted(make(tmp_path / "w", files), "## Winter feed")
    assert "See [[winter-feed]], [[hives#Tools]] and [feed](../inbox/winter-feed.md)." in texts[HIVES]
    assert "see [[#Syrup]] and [[hives#Tools]]. ^fondant" in texts["memory/notes/inbox/winter-feed.md"]
    assert {graph.fault(edge) for edge in graph.edges} == {""}


def test_a_heading_that_another_one_repeats_keeps_its_links(tmp_path):
    text = "# Hives\n\n## Log\n\none\n\n## Log\n\ntwo\n"
    source = "memory/notes/maps/garden.md"
    files = {
        "memtool.toml": 'layout = "native"\n',
        HIVES: text,
        source: "[[hives#Log]] [x](../bees/hives.md#log-1)\n",
    }
    root = make(tmp_path / "w", files)
    graph = load_link_graph(opened(root), [])
    section = plan_extraction(graph, graph.nodes[HIVES], 2, NOW)
    edited = apply_edits(files[source], section.edits[source]).text
    assert edited == "[[hives#Log]] [x](../inbox/log.md)\n"


def test_a_name_that_is_not_unique_is_written_with_its_folder(tmp_path):
    source = "memory/notes/maps/garden.md"
    files = {
        "memtool.toml": 'layout = "native"\n',
        HIVES: HIVES_NOTE,
        source: "[[hives#Winter feed]]\n",
        "memory/notes/birds/winter-feed.md": "# Seeds\n",
    }
    _, graph = extracted(make(tmp_path / "w", files), "## Winter feed")
    (edge,) = graph.links(source)
    assert isinstance(edge.target, ResolvedLink)
    assert edge.target.path != HIVES
    assert "Fondant" in graph.nodes[edge.target.path].text


def test_only_sections_of_notes_are_extracted():
    graph = load_link_graph(opened(SAMPLE), [])
    lines = {path: range(1, node.text.count("\n") + 2) for path, node in graph.nodes.items()}
    extractable = {
        path for path in lines if any(section_at(graph.nodes[path], line) is not None for line in lines[path])
    }
    assert extractable
    assert {graph.nodes[path].located.role for path in extractable} == {"note"}


def test_a_section_stays_in_its_group(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', TILL: "# Till\n\n## Float\n\n50\n"}
    graph = load_link_graph(opened(make(tmp_path / "w", files)), [])
    section = plan_extraction(graph, graph.nodes[TILL], 1, NOW)
    assert section.path == "groups/shop/memory/float.md"


def test_a_section_keeps_its_owner(tmp_path):
    owned = "---\nowner: user:ann\n---\n# Hives\n\n## Feed\n\nFondant.\n"
    tagged = "# Birds\n\n## [user:ann] Seeds\n\nMillet.\n"
    files = {"memtool.toml": 'layout = "native"\n', HIVES: owned, "memory/notes/birds.md": tagged}
    graph = load_link_graph(opened(make(tmp_path / "w", files)), [])
    assert plan_extraction(graph, graph.nodes[HIVES], 1, NOW).text.startswith("---\nowner: user:ann\n")
    with pytest.raises(BadUsage, match="lose their owner"):
        plan_extraction(graph, graph.nodes["memory/notes/birds.md"], 1, NOW)


DEFINED = """\
# Hives

See [docs][d], [[#One]] and a note[^1].

## One

See [x][D], [z][z] and[^2].

## Last

Text.

[d]: ../maps/garden.md
[^1]: The footnote.
[^2]: A longer
footnote, see [d].

    Its second paragraph.
[z]: <z z.md> "Z"
"""


def extracted_parts(tmp_path, text, heading):
    """What the extraction leaves of a note, and the new note below its title."""
    files = {"memtool.toml": 'layout = "native"\n', HIVES: text, "memory/notes/maps/garden.md": "# Garden\n"}
    texts, graph = extracted(make(tmp_path / "w", files), heading)
    assert {graph.fault(edge) for edge in graph.edges if edge.link.target != "z z.md"} <= {""}
    (new,) = texts.keys() - {HIVES}
    return texts[HIVES], texts[new].partition("\n\n")[2]


def test_the_definitions_that_a_section_uses_are_copied(tmp_path):
    rest, new = extracted_parts(tmp_path, DEFINED, "## One")
    start, end = DEFINED.index("## One"), DEFINED.index("## Last")
    assert rest == f"{DEFINED[:start].replace('[[#One]]', '[[one]]')}[[one|One]]\n\n{DEFINED[end:]}"
    footnote = "[^2]: A longer\nfootnote, see [d].\n\n    Its second paragraph.\n"
    assert new == (
        "See [x][D], [z][z] and[^2].\n\n"
        f'[d]: ../maps/garden.md\n{footnote}[z]: <z z.md> "Z"\n'
    )  # fmt: skip


def test_the_definitions_that_the_rest_uses_stay(tmp_path):
    rest, new = extracted_parts(tmp_path, DEFINED, "## Last")
    start, defined = DEFINED.index("## Last"), DEFINED.index("[d]:")
    assert rest == f"{DEFINED[:start]}[[last|Last]]\n\n{DEFINED[defined:]}"
    assert new == "Text.\n"


def test_a_definition_that_both_use_is_in_both(tmp_path):
    text = "# Hives\n\n[a]\n\n## Last\n\n[a], [b], [own]\n\n[a]: #last\n[b]: #hives\n[own]: #last\n"
    rest, new = extracted_parts(tmp_path, text, "## Last")
    assert rest == "# Hives\n\n[a]\n\n[[last|Last]]\n\n[a]: ../inbox/last.md\n"
    assert new == "[a], [b], [own]\n\n[a]: #last\n[b]: ../bees/hives.md#hives\n[own]: #last\n"


def test_what_looks_like_a_definition_in_code_is_none(tmp_path):
    text = "# Hives\n\n```\n[d]: x\n```\n\n## Last\n\nUse `a[d]`.\n"
    assert extracted_parts(tmp_path, text, "## Last")[1] == "Use `a[d]`.\n"


def test_a_section_keeps_its_line_ends(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', HIVES: HIVES_NOTE.replace("\n", "\r\n")}
    graph = load_link_graph(opened(make(tmp_path / "w", files)), [])
    section = plan_extraction(graph, graph.nodes[HIVES], 1, NOW)
    assert section.text.count("\r\n") == section.text.count("\n") > 5


def test_a_section_at_the_end_of_the_text_keeps_the_line_ends(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', HIVES: "# Hives\r\n\r\nText.\r\n\r\n## Tools"}
    texts, _ = extracted(make(tmp_path / "w", files), "## Tools")
    assert texts.pop(HIVES) == "# Hives\r\n\r\nText.\r\n\r\n[[tools|Tools]]\r\n"
    assert all(text.count("\r\n") == text.count("\n") > 5 for text in texts.values())
