"""Renames of headings, notes and tags, with all links and uses."""

from __future__ import annotations

import itertools

import pytest

from memtool.core.records.plan import Create, Replace
from memtool.errors import BadUsage
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from memtool.verbs.notes.link_graph import load_link_graph
from memtool.verbs.notes.rename import RenamedHeading, RenamedNote, RenamedTag, plan_rename
from tests.trees import make, opened


def renamed(root, files, target, name):
    """The texts that a rename changes, by path, in a tree with these files."""
    graph = load_link_graph(opened(make(root / "w", {"memtool.toml": 'layout = "obsidian"\n', **files})), [])
    plan = plan_rename(graph, target, name)
    return {str(change.path): change.text for change in plan if isinstance(change, Replace)}


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[x](a.md#one)", "[x](a.md#part-two)"),
        ("[x](a.md#One)", "[x](a.md#Part%20Two)"),
        ("[x](<a.md#One>)", "[x](<a.md#Part Two>)"),
        ("[[a#one]]", "[[a#Part Two]]"),
        ("![[a#One|x]]", "![[a#Part Two|x]]"),
    ],
)
def test_a_link_to_a_renamed_heading_keeps_its_style(tmp_path, link, expected):
    files = {"a.md": "# A\n\n## One\n", "b.md": f"{link}\n"}
    texts = renamed(tmp_path, files, RenamedHeading("a.md", 1), "Part Two")
    assert texts == {"a.md": "# A\n\n## Part Two\n", "b.md": f"{expected}\n"}


def test_a_slug_that_would_be_empty_is_written_as_the_text(tmp_path):
    files = {"a.md": "# A\n\n## One\n", "b.md": "[x](<a.md#one>)\n"}
    assert renamed(tmp_path, files, RenamedHeading("a.md", 1), "?!")["b.md"] == "[x](<a.md#?!>)\n"


@pytest.mark.parametrize(
    ("name", "heading", "anchor"),
    [
        ("C #", r"## C \#", "C"),
        ("C ##", r"## C \##", "C"),
        ("C#", "## C#", "C"),
        ("# 1 # x", "## 1 # x", "1 x"),
    ],
)
def test_a_heading_that_ends_with_number_signs_keeps_them_and_its_links(tmp_path, name, heading, anchor):
    files = {"a.md": "# A\n\n## One\n", "b.md": "[[a#One]] [x](<a.md#One>)\n"}
    texts = renamed(tmp_path, files, RenamedHeading("a.md", 1), name)
    assert texts == {"a.md": f"# A\n\n{heading}\n", "b.md": f"[[a#{anchor}]] [x](<a.md#{anchor}>)\n"}
    root = make(tmp_path / "w", texts)
    workspace = opened(root)
    problems = lint(workspace, LintRequest(paths=("a.md", "b.md"))).problems
    assert {problem.code for problem in problems} == {"M405"}  # no note links to b.md
    assert load_link_graph(workspace, []).nodes["a.md"].anchors.heading_index(anchor) == 1


def test_a_title_that_ends_with_number_signs_keeps_them(tmp_path):
    files = {"a.md": "# A\n", "b.md": "[[a#A]]\n"}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for path, text in files.items():
        make(root, {f"memory/notes/zettel/{path}": text})
    graph = load_link_graph(opened(root), [])
    plan = plan_rename(graph, RenamedNote("memory/notes/zettel/a.md"), "C #")
    texts = [change.text for change in plan if isinstance(change, Create | Replace)]
    assert texts == ['---\ntitle: "C #"\n---\n# C \\#\n', "[[c#C]]\n"]


@pytest.mark.parametrize("name", ["\\#", "[#]", "| ^"])
@pytest.mark.parametrize("target", [RenamedHeading("a.md", 1), RenamedNote("a.md")])
def test_a_name_that_no_link_can_contain_is_refused(tmp_path, name, target):
    files = {"a.md": "# A\n\n## One\n", "b.md": "[[a#One]]\n"}
    with pytest.raises(BadUsage, match="consists only of characters that a link cannot contain"):
        renamed(tmp_path, files, target, name)


@pytest.mark.parametrize("name", ["- One", "1. One", "> x"])
def test_a_name_that_would_end_a_heading_is_refused(tmp_path, name):
    with pytest.raises(BadUsage, match="Markdown would parse it differently"):
        renamed(tmp_path, {"a.md": "# A\n\nOne\n---\n"}, RenamedHeading("a.md", 1), name)


@pytest.mark.parametrize("name", ["b.md/x", "memtool.toml/x", "./b.md/c/x.md"])
def test_a_note_is_not_moved_below_a_file(tmp_path, name):
    files = {"a.md": "# A\n", "b.md": "[[a]]\n"}
    with pytest.raises(BadUsage, match="is a file, not a folder"):
        renamed(tmp_path, files, RenamedNote("a.md"), name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: clay, other", "tags: other"),
        ("tags: other clay x", "tags: other x"),
        ("tags: x, other, Clay, clay", "tags: x, other"),
        ("tags: [clay, x, other]", "tags: [other, x]"),
        ("tags: [other/a, clay/a, clay]", "tags: [other/a, other]"),
        ("tags: [Other, clay]", "tags: [Other]"),
        ("tags: [\"#clay\", '#other']", 'tags: ["#other"]'),
        ("tags: [\n  clay,\n  other\n]", "tags: [\n  other,\n]"),
        ('tags: "clay, other"', 'tags: "other"'),
        ("tags:\n  - clay\n  - x\n  - 'other'  # why\nid: n", "tags:\n  - other\n  - x\nid: n"),
        ("tags: [clay]\ntag: other, clay", "tags: [other]\ntag: "),
        ("tags: [clay]\ntag: [other, x]", "tags: [other]\ntag: [x]"),
        ("tags: [clay, x, x]", "tags: [other, x, x]"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_tag_that_is_merged_with_another_stays_once_in_frontmatter(tmp_path, before, after, end):
    note = "---\n{}\n---\n# A\n\n#clay #other\n"
    texts = renamed(tmp_path, {"a.md": note.format(before).replace("\n", end)}, RenamedTag("clay"), "other")
    expected = note.format(after).replace("#clay", "#other").replace("\n", end)
    assert texts == {"a.md": expected}


SAME = "# A\n\n## One\n\n### Dup\n\n## Second\n\n### Dup\n\n[[#Second#Dup]] [[#Dup]]\n"
TO_SAME = "[[a#Second#Dup]] [[a#One#Dup]] [[a#Dup]] [x](a.md#dup) [y](a.md#dup-1)\n"


@pytest.mark.parametrize(
    ("index", "own", "others"),
    [
        (
            2,
            "[[#Second#Dup]] [[#New]]",
            "[[a#Second#Dup]] [[a#One#New]] [[a#New]] [x](a.md#new) [y](a.md#dup)",
        ),
        (
            4,
            "[[#Second#New]] [[#Dup]]",
            "[[a#Second#New]] [[a#One#Dup]] [[a#Dup]] [x](a.md#dup) [y](a.md#new)",
        ),
    ],
)
def test_of_two_headings_with_one_text_the_links_to_the_renamed_one_follow(tmp_path, index, own, others):
    files = {"a.md": SAME, "b.md": TO_SAME}
    texts = {**files, **renamed(tmp_path, files, RenamedHeading("a.md", index), "New")}
    assert texts["a.md"].splitlines()[-1] == own
    assert texts["b.md"] == f"{others}\n"


def headings_of_links(folder, files):
    graph = load_link_graph(opened(make(folder, {"memtool.toml": 'layout = "obsidian"\n', **files})), [])
    anchors = graph.nodes["a.md"].anchors
    return [anchors.heading_index(link.anchor) for link in graph.nodes["b.md"].markup.links]


@pytest.mark.parametrize("texts", [*itertools.product(["X", "Y", "x y"], repeat=3)])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_every_link_leads_to_the_same_heading_after_a_rename(tmp_path, texts, index):
    note = f"## {texts[0]}\n\n### {texts[1]}\n\n## {texts[2]}\n"
    anchors = [*texts, f"{texts[0]}#{texts[1]}", "x", "x-1", "x-2", "y", "y-1", "x-y", "x-y-1"]
    links = [f"[[a#{anchor}]]" for anchor in anchors] + [f"[t](<a.md#{anchor}>)" for anchor in anchors]
    files = {"a.md": note, "b.md": "\n".join(links) + "\n"}
    after = {**files, **renamed(tmp_path, files, RenamedHeading("a.md", index), "New one")}
    before = headings_of_links(tmp_path / "before", files)
    for old, new in zip(before, headings_of_links(tmp_path / "after", after), strict=True):
        assert old is None or old == new
