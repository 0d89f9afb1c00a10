"""How facts are worded: in the user's own words where these say all that the triple does."""

from __future__ import annotations

import pytest

from memtool.core.facts.wording import own_wording
from memtool.formats.semantic import SemanticLine


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('User PLANS My flight is on 3 May — "My flight is on 3 May"', "My flight is on 3 May"),
        (
            'User PLANS my exam is on 3 May — "my exam is on 3 May, it is hard"',
            "my exam is on 3 May, it is hard",
        ),
        ('User PLANS the exam — "We leave on 3 May"', ""),
        ('User HAS_FAMILY a dog — "I have a dog"', "I have a dog"),
        ('User LIKES green tea — "green tea"', ""),
        ('User WORKS_AS a nurse — "I\'m a nurse"', "I'm a nurse"),
        ('User DOES work nights — "Oh, and I work nights"', "I work nights"),
        ('User LIVES_IN Bonn — "I live in Ulm"', ""),
        ('User KNOWS Person:my partner Joris — "My partner Joris"', "My partner Joris"),
        ('User KNOWS Person:my Frau Anna — "meine Frau Anna"', "meine Frau Anna"),
        ('User KNOWS Person:my hermana Lucía — "mi hermana Lucía"', "mi hermana Lucía"),
        ('User HAS_FAMILY my son Emil — "our son Emil"', "our son Emil"),
        ('User KNOWS Person:Joris — "Joris"', ""),
        ('User KNOWS Person:my partner Joris — "my partner"', ""),
        ('User ALLERGIC_TO my cat — "my cat"', ""),
        ('User LIKES my garden — "my garden"', ""),
    ],
)
def test_the_users_words_are_shown_where_they_say_all(line, words):
    assert own_wording(SemanticLine(f"- [context] {line} ^m-677ca82dfa22").record.fact) == words
