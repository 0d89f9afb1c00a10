"""The index of facts: what is kept, what is embedded anew, and what is found in which order."""

import numpy as np
import pytest

from memtool.index.engine import BrokenIndex, FileStamp, IndexBusy
from memtool.index.facts.fact_search import FactQuery, recall
from memtool.index.facts.fact_vectors import FactVectors
from memtool.index.facts.facts import FactFile, FactRow, Facts, stems
from memtool.index.opening import open_index
from memtool.index.transcripts.transcripts import Transcripts
from tests.trees import held_elsewhere

KEY = b"k" * 32
STAMP = FileStamp(1, 2, 3, 4, 5, "e")
WORDS = ("cat", "dog", "kiln", "glaze", "city", "tea")


class Axes:
    """An embedder whose vectors count six words; it remembers what it was asked."""

    name = "axes"

    def __init__(self):
        self.asked = []

    def vectors(self, texts):
        self.asked += texts
        rows = np.array([[text.lower().count(word) for word in WORDS] for text in texts], dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)


def rows(*facts):
    return tuple(
        FactRow(number, f"m-{number}", category, owner, text, text)
        for number, (category, owner, text) in enumerate(facts, 1)
    )


def indexed(*facts, embedder=None):
    index = Facts.in_memory()
    index.write([FactFile("a.md", STAMP, rows(*facts))])
    if embedder:
        index.embed(embedder)
    return index


def ask(index, text, embedder=None, limit=5, **more):
    vector = embedder.vectors([text])[0] if embedder else None
    vectors = FactVectors(index, embedder.name) if embedder else None
    question = FactQuery(tuple(stems(text)), limit, vector, **more)
    return [hit.text for hit in recall(index, vectors, question)]


PETS = (("pets", "", "The cat sleeps"), ("pets", "", "The dog barks"), ("studio", "", "The kiln is hot"))


def test_a_changed_file_embeds_only_what_is_new():
    embedder = Axes()
    index = indexed(*PETS, embedder=embedder)
    embedder.asked.clear()
    index.write([FactFile("a.md", STAMP, rows(PETS[1], PETS[0], ("studio", "", "A new glaze")))])
    index.embed(embedder)
    assert embedder.asked == ["A new glaze"]
    assert [index.lines_of(f"m-{n}") for n in (1, 2)] == [[("a.md", 1)], [("a.md", 2)]]
    assert ask(index, "kiln") == []
    assert ask(index, "which glaze", embedder) == ["A new glaze"]


def test_a_file_that_is_gone_takes_its_facts_and_vectors_along():
    embedder = Axes()
    index = indexed(*PETS, embedder=embedder)
    index.write(gone=["a.md"])
    assert (index.count(), index.stamps()) == (0, {})
    assert index.select("SELECT count(*) FROM vector", ()) == [(0,)]
    assert ask(index, "cat", embedder) == []


def test_words_find_a_fact_without_vectors_and_the_rarer_word_counts_more():
    index = indexed(*PETS, ("pets", "", "The cat and the dog play"))
    assert ask(index, "cats") == ["The cat and the dog play", "The cat sleeps"]
    assert ask(index, "does the cat bark")[0] == "The dog barks"
    assert ask(index, "volcano") == []


def test_a_vector_finds_what_no_word_does_and_nonsense_finds_nothing():
    embedder = Axes()
    index = indexed(*PETS, embedder=embedder)
    question = FactQuery(("pussy",), 5, embedder.vectors(["cat"])[0])
    found = recall(index, FactVectors(index, "axes"), question)
    assert [(hit.text, hit.words) for hit in found] == [("The cat sleeps", 0.0)]
    assert ask(index, "tea", embedder) == []


def test_a_fact_of_a_far_category_is_found_when_it_alone_holds_the_question():
    near = [(f"c{n}", "", f"cat dog kiln {n}") for n in range(3) for _ in range(3)]
    embedder = Axes()
    index = indexed(*near, ("far", "", "Whiskerino and a city"), embedder=embedder)
    assert (
        ask(index, "cat dog kiln Whiskerino", embedder, limit=2)[0] != ask(index, "Whiskerino", embedder)[0]
    )
    assert "Whiskerino and a city" in ask(index, "dog Whiskerino", embedder, limit=10)
    assert ask(index, "Whiskerino", embedder, limit=1) == ["Whiskerino and a city"]


def test_three_categories_are_enough_where_they_hold_enough():
    facts = [(f"c{n}", "", f"{word} {word} thing {n}") for n, word in enumerate(WORDS[:5]) for _ in range(2)]
    embedder = Axes()
    index = indexed(*facts, embedder=embedder)
    assert ask(index, "cat", embedder, limit=2) == ["cat cat thing 0"] * 2


def test_a_category_and_owners_are_kept_to():
    embedder = Axes()
    facts = (*PETS, ("pets", "user:ann", "The cat of Ann"), ("pets", "user:bob", "The cat of Bob"))
    index = indexed(*facts, embedder=embedder)
    for one in (None, embedder):
        assert ask(index, "cat kiln", one, category="studio") == ["The kiln is hot"]
        found = ask(index, "cat", one, owners=frozenset({"", "user:ann"}))
        assert sorted(found) == ["The cat of Ann", "The cat sleeps"]


def test_salience_orders_what_answers_about_equally_well_and_nothing_else():
    index = indexed(("pets", "", "cat one"), ("pets", "", "cat two"), ("pets", "", "a dog"))
    assert ask(index, "cat") == ["cat two", "cat one"]
    assert ask(index, "cat", salience={"m-2": 2.0, "m-3": 10.0}) == ["cat two", "cat one"]
    assert ask(index, "cat one", salience={"m-2": 10.0, "m-3": 10.0}) == ["cat one"]


ALIKE = tuple(("net", "", f"The port of service {name} is {port}") for port, name in enumerate(WORDS, 8101))


@pytest.mark.parametrize("embedder", [None, Axes()])
def test_of_like_facts_only_the_one_that_was_asked_for_answers(embedder):
    index = indexed(*ALIKE, embedder=embedder)
    others = {f"m-{number}": 10.0 for number in range(1, 7)}
    for number, (_, _, text) in enumerate(ALIKE, 1):
        less = {**others, f"m-{number}": 0.01}
        assert ask(index, f"port of service {WORDS[number - 1]}", embedder, salience=less) == [text]
        assert ask(index, f"which service has {8100 + number}?", embedder, salience=less) == [text]


def test_a_question_about_several_things_gets_an_answer_for_each():
    index = indexed(*PETS, ("studio", "", "Glazes and kilns are expensive"))
    assert sorted(ask(index, "Does the dog bark when the cat sleeps?")) == ["The cat sleeps", "The dog barks"]


def test_a_fact_about_a_name_outweighs_one_that_mentions_it():
    index = indexed(("net", "", "Redis, cache: one node"), ("net", "", "Sessions are stored in Redis"))
    assert ask(index, "what about redis") == ["Redis, cache: one node"]
    assert ask(index, "redis sessions") == ["Sessions are stored in Redis"]


def test_each_name_of_a_question_is_answered_by_the_best_fact_about_it_and_no_part_of_a_name():
    index = indexed(
        ("net", "", "Redis, cache: one node"),
        ("net", "", "Session backend: login depends on Redis, and fails when Redis is down"),
        ("pets", "", "Dog name: Rex"),
        ("home", "", "Name: Ann"),
    )
    found = ask(index, "Redis session backend dependency graph")
    assert sorted(found) == [
        "Redis, cache: one node",
        "Session backend: login depends on Redis, and fails when Redis is down",
    ]
    assert ask(index, "what is the dog name?") == ["Dog name: Rex"]


def test_a_common_word_of_a_longer_question_is_no_answer():
    index = indexed(*PETS, ("home", "", "The house is hot in June"))
    assert ask(index, "hot") == ["The house is hot in June", "The kiln is hot"]
    assert ask(index, "explain the gradient descent optimiser on a hot loop of matrices") == []


def test_words_side_by_side_outweigh_the_same_words_apart():
    rooms = [("rooms", "", f"Meeting room {number} seats {number + 4} people") for number in range(1, 10)]
    index = indexed(*rooms)
    for number in (5, 6, 7, 8, 9):
        assert ask(index, f"how many people fit in room {number}") == [rooms[number - 1][2]]


@pytest.mark.parametrize("query", ["Whiskrino", "Whiskernio", "Whiskerinno", "WHISKERINA"])
def test_a_word_that_no_fact_holds_is_taken_for_one_that_is_an_edit_away(query):
    index = indexed(*PETS, ("pets", "", "The parrot is called Whiskerino"))
    question = FactQuery(tuple(stems(query)), 5, text=query)
    assert [hit.text for hit in recall(index, None, question)] == ["The parrot is called Whiskerino"]


@pytest.mark.parametrize("query", ["kite", "bat", "keln", "Xhiskerino", "Wiskerino", "whiskeno"])
def test_another_word_is_no_misspelling(query):
    index = indexed(*PETS, ("pets", "", "The parrot is called Whiskerino"))
    question = FactQuery(tuple(stems(query)), 5, text=query)
    assert recall(index, None, question) == []


def test_the_score_is_seven_parts_vector_and_three_parts_words():
    embedder = Axes()
    index = indexed(("pets", "", "cat cat dog"), ("pets", "", "cat tea"), embedder=embedder)
    question = FactQuery(("dog", "cat"), 5, embedder.vectors(["cat dog"])[0], every=True)
    first, second = recall(index, FactVectors(index, "axes"), question)
    assert first.score == pytest.approx(1.0, abs=1e-3)
    ratio = second.similarity / first.similarity
    assert second.score == pytest.approx(0.7 * ratio + 0.3 * second.words / first.words, abs=1e-3)


def test_an_index_on_disk_is_read_again_and_a_strange_one_is_not(tmp_path):
    folder = str(tmp_path / "facts")
    index = open_index(Facts, folder, KEY)
    assert index.why_empty is None
    with index.writing():
        index.write([FactFile("a.md", STAMP, rows(*PETS))])
    index.close()
    again = open_index(Facts, folder, KEY, writes=False)
    assert (again.count(), again.why_empty) == (3, None)
    again.close()
    with (tmp_path / "facts" / Facts.marker).open("ab") as file:
        file.write(b"x")
    with pytest.raises(BrokenIndex):
        open_index(Facts, folder, KEY, writes=False)
    empty = open_index(Facts, folder, KEY)
    assert empty.count() == 0
    assert "changed by another program" in empty.why_empty
    empty.close()


def test_garbage_is_a_broken_index(tmp_path):
    (tmp_path / Facts.marker).write_bytes(b"no database" * 100)
    with pytest.raises(BrokenIndex):
        Facts(str(tmp_path / Facts.marker)).count()


def test_nobody_waits_for_an_embedder(tmp_path):
    folder = tmp_path / "facts"

    class Slow(Axes):
        def vectors(self, texts):
            with held_elsewhere(folder):
                return super().vectors(texts)

    index = open_index(Facts, str(folder), KEY, wait=0.0)
    with index.writing():
        index.write([FactFile("a.md", STAMP, rows(*PETS))])
    index.embed(Slow())
    assert not index.lacks("axes")
    index.close()


@pytest.mark.parametrize(
    ("kind", "subject"), [(Facts, "the index of facts"), (Transcripts, "the index of transcripts")]
)
def test_an_index_that_another_writer_holds_is_named(tmp_path, kind, subject):
    kind(str(tmp_path / kind.marker)).make()
    holder, reader = (kind(str(tmp_path / kind.marker)) for _ in range(2))
    holder.db.execute("BEGIN EXCLUSIVE")
    reader.db.set_busy_timeout(0)
    with pytest.raises(
        IndexBusy, match=f"^{subject} was locked by another memtool process for longer than 5 s"
    ):
        reader.count()
    reader.close()
    holder.close()
