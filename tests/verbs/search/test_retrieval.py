"""Search finds what was said: the harness on a small conversation of our own, by words and by meaning."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from memtool.core.records.hit import Hit
from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.core.search.evaluation import find_regressions, mean_measures, question_measures
from memtool.errors import BadUsage, MissingExtra
from memtool.index.embed import static
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.search.evaluate import evaluate, parse_queries, unfindable_places
from memtool.verbs.search.search import search
from tests.bench.retrieval import conversations, measure
from tests.trees import NOW, SAMPLE, opened

DATA = Path(__file__).parents[2] / "bench" / "questions.json"


@pytest.fixture(scope="module")
def measured():
    return measure(DATA, ("lexical", "hybrid"))[0]


def test_most_questions_are_answered_near_the_top(measured):
    found = measured["lexical"]["overall"]
    assert found["recall@10"] >= 0.75
    assert found["mrr"] >= 0.75


def test_meaning_never_makes_search_worse(measured):
    assert static() is not None
    lexical, hybrid = (measured[mode]["overall"] for mode in ("lexical", "hybrid"))
    assert find_regressions(hybrid, lexical, 0.0) == {}
    assert hybrid["recall@10"] > lexical["recall@10"]


def test_figures_are_given_overall_and_by_category(measured):
    assert list(measured["lexical"]) == ["overall", "1", "2", "3", "4", "5"]
    names = ["recall@1", "recall@5", "recall@10", "recall@20", "hit_rate@10", "mrr", "ndcg@10"]
    assert all(list(row) == names for row in measured["hybrid"].values())


def test_evidence_that_is_not_in_the_conversation_is_no_evidence(tmp_path):
    data = json.loads(DATA.read_text())
    data[0]["qa"] = [
        {"question": "a", "evidence": ["D1:2; D9:9", "D01:03"], "category": 1},
        {"question": "b", "evidence": [], "category": 4},
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(data))
    [(turns, asked)] = conversations(path)
    assert [one.evidence for one in asked] == [("D1:2", "D1:3")]
    assert len(turns) == 25


def test_the_figures_of_an_answer():
    found = question_measures([1, 4], 3)
    assert (found["recall@1"], found["recall@5"], found["mrr"]) == (1 / 3, 2 / 3, 1.0)
    assert 0.6 < found["ndcg@10"] < 0.7
    assert question_measures([], 2) == dict.fromkeys(found, 0.0)
    assert question_measures([1, 2, 3], 3)["ndcg@10"] == 1.0
    assert mean_measures([{"mrr": 1.0}, {"mrr": 0.0}]) == {"mrr": 0.5}
    assert mean_measures([]) == {}


def test_the_same_figures_have_not_fallen():
    now = {"mrr": 2 / 3, "recall@1": 1 / 3}
    assert find_regressions(now, {name: round(one, 4) for name, one in now.items()}, 0.0) == {}
    assert find_regressions(now, {"mrr": 0.7}, 0.0) == {"mrr": 0.0333}
    assert find_regressions(now, {"mrr": 0.7}, 0.05) == {}


def test_ones_own_questions_are_asked_as_they_stand():
    hits = [
        Hit("a.md", 3, 5, "note", "document", 1.0, "x", (), "x"),
        Hit("b.md", 1, 1, "note", "document", 1.0, "x", (), "x"),
    ]
    asked = parse_queries(
        '{"query": "x", "relevant": "b.md"}\n\n{"query": "y", "relevant": ["a.md:5", "a.md:9-12"]}\n'
    )
    done = evaluate(asked, lambda query, limit: hits, iter(range(99)).__next__)
    assert done.queries == 2
    assert done.figures["mrr"] == 0.75
    assert done.figures["recall@20"] == 0.75
    assert done.milliseconds[0] == 1000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        '{"query": "x"}',
        '{"query": "", "relevant": ["a"]}',
        '{"query": "x", "relevant": [1]}',
    ],
)
def test_what_is_no_question_is_refused(text):
    with pytest.raises(BadUsage):
        parse_queries(text)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("MEMORY.md:3", None),
        ("MEMORY.md:900", "the file has only 19 lines"),
        ("memory/no.md:3", "there is no such file"),
        ("memtool.toml", "it is not a memory file"),
        ("../a.md", "contains '..'"),
        ("memory", "is a folder"),
    ],
)
def test_a_place_that_no_search_can_find_is_named_with_the_reason(place, fault):
    queries = parse_queries(f'{{"query": "kiln", "relevant": ["{place}"]}}')
    sentences = [*unfindable_places(opened(SAMPLE), queries)]
    assert len(sentences) == (fault is not None)
    assert all(place in sentence and str(fault) in sentence for sentence in sentences)


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize(
    "query",
    ["when is the kiln free", "kiln", "celadon cone 6 glaze", "the", "what did Marta decide", "mugs -tea"],
)
def test_fewer_hits_are_the_beginning_of_more(mode, query, tmp_path):
    workspace = opened(shutil.copytree(SAMPLE, tmp_path / "w"))
    shelves = SearchIndexes(workspace, b"k" * 32, wait=1.0)
    embedder = None if mode == "lexical" else static()
    asked = [
        SearchRequest(query, WHOLE_WORKSPACE, NOW.date(), mode, limit=limit) for limit in (40, 20, 10, 5, 1)
    ]
    whole, *others = [search(workspace, one, shelves, embedder).hits for one in asked]
    assert whole
    for found in others:
        assert [(hit.path, hit.line) for hit in found] == [
            (hit.path, hit.line) for hit in whole[: len(found)]
        ]
    shelves.close()


def test_a_search_by_meaning_alone_needs_the_model_and_a_mixed_one_says_so(tmp_path):
    workspace = opened(shutil.copytree(SAMPLE, tmp_path / "w"))
    indexes = SearchIndexes(workspace, b"k" * 32, wait=1.0)
    asked = SearchRequest("kiln", WHOLE_WORKSPACE, NOW.date(), "semantic")
    with pytest.raises(MissingExtra, match=r"run pip install '\.\[semantic\]'"):
        search(workspace, asked, indexes)
    mixed = search(workspace, replace(asked, mode="hybrid"), indexes)
    assert mixed.hits
    assert "search is lexical" in mixed.notices[0]
    indexes.close()


ABOUT_THE_SAMPLE = """\
{"query": "what share of copper carbonate should we try with iron", "relevant": ["memory/2025-01-13.md:9"]}
{"query": "may posts go out without asking first", "relevant": ["MEMORY.md:14", "AGENTS.md:6"]}
{"query": "when is the kiln free", "relevant": ["MEMORY.md:7"]}
{"query": "who packs and ships", "relevant": ["MEMORY.md:18", "memory/semantic/facts.md:4"]}
{"query": "why did the bowls crack", "relevant": ["memory/2025-01-12.md:4", "memory/2025-01-12.md:5"]}
{"query": "wholesale order of mugs for the tea house", "relevant": ["memory/semantic/projects.md:4"]}
{"query": "which day does the evening class fire", "relevant": ["memory/semantic/facts.md:6", "MEMORY.md:7"]}
{"query": "what is celadon made of", "relevant": ["memory/notes/zettel/celadon.md"]}
{"query": "the moons of Neptune and their orbits", "relevant": ["MEMORY.md:1"]}
"""


def test_meaning_never_makes_search_of_documents_worse(tmp_path):
    workspace = opened(shutil.copytree(SAMPLE, tmp_path / "w"))
    shelves = SearchIndexes(workspace, b"k" * 32, wait=1.0)
    figures_of = {}
    for mode, embedder in (("lexical", None), ("hybrid", static())):

        def ask(query, limit, mode=mode, embedder=embedder):
            asked = SearchRequest(query, WHOLE_WORKSPACE, NOW.date(), mode, limit=limit)
            return search(workspace, asked, shelves, embedder).hits

        figures_of[mode] = evaluate(parse_queries(ABOUT_THE_SAMPLE), ask, iter(range(999)).__next__)
    shelves.close()
    lexical, hybrid = figures_of["lexical"], figures_of["hybrid"]
    assert lexical.figures["recall@10"] >= 0.7
    assert find_regressions(hybrid.figures, lexical.figures, 0.0) == {}
    assert "the moons of Neptune and their orbits" in hybrid.missed
