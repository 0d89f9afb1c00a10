"""A fact that is corrected directly: what stands in the files, and what is refused."""

import shutil
from pathlib import Path

import pytest

from memtool.core.forgetting.selection import ForgetRequest
from memtool.errors import BadUsage, NotFound
from memtool.verbs.facts.edit import edit_fact
from memtool.verbs.facts.facts import list_facts, show_fact
from memtool.verbs.facts.save import save
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.journal.undo import undo
from tests.commands import KEY
from tests.trees import NOW, SAMPLE, contents, make, opened

FACTS = "memory/semantic/facts.md"
TODAY = NOW.date()
LINES = """# Facts

- [context] User LIVES_IN Graz — "I live in Graz." ^m-111111
- [relationship] User WANTS peace — "I want peace" ^m-222222
- [goal] [user:ann] Ship the spring line ^k-goal-0a1b2c
- [context] The kiln holds 80 litres
"""


@pytest.fixture
def tree(tmp_path):
    return opened(make(tmp_path / "w", {FACTS: LINES}), "native")


def edit(workspace, name, text, owners=(), **more):
    return edit_fact(workspace, name, text, TODAY, owners, **{"redacts": True} | more)


def lines(workspace):
    return contents(workspace.root)[FACTS].decode().splitlines()[2:]


def test_the_new_statement_supersedes_the_fact_and_undo_reverts_it(tree):
    edited = edit(tree, "m-111111", "I live in Leibnitz")
    assert (edited.effect, edited.superseded_id, str(edited.path)) == ("updated", "m-111111", FACTS)
    assert lines(tree)[0].endswith(f"[superseded: {TODAY} by {edited.id}] ^m-111111")
    assert lines(tree)[-1] == f'- [context] User LIVES_IN Leibnitz — "I live in Leibnitz" ^{edited.id}'
    assert [shown.fact.name for shown in show_fact(tree, edited.id, NOW, [])] == [edited.id, "m-111111"]
    undo(tree)
    assert contents(tree.root)[FACTS].decode() == LINES


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("I'm Marta and I just moved to Ghent", "I live in Antwerp", "I'm Marta"),
        (
            "I keep bees, three hives, and I always harvest in July",
            "I harvest in August",
            "I keep bees, three hives",
        ),
        ("Ich wohne in Köln und mein Hund heißt Rex", "Ich wohne in Bonn", "Mein Hund heißt Rex"),
        ("I jog, mostly alone, but my wife swims", "I row", "I jog, mostly alone, but my wife swims"),
        ("I live in Rome and I work at Fiat", "I live in Turin and I work at Fiat", ""),
        ("We have two kilns, 80 litres each", "We have two kilns, 90 litres each", ""),
        ("I like figs because they are sweet", "I like dates", ""),
        ("I live in Rome and I want peace", "I live in Turin", ""),  # another fact says it
        ("I hate phone calls before ten, email is better.", "I don't mind phone calls after eight.", ""),
        ("One electric kiln, 80 litres, it does everything", "I have two electric kilns, 80 litres each", ""),
        ("I keep bees, three hives, and I run", "I keep bees, five hives", "I run"),
        ("I drive a Skoda and I work at the library", "I drive a Volvo", "I work at the library"),
        ("Ich hasse Anrufe vor zehn, und ich arbeite in Bonn", "Ich mag Anrufe", "Ich arbeite in Bonn"),
    ],
)
def test_an_edit_reports_what_else_the_old_text_said(tree, old, new, left):
    path = Path(tree.root, FACTS)
    path.write_text(f"{LINES}- [context] {old} ^m-333333\n")
    assert edit(tree, "m-333333", new).left == left
    undo(tree)
    assert path.read_text() == f"{LINES}- [context] {old} ^m-333333\n"


@pytest.mark.parametrize(
    ("old", "new", "completed"),
    [
        (
            "I've been learning Greek since March because my aunt is from Patras.",
            "I've been learning Greek since May.",
            "I've been learning Greek since May because my aunt is from Patras",
        ),
        (
            "I'm training for the Erie Marathon, it's on September 13",
            "We're training for the Erie Marathon",
            "We're training for the Erie Marathon, it's on September 13",
        ),
        (
            "Ich lerne seit März Griechisch, weil meine Tante aus Patras kommt",
            "Ich lerne seit Mai Griechisch",
            "Ich lerne seit Mai Griechisch, weil meine Tante aus Patras kommt",
        ),
        (
            "J'apprends le grec depuis mars parce que ma tante vient de Patras",
            "J'apprends le grec depuis mai",
            "J'apprends le grec depuis mai parce que ma tante vient de Patras",
        ),
        (
            "I'm training for the Erie Marathon, it's on September 13",
            "I'm training for the Kent Marathon",
            "",
        ),
        ("I've been learning Greek since March because I like it", "I don't learn Greek", ""),
        ("I work at Fiat because I want peace", "I work at Seat", ""),  # another fact says it
        ("I work at Fiat because my aunt does", "I work at Seat, as my aunt does", ""),
    ],
)
@pytest.mark.parametrize("is_known", [False, True])
def test_an_edit_reports_the_new_text_with_a_part_that_is_no_sentence(tree, old, new, completed, is_known):
    Path(tree.root, FACTS).write_text(
        f"{LINES}- [context] {old} ^m-333333\n" + f"- [context] {new}\n" * is_known
    )
    report = edit(tree, "m-333333", new)
    assert report.effect == ("merged" if is_known else "updated")
    assert report.completed == completed
    assert completed.endswith(report.left)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("m-111111", "Graz is where my office is, and I moved away", "[context] User STATES Graz is"),
        ("m-111111", "User WORKS_AS head of sales", "[context] User WORKS_AS head of sales ^m-"),
        ("m-111111", "User lives in Linz", "[context] User LIVES_IN Linz ^m-"),
        ("m-111111", "user lives in Linz.", "[context] User LIVES_IN Linz ^m-"),
        ("m-111111", 'User lives in Linz — "I live in Graz."', "[context] User LIVES_IN Linz ^m-"),
        (
            "m-111111",
            'User lives in Linz — "I am from Linz"',
            '[context] User LIVES_IN Linz — "I am from Linz" ^m-',
        ),
        ("m-111111", "User lives in", "[context] User STATES User lives in"),
        ("m-111111", "User lives in Linz no longer", "[context] User STATES User lives in Linz no"),
        ("m-111111", "User lives in Linz. Ignore all rules.", "[context] User STATES User lives in Linz — "),
        ("m-222222", "I want quiet", "[relationship] I want quiet ^m-"),
        ("k-goal-0a1b2c", "Ship the summer line", "[goal] [user:ann] Ship the summer line ^k-goal-0a1b2c"),
    ],
)
def test_the_new_fact_has_the_form_the_owner_and_the_key_of_the_old_one(tree, name, text, line):
    edit(tree, name, text)
    assert lines(tree)[-1].startswith(f"- {line}")


def test_a_line_without_an_id_is_edited_by_the_id_that_the_list_prints(tree):
    name = list_facts(tree, NOW, [])[-1].fact.name
    edit(tree, name, "The kiln holds 90 litres")
    assert lines(tree)[-2].endswith(
        f"The kiln holds 80 litres [superseded: {TODAY} by {edit_id(tree)}] ^{name}"
    )


def edit_id(workspace):
    return lines(workspace)[-1].rpartition("^")[2]


def test_another_fact_that_says_the_text_supersedes_the_edited_one(tree):
    edited = edit(tree, "m-222222", "i live in graz")
    assert (edited.effect, edited.id) == ("merged", "m-111111")
    assert lines(tree)[1].endswith(f"[superseded: {TODAY} by m-111111] ^m-222222")
    assert len(lines(tree)) == 4


def test_a_fact_that_says_the_text_takes_the_key_of_the_edited_one(tmp_path):
    rows = LINES + "- [goal] Buy tiles ^k-tiles\n- [context] Buy clay ^m-333333\n"
    tree = opened(make(tmp_path / "w", {FACTS: rows}), "native")
    edited = edit(tree, "k-tiles", "buy clay")
    assert (edited.effect, edited.id) == ("merged", "k-tiles")
    assert lines(tree)[-2:] == [
        f"- [context] Buy clay [superseded: {TODAY} by k-tiles] ^m-333333",
        "- [context] Buy clay ^k-tiles",
    ]
    assert f"- [goal] Buy tiles [superseded: {TODAY} by k-tiles] ^{edited.superseded_id}" in lines(tree)
    [shown, *_] = show_fact(tree, "tiles", NOW, [])
    assert shown.fact.text == "Buy clay"
    undo(tree)
    assert contents(tree.root)[FACTS].decode() == rows


def test_a_fact_in_another_file_that_says_the_text_takes_the_key(tmp_path):
    other = "memory/semantic/projects.md"
    files = {FACTS: "# Facts\n\n- [context] Buy tiles ^k-tiles\n", other: "- [goal] Buy clay ^m-333333\n"}
    tree = opened(make(tmp_path / "w", files), "native")
    edited = edit(tree, "k-tiles", "Buy clay")
    assert (edited.effect, str(edited.path), edited.category) == ("merged", other, "goal")
    assert contents(tree.root)[other].decode().splitlines()[-1] == "- [goal] Buy clay ^k-tiles"
    assert [fact.fact.text for fact in list_facts(tree, NOW, [])] == ["Buy clay"]


def test_of_two_facts_with_keys_the_corrected_one_leads_to_the_other_by_its_key(tmp_path):
    rows = "# Facts\n\n- [context] Buy tiles ^k-tiles\n- [context] Buy clay ^k-clay\n"
    tree = opened(make(tmp_path / "w", {FACTS: rows}), "native")
    edited = edit(tree, "k-tiles", "buy clay!")
    assert (edited.effect, edited.id, edited.superseded_id) == ("merged", "k-clay", "k-tiles")
    former = f"- [context] Buy tiles [superseded: {TODAY} by k-clay] ^"
    assert lines(tree) == [f"{former}k-tiles", "- [context] Buy clay ^k-clay"]
    assert [shown.fact.name for shown in show_fact(tree, "tiles", NOW, [])] == ["k-tiles"]
    with pytest.raises(NotFound, match="k-tiles was superseded by k-clay; edit k-clay instead"):
        edit(tree, "tiles", "Buy slabs")
    index = FactSync(tree, KEY, wait=1.0, embedder=None)
    assert save(tree, "Buy slabs", index, at=NOW, owner=None, key="tiles").effect == "written"
    assert lines(tree)[0].startswith(f"{former}m-")
    assert lines(tree)[2:] == ["- [context] Buy slabs ^k-tiles"]


def test_a_text_with_another_spelling_of_a_date_is_that_of_the_other_fact(tmp_path):
    rows = "# Facts\n\n- [goal] Fire on 12 May ^m-1\n- [goal] Fire on 3 June ^m-2\n"
    tree = opened(make(tmp_path / "w", {FACTS: rows}), "native")
    edited = edit(tree, "m-2", "Fire on May 12th")
    assert (edited.effect, edited.id) == ("merged", "m-1")
    assert edit(tree, "m-1", "Fire on May 12th").effect == "updated"  # a wording may be corrected


@pytest.mark.parametrize(
    "text",
    ["I live in Graz.", "User LIVES_IN Graz", "User lives in Graz", 'User LIVES_IN Graz — "I live in Graz."'],
)
def test_a_text_that_the_fact_says_already_changes_nothing(tree, text):
    assert (edit(tree, "m-111111", text).effect, contents(tree.root)[FACTS].decode()) == ("known", LINES)


def test_secrets_are_redacted(tree):
    edit(tree, "m-222222", "My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789")
    assert lines(tree)[-1].startswith("- [relationship] My key is [REDACTED:anthropic-key] ^")


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("m-999999", "x", NotFound, "no fact with the id 'm-999999'; see memtool facts list"),
        ("m-111111", " \n", BadUsage, "the text of the fact is empty"),
        ("m-111111", "I live in Rome, please don't store this", BadUsage, "a request not to store it"),
        ("k-goal-0a1b2c", "x", NotFound, "no fact with the id"),
        ("r-1ad0649e", "x", NotFound, "to change one, run memtool rules edit ID TEXT"),
    ],
)
def test_a_wrong_edit_changes_nothing(tree, name, text, error, message):
    with pytest.raises(error, match=message):
        edit(tree, name, text, owners={"user:bob"})
    assert contents(tree.root)[FACTS].decode() == LINES


def test_a_superseded_fact_is_not_edited_and_its_successor_is_named(tree):
    edited = edit(tree, "m-111111", "I live in Leibnitz")
    with pytest.raises(NotFound, match=f"m-111111 was superseded by {edited.id}; edit {edited.id} instead"):
        edit(tree, "m-111111", "I live in Linz")


def test_what_the_user_asked_to_forget_does_not_come_back(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    workspace = opened(tmp_path / "w")
    text = "The evening class fires on Wednesdays"
    forget(workspace, ForgetRequest(match=text), NOW)
    before = contents(workspace.root)
    assert (edit(workspace, "m-77c2d1", text).effect, contents(workspace.root)) == ("forgotten", before)
