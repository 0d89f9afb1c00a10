"""Corrections of hand-written lines of long-term memory: which are superseded, and which only named."""

from __future__ import annotations

import re

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.text.discourse import without_opening
from memtool.store.files.disk import Disk
from memtool.verbs.capture.scan import scan
from tests.trees import NOW, make, memtool, opened

MEMORY = "MEMORY.md"
CORRECTION = "Actually, I live in Kiel, not Bremen"


def scanned(folder, lines, message, *options):
    """What scan says of a message, and long-term memory after it, of a file with these lines."""
    root = make(folder / "w", {"memtool.toml": 'layout = "native"\n', MEMORY: f"# Memory\n\n{lines}\n"})
    result = memtool(*options, "scan", "-m", message, home=folder, cwd=root)
    return result.stderr, (root / MEMORY).read_text(), root


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- I live in Bremen", CORRECTION),
        ("* User lives in Bremen.", CORRECTION),
        ("- I live in Bremen\n- My dog is called Pixel", CORRECTION),
        ("1. Anna is my sister", "Actually, Anna is my cousin, not my sister"),
        ("- I live in Bremen", "I don't live in Bremen any more"),
        ("- I prefer tabs", "I don't prefer tabs any more"),
        ("- The cat is called Tock.", "Actually, the cat is called Tick, not Tock."),
    ],
)
def test_a_line_that_says_just_what_is_corrected_is_superseded(tmp_path, line, message):
    said, text, root = scanned(tmp_path, line, message)
    first = line.partition("\n")[0]
    assert f"\n{first} [superseded: " in text
    old = re.sub(r"^\S+ ", "", first)
    assert said == f"memtool: {old!r} was superseded by {without_opening(message)!r}\n"
    assert memtool("scan", "-m", message, home=tmp_path, cwd=root).stderr == ""
    injected = memtool("context", home=tmp_path, cwd=root).stdout
    assert without_opening(message) in injected
    assert f"{first}\n" not in injected


def test_a_correction_of_a_line_is_recorded_though_it_is_not_about_the_user(tmp_path):
    message = "The wifi password is now on the fridge, not on the card behind the router"
    said, text, root = scanned(tmp_path, "- The wifi password is on the card behind the router", message)
    assert "is on the card behind the router' was superseded by 'The wifi password is now on" in said
    assert said.count("\n") == 1
    assert "behind the router [superseded: " in text
    assert message in memtool("context", home=tmp_path, cwd=root).stdout


@pytest.mark.parametrize(
    "line",
    [
        "- I live in Bremen with Anna",
        "- I live in Bremen, and I work in Hamburg",
        "- I live in Bremen\n  in the old town",
        "- I live in Bremen\n  - since 2019",
    ],
)
def test_a_line_that_says_more_is_named_and_stays(tmp_path, line):
    said, text, _ = scanned(tmp_path, line, CORRECTION)
    assert text == f"# Memory\n\n{line}\n"
    assert "MEMORY.md:3 ('I live in Bremen" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "options", "is_edited"),
    [
        ("- I live in Bremen with Anna", (), True),
        ("- [user:ada] I live in Bremen with Anna", ("--user", "ada"), True),
        ("- I live in Bremen\n  - since 2019", (), True),
        ("- I live in Bremen\n  in the old town", (), False),
    ],
)
def test_the_notice_names_the_command_that_corrects_the_line_where_it_works(
    tmp_path, line, options, is_edited
):
    said, _, root = scanned(tmp_path, line, CORRECTION, *options)
    prefix = "".join(f"{option} " for option in options)
    assert (f'to correct it, run memtool {prefix}facts edit MEMORY.md:3 "TEXT"' in said) is is_edited
    assert ("edit it by hand in the file" in said) is not is_edited
    done = memtool(*options, "facts", "edit", "MEMORY.md:3", "I live in Kiel", home=tmp_path, cwd=root)
    assert (done.returncode == 0) is is_edited


def test_a_line_of_a_group_is_left_to_a_person(tmp_path):
    text = "# Memory\n\n- I live in Bremen with Anna\n"
    files = {"memtool.toml": 'layout = "native"\n', "groups/family/MEMORY.md": text}
    root = make(tmp_path / "w", files)
    done = memtool("scan", "-m", CORRECTION, "--group", "family", home=tmp_path, cwd=root)
    assert "groups/family/MEMORY.md:3" in done.stderr
    assert "edit it by hand in the file" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- I live in Bremen", "Actually, I live in Kiel"),
        ("- The release deadline is 10 February.", "Actually, the release deadline is 17 February"),
    ],
)
def test_a_line_with_another_value_is_named_and_stays(tmp_path, line, message):
    said, text, _ = scanned(tmp_path, line, message)
    assert "superseded" not in text
    assert "MEMORY.md:3" in said


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- My wife is celiac", "Actually, my wife is vegan"),
        ("- I live in Bergen", "Actually, I live in Oslo?"),
    ],
)
def test_what_may_hold_beside_a_line_does_not_contradict_it(tmp_path, line, message):
    said, text, _ = scanned(tmp_path, line, message)
    assert "superseded" not in text
    assert "contradicts" not in said


def test_a_line_of_nobody_is_named_for_a_user_and_stays(tmp_path):
    said, text, _ = scanned(tmp_path, "- I live in Bremen", CORRECTION, "--user", "ada")
    assert "superseded" not in text
    assert "MEMORY.md:3" in said


@pytest.mark.parametrize(
    "line", ["- I was born in Bremen", "- My sister lives in Bremen", "- I don't live in Bremen"]
)
def test_a_line_about_something_else_is_not_named(tmp_path, line):
    said, text, _ = scanned(tmp_path, line, CORRECTION)
    assert "MEMORY.md" not in said
    assert "superseded" not in text


def test_a_correction_of_a_line_is_not_said_to_have_replaced_nothing(tmp_path):
    message = "Actually, I work in Jena, not Ulm"
    said, text, _ = scanned(tmp_path, "- I work in Ulm", message, "--dry-run")
    assert "did not replace" not in said
    assert "superseded" not in text


def test_long_term_memory_is_read_no_more_often_for_a_correction_of_a_value_that_it_does_not_have(tmp_path):
    reads = {}
    for message in ("Actually, I live in Kiel", CORRECTION):

        class CountingDisk(Disk):
            def read_bytes(self, path, *arguments, message=message, **more):
                reads[message] = reads.get(message, 0) + (str(path) == MEMORY)
                return super().read_bytes(path, *arguments, **more)

        files = {"memtool.toml": 'layout = "native"\n', MEMORY: "# Memory\n\n- The kiln is hot\n"}
        workspace = opened(make(tmp_path / str(len(reads)), files), disk=CountingDisk)
        scan(workspace, message, now=NOW, owner=None, triggers=DEFAULT_TRIGGERS)
    assert 0 < reads[CORRECTION] <= reads["Actually, I live in Kiel"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- Sister Deirdre lives in Boston.", "Actually, my sister Deirdre lives in Chicago."),
        ("- Daughter: Sadhbh, 15", "Actually, my daughter Sadhbh is 16."),
        ("- **Dentist:** Dr. Osei", "Actually, my dentist is Dr. Paulsen."),
    ],
)
def test_a_line_that_a_correction_may_be_about_is_named(tmp_path, line, message):
    said, text, _ = scanned(tmp_path, line, message)
    assert "superseded" not in text
    assert "if it corrects MEMORY.md:3" in said
    assert 'run memtool facts edit MEMORY.md:3 "TEXT"' in said


@pytest.mark.parametrize(
    "message", ["Actually, my daughter's name is Orla.", "Actually, my car is a red Skoda."]
)
def test_a_line_with_another_label_is_not_named(tmp_path, message):
    said, _, _ = scanned(tmp_path, "- Name: Una\n- Brother Tom lives in Galway", message)
    assert "if it corrects" not in said


def test_a_line_about_the_user_is_left_to_an_editor(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', "memory/core/USER.md": "# User\n\n- **Name:** Una\n"}
    root = make(tmp_path / "w", files)
    said = memtool("scan", "-m", "Actually, my name is Orla.", home=tmp_path, cwd=root).stderr
    assert "if it corrects memory/core/USER.md:3 ('Name: Una'), edit the line by hand" in said
