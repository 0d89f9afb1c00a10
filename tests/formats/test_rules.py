"""Rules files: what people wrote stays, what a program adds reads back, and an archive only grows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.rules import ConductRule, RetiredRule
from memtool.core.records.entries import Owner
from memtool.formats.rules import parse, render, render_archived_line, render_line, rules, update
from tests.formats.texts import texts

SPECIMEN = """\
# Rules

- [2025-01-09T07:50:00Z] Keep answers under five lines. ^r-1c9e02
- [2025-01-13T14:12:00Z] [user:ann] Give amounts in per cent. (pinned) ^ri-83b5d7
- written by hand, without a date
- [2025-01-14T09:00:00+01:00] Ask before posting.
"""
AT = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
ANN = Owner("user", "ann")


def test_rules_are_read_as_they_were_written():
    first, second, third = rules(parse(SPECIMEN))
    assert first == ConductRule(
        datetime(2025, 1, 9, 7, 50, tzinfo=UTC), "Keep answers under five lines.", "r-1c9e02"
    )
    assert (second.text, second.pinned, second.owner, second.is_inferred) == (
        "Give amounts in per cent.", True, ANN, True,
    )  # fmt: skip
    assert (third.text, third.at.hour) == ("Ask before posting.", 8)
    assert third.id == rules(parse(SPECIMEN))[2].id


made = st.builds(
    ConductRule,
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)).map(
        lambda at: at.replace(microsecond=0)
    ),
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1).filter(
        lambda text: not text.endswith(")") and "^" not in text
    ),
    st.from_regex(r"r-[0-9a-f]{6}", fullmatch=True),
    st.booleans(),
    st.none() | st.just(ANN),
)


@given(made)
def test_a_rule_that_is_written_reads_back(rule):
    assert rules(parse(render_line(rule) + "\n")) == (rule,)


@given(texts, st.lists(made, max_size=4, unique_by=lambda rule: rule.id))
def test_an_update_leaves_just_these_and_every_other_line(text, active):
    new = update(text, active)
    assert {rule.id for rule in rules(parse(new))} == {rule.id for rule in active}
    assert render(parse(new)) == new
    if rules(parse(text)) == ():
        assert said(parse(text)) == said(parse(new))


def said(file):
    """The lines that are no rules and not blank."""
    bare = [one.raw.strip("\ufeff \t\r") for one in file.lines if one.rule is None]
    return [one for one in bare if one]


def test_an_update_that_changes_nothing_changes_no_byte():
    assert update(SPECIMEN, rules(parse(SPECIMEN))) == SPECIMEN


@pytest.mark.parametrize("why", ["eviction", "r-2", "by hand"])
def test_an_archived_rule_still_reads(why):
    rule = ConductRule(AT, "Be brief.", "r-1", owner=ANN)
    assert render_archived_line(RetiredRule(rule, why), "2025-01-15") == (
        f"- [2025-01-15T10:30:00Z] [user:ann] Be brief. (archived 2025-01-15: {why}) ^r-1\n"
    )
    assert rules(parse(render_archived_line(RetiredRule(rule, why), "2025-01-15"))) == (rule,)


def test_a_day_is_time_enough():
    [one] = rules(parse("* [2025-01-15] Use grams\n- Be kind\n"))
    assert (one.at.isoformat(), one.text) == ("2025-01-15T00:00:00+00:00", "Use grams")
