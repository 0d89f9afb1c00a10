"""facts edit and facts forget with lines of long-term memory, named by their place or their words."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.trees import contents, make, memtool

MEMORY = """# Long-term memory

## Auto-captured

- **preference**: [user:ann] don't use emojis, they drive me nuts
- **preference**: [user:ann] I prefer tea to coffee
- **preference**: [user:bob] I prefer tea to coffee
- by hand, without a category
"""


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": MEMORY})


def run(root, *arguments, user="ann"):
    return memtool("--root", str(root), "--user", user, *arguments, home=root.parent)


@pytest.mark.parametrize("name", ["MEMORY.md:6", "I prefer tea to coffee", "i prefer tea to coffee."])
def test_a_line_is_corrected_by_its_place_or_its_words(root, name):
    done = run(root, "facts", "edit", name, "I prefer coffee to tea")
    assert done.stdout == "MEMORY.md:9\tupdated\tpreference\tMEMORY.md\tuser:ann\n"
    lines = (root / "MEMORY.md").read_text().splitlines()
    assert lines[5].startswith("- **preference**: [user:ann] I prefer tea to coffee [superseded: ")
    assert lines[6] == "- **preference**: [user:bob] I prefer tea to coffee"
    assert lines[8] == "- **preference**: [user:ann] I prefer coffee to tea"
    run(root, "undo")
    assert (root / "MEMORY.md").read_text() == MEMORY


def test_a_line_that_another_one_says_already_is_superseded_by_it(root):
    text = "I prefer tea to coffee"
    done = run(root, "facts", "edit", "MEMORY.md:5", text, "--json")
    assert '"effect": "merged"' in done.stdout
    assert '"id": "MEMORY.md:6"' in done.stdout
    again = run(root, "facts", "edit", "MEMORY.md:6", text)
    assert (again.returncode, again.stderr) == (
        1,
        "memtool: MEMORY.md:6 already says this; nothing was changed\n",
    )


def test_a_line_is_superseded_by_its_place_and_purged_by_its_text_only(root):
    refused = run(root, "facts", "forget", "--purge", "MEMORY.md:6")
    assert refused.returncode == 2
    assert refused.stderr.endswith("run memtool forget --match 'I prefer tea to coffee'\n")
    assert (root / "MEMORY.md").read_text() == MEMORY
    assert run(root, "facts", "forget", "MEMORY.md:6").stdout == "MEMORY.md:6\tI prefer tea to coffee\n"
    assert "tea to coffee [superseded: " in (root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("prefer tea", "'prefer tea' occurs in the text of MEMORY.md:6"),
        (
            "MEMORY.md:7",
            "found at MEMORY.md:7; to print or change any other line, use memtool get or a text editor",
        ),
        ("MEMORY.md:1", "MEMORY.md:1 is not a list item; edit the file by hand"),
        (
            "USER.md:3",
            "found at USER.md:3; to print or change any other line, use memtool get or a text editor",
        ),
    ],
)
def test_what_names_no_line_of_the_user_changes_nothing(root, name, said):
    before = contents(root)
    for arguments in (["edit", name, "I like milk"], ["forget", name]):
        done = run(root, "facts", *arguments)
        assert done.returncode == 1
        assert said in done.stderr
    assert contents(root) == before


def test_words_of_several_users_lines_are_asked_about(root):
    done = memtool(
        "--root", str(root), "facts", "edit", "I prefer tea to coffee", "I like milk", home=root.parent
    )
    assert done.returncode == 2
    assert "give the PATH:LINE of one of them: MEMORY.md:6, MEMORY.md:7" in done.stderr


def test_a_withdrawn_instruction_that_is_no_rule_is_named_with_its_line(root):
    done = run(root, "scan", "-m", "you can use emojis again")
    assert 'MEMORY.md:5 ("don\'t use emojis, they drive me nuts") still contains it' in done.stderr
    assert done.stderr.endswith(" --user ann facts forget MEMORY.md:5\n")


def test_an_edited_fact_names_the_line_of_its_owner_that_still_states_the_old_text(root):
    said = "My name is Nilufar and I live in Samarkand."
    run(root, "scan", "-m", said)
    [row] = run(root, "facts").stdout.splitlines()
    lines = (root / "MEMORY.md").read_text().splitlines()
    place = f"MEMORY.md:{lines.index(f'- **proper_noun**: [user:ann] {said}') + 1}"
    done = run(root, "facts", "edit", row.split("\t")[0], "I live in Bukhara")
    assert done.stderr.endswith(
        f"memtool: {place} ('{said}') still states the old fact; to correct it, "
        f'run memtool --user ann facts edit {place} "TEXT"\n'
    )
    assert 'that still holds, run memtool --user ann save "My name is Nilufar"\n' in done.stderr
    run(root, "facts", "edit", place, "My name is Nilufar")
    assert "Samarkand" not in run(root, "context").stdout
    assert "still states" not in run(root, "facts", "edit", "I prefer tea to coffee", "I like milk").stderr


BY_HAND = """Prose that is no item.

- The kiln is free on Thursdays ^kiln
  * [ ] below the kiln
- goes on
  here
1) numbered
- **preference**: I like tea [superseded: 2025-01-01]
"""


@pytest.fixture
def by_hand(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": BY_HAND})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("MEMORY.md:3", "- The kiln is free on Thursdays ^kiln", "- Fridays ^kiln"),
        ("the kiln is free on thursdays.", "- The kiln is free on Thursdays ^kiln", "- Fridays ^kiln"),
        ("MEMORY.md:4", "  * [ ] below the kiln", "  * [ ] Fridays"),
        ("MEMORY.md:7", "1) numbered", "1) Fridays"),
    ],
)
def test_an_item_written_by_hand_is_changed_in_its_place(by_hand, name, old, new):
    place = f"MEMORY.md:{BY_HAND.split(chr(10)).index(old) + 1}"
    done = run(by_hand, "facts", "edit", name, "Fridays")
    assert done.stdout == f"{place}\tupdated\t-\tMEMORY.md\teverybody\n"
    said = old.lstrip("*1) -[]").removesuffix(" ^kiln")
    assert done.stderr == f"memtool: the old text was: {said}\n"
    assert (by_hand / "MEMORY.md").read_text() == BY_HAND.replace(old, new)
    run(by_hand, "undo")
    assert (by_hand / "MEMORY.md").read_text() == BY_HAND


def test_an_item_written_by_hand_is_removed(by_hand):
    assert run(by_hand, "facts", "forget", str(by_hand / "MEMORY.md:7")).returncode == 0
    assert (by_hand / "MEMORY.md").read_text() == BY_HAND.replace("1) numbered\n", "")
    merged = run(by_hand, "facts", "edit", "below the kiln", "the kiln is free on Thursdays")
    assert merged.stdout.startswith("MEMORY.md:3\tmerged\t-\t")
    assert "below" not in (by_hand / "MEMORY.md").read_text()
    run(by_hand, "undo", "2")
    assert (by_hand / "MEMORY.md").read_text() == BY_HAND


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["edit", "MEMORY.md:1", "x"], "MEMORY.md:1 is not a list item; edit the file by hand"),
        (["edit", "Prose that is no item", "x"], "MEMORY.md:1 is not a list item; edit the file by hand"),
        (["forget", "MEMORY.md:5"], "MEMORY.md:5 continues on the lines below it; edit the file by hand"),
        (
            ["forget", "MEMORY.md:3"],
            "MEMORY.md:3 has nested list items; remove the line from the file by hand",
        ),
        (["edit", "MEMORY.md:8", "x"], "MEMORY.md:8 was superseded on 2025-01-01"),
        (["forget", "I like tea"], "MEMORY.md:8 was superseded on 2025-01-01"),
    ],
)
def test_a_line_that_cannot_be_changed_is_named_with_the_reason(by_hand, arguments, said):
    done = run(by_hand, "facts", *arguments)
    assert done.returncode in {1, 2}
    assert done.stderr == f"memtool: {said}\n"
    assert (by_hand / "MEMORY.md").read_text() == BY_HAND


def test_an_edit_of_a_superseded_line_names_the_line_that_superseded_it(by_hand):
    run(by_hand, "scan", "-m", "I prefer wine to beer")
    run(by_hand, "scan", "-m", "I prefer juice to milk")
    rows = (by_hand / "MEMORY.md").read_text().split("\n")
    number = next(number for number, row in enumerate(rows, 1) if "wine to beer" in row)
    new = run(by_hand, "facts", "edit", f"MEMORY.md:{number}", "I prefer cider").stdout.split("\t")[0]
    refused = run(by_hand, "facts", "edit", f"MEMORY.md:{number}", "I prefer rum")
    assert refused.returncode == 1
    assert re.fullmatch(
        rf"memtool: MEMORY.md:{number} was superseded on [\d-]+ by {new}; edit {new} instead\n",
        refused.stderr,
    )


def test_a_fact_is_named_by_its_place(by_hand):
    run(by_hand, "save", "I live in Riga", user="bob")
    path, line = run(by_hand, "facts", "list", user="bob").stdout.split("\t")[2].split(":")
    assert run(by_hand, "facts", "edit", f"{path}:{line}", "I live in Rome", user="bob").returncode == 0
    again = run(by_hand, "facts", "edit", f"{path}:{line}", "I live in Oslo", user="bob")
    assert "was superseded by m-" in again.stderr


def test_a_rule_that_still_states_the_old_text_is_named(root):
    text = "Remember: keep replies to three lines from now on."
    run(root, "scan", "-m", text)
    edited = run(root, "facts", "edit", text, "Keep replies to five lines.").stderr
    rule = run(root, "rules", "list").stdout.split()[0]
    assert f"rule {rule} still gives the old instruction; " in edited
    assert f"run memtool rules edit {rule} 'Keep replies to five lines.'" in edited


def test_an_edit_of_a_captured_line_says_that_the_old_text_stays(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    run(root, "scan", "-m", "I prefer tea")
    done = run(root, "facts", "edit", "MEMORY.md:7", "I prefer coffee")
    assert done.stderr.endswith("memtool: the old text stays in MEMORY.md:7, marked as superseded\n")
    assert "I prefer tea [superseded: " in (root / "MEMORY.md").read_text().split("\n")[6]


def test_a_fact_that_still_states_the_old_text_of_a_line_is_named(root):
    text = "My cat is called Biscuit, she's nine."
    run(root, "scan", "-m", text)
    fact = run(root, "facts", "list").stdout.split()[0]
    line = run(root, "search", "Biscuit", "--role", "long-term").stdout.split(" ")[0].rstrip(":")
    edited = run(root, "facts", "edit", line, "My cat is called Muffin, she's nine.")
    assert edited.returncode == 0
    assert (
        f"{fact} still states the old fact; to correct it, run memtool facts edit {fact} "
        + shlex.quote("My cat is called Muffin, she's nine.")
    ) in edited.stderr
