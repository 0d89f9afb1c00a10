"""Statements: what a message says about its user that lasts, and what it does not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.circumstances import read_circumstances
from memtool.core.capture.languages.circumstance_signs import STATEMENT_SIGNS
from memtool.core.capture.life_forms import LIFE_FORMS
from memtool.core.capture.possession_forms import POSSESSION_FORMS
from memtool.core.capture.self_forms import SELF_FORMS
from memtool.core.capture.statements import MAX_STATEMENTS, statements, whole_claim
from memtool.core.capture.translated_statements import language_forms
from memtool.core.facts.policy import build_policy
from memtool.core.text.sentences import split_sentences
from memtool.layouts.policy import policy_tables

POLICY = build_policy(policy_tables())


def matched(text):
    """The statements that rows of the grammar match, and not those that only the statement model takes."""
    return [statement for statement, _ in read_circumstances(text).statements if not statement.is_whole]


def claims(text):
    found = (statement.claim for statement in matched(text))
    return [(claim.subject, claim.predicate, claim.object) for claim in found]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I live in a small town near Ghent.", ("User", "LIVES_IN", "a small town near Ghent")),
        ("By the way, I moved to Berlin last month.", ("User", "LIVES_IN", "Berlin")),
        ("I live in Oslo, what's the weather like?", ("User", "LIVES_IN", "Oslo")),
        ("I forgot to tell you that I live in Bremen", ("User", "LIVES_IN", "Bremen")),
        ("We moved back to Berlin yesterday", ("User", "LIVES_IN", "Berlin")),
        ("I live in St. Louis these days.", ("User", "LIVES_IN", "St. Louis")),
        ("I live in St. Paul. It is nice", ("User", "LIVES_IN", "St. Paul")),
        ("My boss is called Dr. Karin Holm", ("User", "KNOWS", "Person:my boss Dr. Karin Holm")),
        ("My dentist is Dr. Baptiste now.", ("User", "KNOWS", "Person:my dentist Dr. Baptiste")),
        ("My doctor's name is now Dr. Ray", ("User", "KNOWS", "Person:my doctor Dr. Ray")),
        ("My sister is a nurse these days", ("User's sister", "IS", "a nurse")),
        ("My son is 5 now", ("User's son", "OF_AGE", "5")),
        ("My sister now lives in Rome", ("User's sister", "LIVES_IN", "Rome")),
        ("Actually I'm vegan now", ("User", "HAS_TRAIT", "vegan")),
        ("I work as a potter", ("User", "WORKS_AS", "a potter")),
        ("I’m a software engineer with ten years of experience", ("User", "WORKS_AS", "a software engineer")),
        ("I'm the CTO of Acme", ("User", "WORKS_AS", "the CTO of Acme")),
        ("I'm a director of Acme", ("User", "WORKS_AS", "a director of Acme")),
        ("I'm studying Law", ("User", "STUDIES", "Law")),
        ("I am studying Law", ("User", "STUDIES", "Law")),
        ("I was born on May 12, 1990.", ("User", "WAS_BORN", "May 12, 1990")),
        ("I was born on 12 May 1990 in Lagos.", ("User", "WAS_BORN", "12 May 1990")),
        ("I am 1.80 m tall", ("User", "HAS_HEIGHT", "1.80 m")),
        ("I'm moving to Lisbon", ("User", "PLANS", "moving to Lisbon")),
        (
            "I'm allergic to peanuts, shellfish and cats, so be careful",
            ("User", "ALLERGIC_TO", "peanuts, shellfish and cats"),
        ),
        ("my birthday is March 3", ("User's birthday", "IS", "March 3")),
        ("my budget is $2,500", ("User's budget", "IS", "$2,500")),
        ("I have two kids", ("User", "HAS_FAMILY", "two kids")),
        ("I'm learning Portuguese", ("User", "LEARNS", "Portuguese")),
        ("I use Neovim", ("User", "USES", "Neovim")),
        ("we switched from MySQL to PostgreSQL 16", ("User", "USES", "PostgreSQL 16")),
        ("My favourite colour is teal.", ("User's favourite colour", "IS", "teal")),
        ("My dog is called Rex", ("User", "KNOWS", "Person:my dog Rex")),
        ("my manager's name is Priya", ("User", "KNOWS", "Person:my manager Priya")),
        ("my daughter is 7", ("User's daughter", "OF_AGE", "7")),
        ("Our backend is written in Go", ("User's backend", "IS", "Go")),
        ("I speak Uzbek and Russian", ("User", "SPEAKS", "Uzbek and Russian")),
        ("My bike has 28 inch wheels.", ("User", "STATES", "My bike has 28 inch wheels")),
        ("Our cat Nemo only eats wet food", ("User", "STATES", "Our cat Nemo only eats wet food")),
        ("My uncle had a stroke last year, sadly", ("User", "STATES", "My uncle had a stroke last year")),
        ("btw my car is a 2014 Corolla", ("User", "STATES", "my car is a 2014 Corolla")),
        ("My balcony faces north, what grows there?", ("User", "STATES", "My balcony faces north")),
        ("My grandmother turns 90 in October", ("User", "STATES", "My grandmother turns 90 in October")),
        ("I collect vinyl records", ("User", "DOES", "collect vinyl records")),
        ("I go to therapy on Thursdays.", ("User", "DOES", "go to therapy on Thursdays")),
        ("I work night shifts at the moment", ("User", "DOES", "work night shifts at the moment")),
        ("I work nights", ("User", "DOES", "work nights")),
        ("I'm allergic to penicillin by the way", ("User", "ALLERGIC_TO", "penicillin")),
        ("I'm allergic to cats, just so you know", ("User", "ALLERGIC_TO", "cats")),
        ("I live in Bergen, actually", ("User", "LIVES_IN", "Bergen")),
        ("Ich bin allergisch gegen Nüsse übrigens", ("User", "ALLERGIC_TO", "Nüsse")),
        ("Soy alérgica al polen por cierto", ("User", "ALLERGIC_TO", "polen")),
        ("I use Linux on my laptop", ("User", "USES", "Linux")),
        ("I'm learning Spanish for our trip to Peru", ("User", "LEARNS", "Spanish")),
        (
            "I'm a research and development engineer",
            ("User", "WORKS_AS", "a research and development engineer"),
        ),
        ("My favourite film is Love Actually", ("User's favourite film", "IS", "Love Actually")),
        ("I drink coffee again", ("User", "DOES", "drink coffee")),
        ("I take blood pressure medication", ("User", "TAKES", "blood pressure medication")),
        ("I use a standing desk", ("User", "USES", "a standing desk")),
    ],
)
def test_a_lasting_statement_is_a_claim(text, claim):
    assert claims(text) == [claim]


@pytest.mark.parametrize(
    "text",
    [
        "I'm moving to the next step",
        "I'm moving to Docker",
        "I'm expecting a call",
        "I'm tired",
        "I'm getting an error",
        "I'm working on fixing the login",
        "I have an error in my code",
        "If I live in Berlin, do I pay tax?",
        "Imagine I work at NASA",
        "She said I live in Rome",
        "Do I live in Berlin?",
        "I live in Berlin?",
        "my code is broken",
        "My laptop has stopped working",
        "My car has a flat tyre",
        "My daughter has a fever",
        "My team has been waiting for weeks",
        "My boss has a meeting with me tomorrow",
        "my company has to migrate by June",
        "My phone is about to die",
        "My house is a mess",
        "My function takes two arguments",
        "In my story, my brother has a sword",
        "If my car has winter tyres, am I insured?",
        "I keep getting an error",
        "I write a function that returns None",
        "I run the tests every time",
        "I take the first element",
        "I go to the next step every time",
        "I use a loop",
        "my API is slow",
        "I moved to the next section",
        "Write a letter: I live in Paris",
        "I don't live in Berlin",
        "I'm not vegan",
        "I use this function",
        "I'm using Flask 2.3",
        "I'd like to say I live in Berlin",
        "My husband is abusive",
        "I want my sister to call",
        "```\nI live in Berlin\n```",
        "> I live in Berlin",
        'He wrote "I live in Berlin" on the wall',
        "I'm a big fan of jazz",
        "our tests are red",
        "Can you help me write a bio where I work at Google",
    ],
)
def test_what_passes_or_is_doubted_is_none(text):
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("Ich wohne in Berlin.", "LIVES_IN", "Berlin"),
        ("Hallo, ich bin Vegetarier", "HAS_TRAIT", "Vegetarier"),
        ("Vivo en Madrid", "LIVES_IN", "Madrid"),
        ("Je suis allergique aux arachides", "ALLERGIC_TO", "arachides"),
        ("Moro em Lisboa", "LIVES_IN", "Lisboa"),
        ("У меня аллергия на орехи", "ALLERGIC_TO", "орехи"),
        ("İstanbul'da yaşıyorum", "LIVES_IN", "İstanbul"),
        ("Men Toshkentda yashayman", "LIVES_IN", "Toshkent"),
        ("我住在北京", "LIVES_IN", "北京"),
        ("東京に住んでいます", "LIVES_IN", "東京"),
    ],
)
def test_other_languages_state_where_the_user_lives_and_what_he_eats(text, predicate, value):
    assert claims(text) == [("User", predicate, value)]


@pytest.mark.parametrize(
    "text",
    ["No vivo en Madrid", "Ich wohne nicht in Berlin", "Wohne ich in Berlin?", "Er sagt, er wohnt in Ulm"],
)
def test_other_languages_deny_and_ask(text):
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "I am a vegetarian and my dentist is Dr. Okafor",
            [("User", "HAS_TRAIT", "a vegetarian"), ("User", "KNOWS", "Person:my dentist Dr. Okafor")],
        ),
        (
            "I'm a nurse but my wife is a doctor",
            [("User", "WORKS_AS", "a nurse"), ("User's wife", "IS", "a doctor")],
        ),
        (
            "I'm a Christian and my brother is a baker",
            [("User", "HAS_TRAIT", "a Christian"), ("User's brother", "IS", "a baker")],
        ),
        ("I'm a mother and my son is a chef", [("User's son", "IS", "a chef")]),
    ],
)
def test_a_job_does_not_begin_in_another_clause(text, found):
    assert claims(text) == found


def test_several_statements_of_a_sentence_and_their_spans():
    text = "Hi! I'm 44 and I live in Port Michael, Montserrat, and I work as a colour technologist."
    found = read_circumstances(text).statements
    assert [statement.claim.predicate for statement, _ in found] == ["HAS_AGE", "LIVES_IN", "WORKS_AS"]
    assert [text[start:end] for _, (start, end) in found][1] == "I live in Port Michael, Montserrat"


def test_a_text_about_somebody_is_no_statement_of_the_user():
    cities = ("Rome", "Oslo", "Bonn", "Lyon", "Riga", "Kyiv", "Cork")
    assert len(cities) > MAX_STATEMENTS
    assert claims(". ".join(f"I moved to {city}" for city in cities)) == []


@pytest.mark.parametrize(
    "text",
    [
        "I have two clients with kids",
        "Ich habe zwei Kunden mit Kindern",
        "Tengo dos clientes con hijos",
        "J'ai deux patientes avec des enfants",
        "У меня двое учеников с детьми",
        "iki öğrencim ve çocukları var",
        "我有两个学生",
    ],
)
def test_those_for_whom_the_user_works_are_no_family(text):
    assert claims(text) == []


def test_what_is_said_of_a_client_is_of_the_client():
    assert claims("My client is allergic to nuts") == [("User's client", "IS", "allergic to nuts")]


def test_a_secret_is_in_no_claim():
    assert "hunter2" not in repr(read_circumstances("I use Vault, my password is hunter2hunter2"))


@pytest.mark.parametrize(
    "said", ["I take vitamin e", "I drive a model y", "our vet is the man I play chess with"]
)
def test_the_last_word_of_a_sentence_stays(said):
    assert [statement.quote for statement, _ in read_circumstances(said).statements] == [said]


@pytest.mark.parametrize(
    "lead",
    [
        "Something you should know about me: ",
        "I should probably mention that ",
        "You might want to know: ",
        "Before we start, I'd like to add that ",
    ],
)
def test_a_lead_that_tells_the_agent_does_not_make_a_statement_doubtful(lead):
    assert claims(f"{lead}I'm allergic to cashews.") == [("User", "ALLERGIC_TO", "cashews")]


def test_a_preposition_before_a_person_is_left_out_of_what_stands_before_it():
    said = "I live in Germany with my wife Anna"
    assert claims(said)[0] == ("User", "LIVES_IN", "Germany")
    assert next(found.quote for found, _ in read_circumstances(said).statements) == "I live in Germany"


@pytest.mark.parametrize("lead", ["The actor must say: ", "I would say ", "You should write: "])
def test_a_lead_that_makes_words_of_a_statement_leaves_it_doubtful(lead):
    assert claims(f"{lead}I'm allergic to cashews.") == []


@pytest.mark.parametrize("language", STATEMENT_SIGNS)
def test_a_text_that_a_row_can_match_has_a_sign_of_its_language(language):
    parts = STATEMENT_SIGNS[language].split("|")
    signs = {sign for form in language_forms(language) for sign in form.signs}
    assert not [sign for sign in signs if not any(part in sign for part in parts)]
    assert not {*parts} - signs


def test_every_predicate_of_the_grammar_is_in_the_policy():
    known = POLICY.vocabulary["stated"] | POLICY.vocabulary["predicates"]
    forms = (*SELF_FORMS, *POSSESSION_FORMS, *LIFE_FORMS)
    assert {form.predicate for form in forms} | {whole_claim("x").predicate} <= known
    assert {form.category for form in (*SELF_FORMS, *POSSESSION_FORMS)} <= POLICY.vocabulary["categories"]
    assert POLICY.vocabulary["single"] <= known


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    found = read_circumstances(text)
    assert all(0 <= start <= end <= len(text) for _, (start, end) in found.statements)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I no longer live in Rome.", ("User", "LIVES_IN", "Rome")),
        ("I don't live in Rome anymore", ("User", "LIVES_IN", "Rome")),
        ("Actually I'm not vegan any more", ("User", "HAS_TRAIT", "vegan")),
        ("I do not work at Google anymore.", ("User", "WORKS_AT", "Google")),
        ("We no longer use Jenkins", ("User", "USES", "Jenkins")),
        ("We stopped using Jenkins", ("User", "USES", "Jenkins")),
        ("I am no longer married", ("User", "HAS_TRAIT", "married")),
        ("My sister doesn't live in Oslo", ("User's sister", "LIVES_IN", "Oslo")),
        ("I don't speak Danish", ("User", "SPEAKS", "Danish")),
    ],
)
def test_a_denial_is_no_claim(text, claim):
    found = read_circumstances(text)
    assert found.statements == ()
    denied = [statement.claim for statement, _ in found.denials]
    assert [(one.subject, one.predicate, one.object) for one in denied] == [claim]


@pytest.mark.parametrize(
    "text",
    [
        "I don't only work at Google",
        "I'm not just a teacher",
        "Don't I live in Rome?",
        "If I don't live in Rome, do I pay?",
        "She said I no longer live in Rome",
    ],
)
def test_a_limited_negation_denies_nothing(text):
    assert (matched(text), read_circumstances(text).denials) == ([], ())


@pytest.mark.parametrize(
    "text",
    [
        "Actually I moved to Paris.",
        "No, I moved to Paris",
        "Oh sorry, I moved to Paris",
        "Wait I moved to Paris",
    ],
)
def test_interjections_precede_a_statement(text):
    assert claims(text) == [("User", "LIVES_IN", "Paris")]


@pytest.mark.parametrize("text", ["my a my b " * 100_000, "It was a fine day, and we walked. " * 30_000])
def test_long_texts_are_read_in_part(text):
    start = time.process_time()
    statements(split_sentences(text))
    assert time.process_time() - start < 8


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Plan B.",
        "I moved to Git.",
        "I live in the moment",
        "As an AI, I live in the cloud",
        "I am 5, 10 or 15 minutes early",
        "I grew up in the Nineties",
        "I work as expected",
        "I work as a team",
        "I play the victim",
        "I'm from the IT department",
        "I have two sisters in the story I am writing",
        "I have 3 kids in my class fighting",
        "I live in Rome in the novel that I write",
        "I work at the pace of a snail",
        "I live in a bubble",
    ],
)
def test_in_doubt_there_is_no_fact(text):
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I live in the Netherlands", ("User", "LIVES_IN", "the Netherlands")),
        ("I live in the south of France", ("User", "LIVES_IN", "the south of France")),
        ("I work as a freelance potter", ("User", "WORKS_AS", "a freelance potter")),
        ("I work as head of sales", ("User", "WORKS_AS", "head of sales")),
        ("I play the bass guitar", ("User", "PLAYS", "the bass guitar")),
        ("I'm 34, and I cook", ("User", "HAS_AGE", "34")),
        ("My wife is Dana.", ("User", "KNOWS", "Person:my wife Dana")),
        ("My dentist is Dr. Okafor.", ("User", "KNOWS", "Person:my dentist Dr. Okafor")),
        ("My wife isn't Dana, it's Eva.", ("User", "KNOWS", "Person:my wife Eva")),
        ("My wife is German.", None),
    ],
)
def test_places_jobs_and_people_are_known_by_their_words(text, claim):
    assert claims(text) == ([claim] if claim else [])


CIRCUMSTANCES = Path(__file__).parent / "sentences" / "circumstances.txt"


def test_sentences_of_ten_languages_state_circumstances_or_none():
    rows = [line.split("\t") for line in CIRCUMSTANCES.read_text(encoding="utf-8").splitlines()]
    read = [
        (predicate, text, {claim[1] for claim in claims(text)} or {"nothing"}) for predicate, text in rows
    ]
    assert [row for row in read if row[0] not in row[2]] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We are moving to Linz on 14 March 2027.", "We are moving to Linz on 14 March 2027"),
        ("I'm flying to Rome on June 3rd, 2028, any tips?", "I'm flying to Rome on June 3rd, 2028"),
        ("My sister is due in March 2027.", "My sister is due in March 2027"),
        ("I'm moving to Linz on 14 March 2027.", "moving to Linz on 14 March 2027"),
        ("Our product launch is on March 14, 2027.", "March 14, 2027"),
        ("My wedding is on 14 May, 2000 guests come.", "14 May"),
        ("Meine Hochzeit ist am 14. Mai 2027.", "Meine Hochzeit ist am 14. Mai 2027"),
        ("Am 9. Mai 2027 ziehe ich nach Linz.", "Am 9. Mai 2027 ziehe ich nach Linz"),
        ("Le 14 mars 2027, je pars à Lyon.", "Le 14 mars 2027, je pars à Lyon"),
        ("Mi boda es el 14 de mayo de 2027.", "Mi boda es el 14 de mayo de 2027"),
        ("O meu voo é no dia 9 de maio de 2027.", "O meu voo é no dia 9 de maio de 2027"),
        ("Моя свадьба 14 мая 2027 года.", "Моя свадьба 14 мая 2027 года"),
        ("Düğünüm 14 Mayıs 2027.", "Düğünüm 14 Mayıs 2027"),
        ("2027 yil 14-mart kuni imtihonim.", "2027 yil 14-mart kuni imtihonim"),
        ("我2027年3月14日要去做手术。", "我2027年3月14日要去做手术"),
        ("2027年3月14日に手術を受けます。", "2027年3月14日に手術を受けます"),
        ("来年の3月14日に手術を受けます。", "来年の3月14日に手術を受けます"),
    ],
)
def test_the_date_of_a_plan_includes_its_year(text, value):
    assert [object_ for _, _, object_ in claims(text)] == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ya no vivo en Cuenca", "Cuenca"),
        ("eu já não moro em Évora", "Évora"),
        ("я больше не живу в Томске", "Томске"),
        ("ich wohne nicht mehr in Hameln", "Hameln"),
        ("je n'habite plus à Dole", "Dole"),
    ],
)
def test_a_circumstance_that_holds_no_more_is_denied(text, value):
    said = read_circumstances(text)
    assert said.statements == ()
    assert [(denied.claim.predicate, denied.claim.object) for denied, _ in said.denials] == [
        ("LIVES_IN", value)
    ]
