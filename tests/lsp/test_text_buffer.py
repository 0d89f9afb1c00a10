"""Positions of the protocol in a text, in three encodings."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from memtool.serve.lsp.text_buffer import TextBuffer

CHARACTERS = st.sampled_from(["a", "é", "字", "😀", "\u2028", "\x0c", "\n", "\r", "\r\n", "e\u0301", " "])
TEXTS = st.lists(CHARACTERS, max_size=30).map("".join)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def lines_of(text: str) -> list[str]:
    """The lines with their ends, as the protocol defines them."""
    return [*re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text), re.split(r"\r\n|\r|\n", text)[-1]]


def units(text: str, encoding: str) -> int:
    codec, size = CODECS[encoding]
    return len(text.encode(codec)) // size


@given(TEXTS, ENCODINGS, st.data())
def test_a_position_leads_back_to_its_offset(text, encoding, data):
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n" and offset:
        return  # inside a line end there is no position
    buffer = TextBuffer(text, encoding)
    assert buffer.offset(*buffer.position(offset)) == offset


@given(TEXTS, ENCODINGS)
def test_positions_count_code_units_of_lines(text, encoding):
    buffer, at = TextBuffer(text, encoding), 0
    lines = lines_of(text)
    assert buffer.line_count == len(lines)
    for number, line in enumerate(lines):
        content = line.rstrip("\r\n")
        for index in range(len(content) + 1):
            assert buffer.position(at + index) == (number, units(content[:index], encoding))
        assert buffer.offset(number, 10**6) == at + len(content)
        at += len(line)
    assert buffer.offset(10**6, 0) == len(text)


@given(TEXTS, ENCODINGS, st.lists(st.integers(0, 40)))
def test_positions_are_the_same_in_any_order(text, encoding, offsets):
    buffer = TextBuffer(text, encoding)
    for offset in offsets:
        assert buffer.position(offset) == TextBuffer(text, encoding).position(offset)


@given(TEXTS, ENCODINGS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), TEXTS), max_size=4))
@example("a\r", "utf-16", [(2, 2, "\nb")])
@example("a\nb", "utf-16", [(1, 1, "\r")])
def test_changes_make_the_text_that_the_client_has(text, encoding, changes):
    buffer = TextBuffer(text, encoding)
    for first, second, new in changes:
        start, end = sorted((min(first, len(text)), min(second, len(text))))
        positions = [buffer.position(start), buffer.position(end)]
        start, end = (buffer.offset(*position) for position in positions)
        buffer.replace(*positions, new)
        text = text[:start] + new + text[end:]
        assert buffer.text == text
        assert buffer.line_count == len(lines_of(text))


def test_a_position_inside_a_surrogate_pair_is_before_the_character():
    buffer = TextBuffer("a😀b", "utf-16")
    assert [buffer.offset(0, character) for character in range(6)] == [0, 1, 1, 2, 3, 3]


def test_a_lone_surrogate_is_replaced():
    assert TextBuffer("a\ud800b").text == "a\ufffdb"
