"""A corrected statement about the user stays in later prompts, with the rest of what it says."""

from __future__ import annotations

import pytest

from memtool.core.text.discourse import without_opening
from tests.trees import make, memtool

CORRECTED = [
    (
        "My daughter Pia is allergic to hazelnuts.",
        "Actually, my daughter Pia is allergic to walnuts, not hazelnuts.",
        ["Pia is allergic to walnuts"],
    ),
    (
        "My name is Dana and I live in Ghent.",
        "Actually, I moved to Antwerp",
        ["My name is Dana", "Antwerp"],
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

TRIPLES = [
    ("I work as a nurse in Graz", "I work as a teacher, not as a nurse", "WORKS_AS a teacher"),
    ("I am allergic to eggs", "Actually, I am allergic to milk, not eggs", "ALLERGIC_TO milk"),
    (
        "I am allergic to peanuts and shellfish",
        "Actually I'm allergic to walnuts, not peanuts",
        "ALLERGIC_TO walnuts and shellfish",
    ),
    ("I live in Graz with my sister Lena", "I live in Linz, not in Graz", "LIVES_IN Linz"),
    ("I live in Oslo with my two cats.", "Actually I live in Bergen, not in Oslo.", "LIVES_IN Bergen"),
]


@pytest.mark.parametrize(("stated", "correction", "triple"), TRIPLES)
def test_the_object_of_a_corrected_fact_is_the_new_value(tmp_path, stated, correction, triple):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for message in (stated, correction):
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    rows = (root / "memory/semantic/facts.md").read_text().splitlines()
    current = [row for row in rows if "superseded" not in row]
    assert [row for row in current if f"User {triple} — " in row], current


@pytest.mark.parametrize(("stated", "correction", "parts"), CORRECTED)
def test_a_corrected_statement_is_in_the_next_sessions_prompt(tmp_path, stated, correction, parts):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for message in (stated, correction):
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    memtool("session-end", "--session", "one", home=tmp_path, cwd=root)
    shown = memtool("context", "--prompt", "Write a limerick", home=tmp_path, cwd=root).stdout
    assert all(part in shown for part in parts), shown


def test_a_statement_that_is_said_again_is_the_newest(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    black, milk = "I drink my coffee black", "I drink my coffee with milk since last week"
    for day, message in enumerate((milk, black, milk), start=1):
        now = f"2025-03-{day:02d}T10:00:00Z"
        memtool("scan", "-m", message, home=tmp_path, cwd=root, environment={"MEMTOOL_NOW": now})
    shown = memtool("context", home=tmp_path, cwd=root).stdout
    assert f"2025-03-03:\n- {milk}\n2025-03-02:\n- {black}\n" in shown
    before = (root / "memory/semantic/facts.md").read_text()
    memtool("scan", "-m", milk, home=tmp_path, cwd=root, environment={"MEMTOOL_NOW": now})
    assert (root / "memory/semantic/facts.md").read_text() == before


@pytest.mark.parametrize(
    ("line", "is_marked"),
    [
        ("- I work as a night nurse", True),
        ("- **remember**: Please remember that I work as a night nurse.", True),
        ("- I work as a night nurse and coach", False),
        ("- **remember**: [user:ann] I work as a night nurse", False),
    ],
)
def test_a_line_that_repeats_a_superseded_statement_is_superseded(tmp_path, line, is_marked):
    files = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": f"# Long-term memory\n\n{line}\n"}
    root = make(tmp_path / "w", files)
    for message in ("I work as a night nurse", "I work as a teacher now"):
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    assert (f"{line} [superseded: " in (root / "MEMORY.md").read_text()) == is_marked


CHAINS = [
    ("I live in Rome", "Actually, I live in {}, not {}", ("Milan", "Rome"), ("Turin", "Milan")),
    ("My dog is called Pixel", "No, my dog is called {}, not {}", ("Pixie", "Pixel"), ("Pluto", "Pixie")),
    ("Ich wohne in Rom", "Eigentlich wohne ich in {}, nicht in {}", ("Mailand", "Rom"), ("Turin", "Mailand")),
    ("My car is a Volvo", "No, my car is {}, not {}", ("a Fiat", "a Volvo"), ("a Tesla", "a Fiat")),
]


@pytest.mark.parametrize(("stated", "form", "second", "third"), CHAINS)
def test_a_correction_of_a_correction_is_quoted_in_its_own_words(tmp_path, stated, form, second, third):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    messages = [stated, form.format(*second), form.format(*third)]
    for message in messages:
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    said = [*map(without_opening, messages)]
    rows = [row for row in (root / "memory/semantic/facts.md").read_text().splitlines() if row[:1] == "-"]
    current = [row for row in rows if "superseded" not in row]
    assert [f'"{said[-1]}"' in row for row in current] == [True], current
    assert all(any(f'"{each}"' in row for each in said) for row in rows), rows


def test_the_rest_of_a_corrected_correction_is_kept_without_what_it_replaced(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for message in (
        "I live in Rome",
        "Actually, I live in Milan with my sister Anna, not Rome",
        "Actually, I live in Turin, not Milan",
    ):
        memtool("scan", "-m", message, home=tmp_path, cwd=root)
    rows = (root / "memory/semantic/facts.md").read_text().splitlines()
    (home,) = [row for row in rows if "LIVES_IN" in row and "superseded" not in row]
    assert "Turin with my sister Anna" in home
    assert "Rome" not in home
