"""What the user says in passing of a thing that memory has another value of: "standup is at 9:45 now"."""

from __future__ import annotations

import pytest

from memtool.verbs.capture.scan_notices import scan_notices
from tests.trees import opened
from tests.verbs.capture.test_corrected_memory import current, say, tree

REPLACED = [
    ("User's rent is 850 euros", "rent is 900 euros now", "900 euros"),
    (
        "My flight to Oslo leaves at 8:15am on Friday",
        "flight changed to 9:30am",
        "leaves at 9:30am on Friday",
    ),
    (
        "My mother's birthday is on 3 March and the party is on 5 March",
        "the party moved to 7 March",
        "and the party is on 7 March",
    ),
    ("Our standup is at 9:15", "standup is at 9:45 now", "9:45"),
    ("My physio is on Wednesdays", "physio is on Fridays now", "Fridays"),
    ("I go to the pool on Tuesdays", "pool is on Thursdays now", "to the pool on Thursdays"),
    ("My GP is Dr. Horvat", "GP is Novak now", "Novak"),
    (
        "My gym fee is 30 euros and I pay it in cash",
        "hey, gym fee is 35 euros now",
        "35 euros and I pay it in cash",
    ),
]


@pytest.mark.parametrize(("stored", "message", "new"), REPLACED)
def test_news_of_a_thing_named_alone_replaces_its_value(tmp_path, stored, message, new):
    root = tree(tmp_path, [stored])
    report = say(root, message, 1)
    assert stored not in current(root)
    assert any(new in text for text in current(root))
    assert not scan_notices(opened(root), report, None, None)


NAMED = [
    (["The conference is on 12 May in Oslo"], "conference moved to Bergen"),
    (["My left knee hurts when I run"], "knee is fine again"),
    (["We drive a Clio"], "we switched to a Duster"),
    (["I take 500 mg of metformin in the morning"], "I take 1000 mg now"),
    (["My flight to Oslo leaves at 8:15am", "My flight to Bonn leaves at 6pm"], "flight changed to 9:30am"),
    (["We live in Brno with our son Filip and I commute by tram"], "We live in Olomouc now"),
    (["I drive a Skoda and I park it on Mill Lane"], "I drive a Fabia now, sold the old one"),
    (["Lunch with Ana is on Friday"], "lunch is on Monday now"),
]


@pytest.mark.parametrize(("stored", "message"), NAMED)
def test_news_that_may_be_of_what_memory_has_is_recorded_and_names_it(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    before = current(root)
    notices = scan_notices(opened(root), say(root, message, 2), None, None)
    assert before == [text for text in current(root) if message not in text]
    assert any(message in text for text in current(root))
    assert len(notices) == 1
    assert all(text.rpartition(" STATES ")[2].split(" — ")[0] in notices[0] for text in before)


KEPT = [
    (["Our standup is at 9:15"], "retro is at 9:45 now"),
    (["My wife's train leaves at 7:40"], "my train changed to 8:10"),
    (["My daughter's school starts at 8:00"], "school is at 8:30 now"),
    (
        ["The rent for the studio is 400 euros, and the rent for the flat is 900 euros"],
        "rent is 950 euros now",
    ),
    (["My shift starts at 6am and ends at 2pm"], "shift is at 8am now"),
    (["The kids' swimming is on Saturdays"], "swimming is on Sundays now"),
    (["Her flight leaves at 7:40"], "my flight changed to 8:10"),
    (["The bus leaves at 7:10 and 7:40"], "bus is at 7:50 now"),
    (["My alarm is at 6:00"], "alarm is at 8:00 on Sundays now"),
    (["I take 500 mg of metformin"], "I take 1000 IU of vitamin D now"),
    (["We drive a Clio"], "my brother switched to a Duster"),
    (["My GP is Dr. Horvat"], "my mum's GP is Novak now"),
]


@pytest.mark.parametrize(("stored", "message"), KEPT)
def test_news_of_another_thing_leaves_memory_as_it_is(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    say(root, message, 1)
    assert not {*stored} - {*current(root)}


def test_another_unit_is_of_something_else(tmp_path):
    root = tree(tmp_path, ("My budget for the new kitchen is 3000 euros.",))
    before = current(root)
    report = say(root, "make it 300 words", 1)
    assert current(root) == before
    assert not report.unapplied


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (["Our build takes 20 minutes"], "build is green again"),
        (["We have dinner at 7pm"], "dinner is ready now"),
        (["My left knee hurts when I run"], "make it 300 words"),
    ],
)
def test_a_passing_state_is_not_recorded(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    report = say(root, message, 1)
    assert current(root) == stored
    assert not scan_notices(opened(root), report, None, None)


@pytest.mark.parametrize(
    ("message", "is_recorded"),
    [
        ("the meeting moved to Thursday", True),
        ("The deploy got pushed to 9:30.", True),
        ("The concert was moved to Friday in my story", False),
        ("The timeout was increased to 30 seconds", False),
        ("If the meeting moved to Thursday I could come", False),
    ],
)
def test_a_new_time_is_recorded_though_memory_has_no_older_one(tmp_path, message, is_recorded):
    root = tree(tmp_path, [])
    say(root, message, 1)
    assert any(message in text for text in current(root)) == is_recorded


def test_a_sentence_that_ends_with_a_time_is_no_heading_of_a_chat(tmp_path):
    root = tree(tmp_path, ["My flight leaves at 8:15am"])
    pasted = "Ana Li Moreno 9:30am\nMy flight leaves at 9:00am"
    say(root, pasted, 1)
    assert current(root) == ["My flight leaves at 8:15am"]
    say(root, "Flight changed to 9:30am", 2)
    assert any("9:30am" in text for text in current(root))
