"""The profile of a user: which facts are in every prompt, in which order."""

from __future__ import annotations

import pytest

from memtool.core.capture.statement_model import lasting_odds
from memtool.core.context.profile import profile_statements
from memtool.core.text.health_words import affects_advice
from memtool.formats import semantic

FACTS = """# Facts

- [context] User USES pnpm — "we use pnpm" ^m-1
- [context] User LIVES_IN Oslo — "I live in Oslo" ^m-2
- [context] [superseded: 2025-01-02 by ^m-4] User WORKS_AS a cook — "I work as a cook" ^m-3
- [context] User WORKS_AS a baker — "I work as a baker" ^m-4
- [context] User ALLERGIC_TO walnuts — "I'm allergic to walnuts" ^m-5
- [trigger] User HAS_TRAIT afraid of lifts — "I'm afraid of lifts" ^m-6
- [context] User WORRIES_ABOUT work — "my boss is terrible" ^m-7
- [relationship] User KNOWS Person:my sister Dana — "my sister Dana lives in Bergen" ^m-8
- [relationship] User's sister LIVES_IN Bergen — "my sister Dana lives in Bergen" ^m-9
- [context] The evening class fires on Wednesdays ^m-11
- [context] Dana LIVES_IN Bergen — "Dana lives in Bergen" ^m-12
"""


def statements(text=FACTS, others=""):
    return profile_statements(semantic.records(semantic.parse(text)), others, lasting_odds).shown


@pytest.mark.parametrize("text", ["User has a dog", "The user drives a Skoda", "User's dog is Rex", "I sing"])
def test_a_saved_sentence_about_the_user_is_in_the_profile(text):
    assert statements(f"# Facts\n\n- [context] {text} ^m-1\n") == [text]


@pytest.mark.parametrize(
    "text",
    ["User interface text is German", "User stories are in Jira", "User accounts need a second factor"],
)
def test_a_saved_sentence_about_what_is_named_after_users_is_not(text):
    assert statements(f"# Facts\n\n- [context] {text} ^m-1\n") == []


@pytest.mark.parametrize(
    "fact", ['User STATES {0} — "{0}"', 'User KNOWS Person:my sister Dana — "{0}"', "{0}"]
)
def test_what_only_leads_to_a_statement_is_no_part_of_it(fact):
    said = "By the way, my sister Dana sings"
    assert statements(f"# Facts\n\n- [context] {fact.format(said)} ^m-1\n") == ["My sister Dana sings"]


def test_what_harms_if_it_is_not_known_comes_first_and_newer_before_older():
    assert statements() == [
        "I'm allergic to walnuts",
        "my sister Dana lives in Bergen",
        "I work as a baker",
        "I live in Oslo",
        "we use pnpm",
    ]


def test_what_no_longer_holds_worries_and_what_is_said_of_others_are_left_out():
    text = "\n".join(statements())
    assert "cook" not in text
    assert "lifts" not in text
    assert "boss" not in text
    assert "evening class" not in text


def test_a_saved_sentence_is_of_the_profile_if_it_is_about_the_user():
    saved = [
        "I'm diabetic",
        "Mein Vermieter heißt Pratchett",
        "The user's daughter is called Ida",
        "User drives a Skoda",
        "The deploy key is rotated every month",
        "Users log in with a passkey",
        "Timur plays chess",
    ]
    text = "# Facts\n\n" + "".join(f"- [context] {each} ^m-{n}\n" for n, each in enumerate(saved))
    assert statements(text) == ["I'm diabetic", *saved[3:0:-1]]
    assert statements(text.replace("[context]", "[loss]")) == []


def test_a_statement_is_one_short_line():
    long = f'- [context] User IS tall — "{"very " * 100}tall"'
    (statement,) = statements(long)
    assert len(statement) <= 160
    assert "\n" not in statement


def test_what_another_section_says_is_not_said_again():
    assert "I live in Oslo" not in statements(others="- **remember**: I live in  oslo, near the park")


def test_health_comes_first_whatever_the_predicate_is():
    said = "peanuts put me in hospital, I have an epipen"
    assert statements(f'{FACTS}- [context] User STATES {said} — "{said}" ^m-13\n')[0] == said


def test_of_a_corrected_sentence_the_corrected_one_is_said():
    text = '- [context] User STATES been off cigarettes since 2021 — "No, it\'s since 2021, not 2019" ^m-1\n'
    assert statements(text) == ["been off cigarettes since 2021"]


def test_a_profile_is_short_and_counts_what_it_leaves_out():
    text = "".join(
        f'- [context] User USES tool{number} — "we use tool{number}" ^m-{number}\n' for number in range(130)
    )
    shown, more, _ = profile_statements(semantic.records(semantic.parse(text)))
    assert (len(shown), more) == (120, 10)
    assert shown[0] == "we use tool129"


def test_of_many_whole_sentences_those_that_surely_last_come_first():
    sentences = [f"there are {number} files in the box" for number in range(60)]
    sentences.insert(5, "I've been a night nurse at the children's hospital for eleven years")
    rows = (f'User STATES {said} — "{said}" ^m-{number}' for number, said in enumerate(sentences))
    text = "".join(f"- [context] {row}\n" for row in rows)
    assert statements(text)[0] == sentences[5]
    few = "".join(text.splitlines(keepends=True)[:20])
    assert statements(few)[0] == sentences[19]


@pytest.mark.parametrize(
    "text",
    [
        "doc put me on lisinopril 10 mg two weeks ago",
        "nehme jeden Morgen Levothyroxin",
        "I tore my meniscus, so no running for a year",
        "flickering lights set off my migraines",
        "у меня гипертония",
        "我有高血压",
    ],
)
def test_what_advice_must_not_ignore_comes_first(text):
    later = "".join(
        f'- [context] User LIVES_IN Town{number} — "I live in Town{number}" ^m-1{number}\n'
        for number in (1, 2)
    )
    assert statements(f'- [context] User STATES {text} — "{text}" ^m-2\n{later}')[0] == text


@pytest.mark.parametrize(
    "text", ["our kiln is April's", "the umbrella policy is new", "I like the renaissance"]
)
def test_other_words_are_none_of_health(text):
    assert not affects_advice(text)


def test_what_a_newer_statement_says_of_the_same_stands_before_it():
    told = '- [context] User WORKS_AS a tram driver — "I drive trams, on the early shift" ^m-1\n'
    other = '- [context] User LIVES_IN Oslo — "I live in Oslo" ^m-2\n'
    news = '- [context] User STATES not the early shift now — "not the early shift now" ^m-3\n'
    profile = profile_statements(semantic.records(semantic.parse(f"# Facts\n\n{told}{other}{news}")))
    assert profile.shown == ["I live in Oslo", "not the early shift now", "I drive trams, on the early shift"]
    assert [*profile.newest_first.values()] == ["m-3", "m-2", "m-1"]
