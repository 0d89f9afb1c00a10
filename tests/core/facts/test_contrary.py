"""Rules of conduct: which new rule takes the place of an old one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.contrary import is_contrary
from memtool.core.facts.policy import build_policy
from memtool.core.facts.rules import ConductRule, add_rule
from memtool.layouts.policy import policy_tables
from tests.trees import NOW

MARKERS = build_policy(policy_tables()).phrases


def outcome(old, new):
    """`known`, `replaced` or `beside`."""
    later = ConductRule(NOW + timedelta(days=1), new, "r-new")
    change = add_rule([ConductRule(NOW, old, "r-old")], later, MARKERS)
    return "known" if not change.added else "replaced" if change.retired else "beside"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always answer in German.", "Never answer in German again."),
        ("always answer in German", "stop answering in German"),
        ("Please always answer in German", "From now on, reply in French"),
        ("From now on use tabs", "from now on use spaces"),
        ("use spaces for indentation", "Use tabs for indentation, not spaces."),
        ("Always use metric units", "always use imperial units please"),
        ("Keep answers under 100 words", "From now on keep answers under 200 words"),
        ("give me three options every time", "give me five options every time"),
        ("Call me Zoe", "From now on call me Zora."),
        ("Please call me Al", "No, just call me Albert from now on"),
        ("Call me Al", "no, call me Albert please"),
        ("Always format dates as DD/MM/YYYY", "Always format dates as ISO"),
        ("Use pytest for testing", "Use unittest for testing"),
        ("Never use emojis", "always use emojis"),
        ("Always use tabs", "No, always use spaces"),
        ("Always answer in German", "Nope, always answer in French"),
        ("Always use metric units", "Nein, always use imperial units"),
        ("Never use emojis", "No, always use emojis"),
        ("Always give short answers", "From now on give detailed answers"),
    ],
)
def test_the_contrary_replaces_a_rule(old, new):
    assert outcome(old, new) == "replaced"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always use tabs", "Always use TypeScript"),
        ("Always use tabs", "No, always use TypeScript"),
        ("Always use emojis", "No, always use commas"),
        ("Answer in German", "Answer in bullet points"),
        ("Write code comments in English", "Always answer in German"),
        ("Always include unit tests", "Always include type hints"),
        ("Include units in tables", "Include units in charts"),
        ("When I ask about Python, use type hints", "When I ask about Rust, use lifetimes"),
        ("Answer in German when I write in German", "Answer in French"),
        ("Use British spelling in letters", "Use American spelling in e-mails"),
        ("Always cite sources", "Never apologise"),
        (
            "Always mention version numbers when I ask about libraries",
            "Always mention dates when I ask about history",
        ),
        ("Call me Zoe", "Call me back when the build fails"),
    ],
)
def test_rules_that_can_both_be_followed_stand_side_by_side(old, new):
    assert outcome(old, new) == "beside"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always answer in German.", "from now on, please answer in German"),
        ("Never use emojis", "don't ever use emojis"),
        ("Use tabs, not spaces", "Always use tabs instead of spaces"),
    ],
)
def test_the_same_wish_in_other_words_is_known(old, new):
    assert outcome(old, new) == "known"


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_rule_contradicts_itself(text, other):
    assert not is_contrary(text, text, MARKERS)
    assert is_contrary(text, other, MARKERS) in {True, False}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Keep your answers under 100 words.", "Keep all answers under 200 words from now on."),
        ("Always be brief.", "From now on, always answer in great detail."),
        ("Indent with 2 spaces", "Please always indent with four spaces"),
        ("Answer in detail", "Keep it short"),
    ],
)
def test_other_words_for_another_number_or_length(old, new):
    assert is_contrary(old, new, MARKERS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Write at least 100 words", "Write at most 200 words"),
        ("Use 2 spaces in JSON", "Use 4 spaces in Python"),
        ("Always be brief", "Explain errors in great detail"),
        ("Give me 3 options", "Give me 2 examples"),
    ],
)
def test_other_bounds_and_subjects_stand_together(old, new):
    assert not is_contrary(old, new, MARKERS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("From now on, always answer in English.", "From now on, answer in German instead."),
        ("Always answer in English.", "Switch to German from now on."),
        ("Always write times in 24-hour format.", "From now on, use the 12-hour clock."),
        ("Keep it brief.", "From now on, be more detailed."),
        ("Use bullet points.", "Use full paragraphs instead from now on."),
    ],
)
def test_a_rule_that_stands_in_place_of_another_replaces_it(old, new):
    assert outcome(old, new) == "replaced"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always answer in English.", "If I write in German, answer in German instead."),
        ("Always answer in English.", "Answer my husband in German instead."),
        ("Always answer in English.", "Explain the German grammar instead."),
        ("Always use Celsius.", "Always use miles."),
        ("Always use tabs.", "Use Python instead."),
        ("Always use bullet points.", "From now on, always end with a summary instead."),
        ("Give prices in euros.", "For flights, give prices in dollars instead."),
        ("Never commit secrets to the repo.", "Never commit binaries to the repo instead."),
        ("Never push to main.", "Never push to develop instead."),
        ("Never deploy on Fridays.", "Never deploy on Mondays instead."),
        ("Always write commit messages in English.", "Always write release notes in English instead."),
        ("Back up the database before migrations.", "Back up the config before migrations instead."),
    ],
)
def test_a_rule_for_another_case_stands_beside(old, new):
    assert outcome(old, new) == "beside"
