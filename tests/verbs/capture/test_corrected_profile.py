"""A corrected statement about the user stays in later prompts, with the rest of what it says."""

from __future__ import annotations

import pytest

from tests.trees import make, memtool

CORRECTED = [
    (
        "My daughter Pia is allergic to hazelnuts.",
        "Actually, my daughter Pia is allergic to walnuts, not hazelnuts.",
        ["Pia is allergic to walnuts"],
    ),
    (
        "We are moving to Klagenfurt on 14 March 2027, and the van is booked with Huber Transporte.",
        "Actually, we are moving on 21 March 2027, not 14 March.",
        ["Klagenfurt on 21 March 2027", "Huber Transporte"],
    ),
    (
        "I work as a beekeeper in Graz and sell honey on Saturdays.",
        "Correction: I sell honey on Sundays, not Saturdays.",
        ["beekeeper in Graz and sell honey on Sundays"],
    ),
    (
        "My son Emil is allergic to peanuts and goes to the school in Lend.",
        "No wait, Emil is allergic to cashews, not to peanuts.",
        ["Emil is allergic to cashews and goes to the school in Lend"],
    ),
    (
        "I live in Oslo with my two cats.",
        "Actually I live in Bergen, not in Oslo.",
        ["Bergen with my two cats"],
    ),
    (
        "My mother takes warfarin in the evening.",
        "Sorry, my mother takes apixaban, not warfarin.",
        ["My mother takes apixaban in the evening"],
    ),
]


@pytest.mark.parametrize(("stated", "correction", "parts"), CORRECTED)
def test_a_corrected_statement_is_in_the_next_sessions_prompt(tmp_path, stated, correction, parts):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for message in (stated, correction):
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    memtool("session-end", "--session", "one", home=tmp_path, cwd=root)
    shown = memtool("context", "--prompt", "Write a limerick", home=tmp_path, cwd=root).stdout
    assert all(part in shown for part in parts), shown
