"""Messages of past sessions in a prompt: in order of time, in few characters each, within the room."""

from __future__ import annotations

import pytest

from memtool.core.context.messages import NO_ROOM, PastMessage, select_messages
from memtool.core.context.statements import statements
from memtool.core.search.prompts import breadth_of
from memtool.core.search.query import prompt_query
from memtool.core.text.stems import stem

LONG = (
    "The zebra glaze of batch {} ran down the side of the bowl and stuck to the shelf, which we ground off, "
)


def message(number, text=None, *, day=None, reply="", score=1.0):
    day = day if day is not None else f"2025-01-{number + 1:02}"
    text = text or f"The zebra glaze number {number} is on the shelf."
    order = (f"{day}T10:00:00Z", number, 0)
    return PastMessage(f"turns/{number}.json", 7, day, "user", text, order, score, reply, "assistant")


def select(messages, asked="what about the zebra glaze?", room=4_000, reason=lambda _: "", known=frozenset()):
    return select_messages(messages, prompt_query(asked), breadth_of(asked), room, stem, reason, known)


def printed(selected):
    return "\n".join(snippet.line(0) for snippet in selected.snippets)


def test_they_stand_in_order_of_time_under_their_days():
    selected = select([message(2), message(0), message(3, day="2025-01-03"), message(1)])
    assert printed(selected).split("\n") == [
        "2025-01-01, user:",
        "- The zebra glaze number 0 is on the shelf.",
        "2025-01-02, user:",
        "- The zebra glaze number 1 is on the shelf.",
        "2025-01-03, user:",
        "- The zebra glaze number 2 is on the shelf.",
        "- The zebra glaze number 3 is on the shelf.",
    ]


def test_a_message_without_a_day_says_so():
    assert printed(select([message(0, day="")])).startswith("undated, user:\n- The zebra")


def test_of_a_message_that_the_prompt_has_a_reply_that_answers_stands_alone():
    said, noted = "The zebra glaze is on the shelf.", "Good, I will remember where you put it."
    given = [message(0, said, reply="Fire the zebra glaze at 1,240 degrees."), message(1, said, reply=noted)]
    assert printed(select(given, known=statements(said))).split("\n") == [
        "2025-01-01, user:",
        "- assistant: Fire the zebra glaze at 1,240 degrees.",
    ]


def test_a_sentence_stands_with_the_known_one_that_it_follows_if_it_has_no_word_of_the_prompt():
    text = "We settled on a zebra glaze! It is called Biscuit."
    (snippet,) = select([message(0, text)], known=statements("We settled on a zebra glaze!")).snippets
    assert snippet.text == text


def test_a_reply_stands_below_its_message():
    selected = select(
        [message(0, reply="Grind the zebra glaze off.")], "what did you tell me of the zebra glaze?"
    )
    assert printed(selected).endswith("\n  assistant: Grind the zebra glaze off.")


@pytest.mark.parametrize(
    ("asked", "longest", "replies"),
    [
        ("what about the zebra glaze?", 160, 4),
        ("what did you recommend for the zebra glaze?", 114, 12),
        ("in which order did the zebra glaze fail?", 112, 0),
        ("summarize the zebra glaze", 114, 20),
    ],
)
def test_the_breadth_of_a_prompt_decides_how_much_is_shown_of_each(asked, longest, replies):
    messages = [
        message(n, LONG.format(n) * 3, reply=f"Reply {n} on the zebra glaze.", day="2025-01-01")
        for n in range(20)
    ]
    snippets = select(messages, asked, 8_000).snippets
    assert max(len(snippet.text) for snippet in snippets) <= longest
    assert sum(bool(snippet.reply) for snippet in snippets) == replies


@pytest.mark.parametrize("room", [200, 1_000, 4_000])
def test_the_best_stay_within_the_room_and_the_others_are_left_out_for_lack_of_it(room):
    messages = [message(n % 28, LONG.format(n)) for n in range(60)]
    selected = select(messages, room=room)
    assert 0 < len(printed(selected)) <= room
    assert {reason for _, reason in selected.left_out} == {NO_ROOM}
    assert len(selected.snippets) + len(selected.left_out) == 60
    assert messages[0] not in [left for left, _ in selected.left_out]


def test_what_the_prompt_has_already_is_left_out_with_the_reason():
    selected = select(
        [message(0), message(1)], reason=lambda passage: "known" if "number 0" in passage else ""
    )
    assert [(left.path, reason) for left, reason in selected.left_out] == [("turns/0.json", "known")]
    assert "number 1" in printed(selected)
