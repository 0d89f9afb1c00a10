"""Which documents the fleet finds for common words, against the exact ranking, where trees differ much."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping, Sequence

import psycopg
import pytest

from memtool.fleet import schema
from memtool.fleet.connection import connected, tree_dsn
from tests.fleet.fleets import Fleet

WORDS = ("kiln", "wheel", "glaze")
WEIGHTS = {"kiln": 1.3, "wheel": 1.0, "glaze": 0.7}
POWER = 4.0
DOCUMENTS = 20
"""Documents that are asked for; of these, a fifth are the best of all without doubt."""
SURE = DOCUMENTS // 5
CHUNKS = 4_000

Document = Mapping[str, int]
"""The weights of words in a document of one chunk."""
Place = tuple[int, int]


def _weight(chooser: random.Random) -> int:
    return max(1, min(255, round(chooser.gauss(100, 25))))


def _alike(chooser: random.Random) -> list[list[Document]]:
    return [[{word: _weight(chooser) for word in WORDS} for _ in range(60)] for _ in range(40)]


def _one_large_tree(chooser: random.Random) -> list[list[Document]]:
    large = [{word: _weight(chooser) for word in WORDS} for _ in range(3_000)]
    return [*([{word: _weight(chooser) for word in WORDS}] for _ in range(39)), large]


def _one_good_tree(chooser: random.Random) -> list[list[Document]]:
    good = [{word: 200 + _weight(chooser) // 4 for word in WORDS} for _ in range(60)]
    return [*_alike(chooser)[1:], good]


def _one_good_document_a_tree(chooser: random.Random) -> list[list[Document]]:
    return [[{word: 180 + _weight(chooser) // 4 for word in WORDS}, *tree[1:]] for tree in _alike(chooser)]


def _all_the_same(_: random.Random) -> list[list[Document]]:
    return [[dict.fromkeys(WORDS, 80)] * 60] * 40


def _two_weights(chooser: random.Random) -> list[list[Document]]:
    return [[{word: chooser.choice((56, 80)) for word in WORDS} for _ in range(60)] for _ in range(40)]


def _seldom_together(chooser: random.Random) -> list[list[Document]]:
    return [
        [
            {word: _weight(chooser) for word in WORDS if chooser.random() < 0.35} or {WORDS[0]: 1}
            for _ in range(60)
        ]
        for _ in range(40)
    ]


def _opposed(chooser: random.Random) -> list[list[Document]]:
    heights = [[_weight(chooser) for _ in range(60)] for _ in range(40)]
    return [[{"kiln": one, "wheel": max(1, 200 - one), "glaze": 90} for one in tree] for tree in heights]


def _few_documents(chooser: random.Random) -> list[list[Document]]:
    return [tree[:1] for tree in _alike(chooser)]


FLEETS: dict[str, Callable[[random.Random], list[list[Document]]]] = {
    "alike": _alike,
    "one large tree": _one_large_tree,
    "one good tree": _one_good_tree,
    "one good document a tree": _one_good_document_a_tree,
    "all the same": _all_the_same,
    "two weights": _two_weights,
    "seldom together": _seldom_together,
    "opposed": _opposed,
    "few documents": _few_documents,
}


def fill(fleet: Fleet, trees: list[list[Document]]) -> dict[Place, Document]:
    """Put trees into an empty fleet, without pushes; the documents by their places."""
    places = {
        (tree, number): document
        for tree, documents in enumerate(trees, 1)
        for number, document in enumerate(documents, 1)
    }
    with psycopg.connect(fleet.dsn, autocommit=True) as connection:

        def copy(table: str, rows: list[tuple[object, ...]]) -> None:
            with connection.cursor().copy(f"COPY memtool_data.{table} FROM STDIN".encode()) as into:
                for row in rows:
                    into.write_row(row)

        numbers = range(1, len(trees) + 1)
        copy("tree (name, role)", [(f"tree-{tree}", f"role-{tree}") for tree in numbers])
        copy("owner", [(tree, "", len(documents)) for tree, documents in enumerate(trees, 1)])
        copy(
            "document",
            [
                (tree, number, f"{number}.md", "", 1, "note", "", "", "", "{}", 0, "2026-01-01")
                for tree, number in places
            ],
        )
        copy(
            "posting",
            [
                (*place, "", 0, word, best, struct.pack("<I", best))
                for place, document in places.items()
                for word, best in document.items()
            ],
        )
        connection.execute("ANALYZE")
    return places


def exact_scores(documents: Mapping[Place, Document], words: Sequence[str]) -> dict[Place, float]:
    """The most that a chunk of each document can score."""
    scores = {}
    for place, document in documents.items():
        held = [word for word in words if word in document]
        if held:
            share = sum(WEIGHTS[word] for word in held)
            scores[place] = sum(WEIGHTS[word] * document[word] for word in held) * share**POWER
    return scores


def _arguments(words: Sequence[str]) -> list[object]:
    return [[0] * len(words), [*words], [WEIGHTS[word] for word in words], POWER]


def floors_of(fleet: Fleet, words: Sequence[str]) -> list[int] | None:
    """The floors that are estimated for a search."""
    ((floors,),) = fleet.rows(
        "SELECT memtool_data.floors(NULL, true, %s::int2[], %s::text[], %s::float8[], %s, %s)",
        *_arguments(words),
        4 * DOCUMENTS,
    )
    return floors


def found_above(fleet: Fleet, words: Sequence[str], floors: list[int]) -> set[Place]:
    """The documents that are found with given floors; none if they may not be the best ones."""
    rows = fleet.rows(
        "SELECT tree, document FROM memtool_data.postings_above(NULL, true, %s::int2[], %s::text[],"
        " %s::float8[], %s, %s::int2[], %s::int2[], %s::text[], %s, %s)",
        *[*_arguments(words), floors, [0] * len(words), [*words], DOCUMENTS, CHUNKS],
    )
    return {*rows}


def found(fleet: Fleet, words: Sequence[str]) -> set[Place]:
    """The documents that a role finds that may read every tree."""
    with connected(fleet.dsn) as operator:
        tree = schema.join(operator, "reader", ["all"], replace=True)
        own = tree_dsn(operator, fleet.dsn, tree.role, tree.key)
    with connected(own) as connection:
        rows = connection.execute(
            "SELECT tree, document FROM memtool.best_common_postings(NULL, true, %s::int2[], %s::text[],"
            " %s::float8[], %s, %s::int2[], %s::text[], %s, %s)",
            [*_arguments(words), [0] * len(words), [*words], DOCUMENTS, CHUNKS],
        ).fetchall()
    return {*rows}


@pytest.mark.parametrize("kind", FLEETS)
def test_the_best_documents_are_found_wherever_they_are(fleet, kind):
    documents = fill(fleet, FLEETS[kind](random.Random(kind)))
    for words in (WORDS, WORDS[:2], WORDS[1:2]):
        scores = exact_scores(documents, words)
        ordered = sorted(scores.values(), reverse=True)[:DOCUMENTS]
        places = found(fleet, words)
        assert len(places) == len(ordered)
        mine = sorted((scores[place] for place in places), reverse=True)
        assert mine[:SURE] == pytest.approx(ordered[:SURE])
        if floors_of(fleet, words) is None:
            assert mine == pytest.approx(ordered)


def test_entries_below_the_floors_are_not_read_where_the_best_documents_are_above(fleet):
    documents = fill(fleet, _alike(random.Random(1)))
    scores = exact_scores(documents, WORDS)
    floors = floors_of(fleet, WORDS)
    assert floors is not None
    assert min(floors) > 80
    least = sorted(scores.values(), reverse=True)[SURE - 1]
    best = {place for place, score in scores.items() if score >= least}
    assert best <= found_above(fleet, WORDS, floors)
    # without the best ones, the floors lead to nothing
    assert found_above(fleet, WORDS, [255, 255, 255]) == set()
    fleet.rows("DELETE FROM memtool_data.posting WHERE term = 'kiln' RETURNING 1")
    fleet.rows("UPDATE memtool_data.posting SET best = 90 RETURNING 1")
    assert found_above(fleet, WORDS, floors) == set()


@pytest.mark.parametrize("kind", ["all the same", "few documents"])
def test_there_are_no_floors_where_they_would_not_help(fleet, kind):
    fill(fleet, FLEETS[kind](random.Random(1)))
    assert floors_of(fleet, WORDS) is None
