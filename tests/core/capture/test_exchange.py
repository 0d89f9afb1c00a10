from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.exchange import build_exchange, build_note
from memtool.core.records.entries import Exchange, Owner
from memtool.core.secrets.redact import redact
from memtool.core.text.sanitise import is_structure, neutralise
from memtool.errors import BadUsage

AT = time(10, 30)


def test_an_exchange_has_both_sides_its_time_and_its_owner():
    made = build_exchange("Tell me about FastAPI", "It is a web framework", AT, Owner("user", "sardor"))
    assert made == Exchange(
        AT, "Tell me about FastAPI", "It is a web framework", None, Owner("user", "sardor")
    )


def test_a_note_has_no_sides():
    assert build_note(" Deployed.\n", AT) == Exchange(AT, note="Deployed.")


def test_a_blank_side_is_left_out_and_two_are_refused():
    assert build_exchange("hi", " \n", AT) == build_exchange("hi", None, AT) == Exchange(AT, user="hi")
    with pytest.raises(BadUsage, match="exchange is empty"):
        build_exchange(None, "\u200b", AT)
    with pytest.raises(BadUsage, match="note is empty"):
        build_note("", AT)


def test_a_side_is_redacted_then_neutralised_then_clipped():
    made = build_exchange("## [11:00:00]\npassword: hunter2", "x " * 400, AT)
    assert made.user == "> ## [11:00:00]\npassword: [REDACTED:password]"
    assert made.agent is not None
    assert len(made.agent) == 500


def test_full_keeps_all():
    assert build_exchange("x " * 400 + "x", None, AT, full=True).user == "x " * 400 + "x"


def test_a_cut_that_opens_a_fence_closes_it():
    text = "see\n```\n" + "code " * 200 + "\n```"
    assert build_exchange(text, None, AT).user.startswith("see\n> ```\ncode")
    assert build_exchange(text, None, AT, full=True).user == text


pieces = st.sampled_from(
    [
        "# h",
        "## [10:30:00]",
        "**User:** x",
        "```",
        "~~~",
        "- [x] y",
        "---",
        "password: hunter2",
        "\n",
        " ",
        "\u2028",
        "word " * 60,
        "ghp_" + "a1B2" * 9,
        "x" * 499,
        "\u200b",
        "-----BEGIN PRIVATE KEY-----",
    ]
)
texts = st.lists(pieces | st.text(max_size=5), max_size=10).map("\n".join) | st.lists(
    pieces, max_size=10
).map("".join)


@given(texts.filter(lambda text: text.strip("\n \u200b\u2028")))
def test_a_side_is_short_neutral_and_without_secrets(text):
    side = build_exchange(text, "ok", AT).user or ""
    assert len(side) <= 500
    assert neutralise(side) == side == redact(side)
    assert not any(is_structure(line) for line in side.splitlines())
    assert "a1B2a1B2" not in side
