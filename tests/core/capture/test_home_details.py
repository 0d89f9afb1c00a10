"""Home details: what a line says of a home does not survive another home; what else it says does."""

from __future__ import annotations

import pytest

from memtool.core.capture.corrected_lines import corrected_text
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.corrections import corrections

GALWAY = "I live in Galway, just off the Prom in Salthill."


def put_right(line: str, sentence: str) -> str:
    found = corrections(sentence) or (Correction("", "", frozenset(), statement=sentence),)
    return corrected_text(found[0], line)


@pytest.mark.parametrize(
    ("line", "sentence", "corrected"),
    [
        (GALWAY, "Actually, I live in Spiddal, not Salthill.", "I live in Spiddal."),
        (GALWAY, "Actually, I live in Spiddal, not Galway.", "I live in Spiddal."),
        (GALWAY, "Actually, I live in Spiddal.", "I live in Spiddal."),
        (
            "We live in Denver, two blocks from City Park, with our dog Bo.",
            "Actually, we live in Boulder.",
            "We live in Boulder, with our dog Bo.",
        ),
        ("J'habite à Lyon, près du parc.", "En fait, j'habite à Brest, pas à Lyon.", "J'habite à Brest."),
        ("Ich wohne in Kiel, am Hafen.", "Nein, ich wohne in Bonn, nicht in Kiel.", "Ich wohne in Bonn."),
        ("Vivo en Madrid, cerca del Retiro.", "No, vivo en Toledo, no en Madrid.", "Vivo en Toledo."),
    ],
)
def test_details_of_the_old_home_are_removed(line, sentence, corrected):
    assert put_right(line, sentence) == corrected


@pytest.mark.parametrize(
    ("line", "sentence", "corrected"),
    [
        (
            "I live in Halifax, on Elm Street.",
            "Actually, I live on Oak Street, not Elm Street.",
            "I live in Halifax, on Oak Street.",
        ),
        (
            "I live in Hull, near the docks where I work as a welder.",
            "Actually, I live in York.",
            "I live in York, near the docks where I work as a welder.",
        ),
        ("I live in Bath, on weekdays.", "Actually, I live in Bristol.", "I live in Bristol, on weekdays."),
        (
            "I live in Leeds and I work in Bradford, near the park.",
            "Actually, I live in York, not Leeds.",
            "I live in York and I work in Bradford, near the park.",
        ),
        (
            "I live in Dublin, in Rathmines.",
            "No, I live in Cabra, not Rathmines.",
            "I live in Dublin, in Cabra.",
        ),
    ],
)
def test_what_describes_no_old_home_stays(line, sentence, corrected):
    assert put_right(line, sentence) == corrected
