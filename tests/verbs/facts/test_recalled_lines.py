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


def texts(tmp_path, question, lines, facts):
    return [text for _, _, text in ask(tmp_path, question, *lines, facts=facts)]


def ask(tmp_path, question, *lines, user="", scope=WHOLE_WORKSPACE, category=None, facts=()):
    memory = "# Long-term memory\n\n" + "".join(f"- {line}\n" for line in lines)
    files = {"MEMORY.md": memory, "memory/core/USER.md": f"# User\n\n{user}\n"}
    stored = "".join(f"- [context] {fact} ^m-{number}\n" for number, fact in enumerate(facts, 1))
    files |= {"memory/semantic/facts.md": f"# Facts\n\n{stored}"} if facts else {}
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


@pytest.mark.parametrize(
    "line",
    [
        "I'm Ada Byrne",
        "**proper_noun**: Hi, I am Ada Byrne, a baker",
        "this is Ada",
        "Ich bin Ada",
        "Soy Ada",
    ],
)
def test_a_line_in_which_the_user_is_introduced_answers(tmp_path, line):
    text = line.replace("**proper_noun**: ", "")
    for question in ("What's my name?", "Who am I?"):
        assert [hit[2] for hit in ask(tmp_path, question, line)] == [text]


@pytest.mark.parametrize("line", ["I'm German", "I'm in Rome", "I'm Ada's brother", "I'm very tall"])
def test_a_line_in_which_somebody_says_what_they_are_is_no_name(tmp_path, line):
    assert ask(tmp_path, "What's my name?", line) == []


def test_a_line_that_holds_more_of_the_question_than_any_fact_answers_before_it(tmp_path):
    lines = ("No phone calls before ten", "I prefer green tea")
    facts = ('User\'s phone IS a Pixel 7 — "My phone is a Pixel 7"', "My sister's name is Ida")
    assert texts(tmp_path, "phone calls", lines, facts) == [lines[0], facts[0]]
    assert texts(tmp_path, "What phone do I have?", lines, facts) == [facts[0]]
    assert texts(tmp_path, "What's my sister's name?", lines, facts) == [facts[1]]
    assert texts(tmp_path, "What's my name?", lines, facts) == []


def test_who_the_user_is_is_answered_by_name_work_and_home(tmp_path):
    facts = (
        'User ALLERGIC_TO nuts — "I\'m allergic to nuts"',
        'User LIVES_IN Leeds — "I live in Leeds"',
        "The kiln is new",
    )
    found = texts(tmp_path, "Who am I?", ("I'm Ada Byrne",), facts)
    assert found == ["I'm Ada Byrne", facts[1], facts[0]]


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


@pytest.mark.parametrize(
    "line",
    [
        "Hi there, I'm Marta Oyelaran and I just moved to Ghent.",
        "Hey all, I'm Marta, a nurse.",
        "Good morning, I'm Marta Oyelaran.",
        "Hiya! I'm Marta and I have a question.",
        "Guten Morgen zusammen, ich bin Marta.",
        "Buenos días, soy Marta.",
        "Bonjour à tous, je suis Marta.",
    ],
)
def test_a_line_introduces_the_user_after_any_greeting(tmp_path, line):
    facts = (
        'User HAS_FAMILY a dog — "We have a dog named Rex."',
        'User STATES my boss is called Ingrid — "x"',
    )
    assert texts(tmp_path, "What am I called?", [line, "The boat is called Ida"], facts) == [line]


@pytest.mark.parametrize(
    "line", ["Hi there, I'm German.", "Hey all, I'm late today.", "Good day, it's Monday."]
)
def test_a_greeting_alone_introduces_nobody(tmp_path, line):
    assert texts(tmp_path, "What's my name again?", [line], ()) == []


FACTS = (
    'User LIVES_IN Antwerp — "I live in Antwerp."',
    'User KNOWS Person:my sister Adaeze — "My sister Adaeze is getting married."',
    'User KNOWS Person:my brother Tunde — "My brother Tunde lives in Toronto."',
    'User\'s mother-in-law LIVES_IN Kortrijk — "My mother-in-law lives in Kortrijk."',
    'User HAS_FAMILY two cats — "I have two cats, Pickle and Mango."',
    'User STATES I cycle to work, a Gazelle called Bertha — "I cycle to work, a Gazelle called Bertha"',
    'User WORKS_AS a nurse — "I work as a nurse at the clinic."',
)


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("Where does my sister live?", []),
        ("Who is my sister?", [1]),
        ("Where does my brother live?", [2]),
        ("Where does my mother live?", []),
        ("Where does my mother-in-law live?", [3]),
        ("Where does Paolo live?", []),
        ("Where does Tunde live?", [2]),
        ("Where do I live?", [0]),
        ("Where does Marta live?", [0]),
        ("What does Marta do for a living?", [6]),
        ("What are my cats called?", [4]),
        ("What are my dogs called?", []),
        ("How do I get to work?", [5]),
        ("What do I do?", [6]),
        ("What is my favourite colour?", []),
    ],
)
def test_a_question_about_one_person_is_not_answered_by_a_fact_about_another(tmp_path, question, numbers):
    lines = ["Hi there, I'm Marta Oyelaran.", "My favourite film is Amelie."]
    assert texts(tmp_path, question, lines, FACTS) == [FACTS[number] for number in numbers]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What am I allergic to?", None),
        ("Where do I work?", None),
        ("Wo wohne ich?", None),
        ("Wie alt bin ich?", None),
        ("Do I have a dog?", 0),
        ("What does my roommate play?", 4),
        ("What does my flatmate play?", 4),
        ("Which languages does my colleague speak?", 5),
        ("Where does my neighbor work?", None),
    ],
)
def test_what_somebody_of_the_users_does_is_not_what_the_user_does(tmp_path, question, answer):
    facts = (
        'User KNOWS Person:my dog Rex — "My dog Rex is allergic to chicken"',
        'User\'s wife WORKS_AT Shell — "My wife works at Shell"',
        'User STATES Mein Bruder wohnt in Hamburg — "Mein Bruder wohnt in Hamburg"',
        'User\'s Mutter OF_AGE 70 — "Meine Mutter ist 70"',
        'User STATES Our flatmate plays drums — "Our flatmate plays drums"',
        'User STATES My coworker Lin speaks Mandarin — "My coworker Lin speaks Mandarin"',
    )
    assert texts(tmp_path, question, (), facts) == ([] if answer is None else [facts[answer]])


def test_who_the_user_is_is_not_answered_by_others_nor_twice(tmp_path):
    facts = (
        'User STATES My name is Ada — "My name is Ada"',
        'User\'s wife WORKS_AT Shell — "My wife works at Shell"',
        'User LIVES_IN Leeds — "I live in Leeds"',
    )
    assert texts(tmp_path, "Who am I?", ("My name is Ada", "🎉", "!!!"), facts) == [facts[0], facts[2]]


def test_a_line_of_marks_alone_answers_nothing(tmp_path):
    assert texts(tmp_path, "What is my name?", ("🎉", "!!!", "I'm Ada Byrne"), ()) == ["I'm Ada Byrne"]


COMMON = (
    'User KNOWS Person:my sister Bisi — "My sister Bisi sings at three on Sundays."',
    'User KNOWS Person:my son Femi — "My son Femi swims on Mondays."',
    'User STATES We got married in 1984 — "We got married in 1984"',
    'User STATES I get the children up at seven — "I get the children up at seven"',
    'User STATES My allotment costs 45 pounds a year — "My allotment costs 45 pounds a year"',
    'User STATES Ich gehe montags schwimmen — "Ich gehe montags schwimmen"',
)
CALLS = "I can't stand phone calls before nine"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("When can people phone me?", [CALLS]),
        ("When can someone phone me?", [CALLS]),
        ("When does a person get a visa?", []),
        ("Who are my people?", [COMMON[0], COMMON[1]]),
        ("When did we get married?", [COMMON[2]]),
        ("When do I get home?", []),
        ("When do I get up?", [COMMON[3]]),
        ("When do I get off?", []),
        ("How much does my car cost?", []),
        ("What does my allotment cost?", [COMMON[4]]),
        ("Wann gehe ich ins Bett?", []),
        ("Wann gehe ich schwimmen?", [COMMON[5]]),
    ],
)
def test_a_word_for_what_many_people_do_is_no_answer_alone(tmp_path, question, answers):
    assert sorted(texts(tmp_path, question, [CALLS], COMMON)) == sorted(answers)


TOLD = (
    "User STATES I was a ship's engineer for years — \"I was a ship's engineer for years\"",
    'User KNOWS Person:my grandson Tobias — "My grandson Tobias just turned five."',
    'User KNOWS Person:my daughter Ronke — "My daughter Ronke is a midwife in Cardiff."',
    'User STATES I sold two bee hives in May — "I sold two bee hives in May"',
    'User ALLERGIC_TO penicillin — "I\'m allergic to penicillin."',
)
HOME = "I live on Agricola Street in Halifax"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What was my job?", [TOLD[0]]),
        ("What did I do for a living?", [TOLD[0]]),
        ("Was war mein Beruf?", [TOLD[0]]),
        ("Which town am I in?", [HOME]),
        ("Where do I live?", [HOME]),
        ("Do I have grandchildren?", [TOLD[1]]),
        ("Who are my grandchildren?", [TOLD[1]]),
        ("Do I have kids?", [TOLD[2]]),
        ("Who are my parents?", []),
        ("Habe ich Enkelkinder?", [TOLD[1]]),
        ("Ai-je des petits-enfants ?", [TOLD[1]]),
    ],
)
def test_a_question_finds_what_the_user_said_in_own_words(tmp_path, question, answers):
    assert texts(tmp_path, question, [HOME], TOLD) == answers


def test_who_the_user_is_begins_with_work_and_home_in_own_words(tmp_path):
    assert texts(tmp_path, "Who am I?", ["I'm Ada Byrne", HOME], TOLD)[:3] == ["I'm Ada Byrne", HOME, TOLD[0]]


@pytest.mark.parametrize(
    ("question", "facts", "answers"),
    [
        ("How much do I owe Al?", ("I owe Al a grand", "Al likes jazz"), [0]),
        ("Where does my aunt live?", ("My aunt lives two streets away", "My aunt is a judge"), [0]),
        ("Where do I work?", ("I work as a baker", "I work at Aldi"), [1]),
        ("How old is my aunt?", ("My aunt lives two streets away", "My aunt is a judge"), []),
        ("How old is Peter?", ("Peter's wife Anna is 40", "Peter is 50"), [1]),
        ("How old is Peter?", ("Peter's wife Anna is 40", "I am 50"), []),
        ("How many kids does Peter have?", ("Peter's children are Ann and Bo", "I have two kids"), [0]),
        ("Wie viel verdiene ich?", ("Ich verdiene den Mindestlohn", "Ich schlafe schlecht"), [0]),
    ],
)
def test_what_has_words_of_a_question_answers_unless_better_is_known(tmp_path, question, facts, answers):
    said = [f'User STATES {fact} — "{fact}"' for fact in facts]
    assert texts(tmp_path, question, (), said) == [said[number] for number in answers]


@pytest.mark.parametrize(
    "line",
    [
        "My Dalmatian is called Pretzel",
        "Mein Dackel heißt Pretzel",
        "Mi perro se llama Pretzel",
        "Mon chien s'appelle Pretzel",
        "The dog's name is Pretzel",
        "Pretzel is my dog",
        "Pretzel ist unser Hund",
    ],
)
def test_a_line_that_says_whose_a_name_is_answers_it_beside_a_fact(tmp_path, line):
    fact = "Pretzel sees the vet on Tuesday"
    assert texts(tmp_path, "Pretzel", [line], [fact]) == [line, fact]
    assert texts(tmp_path, "pretzel", [line], [line]) == [line]  # once


@pytest.mark.parametrize(
    "line",
    [
        "Bought a leash for Pretzel",
        "Pretzel hates cats",
        "My bakery is called Pretzel House",
        "The vet is called Pretzel's friend",
        "Pretzel is my dog's favourite snack",
    ],
)
def test_a_line_that_only_mentions_a_name_does_not_answer_it_beside_a_fact(tmp_path, line):
    fact = "Pretzel sees the vet on Tuesday"
    assert texts(tmp_path, "Pretzel", [line], [fact]) == [fact]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my dog called?", ["My Dalmatian is called Pretzel"]),
        ("Wie heißt mein Hund?", ["My Dalmatian is called Pretzel"]),
        ("What is my cat called?", ["My tabby is called Quill"]),
        ("What is my rabbit called?", []),
    ],
)
def test_a_breed_is_a_kind_of_animal(tmp_path, question, answer):
    lines = ("My Dalmatian is called Pretzel", "My tabby is called Quill", "My boss is called Tarquin")
    assert [text for _, _, text in ask(tmp_path, question, *lines)] == answer
