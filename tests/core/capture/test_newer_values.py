"""Newer values: which later statement tells what an earlier one says is now."""

import pytest

from memtool.core.capture.newer_values import may_tell_news, tells_newer


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I take 20 mg of citalopram every morning.", "My GP put me up to 30 mg"),
        ("I smoke 10 cigarettes a day", "I cut down to 5 cigarettes a day"),
        ("Ich nehme 50 mg Sertralin", "Mein Arzt hat mich auf 75 mg gesetzt"),
        ("My daughter's piano lesson is at 4 on Wednesdays", "Starting next week the piano lesson is at 5"),
        ("My swimming class is on Mondays at 7", "They moved the swimming class to Wednesday"),
        ("My car is a Fiat Panda.", "I swapped the Panda for a Nissan Leaf."),
        ("J'ai une Clio", "J'ai vendu la Clio, je roule en Peugeot 208 maintenant"),
        ("I live in Leeds with my parents.", "I've got my own flat in Sheffield"),
    ],
)
def test_news_of_what_a_statement_says_is_newer(old, new):
    assert may_tell_news(new)
    assert tells_newer(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I take 20 mg of citalopram every morning.", "The vet put Rex up to 30 mg"),
        ("I take 20 mg of citalopram every morning.", "My GP put me up to 30 mg of ramipril"),
        ("I take 20 mg of citalopram every morning.", "I moved my run to 5 pm"),
        ("My dentist is Dr Ferreira.", "They moved the dentist to Thursday"),
        ("My daughter's piano lesson is at 4", "Starting next week the judo lesson is at 5"),
        ("My sister lives in Leeds", "I've got my own flat in Sheffield"),
        ("J'ai une Clio", "J'ai vendu le vélo, je roule en Peugeot 208 maintenant"),
        ("Ben swims on Mondays", "Ben is in 4th grade now"),
    ],
)
def test_news_of_something_else_is_not(old, new):
    assert not tells_newer(new, old)


def test_what_holds_now_is_newer_if_it_has_as_much_of_the_question():
    old, new = "Ben plays the drums in the school band", "Ben plays the flute now"
    assert tells_newer(new, old, is_as_near=True)
    assert not tells_newer(new, old)


def test_news_that_does_not_name_what_it_is_about_is_of_the_statement_before_it():
    old, between, new = "I take 50 mg of sertraline", "I take 5 mg of ramipril", "My doctor upped me to 10 mg"
    assert tells_newer(new, between)
    assert not tells_newer(new, old, [between])
