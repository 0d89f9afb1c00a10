"""Whom a question is about: the user, somebody of theirs, or a name."""

from __future__ import annotations

import pytest

from memtool.core.facts.question_subject import (
    asks_name,
    is_of_another_person,
    is_of_their_person,
    question_subject,
    without_former,
)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Where does my sister live?", "sister"),
        ("What is my older brother's job?", "brother"),
        ("Where do our dogs sleep?", "dogs"),
        ("Where do my parents live?", "mother"),
        ("What is my mother called?", "mum"),
        ("Wo wohnt meine Schwester?", "schwester"),
        ("¿Dónde vive mi hermana?", "hermana"),
        ("Où habite ma sœur ?", "soeur"),
    ],
)
def test_a_question_is_about_who_is_the_users(question, noun):
    (alike,) = question_subject(question).relatives
    assert noun in alike


@pytest.mark.parametrize(
    "question",
    [
        "Where do I live?",
        "What is my kind of music?",
        "Where is my chat history?",
        "What is my favourite colour?",
    ],
)
def test_a_question_about_the_user_or_a_thing_is_about_nobody_else(question):
    assert question_subject(question).relatives == ()
    assert question_subject(question).names == ()


def test_a_question_without_a_first_person_is_about_the_names_in_it():
    assert question_subject("Where does Joris live?").names == ("Joris",)
    assert question_subject("¿Dónde vivo?").names == ()
    assert question_subject("Does the user live in Ghent?").names == ()
    assert question_subject("When did I meet Joris?").names == ()


@pytest.mark.parametrize(
    ("text", "is_of_another"),
    [
        ('User KNOWS Person:my brother Tom — "My brother Tom lives in York."', True),
        ('User\'s father-in-law IS allergic to bees — "My father-in-law is allergic to bees."', True),
        ('User STATES My neighbour plays the trumpet — "My neighbour plays the trumpet"', True),
        ('User KNOWS Person:my brother Tom — "My brother Tom and I live in York."', False),
        ('User\'s favourite film IS Amelie — "My favourite film is Amelie."', False),
        ('User STATES My flat is on the third floor — "My flat is on the third floor"', False),
        ('User LIVES_IN York — "I live in York"', False),
    ],
)
def test_a_fact_about_a_relative_alone_is_not_about_the_user(text, is_of_another):
    assert is_of_another_person(text) == is_of_another


@pytest.mark.parametrize(
    "question",
    [
        "What's my name again?",
        "What is my name, though?",
        "So what's my name, please?",
        "What am I called?",
        "Can you tell me what my name is?",
        "Could you remind me of my name please?",
        "Wie heiße ich nochmal?",
        "¿Cómo me llamo yo?",
        "Comment je m'appelle déjà ?",
    ],
)
def test_questions_for_the_users_name_are_one_question(question):
    assert asks_name(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is my cat called?",
        "What is my name day?",
        "What am I called on to do?",
        "What is my project's name again?",
        "Wie heißt mein Hund nochmal?",
        "Comment s'appelle ma sœur ?",
    ],
)
def test_questions_for_another_name_or_for_something_else_are_not(question):
    assert not asks_name(question)


def test_a_former_partner_is_another_person():
    assert question_subject("Who is my ex-husband?").is_former
    assert not question_subject("Who is my husband?").is_former
    assert without_former("My ex-husband is called Karl") == "My  is called Karl"
    assert without_former("My exam husband") == "My exam husband"


@pytest.mark.parametrize(
    ("question", "text", "is_of_theirs"),
    [
        ("How old is Peter?", "Peter's wife Anna is 40", True),
        ("Where does Priya work?", "Priya's younger brother works at the port", True),
        ("Wie alt ist Peter?", "Peters Frau ist 40", True),
        ("¿Cuántos años tiene Pedro?", "La mujer de Pedro tiene 40 años", True),
        ("Where does my brother work?", "My brother's wife works at the port", True),
        ("How old is Anna?", "Peter's wife Anna is 40", False),
        ("How old is Peter's wife?", "Peter's wife is 40", False),
        ("Where does Peter live?", "Peter's house is in Kent", False),
        ("Where does Peter live?", "Peter's wife is Ann and Peter lives in Kent", False),
        ("Where does Peter live?", "Peter's brother shares a flat with him in Kent", False),
        ("Where does my brother work?", "My brother works at the port", False),
        ("Where do I work?", "My brother's wife works at the port", False),
    ],
)
def test_a_fact_about_somebodys_wife_is_about_her(question, text, is_of_theirs):
    assert is_of_their_person(text, question, question_subject(question)) is is_of_theirs
