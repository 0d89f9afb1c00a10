"""Changes told in other words than they are stated in: "moved to York", after "I live in Leeds"."""

from __future__ import annotations

import pytest

from tests.verbs.capture.test_corrected_memory import current, say, tree

CHANGES = [
    ("I live in Leeds", "Actually we moved to York", "User LIVES_IN York"),
    ("I live in Leeds", "we've just moved to York", "User LIVES_IN York"),
    ("I live in Leeds", "We live in York now", "User LIVES_IN York"),
    ("I live in Leeds", "moved to York last month", "User LIVES_IN York"),
    ("I live in Leeds", "I moved to York for my wife", "User LIVES_IN York"),
    ("I live in Leeds", "I moved to York, after bed rest for six weeks", "User LIVES_IN York"),
    ("I live in Leeds", "I moved to York for two years", "User LIVES_IN York"),
    ("Ich wohne in Bergen", "Ich bin für meine Frau nach Oslo gezogen", "User LIVES_IN Oslo"),
    ("I live in Leeds", "We're in York now, by the way", "User LIVES_IN York"),
    ("I live in Leeds", "new place is in York", "User LIVES_IN York"),
    ("I live in Leeds", "Big news: we moved to York", "User LIVES_IN York"),
    ("I work at Siemens", "I started at Bosch on Monday", "User WORKS_AT Bosch"),
    ("I work at Siemens", "just started a new job at Bosch", "User WORKS_AT Bosch"),
    ("I work at Siemens", "my new job's at Bosch", "User WORKS_AT Bosch"),
    ("I work as a nurse", "now working as a teacher", "User WORKS_AS a teacher"),
    ("I work as a nurse", "got promoted to team lead today", "User WORKS_AS team lead"),
    ("My phone is a Pixel 7", "got a new phone, an iPhone 15", "User's phone IS an iPhone 15"),
    ("My phone is a Pixel 7", "new phone is an iPhone 15", "User's phone IS an iPhone 15"),
    ("My daughter goes to Elm School", "Actually my daughter switched to Oak School", "goes to Oak School"),
    ("I'm a vegetarian", "gone vegan last month", "vegan"),
    ("I'm single", "got engaged to Ben on Saturday", "User HAS_TRAIT engaged"),
    ("I'm married", "I'm single again", "single"),
    ("I work nights", "I've just swapped to day shifts", "day shifts"),
    ("I work night shifts", "I work days now", "work days"),
    ("I work part-time", "I've gone back to full-time", "full-time"),
    ("I don't drink coffee", "I'm back on coffee", "coffee"),
    ("I stopped drinking coffee", "I drink coffee again", "drink coffee"),
    ("I'm 39 years old", "Today I turned 40", "User HAS_AGE 40"),
    ("I'm 39 years old", "turned 40 yesterday", "User HAS_AGE 40"),
]


@pytest.mark.parametrize(("stored", "message", "new"), CHANGES)
def test_a_told_change_supersedes_what_was_so_before(tmp_path, stored, message, new):
    root = tree(tmp_path, (stored,))
    before = current(root)
    say(root, message, 5)
    after = current(root)
    assert before
    assert {*before}.isdisjoint(after)
    assert any(new in text for text in after)


def test_a_told_change_is_recorded_in_the_words_of_the_user(tmp_path):
    root = tree(tmp_path, ("I live in Leeds", "moved to York last month"))
    assert current(root) == ['User LIVES_IN York — "moved to York last month"']


OTHERS = [
    ("I live in Leeds", "he moved to York"),
    ("I live in Leeds", "They live in York now"),
    ("I live in Leeds", "our office moved to York"),
    ("I live in Leeds", "we moved to the next topic"),
    ("I live in Leeds", "moved on"),
    ("I live in Leeds", "moved the meeting notes to York folder"),
    ("I live in Leeds", "we moved to TypeScript last month"),
    ("I live in Leeds", "we moved to Kafka last month"),
    ("I live in Leeds", "moved to Done"),
    ("I live in Leeds", "I moved to Marketing yesterday"),
    ("I live in Leeds", "we almost moved to York"),
    ("I live in Leeds", "If we moved to York, would rent be cheaper?"),
    ("I live in Leeds", "Did we say we moved to York?"),
    ("I live in Leeds", "Tom says we moved to York"),
    ("I live in Leeds", "in my novel we moved to York"),
    ("I live in Leeds", "We moved to York when I was five"),
    ("I live in Leeds", "we're living in York for the summer"),
    ("I live in Leeds", "I moved to York for six weeks"),
    ("I live in Leeds", "We moved to New York for a few months"),
    ("I live in Leeds", "I relocated to Lima for a while"),
    ("Ich wohne in Bergen", "Ich bin für sechs Wochen nach Oslo gezogen"),
    ("Vivo en Sevilla", "Me mudé a Oslo por seis semanas"),
    ("J'habite à Lyon", "J'ai déménagé à Oslo pour six semaines"),
    ("I live in Leeds", "I'm in York now, where can I eat?"),
    ("I work at Siemens", "we're at Bosch now"),
    ("I work at Siemens", "my brother started at Bosch"),
    ("I work at Siemens", "we started at Page 3"),
    ("I work as a nurse", "he became a doctor"),
    ("I work as a nurse", "got promoted posts today"),
    ("I work as a nurse", "the build got promoted to production"),
    ("I work as a nurse", "working as a team now"),
    ("I work nights", "I work night shifts now"),
    ("I work weekends", "I work nights now"),
    ("I work nights", "My brother works days now"),
    ("I work nights", "we've switched to day mode"),
    ("I work nights", "I'm on days off this week"),
    ("I don't drink coffee", "I'm back on the coffee task"),
    ("I don't drink coffee", "I drink tea again"),
    ("I don't drink coffee", "my wife is back on coffee"),
    ("I'm married", "my sister is single again"),
    ("I'm 39 years old", "Turned 40 lines into 10"),
    ("I'm 39 years old", "my wife turned 40 today"),
    ("I'm 39 years old", "I turned 18 in 2004"),
    ("I'm a vegetarian", "my sister went vegan"),
    ("I'm a vegetarian", "the recipe turned vegan"),
]


@pytest.mark.parametrize(("stored", "message"), OTHERS)
def test_what_tells_no_change_of_the_user_supersedes_nothing(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = current(root)
    say(root, message, 5)
    assert before
    assert {*before} <= {*current(root)}


@pytest.mark.parametrize(
    "message",
    [
        "got laid off this morning",
        "I got promoted today",
        "passed my driving test today!",
        "got engaged last night",
        "we broke up",
        "had our baby, a girl, Ida",
        "just became a dad",
        "broke my leg yesterday",
        "quit smoking today",
        "started therapy this week",
        "got a dog today, his name is Rex",
        "sold the car yesterday",
        "I've gone back to work",
        "I'm back on antidepressants",
        "I've gone back to part time",
        "I'm back on nights",
    ],
)
def test_an_event_of_the_users_life_is_recorded_whatever_day_it_names(tmp_path, message):
    root = tree(tmp_path, ())
    say(root, message, 0)
    assert any(message.rstrip("!") in text for text in current(root))


@pytest.mark.parametrize(
    "message",
    [
        "got laid",
        "got promoted posts today",
        "moved on",
        "moved to staging",
        "I'm back on the main branch",
        "I've gone back to the old commit",
        "I'm back on track",
        "I'm back to square one",
        "got an error this morning",
        "passed the tests today",
        "broke the build today",
        "lost my keys this morning",
        "finished the report today",
        "quit vim",
        "broke up the monolith",
        "had coffee with Tom today",
    ],
)
def test_what_passes_is_no_event_of_the_users_life(tmp_path, message):
    root = tree(tmp_path, ())
    say(root, message, 0)
    assert current(root) == []


@pytest.mark.parametrize(
    ("line", "message", "rest"),
    [
        (
            "Remember that I live in Porto and my boss is called Ines",
            "I moved to Braga",
            "My boss is called Ines",
        ),
        (
            "Remember that I live in Porto and my boss is called Ines",
            "moved to Braga in May",
            "My boss is called Ines",
        ),
        ("Remember that I work at Siemens and my boss is Ines", "got laid off today", "My boss is Ines"),
    ],
)
def test_the_other_clauses_of_a_line_with_a_superseded_one_stay_as_a_line(tmp_path, line, message, rest):
    root = tree(tmp_path, (line,))
    say(root, message, 5)
    after = current(root)
    assert rest in after
    assert line not in after


def test_a_clause_that_may_go_with_the_old_home_is_not_said_of_the_new_one(tmp_path):
    root = tree(tmp_path, ("Remember that I live in Ghent, above a bakery", "I moved to Antwerp last month"))
    assert not any("Antwerp" in text and "bakery" in text for text in current(root))
