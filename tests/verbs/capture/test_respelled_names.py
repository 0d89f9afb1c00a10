"""Corrections of how a name is spelled, and of what the user is called."""

from __future__ import annotations

import pytest

from memtool.core.capture.respelling import is_respelling
from tests.verbs.capture.test_corrected_memory import current, say, tree

RESPELLED = [
    (("My name is Katalin Varga.",), "My name is spelled Catalin, sorry.", "My name is Catalin Varga."),
    (("My name is Katalin Varga.",), "it's Catalin, not Katalin", "My name is Catalin Varga."),
    (("My name is Sofia.",), "My name is written Sophia, by the way.", "My name is Sophia."),
    (
        ("Please always call me Dr. Weiss.",),
        "Just call me Anna from now on.",
        "Just call me Anna from now on.",
    ),
]


@pytest.mark.parametrize(("stored", "message", "new"), RESPELLED)
def test_another_spelling_stands_in_place_of_the_first(tmp_path, stored, message, new):
    root = tree(tmp_path, stored)
    say(root, message, 3)
    assert current(root) == [new]


KEPT = [
    (("My name is Katalin Varga.",), "My sister's name is spelled Catalin."),
    (("My name is Katalin Varga.",), "My dog's name is Cat."),
    (("My name is Katalin Varga.",), "call me Cat"),
    (("My name is Jon Meyer.",), "My surname is spelled with a y."),
    (["My sister Katherine lives in Rome"], "My name is spelled Kathryn."),
    (["My sister Katherine and my cousin Katharina sing"], "It's spelled Kathryn."),
    (["My brother Tom lives in Leeds"], "It's written Python, not python."),
    (["Kia Niro is my car"], "It's Kio, not Rio."),
]


@pytest.mark.parametrize(("stored", "message"), KEPT)
def test_a_spelling_of_another_name_changes_nothing(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    before = current(root)
    say(root, message, 3)
    assert not {*before} - {*current(root)}


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [("Stefan", "Stephan", True), ("Eric", "Erik", True), ("Tom", "Tim", False), ("tom", "Tomm", False)],
)
def test_two_spellings_share_most_letters(old, new, alike):
    assert is_respelling(old, new) is alike
