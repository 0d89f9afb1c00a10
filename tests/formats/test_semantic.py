"""The semantic file: facts that people and programs write into the same lines."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.records.entries import Fact, Owner
from memtool.core.records.semantic import FactTriple, SemanticRecord, Supersession
from memtool.formats import semantic
from memtool.formats.syntax.text_lines import fold_line_breaks
from tests.examples import examples
from tests.formats.texts import categories, details, owners, phrases, texts

SPECIMEN = """\
# Facts

- [relationship] User WORRIES_ABOUT work — "my boss is terrible" ^m-1a2b3c
- [preference] [user:sardor] tea before noon, coffee never ^m-9f8e7d
- [goal] User WANTS a promotion — "I want to lead" [superseded: 2025-02-01 by m-77aa01] ^m-5c4d3e
- [context] Uses the REST API
"""
ids = st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,9}", fullmatch=True)
predicates = st.sampled_from(["KNOWS", "LIKES", "WORRIES_ABOUT", "AB"])
superseded = st.none() | st.builds(Supersession, st.dates(), ids)
known = st.one_of(
    st.builds(Fact, categories, details, owners),
    st.builds(FactTriple, categories, details, predicates, details, st.none() | phrases, owners),
)
records = st.builds(SemanticRecord, known, ids, superseded)


def read(text):
    return semantic.records(semantic.parse(text))


def as_read(record):
    match record.fact:
        case Fact(category, detail, owner):
            known = Fact(category, fold_line_breaks(detail), owner)
        case FactTriple(category, subject, predicate, object, quote, owner):
            said = fold_line_breaks(quote or "") or None
            known = FactTriple(
                category, fold_line_breaks(subject), predicate, fold_line_breaks(object), said, owner
            )
    return SemanticRecord(known, record.id, record.superseded)


def test_the_specimen_reads():
    assert read(SPECIMEN) == (
        SemanticRecord(
            FactTriple("relationship", "User", "WORRIES_ABOUT", "work", "my boss is terrible"), "m-1a2b3c"
        ),
        SemanticRecord(
            Fact("preference", "tea before noon, coffee never", Owner("user", "sardor")), "m-9f8e7d"
        ),
        SemanticRecord(
            FactTriple("goal", "User", "WANTS", "a promotion", "I want to lead"),
            "m-5c4d3e",
            Supersession(date(2025, 2, 1), "m-77aa01"),
        ),
        SemanticRecord(Fact("context", "Uses the REST API")),
    )
    assert semantic.invalid_lines(semantic.parse(SPECIMEN)) == ()


def test_writing_the_facts_of_the_specimen_gives_its_lines():
    assert [semantic.render_line(record) for record in read(SPECIMEN)] == SPECIMEN.splitlines()[2:]


@given(record=records)
@settings(max_examples=examples(400))
def test_a_record_that_is_written_reads_back(record):
    line = semantic.render_line(record)
    assert "\n" not in line
    assert read(line) == (as_read(record),)


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (SemanticRecord(Fact("tool", "User KNOWS C:\\dir")), "- [tool] User \\KNOWS C:\\dir"),
        (SemanticRecord(Fact("tool", "see ^top")), "- [tool] see \\^top"),
        (SemanticRecord(Fact("tool", "[user:x] said")), "- [tool] \\[user:x] said"),
        (SemanticRecord(Fact("tool", "AWS and API — fine")), "- [tool] AWS and API — fine"),
        (SemanticRecord(FactTriple("goal", "User", "LIKES", "tea")), '- [goal] User LIKES tea — ""'),
        (
            SemanticRecord(FactTriple("goal", "User", "WANTS", "tea", 'say "please"\nand \\ thanks')),
            '- [goal] User WANTS tea — "say \\"please\\" and \\\\ thanks"',
        ),
    ],
)
def test_what_would_read_as_something_else_gets_a_backslash(record, line):
    assert semantic.render_line(record) == line
    assert read(line) == (as_read(record),)


@pytest.mark.parametrize(
    "text", ["- [goal] ^m-1", "- [Goal] User WANTS tea", "- [goal] [superseded: 2025-02-01]", "- [goal]"]
)
def test_a_line_that_is_almost_a_fact_is_named(text):
    assert read(text) == ()
    assert semantic.invalid_lines(semantic.parse("# x\n" + text)) == (2,)


@pytest.mark.parametrize("text", ["- [x] done", "- [ ] todo", "- [a link](x.md)", "- [link](x.md)", "prose"])
def test_ordinary_lines_are_neither_facts_nor_faults(text):
    assert read(text) == ()
    assert semantic.invalid_lines(semantic.parse(text)) == ()


def test_the_id_may_stand_before_the_mark_of_what_superseded_it():
    line = "- [goal] run a marathon ^m-1 [superseded: 2025-02-01]"
    assert read(line) == (
        SemanticRecord(Fact("goal", "run a marathon"), "m-1", Supersession(date(2025, 2, 1))),
    )


@pytest.mark.parametrize(
    "build",
    [
        lambda: FactTriple("goal", "User", "wants", "tea"),
        lambda: FactTriple("Goal", "User", "WANTS", "tea"),
        lambda: FactTriple("goal", " ", "WANTS", "tea"),
        lambda: SemanticRecord(Fact("goal", "x"), "no good"),
        lambda: Supersession(date(2025, 1, 1), "^x"),
        lambda: semantic.render_line(SemanticRecord(Fact("g", "one letter is a task's box"))),
        lambda: semantic.render_line(SemanticRecord(Fact("goal", "\n"))),
    ],
)
def test_what_would_not_read_back_is_refused(build):
    with pytest.raises(ValueError):
        build()


@given(text=texts, new=st.lists(records, min_size=1, max_size=2))
@settings(max_examples=examples(150))
def test_adding_keeps_what_is_there(text, new):
    added = semantic.add(text, new)
    assert read(added) == read(text) + tuple(as_read(record) for record in new)
    left = iter(line.removesuffix("\r").removeprefix("\ufeff") for line in added.split("\n"))
    assert all(line.removesuffix("\r").removeprefix("\ufeff") in left for line in text.split("\n"))


def test_putting_a_record_changes_the_line_of_its_id_and_no_other():
    text = SPECIMEN.replace("\n", "\r\n")
    new = SemanticRecord(Fact("preference", "green tea"), "m-9f8e7d")
    changed = semantic.put(text, new)
    assert changed == text.replace("[user:sardor] tea before noon, coffee never", "green tea")
    assert semantic.put(changed, new) == changed


def test_putting_a_record_of_an_unknown_id_or_none_adds_it():
    assert (
        semantic.put(SPECIMEN, SemanticRecord(Fact("goal", "run"), "m-0")) == SPECIMEN + "- [goal] run ^m-0\n"
    )
    assert semantic.put("", SemanticRecord(Fact("goal", "run"))) == "- [goal] run\n"


def test_a_moved_fact_is_the_last_of_the_facts_in_a_row():
    text = "# Facts\n\n- [a1] one ^m-1\n- [a1] two ^m-2\n- [a1] three ^m-3\n\n## Health\n\n- [a1] four ^m-4\n"
    moved = semantic.move_to_end(text, ["m-1", "m-4", "m-9"])
    assert moved == text.replace("- [a1] one ^m-1\n", "").replace("^m-3\n", "^m-3\n- [a1] one ^m-1\n")
    assert semantic.move_to_end(moved, ["m-1"]) == moved


def test_a_moved_fact_takes_the_lines_below_it_along_and_leaves_those_of_others():
    one, two = "- [a1] one ^m-1\n  its note\n\t- more\n", "- [a1] two ^m-2\n  door code 7781\n"
    assert semantic.move_to_end(f"{one}{two}\nprose\n", ["m-1"]) == f"{two}{one}\nprose\n"
    assert semantic.move_to_end(f"{one}{two}", ["m-2"]) == f"{one}{two}"
