"""Lines of long-term memory and of USER.md that answer a question which no fact answers."""

from __future__ import annotations

import pytest

from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.verbs.facts.recall import recall
from memtool.verbs.indexing.facts import FactSync
from tests.trees import NOW, make, opened

LINES = (
    "Name: Ada Byrne",
    "Drives a 2014 Skoda",
    "Dentist: Dr Okonjo",
    "Wohnt in Köln",
    "Two kids, Elsa and Tuva",
    "Works at Bosch as an engineer",
    "Allergic to nuts",
    "The kiln is fired to 1240 degrees",
)


def ask(tmp_path, question, *lines, user="", scope=WHOLE_WORKSPACE, category=None):
    memory = "# Long-term memory\n\n" + "".join(f"- {line}\n" for line in lines)
    files = {"MEMORY.md": memory, "memory/core/USER.md": f"# User\n\n{user}\n"}
    workspace = opened(make(tmp_path / "w", files), "native")
    index = FactSync(workspace, b"k" * 32, wait=1.0, embedder=None)
    try:
        hits = recall(workspace, RecallRequest(question, scope, NOW, 5, category), index).hits
        return [(hit.path, hit.line, hit.text) for hit in hits]
    finally:
        index.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's my name?", "Name: Ada Byrne"),
        ("Wie heiße ich?", "Name: Ada Byrne"),
        ("What car do I have?", "Drives a 2014 Skoda"),
        ("Who is my dentist?", "Dentist: Dr Okonjo"),
        ("Wo wohne ich?", "Wohnt in Köln"),
        ("What is my address?", "Wohnt in Köln"),
        ("Do I have children?", "Two kids, Elsa and Tuva"),
        ("What is my job?", "Works at Bosch as an engineer"),
        ("Which food should I avoid?", "Allergic to nuts"),
    ],
)
def test_a_line_answers_by_its_words_and_by_what_its_relation_is_called(tmp_path, question, answer):
    assert [text for _, _, text in ask(tmp_path, question, *LINES)] == [answer]


@pytest.mark.parametrize(
    "question",
    [
        "Who is my landlord?",
        "What is the weather today?",
        "Do you know a good mechanic?",
        "Wann kommt der Zug?",
        "How tall am I?",
    ],
)
def test_a_question_that_no_line_answers_has_no_hit(tmp_path, question):
    assert ask(tmp_path, question, *LINES) == []


@pytest.mark.parametrize("line", ["My wife's name is Ida", "Dog name: Rex", "The name of the boat is Ada"])
def test_the_name_of_another_is_not_the_users(tmp_path, line):
    assert ask(tmp_path, "What's my name?", line) == []


@pytest.mark.parametrize(
    "line", ["My name is Ada", "User's name is Ada", "First name: Ada", "**Name:** Ada", "name: Ada"]
)
def test_the_users_name_answers_however_it_is_written(tmp_path, line):
    assert len(ask(tmp_path, "What's my name?", line)) == 1


def test_a_line_of_the_file_about_the_user_answers_with_its_place(tmp_path):
    hits = ask(tmp_path, "What's my name?", user="**Name:** Ada")
    assert hits == [("memory/core/USER.md", 3, "Name: Ada")]


def test_superseded_lines_and_those_of_others_do_not_answer(tmp_path):
    lines = ("[user:ann] Dentist: Dr Okonjo", "Car: Skoda [superseded: 2025-01-02]")
    bob = Scope(owners=frozenset({"user:bob"}))
    assert ask(tmp_path, "Who is my dentist?", *lines, scope=bob) == []
    assert ask(tmp_path, "Which car do I have?", "**fact**: Car: Skoda [superseded: 2025-01-02]") == []


def test_a_category_limits_the_lines(tmp_path):
    line = "**preference**: I prefer tea over coffee"
    assert ask(tmp_path, "tea or coffee?", line, category="preference")
    assert not ask(tmp_path, "tea or coffee?", line, category="goal")
