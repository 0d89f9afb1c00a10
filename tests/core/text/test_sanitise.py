import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.sanitise import clip, clip_to_difference, is_structure, neutralise, one_line

STRUCTURE = """
# Heading
## [10:30:00]
## [10:30:00] [user:bob]
## [2025-01-15 10:30:00] Human
#
   ### Indented
\t# Tabbed
## Auto-captured
===
---
- - -
***
___
+++
...
-
- [2025-01-15T10:30:00+00:00] **preference**: I like tea
- [ ] todo
- **preference**: I like tea
* **preference**: I like tea
1. **preference**: I like tea
**User:** hi
**Agent:** hi
  **Status:** ACTIVE
**User**: hi
__User:__ hi
<!-- hidden
<script>
<?php
<![CDATA[
"""
PROSE = """
plain text
#hashtag
- a list item
1. first
* another
a ## in the middle
> quoted already
1 - 2 = -1
--flag --other
**bold** words go on
<b>bold</b>
| a | b |
http://x.io/#x
我喜欢茶
"""


@pytest.mark.parametrize("line", STRUCTURE.strip("\n").splitlines())
def test_a_line_that_could_pass_for_structure_is_quoted(line):
    assert is_structure(line)
    assert neutralise(f"before\n{line}\nafter") == f"before\n> {line}\nafter"


@pytest.mark.parametrize("line", [line for line in PROSE.strip("\n").splitlines() if "**bold**" not in line])
def test_ordinary_lines_stay_as_they_are(line):
    assert neutralise(f"before\n{line}\nafter") == f"before\n{line}\nafter"


def test_a_closed_fence_stays_and_an_open_one_is_quoted():
    assert neutralise("see\n```py\nx = 1\n```\nok") == "see\n```py\nx = 1\n```\nok"
    assert neutralise("see\n```py\nx = 1") == "see\n> ```py\nx = 1"
    assert neutralise("see\n````\n```\nx") == "see\n> ````\n> ```\nx"
    assert neutralise("see\n~~~\na\n```\nb\n~~~") == "see\n~~~\na\n```\nb\n~~~"


def test_a_fence_on_the_first_line_is_quoted_for_it_may_stand_after_a_label():
    assert neutralise("```py\nx = 1\n```") == "> ```py\nx = 1\n> ```"


def test_structure_inside_a_fence_is_quoted_too():
    assert neutralise("see\n```\n## [10:30:00]\n```") == "see\n```\n> ## [10:30:00]\n```"


def test_exotic_line_ends_make_lines():
    assert neutralise("a\u2028## b\x0b## c\r## d\x85## e") == "a\n> ## b\n> ## c\n> ## d\n> ## e"
    assert neutralise("a\n\u200b## b\n#\u200b# c") == "a\n> ## b\n> ## c"


lines = (
    st.sampled_from(
        [
            *STRUCTURE.strip("\n").splitlines(),
            *PROSE.strip("\n").splitlines(),
            "```",
            "````py",
            "~~~",
            "> ```",
        ]
    )
    | st.text(st.sampled_from("#*-_=+`~[]<>!: .1a\t\u200b\u2028"), max_size=8)
    | st.text(max_size=8)
)
texts = st.lists(lines, max_size=12).map("\n".join)
READERS = re.compile(
    r"#{1,6}\s|## \[|- \[|- \*\*\w+\*\*:|\*\*(?:User|Agent|Status|Started):\*\*|-{3,}\s*$|={1,}\s*$"
)


@given(texts)
def test_no_line_of_a_neutral_text_matches_what_our_readers_look_for(text):
    for line in neutralise(text).splitlines():
        assert not is_structure(line)
        assert not READERS.match(line)
        assert not READERS.match(line.strip())


@given(texts)
def test_no_fence_is_left_open(text):
    opened = None
    for line in neutralise(text).split("\n"):
        fence = re.match(r" {0,3}(`{3,}|~{3,})(.*)$", line)
        if fence and opened is None and not (fence[1][0] == "`" and "`" in fence[2]):
            opened = fence[1]
        elif fence and opened is not None and fence[1].startswith(opened) and not fence[2].strip():
            opened = None
    assert opened is None


@given(texts)
def test_neutralising_twice_changes_nothing(text):
    assert neutralise(neutralise(text)) == neutralise(text)


@given(texts, st.integers(0, 60))
def test_one_line_is_one_line_within_its_limit(text, limit):
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert one_line(line, limit) == line


@pytest.mark.parametrize("tag", ["[user:bob]", "[session:x]", "[User : bob]", "[user:bob"])
def test_one_line_does_not_open_with_an_owner_tag(tag):
    assert not one_line(f" {tag} I like tea").startswith("[")
    assert one_line("[note] I like tea") == "[note] I like tea"


@given(st.text(), st.integers(0, 40))
def test_clipping_keeps_the_beginning_within_the_limit(text, limit):
    clipped = clip(text, limit)
    assert len(clipped) <= limit
    assert clipped == text or text.startswith(clipped.removesuffix("…").rstrip())
    assert clip(clipped, limit) == clipped


@pytest.mark.parametrize(
    ("text", "limit", "clipped"),
    [
        ("I like tea", 10, "I like tea"),
        ("I like tea and rum", 12, "I like tea…"),
        ("I like tea and rum", 11, "I like tea…"),
        ("abcdefghij", 5, "abcd…"),
        ("我喜欢茶和咖啡", 5, "我喜欢茶…"),
        ("aaae\u0301\u0301bbb", 5, "aaa…"),
        ("aaa👩\u200d💻bbb", 5, "aaa…"),
        ("aaa👍🏽bbb", 5, "aaa…"),
        ("aaa🇺🇿bbb", 5, "aaa…"),
        ("a [REDACTED:github-token] b", 15, "a…"),
        ("word", 0, ""),
    ],
)
def test_a_clip_ends_at_a_word_or_a_whole_character(text, limit, clipped):
    assert clip(text, limit) == clipped


def test_texts_that_begin_alike_are_cut_to_the_words_in_which_they_differ():
    texts = [
        f"We have a band, I play the bass and we rehearse every {day} evening"
        for day in ("Tuesday", "Sunday")
    ]
    cut = [clip_to_difference(text, texts, 60) for text in texts]
    assert cut == [
        "…bass and we rehearse every Tuesday evening",
        "…bass and we rehearse every Sunday evening",
    ]
    assert clip_to_difference(texts[0], [], 60) == clip(texts[0], 60)
    assert clip_to_difference("short", ["short", "other"], 60) == "short"
