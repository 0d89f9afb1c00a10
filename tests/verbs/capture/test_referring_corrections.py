"""Corrections that name what they are about by a pronoun, or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.verbs.capture.scan import scan
from tests.trees import NOW, make, opened
from tests.verbs.capture.test_corrected_memory import current


def told(tmp_path, messages, minutes=1):
    """A tree to which messages were told, so many minutes apart."""
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for number, message in enumerate(messages):
        at = NOW + timedelta(minutes=number * minutes)
        scan(opened(root), message, now=at, owner=None, triggers=DEFAULT_TRIGGERS)
    return root


CORRECTED = [
    (("My aunt Rosa lives in Porto", "Actually, she lives in Lisbon"), "My aunt Rosa lives in Lisbon"),
    (("My aunt Rosa lives in Porto. Actually, she lives in Lisbon.",), "My aunt Rosa lives in Lisbon."),
    (("My aunt Rosa lives in Porto", "ok", "Actually, she lives in Lisbon"), "My aunt Rosa lives in Lisbon"),
    (("My daughter Ines is nine", "Oh sorry, she's ten"), "My daughter Ines is ten"),
    (("My daughter Ines is nine", "Oh sorry, Ines is ten"), "My daughter Ines is ten"),
    (("My daughter Ines is nine. Oh sorry, she's ten.",), "My daughter Ines is ten."),
    (("The standup is at nine", "wait, it's at ten"), "The standup is at ten"),
    (("The standup is at nine. Wait, it's at ten.",), "The standup is at ten"),
    (("My dentist is Dr Okonjo", "no, sorry, Dr Okafor"), "My dentist is Dr Okafor"),
    (("My dentist is Dr Okonjo", "no, it's Dr Okafor"), "My dentist is Dr Okafor"),
    (("My older sister Lena is a nurse", "no wait, she's a doctor"), "My older sister Lena is a doctor"),
    (("My parents live in Porto", "Actually, they live in Lisbon"), "My parents live in Lisbon"),
    (("My dog Rex is five", "Sorry, he's six"), "My dog Rex is six"),
    (("Meine Tante Rosa wohnt in Köln", "Eigentlich wohnt sie in Bonn"), "Meine Tante Rosa wohnt in Bonn"),
    (("Meine Tochter Ines ist neun", "Entschuldigung, sie ist zehn"), "Meine Tochter Ines ist zehn"),
    (("Ma tante Rosa habite à Lyon", "En fait, elle habite à Paris"), "Ma tante Rosa habite à Paris"),
    (("Mi hermana Ana vive en Lima", "En realidad, ella vive en Quito"), "Mi hermana Ana vive en Quito"),
    (
        ("My aunt Rosa lives in Porto", "Actually, she lives in Lisbon", "no wait, she lives in Faro"),
        "My aunt Rosa lives in Faro",
    ),
]


@pytest.mark.parametrize(("messages", "right"), CORRECTED)
def test_a_correction_by_a_pronoun_is_about_what_was_said_right_before(tmp_path, messages, right):
    (fact,) = current(told(tmp_path, messages))
    assert fact.endswith((f'"{right}"', f'"{right}."'))


OTHERS = [
    ("My aunt Rosa lives in Porto and my sister Lena lives in Faro", "Actually, she lives in Lisbon"),
    ("My uncle Rui lives in Porto", "Actually, she lives in Lisbon"),
    ("My aunt Rosa lives in Porto", "Actually, he lives in Lisbon"),
    ("My aunt Rosa lives in Porto with my cousin Ana", "Actually, she lives in Lisbon"),
    ("My aunt Rosa lives in Porto", "My sister Lena is a nurse", "Actually, she lives in Lisbon"),
    ("My aunt Rosa lives in Porto", "I have asthma", "I work at Bosch", "Actually, she lives in Lisbon"),
    ("My daughter Ines is nine", "Actually, she's tired"),
    ("My dentist is Dr Okonjo", "no, Dr Okafor"),
    ("The standup is at nine. The demo is at three", "wait, it's at ten"),
    ("My aunt Rosa lives in Porto", "Actually, does she live in Lisbon?"),
    ("My aunt Rosa lives in Porto", "Actually, she has a dog"),
    ("The standup is at nine", "wait, it's raining"),
    ("Meine Tante Rosa und meine Nichte Ida wohnen in Köln", "Eigentlich wohnt sie in Bonn"),
]


@pytest.mark.parametrize("messages", OTHERS)
def test_a_pronoun_that_may_stand_for_others_supersedes_nothing(tmp_path, messages):
    before = current(told(tmp_path / "before", messages[:-1]))
    assert before
    assert {*before} <= {*current(told(tmp_path / "after", messages))}


def test_a_pronoun_stands_for_nothing_said_long_before(tmp_path):
    messages = ("My aunt Rosa lives in Porto", "Actually, she lives in Lisbon")
    assert any("Porto" in fact for fact in current(told(tmp_path, messages, minutes=40)))
