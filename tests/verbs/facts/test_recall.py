"""Recall in use: like facts asked for in turn, accesses, and questions that no fact answers."""

import re

import numpy as np
import pytest

from memtool.core.records.entries import Owner
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.verbs.facts.facts import forget_facts, list_facts
from memtool.verbs.facts.recall import recall
from memtool.verbs.facts.save import save
from memtool.verbs.indexing.facts import FactSync
from tests.trees import NOW, make, opened

KEY = b"k" * 32
NAMES = re.findall(
    r"\w+",
    """he alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau
    upsilon phi chi psi omega aleph bet gimel dalet vav zayin het tet yod kaf lamed mem nun samekh ayin""",
)
CITIES = re.findall(
    r"\w+",
    """Paris Berlin Rome Madrid Lisbon Vienna Prague Warsaw Oslo Helsinki Dublin Athens Sofia Bucharest
    Budapest Zagreb Belgrade Tallinn Riga Vilnius Kyiv Minsk Tunis Cairo Lagos Nairobi Accra Dakar Lima Quito
    Bogota Havana Santiago Tokyo Seoul Hanoi Manila Delhi Lahore Tashkent""",
)
NUMBERS = range(40)
LIKE_FACTS = {
    "ports": ("The port of service {name} is 81{number:02}", "port of service {name}"),
    "numbers": ("The port of service {name} is 81{number:02}", "which service listens on 81{number:02}?"),
    "rooms": ("Meeting room {number} seats {more} people", "how many people fit in room {number}"),
    "versions": ("Package lib-{number} is pinned at 2.{number}.1", "which version of lib-{number}"),
    "addresses": ("Host {name} has the address 10.0.{number}.{more}", "who has 10.0.{number}.{more}"),
    "dates": ("Release {name} is due on 2026-{day[0]}-{day[1]}", "what is due on 2026-{day[0]}-{day[1]}"),
    "cities": ("{name} has an office in {city}", "Who has an office in {city}?"),
    "russian": ("Порт сервиса {name} это 81{number:02}", "какой порт у сервиса {name}"),
    "chinese": ("{city}的端口是81{number:02}", "{city}的端口是多少"),
}


class Letters:
    """An embedder whose vectors count letters, so that like sentences have nearly one vector."""

    name = "letters"
    kind = "command"

    def vectors(self, texts):
        rows = np.array([np.bincount([ord(c) % 64 for c in text], minlength=64) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def query_vectors(self, texts):
        return self.vectors(texts)


@pytest.fixture
def empty(tmp_path):
    return opened(make(tmp_path / "w", {}), "native")


def index_of(workspace, embedder=None):
    return FactSync(workspace, KEY, wait=1.0, embedder=embedder)


def hits(workspace, query, index, scope=WHOLE_WORKSPACE, limit=5):
    return recall(workspace, RecallRequest(query, scope, NOW, limit), index).hits


def accesses(workspace):
    return {fact.fact.text: fact.counts.accesses for fact in list_facts(workspace, NOW, [])}


def fill(text, number):
    day = f"{number % 12 + 1:02}", f"{number % 28 + 1:02}"
    return text.format(name=NAMES[number], city=CITIES[number], number=number, more=number + 4, day=day)


@pytest.mark.parametrize("embedder", [None, Letters()], ids=["words", "vectors"])
@pytest.mark.parametrize(("fact", "question"), LIKE_FACTS.values(), ids=[*LIKE_FACTS])
def test_each_of_forty_like_facts_comes_first_however_often_others_were_asked_for(
    empty, tmp_path, embedder, fact, question
):
    facts = [fill(fact, number) for number in NUMBERS]
    lines = [f"- [context] {text} ^m-{number}" for number, text in enumerate(facts)]
    make(tmp_path / "w", {"memory/semantic/facts.md": "\n".join(lines) + "\n"})
    index = index_of(empty, embedder)
    for _ in range(2):
        first = [hits(empty, fill(question, number), index)[0].text for number in NUMBERS]
        assert first == facts
    index.close()
    assert min(accesses(empty).values()) >= 2


def test_only_facts_that_answer_count_as_accessed(empty):
    index = index_of(empty)
    for name in NAMES[:10]:
        save(empty, f"The port of service {name} is closed", index, at=NOW, owner=None)
    assert len(hits(empty, "port of service beta", index, limit=10)) == 1
    assert {text for text, count in accesses(empty).items() if count} == {
        "The port of service beta is closed"
    }


def test_a_question_that_no_fact_answers_finds_and_counts_nothing(empty):
    index = index_of(empty)
    save(empty, "My cat's name is Whiskerino", index, at=NOW, owner=None)
    save(empty, "I run 10 km every Sunday", index, at=NOW, owner=None)
    questions = "What is the capital of Mongolia?", "thanks, looks good", "xyzzy"
    for question in (*questions, "how do I run a linter over this package and its modules"):
        assert hits(empty, question, index) == ()
    assert {*accesses(empty).values()} == {0}


def test_the_name_of_a_relation_is_no_answer_by_itself_unless_it_is_all_that_is_asked(empty, tmp_path):
    facts = (
        'User KNOWS Person:Ann — "My sister Ann plays the cello."',
        'Bob STATES taxes are too high — "Bob says so."',
        "User LIVES_IN Bergen",
    )
    make(tmp_path / "w", {"memory/semantic/facts.md": "".join(f"- [context] {fact}\n" for fact in facts)})
    index = index_of(empty)
    for question in ("do you know a good restaurant", "he states his name", "which animals live in trees"):
        assert hits(empty, question, index) == ()
    questions = "who do I know", "which taxes are high", "where do I live", "where in Bergen do I live"
    assert [hit.text for question in questions for hit in hits(empty, question, index)] == [*facts, facts[2]]


def test_what_was_superseded_or_forgotten_is_never_recalled(empty):
    index = index_of(empty)
    for tool in ("TSLint", "ESLint", "Biome"):
        saved = save(empty, f"Uses {tool} for linting", index, at=NOW, owner=None, key="linter")
    assert [hit.text for hit in hits(empty, "ESLint or TSLint linting?", index)] == ["Uses Biome for linting"]
    assert hits(empty, "TSLint", index) == ()
    forget_facts(empty, [saved.id], NOW.date(), purge=False)
    assert hits(empty, "Biome", index) == ()


def test_a_key_and_its_names_find_a_fact_of_its_owner_and_of_no_other(empty):
    index = index_of(empty)
    ann, bob = Owner("user", "ann"), Owner("user", "bob")
    save(empty, "Redis, cache: rate limits on one node", index, at=NOW, owner=ann, key="redis_cache")
    save(empty, "Redis: a pianist in the novel", index, at=NOW, owner=bob, key="redis_character")
    for query in ("What about Redis?", "REDIS", "reddis", "redis cache"):
        (hit,) = hits(empty, query, index, Scope(owners=frozenset({"user:ann"})))
        assert re.match("Redis, cache", hit.text)


RELATIONS = (
    'User WORKS_AS a nurse — "I\'m a nurse"',
    'User\'s brother WORKS_AS a plumber — "My brother works as a plumber in Leeds"',
    'User WAS_BORN 12 May 1990 — "I was born on 12 May 1990"',
    'User HAS_FAMILY two cats — "We have two cats"',
    'User KNOWS my wife Sofia — "My wife Sofia teaches maths"',
    'User LIVES_IN Ghent — "I moved to Ghent"',
    'User\'s mother LIVES_IN Oslo — "My mother lives in Oslo"',
    'User STATES I take metformin for my diabetes — "I take metformin for my diabetes"',
    'User STATES The kiln is in the shed — "The kiln is in the shed"',
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What is my job?", 0),
        ("what is my current profession", 0),
        ("What do I do for a living?", 0),
        ("Was ist mein Beruf?", 0),
        ("what is my brother's job", 1),
        ("when is my birthday", 2),
        ("do I have any pets?", 3),
        ("¿tengo mascotas?", 3),
        ("tenho animais?", 3),
        ("am I married?", 4),
        ("what's my address", 5),
        ("where do my parents live", 6),
        ("which medication am I on", 7),
    ],
)
def test_a_question_finds_a_fact_by_what_its_relation_is_called(tmp_path, question, number):
    lines = [f"- [context] {text} ^m-{number}" for number, text in enumerate(RELATIONS)]
    workspace = opened(make(tmp_path / "w", {"memory/semantic/facts.md": "\n".join(lines) + "\n"}), "native")
    assert hits(workspace, question, index_of(workspace))[0].text == RELATIONS[number]


@pytest.mark.parametrize("question", ["where do I work", "what is my job"])
def test_the_job_of_somebody_else_does_not_answer_a_question_about_the_users(tmp_path, question):
    make(tmp_path / "w", {"memory/semantic/facts.md": f"- [context] {RELATIONS[1]} ^m-1\n"})
    workspace = opened(tmp_path / "w", "native")
    assert hits(workspace, question, index_of(workspace)) == ()


@pytest.mark.parametrize("question", ["how to write a job description", "beit", "do data frames have an age"])
def test_what_a_relation_is_called_answers_no_question_that_is_not_about_the_user(tmp_path, question):
    lines = [f"- [context] {text} ^m-{number}" for number, text in enumerate(RELATIONS)]
    workspace = opened(make(tmp_path / "w", {"memory/semantic/facts.md": "\n".join(lines) + "\n"}), "native")
    assert hits(workspace, question, index_of(workspace)) == ()
