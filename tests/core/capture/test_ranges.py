"""Ranges: `from X to Y` after a noun is no change, and a correction does not change one end of a range."""

from __future__ import annotations

import pytest

from memtool.core.capture.corrected_lines import corrected_text
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.corrections import corrections


@pytest.mark.parametrize(
    "sentence",
    [
        "My night shift is from Tuesday to Saturday.",
        "My shift is from nine to five.",
        "My move takes place from 5 to 7 June.",
        "The change window runs from 2 to 4 am.",
        "I cut hair from Tuesday to Saturday.",
        "The switch on the boiler stays on from six to eight.",
        "I'm going to Crete from 5 to 12 May.",
        "I changed jobs and now work from nine to three.",
        "I switched to a contract with hours from nine to three.",
        "My changing room slot is from six to seven.",
    ],
)
def test_a_range_that_no_verb_of_change_governs_is_no_correction(sentence):
    assert not any(found.old for found in corrections(sentence))


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("My shift moved from Tuesday to Friday.", "Tuesday", "Friday"),
        ("Our piano lesson moves from Monday to Friday.", "Monday", "Friday"),
        ("The doctor cut my dose from 20 mg to 10 mg.", "20 mg", "10 mg"),
        ("Let's shift the call from nine to ten.", "nine", "ten"),
        ("Please change the flight from 5 May to 7 May.", "5 May", "7 May"),
        ("The rent is going up from 800 to 900 euro.", "800", "900 euro"),
        ("My parents move from Cork to Galway.", "Cork", "Galway"),
    ],
)
def test_a_verb_of_change_governs_the_values_after_from_and_to(sentence, old, new):
    assert [(found.old, found.new) for found in corrections(sentence)] == [(old, new)]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("The market is open from nine to two", "The market moved from nine to ten."),
        ("My course runs from May to July", "My course changed from May to June."),
        ("I drive the roster from Tuesday to Saturday", "We moved the roster from Tuesday to Friday."),
    ],
)
def test_a_change_does_not_replace_one_end_of_a_range(line, sentence):
    (correction,) = corrections(sentence)
    assert corrected_text(correction, line) == ""


@pytest.mark.parametrize(
    ("line", "sentence", "corrected"),
    [
        (
            "I work from nine to five",
            "Actually, I work from nine to six, not five.",
            "I work from nine to six",
        ),
        (
            "The course is from May to July",
            "The course is to June, not July.",
            "The course is from May to June",
        ),
    ],
)
def test_a_correction_that_denies_one_end_replaces_it(line, sentence, corrected):
    (correction,) = corrections(sentence)
    assert corrected_text(correction, line) == corrected


def test_a_statement_of_the_whole_range_replaces_the_range():
    said = "Actually, my night shift is from Tuesday to Friday."
    correction = Correction("", "", frozenset(), statement=said)
    line = "My night shift is from Tuesday to Saturday"
    assert corrected_text(correction, line) == "My night shift is from Tuesday to Friday"
