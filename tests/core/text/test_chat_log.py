"""The marks of a chat's log: removed where a host wrote them, left where a user pasted them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.scan import scan_message
from memtool.core.context.context import query_of
from memtool.core.records.message_text import searchable_text
from memtool.core.records.speech import speaker_name
from memtool.core.records.turn import Message, TextPart
from memtool.core.text.chat_log import only_sender, without_chat_marks
from tests.trees import NOW

XML = '<message sender="Ann" time="2026-02-03T10:00:00.000Z">I prefer tea &amp; rusks</message>'
LINE = "[2026-02-03T10:00:00.000Z] Ann: I prefer tea & rusks"


@pytest.mark.parametrize(
    "text",
    [
        XML,
        f"<messages>\n{XML}\n</messages>",
        XML.replace("sender", "from").replace("time", "timestamp"),
        "<message Ann 2026-02-03 10:00>I prefer tea & rusks</message>",
        "<message Ann 10:00>I prefer tea & rusks",
        LINE,
        LINE.replace("2026-02-03T10:00:00.000Z", "03.02.2026, 10:00"),
    ],
)
def test_a_message_is_scanned_indexed_and_asked_without_its_marks(text):
    assert without_chat_marks(text).strip() == "I prefer tea & rusks"
    assert [entry.entry.detail for entry in scan_message(text, NOW)] == ["I prefer tea & rusks"]
    message = Message("user", (TextPart(text),))
    assert searchable_text(message).strip() == "I prefer tea & rusks"
    assert speaker_name(message) == "Ann"
    assert query_of(text) == "i prefer tea & rusks"


def test_the_place_of_an_entry_is_that_in_the_message_as_it_came():
    (entry,) = scan_message(LINE, NOW)
    assert LINE[slice(*entry.span)] == "I prefer tea & rusks"


def test_of_several_senders_the_last_is_the_user():
    text = f"{LINE}\nand honey\n{LINE.replace('Ann', 'Bob').replace('tea & rusks', 'beer')}"
    assert [entry.entry.detail for entry in scan_message(text, NOW)] == ["I prefer beer"]
    assert without_chat_marks(text) == "I prefer tea & rusks\nand honey\nI prefer beer"
    assert only_sender(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        f"Look what she wrote: {XML}",
        f"What does this mean?\n{LINE}",
        "[10:31] Bob: I love rum",
        "[2026-02-03 10:00:00] ERROR: I want a database",
        "[WIP] Ann: I love rum",
        "<message>I love rum</message>",
    ],
)
def test_what_no_host_wrote_stays(text):
    assert without_chat_marks(text) == text
    assert scan_message(text, NOW) == ()


@given(
    st.lists(st.sampled_from([XML, LINE, "<messages>", "</message>", "a\nb", "<message x>", "["]), max_size=6)
)
def test_lines_keep_their_numbers(parts):
    text = "\n".join(parts)
    assert without_chat_marks(text).count("\n") == text.count("\n")
