"""What may stand in somebody's prompt."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.verbs.context.visible import excerpt_text, visible_text
from tests.trees import NOW, make, memtool

FACTS = """\
# Facts

- [relationship] [user:ann] User KNOWS Person:Tom — "my brother Tom" [superseded: 2025-01-02 by m-2] ^m-1
- [relationship] [user:ann] User KNOWS Person:Tim — "my brother Tim" ^m-2
  his birthday is in May
- [context] Tom is also a drum ^m-3
"""


def test_a_superseded_fact_is_in_no_prompt():
    seen = visible_text(FACTS, "semantic", ())
    assert "brother Tom" not in seen
    assert "- [user:ann] my brother Tim" in seen
    assert "a drum" in seen


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ('User STATES Jonas gilds frames — "Jonas gilds frames"', "Jonas gilds frames"),
        ('User HAS_FAMILY a dog — "I have a dog."', "I have a dog."),
        ('User KNOWS Person:my Bruder Femi — "Mein Bruder Femi ist Koch"', "Mein Bruder Femi ist Koch"),
        ('User\'s favourite colour IS blue — "My favourite colour is blue."', "My favourite colour is blue."),
        ('[user:ann] User HAS_FAMILY a dog — "I have a dog."', "I have a dog."),
    ],
)
def test_a_prompt_has_the_users_own_words_where_they_say_all_of_a_fact(row, shown):
    assert visible_text(f"- [context] {row} ^m-1", "semantic", {"user:ann"}) == f"- {shown}"


@pytest.mark.parametrize(
    "row",
    [
        'User USES kiln — "one electric"',
        'User USES Rust — "Rust"',
        'User STATES off cigarettes since 2021 — "No, it\'s since 2021, not 2019"',
        'Person:Ama LIKES lilies — "she likes lilies"',
    ],
)
def test_a_triple_that_says_more_than_its_quote_stays(row):
    assert visible_text(f"- [context] {row} ^m-1", "semantic", ()) == f"- [context] {row}"


@pytest.mark.parametrize(
    "row",
    [
        "- [context] [user:ann] likes tea",
        "- **preference**: [user:ann] likes tea",
        "- [2025-01-15T10:30:00Z] [user:ann] Be brief ^r-1",
        "- [2025-01-15T10:30:00+00:00] **decision**: [user:ann] cone 6",
        "- [user:ann] likes tea\n  with milk",
        "1. [context] [user:ann] likes tea",
        "- [context][user:ann] likes tea",
    ],
)
def test_a_line_of_anothers_is_not_in_the_prompt(row):
    assert visible_text(row, "long-term", {"user:bob"}) == ""
    assert visible_text(row, "long-term", {"user:ann", "session:s1"}) == row
    assert visible_text(row, "long-term", ()) == row


def test_a_block_of_anothers_is_not_in_the_prompt():
    blocks = ["## [09:00:00] [user:ann]\n**User:** tea\n### more\nmilk", "## [10:00:00]\nrain\n# End\n"]
    note = "\n".join(["# Daily Notes", *blocks])
    assert visible_text(note, "daily-note", {"user:bob"}) == "# Daily Notes\n## [10:00:00]\nrain\n# End\n"
    assert visible_text(note, "daily-note", {"user:ann"}) == note
    assert visible_text(note, "daily-note", ()) == note


def test_no_part_of_a_long_block_of_anothers_is_in_the_prompt(tmp_path):
    root = make(tmp_path / "w", {"MEMORY.md": "# M\n", "memory/core/USER.md": "# U\n"})
    for user in ("ann", "bob"):
        paragraphs = (f"{number} kilns and the zebra glaze of {user}, at length. " * 6 for number in range(4))
        text = "\n\n".join(paragraphs)
        given = ("append-daily", "--user", user, "--full", "--user-text", text)
        assert memtool(*given, home=tmp_path, cwd=root).returncode == 0
    asked = ("context", "--retrieved", "--prompt", "zebra glaze")
    for reader, seen in (("bob", {"bob"}), ("eve", set()), (None, {"ann", "bob"})):
        options = [] if reader is None else ["--user", reader]
        said = memtool(*asked, *options, home=tmp_path, cwd=root).stdout
        assert {user for user in ("ann", "bob") if f"glaze of {user}" in said} == seen


NOTE = """\
# Daily Notes -- 2025-01-15

## [10:30:00] [user:ann]
**User:** I prefer oolong

## [10:31:00]
**User:** The kiln is free
### [user:ann] aside
- it is hers
## [10:32:00] [user:bob]
**User:** Mine
"""


def test_what_stands_under_a_heading_of_anothers_is_not_in_the_prompt():
    seen = visible_text(NOTE, "daily-note", {"user:bob"})
    assert "oolong" not in seen
    assert "hers" not in seen
    assert "The kiln is free\n## [10:32:00] [user:bob]\n**User:** Mine\n" in seen
    assert visible_text(NOTE, "daily-note", ()) == NOTE


def test_an_exchange_of_anothers_is_in_no_prompt_however_it_is_cut(tmp_path):
    long = "\n\n".join(f"The oolong of day {n} was good. " + "It was. " * 80 for n in range(5))
    note = f"# Daily Notes -- 2025-01-15\n\n## [10:30:00] [user:ann]\n**User:** {long}\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/2025-01-15.md": note})
    for user, seen in (("ann", True), ("bob", False)):
        for prompt in ("which oolong", "what was the oolong of day 3?"):
            asked = ("context", "--retrieved", "--user", user, "--prompt", prompt)
            assert ("oolong" in memtool(*asked, home=tmp_path, cwd=root).stdout) is seen


@given(st.text(alphabet="#-*[]user:anb \n\tx"))
def test_what_is_left_is_lines_of_the_text_and_twice_is_as_once(text):
    seen = visible_text(text, "semantic", {"user:bob"})
    assert visible_text(seen, "semantic", {"user:bob"}) == seen
    bare = re.sub(r"\[user:bob\]|\s", "", text)
    rest = iter(bare)
    assert all(one in rest for one in re.sub(r"\[user:bob\]|\s", "", seen))


@pytest.mark.parametrize(
    ("role", "row", "told"),
    [
        (
            "semantic",
            '- [relationship] [user:ann] User WORRIES_ABOUT work — "my boss is terrible" ^m-2',
            '- [relationship] User WORRIES_ABOUT work — "my boss is terrible"',
        ),
        ("rules", "- [2025-01-13T14:12:00Z] [user:ann] Use grams. (pinned) ^ri-8", "- Use grams."),
        ("rules", "- [2025-01-13T14:12:00Z] Use grams", "- Use grams"),
        ("rules", "- [ ] by hand ^x", "- [ ] by hand ^x"),
        ("long-term", "- [context] tea ^m-3", "- [context] tea ^m-3"),
    ],
)
def test_a_prompt_has_no_ids(role, row, told):
    assert visible_text(row, role, {"user:ann"}) == told
    assert visible_text(told, role, {"user:ann"}) == told


def test_where_nobody_is_named_a_line_says_whose_it_is():
    row = "- [context] [user:bo] likes 2 ^ 3 ^m-3\r"
    assert visible_text(row, "semantic", ()) == "- [context] [user:bo] likes 2 ^ 3"


def test_where_nobody_is_named_facts_are_worded_as_for_their_owner(tmp_path):
    ann = '- [context] [user:ann] User LIVES_IN Ghent — "I live in Ghent" ^m-1\n'
    bob = '- [context] [user:bob] User LIVES_IN Ghent — "We live in Ghent" ^m-2\n'

    def excerpts(facts):
        files = {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": f"# Facts\n\n{facts}"}
        root = make(tmp_path / str(len(facts)), files)
        asked = ("context", "--retrieved", "--prompt", "who lives in Ghent?")
        return memtool(*asked, home=tmp_path, cwd=root).stdout

    assert "Facts: I live in Ghent\n" in excerpts(ann)
    both = excerpts(ann + bob)
    assert "Facts: [user:ann] I live in Ghent\n" in both
    assert "Facts: [user:bob] We live in Ghent\n" in both


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (
            "## [10:00]\n**User:** Thanks, bye!\n**Agent:** The kiln is free.\n",
            "## [10:00]\nassistant: The kiln is free.\n",
        ),
        (
            "## [10:00]\n**User:** Is it free?\n**Agent:** You're welcome!\n",
            "## [10:00]\nuser: Is it free?\n",
        ),
        ("## [10:00]\n**User:** Danke!\n**Agent:** Gern.\n", ""),
        (
            "## [10:00]\n**User:** Thanks!\nThe kiln is hot.\n",
            "## [10:00]\nuser: Thanks!\nThe kiln is hot.\n",
        ),
        ("## Notes\n\nThanks\n", "## Notes\n\nThanks\n"),
    ],
)
def test_an_excerpt_of_a_daily_note_has_no_courtesies(note, shown):
    assert excerpt_text(note, "daily-note") == shown


def test_the_command_shows_nobody_what_is_anothers(tmp_path):
    arc = '---\nowner: "user:ann"\n---\nAnn told of Tom and the harbour.\n'
    tree = {
        "memtool.toml": 'layout = "native"\n',
        "memory/semantic/facts.md": FACTS,
        "memory/episodic/2025-01-15-s1.md": arc,
    }
    root = make(tmp_path / "w", tree)
    for user, sees in (("ann", True), ("bob", False)):
        asked = ("--user", user, "context", "--prompt", "my brother Tom")
        result = memtool(*asked, home=tmp_path, cwd=root, environment={"MEMTOOL_NOW": NOW.isoformat()})
        shown = result.stdout
        assert "a drum" in shown, result.stderr
        assert ("my brother Tim" in shown) == sees
        assert ("harbour" in shown) == sees
        assert "Person:Tom" not in shown


def test_a_clipped_statement_about_the_user_is_not_repeated(tmp_path):
    said = (
        "My landlord Osei wants the stairwell repainted in pale green before June, "
        + "because " * 20
        + "of it"
    )
    facts = f'# Facts\n\n- [context] User STATES {said} — "{said}" ^m-1\n'
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": facts})
    asked = ("context", "--prompt", "When does Osei want the stairwell repainted?")
    assert memtool(*asked, home=tmp_path, cwd=root).stdout.count("stairwell repainted") == 1


def test_an_excerpt_of_an_episode_loses_the_titles_that_memtool_writes_and_no_other_introduction():
    own = "Max is not allergic to:\npeanuts and eggs\n"
    assert excerpt_text(f"Other statements:\n{own}Decided:\n- tea\n", "episode") == f"{own}- tea\n"
