"""A link graph that is updated node by node equals one that is built from all nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.verbs.notes.document_node import DocumentNode, parse_node
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph
from memtool.verbs.notes.rename import RenamedHeading, RenamedNote, RenamedTag, plan_rename
from tests.trees import make, opened

NAMES = ("a", "b", "c", "new")
TEXTS = st.builds(
    lambda title, links, tags: (
        f"# {title}\n\n{' '.join(f'[[{link}]]' for link in links)}\n\n{' '.join(f'#{tag}' for tag in tags)}\n"
    ),
    st.sampled_from(["A", "B", "C", "D"]),
    st.lists(st.sampled_from(["A", "b", "C", "D", "new", "nowhere"]), max_size=3),
    st.lists(st.sampled_from(["kiln", "kiln/cone", "glaze", "order"]), max_size=3),
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> LinkGraph:
    notes = {_path(name): f"# {name.upper()}\n\n[[A]] [[C]] #kiln/cone\n" for name in NAMES[:3]}
    root = make(tmp_path_factory.mktemp("graph") / "w", {"memtool.toml": 'layout = "native"\n', **notes})
    return load_link_graph(opened(root), [])


def _path(name: str) -> str:
    return f"memory/notes/zettel/{name}.md"


def _node(graph: LinkGraph, name: str, text: str) -> DocumentNode:
    located = graph.workspace.role_of(_path(name))
    assert located is not None
    return parse_node(_path(name), located, text, "", titled_by_heading=True)


def _tables(graph: LinkGraph) -> tuple[object, ...]:
    backlinks = {path: [edge.text for edge in graph.backlinks(path)] for path in graph.nodes}
    sources = {key: sorted(found) for key, found in graph.sources.items() if found}
    return sources, {(count.name, count.notes, count.nested) for count in graph.tags.counts()}, backlinks


@given(edits=st.lists(st.tuples(st.sampled_from(NAMES), TEXTS, st.booleans()), max_size=5))
def test_an_updated_graph_equals_a_new_one(start: LinkGraph, edits: list[tuple[str, str, bool]]) -> None:
    graph = start
    for name, text, is_used in edits:
        graph = graph.with_node(_node(start, name, text))
        if is_used:
            _tables(graph)
    listing = start.workspace.document_listing()
    fresh = LinkGraph(start.workspace, graph.nodes.values(), graph.files, listing)
    assert _tables(graph) == _tables(fresh)
    computed = LinkGraph(start.workspace, graph.nodes.values(), graph.files, listing)
    computed.compute_tables()
    assert _tables(computed) == _tables(fresh)
    again = LinkGraph(start.workspace, graph.nodes.values(), graph.files, listing)
    again.reuse(start)
    assert _tables(again) == _tables(fresh)


def test_a_graph_of_other_files_takes_over_the_tables(start: LinkGraph) -> None:
    nodes = [*start.nodes.values()][1:]
    nodes.append(_node(start, "new", "# New\n\n[[C]] #glaze\n"))
    listing = start.workspace.document_listing()
    fresh, again = (
        LinkGraph(start.workspace, nodes, [node.path for node in nodes], listing) for _ in range(2)
    )
    again.reuse(start)
    assert _tables(again) == _tables(fresh)


@pytest.mark.parametrize("text", ["# A\n", "# Kil\u0144\n", "# \udc80 \ud800\udc00 \U0001f525\n"])
def test_a_node_has_the_text_that_it_was_made_of(start: LinkGraph, text: str) -> None:
    assert _node(start, "a", text).text == text


@pytest.mark.parametrize(
    "target", [RenamedNote(_path("a")), RenamedHeading(_path("a"), 1), RenamedTag("kiln")]
)
def test_a_rename_keeps_nothing_of_what_it_parses_of_other_files(
    tmp_path: Path, target: RenamedNote | RenamedHeading | RenamedTag
) -> None:
    notes = {_path(name): "# N\n\n## Part\n\n[[a#Part]] #kiln\n" for name in NAMES}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **notes})
    graph = load_link_graph(opened(root), [])
    graph.compute_tables()
    name = "renamed.md" if isinstance(target, RenamedNote) else "renamed"
    assert len(plan_rename(graph, target, name)) >= len(NAMES)
    kept = [path for path, node in graph.nodes.items() if {"markup", "anchors"} & vars(node).keys()]
    assert kept in ([], [_path("a")])
