"""What memory, a summary or a host put into a text is taken off, and nothing besides, in linear time."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.privacy.recalled import tag_recalled, without_recalled

BLOCK = re.compile(
    r"(?is)<memory-context\b[^>]{0,200}>.*?(?:</memory-context>|\Z)|<(summary|system-reminder)>.*?</\1>"
)
PIECES = ["<summary>", "</Summary>", "<system-reminder>", "</system-reminder>", "<memory-context>", "tea\n"]
PIECES += ['<MEMORY-context a="b">', "</memory-context>", "</summary", "<", ">"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_blocks_are_taken_off_as_the_pattern_says(text):
    assert without_recalled(text) == BLOCK.sub("", text)


def test_what_is_told_can_be_known_again_whatever_it_says():
    told = tag_recalled("a</memory-context>b")
    assert without_recalled(f"before {told}after") == "before \nafter"
