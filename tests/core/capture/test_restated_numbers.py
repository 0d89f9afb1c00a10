"""What a correction restates with other numbers, a street, a day or the thing in other words."""

from __future__ import annotations

import pytest

from memtool.core.capture.corrected_lines import corrected_text, is_corrected
from memtool.core.capture.corrections import corrections
from memtool.core.capture.other_value import other_value
from memtool.core.capture.remainder import remainder


@pytest.mark.parametrize(
    ("line", "statement", "new"),
    [
        ("I was a cook for thirty-four years", "Actually, I was a cook for thirty-six years.", "thirty-six"),
        ("I take my tea with two sugars", "Actually, I take my tea with one sugar.", "one sugar"),
        (
            "We meet on the first Monday at 10",
            "Sorry, we meet on the second Tuesday at 11.",
            "second Tuesday at 11",
        ),
        ("The plumber comes on Friday at 2.", "Wait, the plumber comes on Thursday at 3.", "Thursday at 3"),
        ("My exam is on 3 May at 9.", "Actually, my exam is on 10 June at 11.", "10 June at 11"),
        (
            "Mein Termin ist am Montag um 9 Uhr.",
            "Nein, mein Termin ist am Dienstag um 10 Uhr.",
            "Dienstag um 10",
        ),
        ("I moved here in 2018.", "Actually, I moved here in 2019.", "2019"),
        ("I live on Elm Street in Halifax, up north.", "Actually, I live on Oak Street.", "Oak"),
        ("Ich habe zwei Katzen.", "Nein, ich habe drei Katzen.", "drei"),
        ("Tengo dos gatos.", "En realidad, tengo tres gatos.", "tres"),
        ("J'ai deux chats.", "En fait, j'ai trois chats.", "trois"),
    ],
)
def test_a_sentence_with_other_numbers_alone_replaces_a_line(line, statement, new):
    other = other_value(statement, line)
    assert other is not None
    assert other.new == new


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("I have two cats.", "Actually, I have three dogs."),
        ("I have two cats.", "I have three cats."),
        ("I have two cats.", "Actually, I also have two rabbits."),
        ("I passed my first exam in 2010.", "Actually, I passed my second exam in 2012."),
        ("I live on Elm Street in Halifax.", "Actually, my mother lives on Oak Street."),
        ("Tengo dos gatos.", "En realidad, tengo tres perros."),
        ("Ich habe eine Katze.", "Eigentlich habe ich auch einen Hund."),
        ("My dose on Monday is 5 mg.", "Actually, my dose on Tuesday is 10 mg."),
        ("My blood sugar was 6 on Monday.", "Actually, my blood sugar was 9 on Tuesday."),
        ("My shift on Monday starts at 8.", "Sorry, my shift on Tuesday starts at 10."),
        ("I paid 300 for the train in 2019.", "Actually, I paid 350 for the train in 2020."),
        ("My appointment on 3 May is at 9.", "Actually, my appointment on 10 May is at 11."),
        ("Our class in room 4 starts at 9.", "Actually, our class in room 5 starts at 10."),
        ("Ich war 2018 zwei Wochen in Kreta.", "Nein, ich war 2021 drei Wochen in Kreta."),
        ("Mi dosis del lunes es de 5 mg.", "En realidad, mi dosis del martes es de 10 mg."),
        ("J'ai payé 40 euros en mai.", "En fait, j'ai payé 55 euros en juin."),
    ],
)
def test_a_sentence_about_something_else_replaces_no_line(line, statement):
    assert other_value(statement, line) is None


@pytest.mark.parametrize(
    ("line", "sentence", "new"),
    [
        ("I have a plate in my left arm", "The plate is in my right arm, not my left.", "right arm"),
        ("My son Clark just turned five.", "My son is called Clarke, not Clark.", "Clarke just turned"),
        ("The vet is coming on May 8", "The vet is coming on the 11th, not the 8th.", "May 11th"),
        (
            "I got a smoker from my aunt Fay.",
            "I told you wrong about the smoker - it was from my son Ed, not my aunt Fay.",
            "son Ed",
        ),
    ],
)
def test_a_denied_value_is_found_where_the_line_is_worded_otherwise(line, sentence, new):
    (correction,) = corrections(sentence)
    assert is_corrected(correction, line, is_recent=False)
    assert new in corrected_text(correction, line)


def test_what_remains_of_a_statement_never_has_the_denied_value():
    line = "I've got a bed with leeks and beetroot, and slugs eat everything else"
    assert "beetroot" not in remainder(line, "", "The bed has carrots, not beetroot.")
