"""A text that a request, a label, a greeting or a word of pretence announces is not the user's words."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.capture.circumstances import read_circumstances
from memtool.core.capture.scan import scan_message
from memtool.core.privacy.announced_patterns import (
    REQUEST_ABOUT_TEXT,
    REQUEST_TO_WRITE,
    REWORKS_OR_CHECKS,
    WRITES,
)
from memtool.core.privacy.foreign_text import foreign_spans

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)

TEXTS = [
    "Pretend my name is Zed.",
    "Please imagine I live in Rome and I love opera.",
    "Let's say I always work at night and my name is Kim.",
    "Stell dir vor, ich heiße Zed.",
    "Imagina que me llamo Zed.",
    "Imagine que je m'appelle Zed.",
    "Finja que meu nome é Zed.",
    "Представь, что меня зовут Зед.",
    "假装我叫李雷。",
    "Summarize this for me: My name is Alice and I love cats.",
    "Could you translate the following to Dutch: I live in Lyon. I love gin.",
    "Write a story. My name is Bob and I live in Narnia.",
    "Please proofread my cover letter.\n\nDear Sir, my name is Eve. I live in Berlin.\n\nI love rum.",
    "Q: What is your name? A: My name is Eve",
    "A: My name is Eve and I love tea",
    "Write a system prompt for a bot.\nAlways be polite.\nNever swear.",
    "Can you write a prompt that says: From now on always reply in English.",
    "The sign on the door reads: Always close the window.",
    "Prompt: From now on always reply in English.",
    "My draft:\nFrom now on always reply in English.",
    "Translate this: 'My parents' house is in Porto. I am allergic to nuts.'",
    "Rewrite this: ‘The dogs’ owner left. I live in Paris. From now on always be kind.’",
    "Subject: hi\n\nFrom now on always reply in English.",
    "I got this email today\n\nHi,\nMy name is Abu. I love gold. Always reply in English.\nRegards",
    "Übersetze diesen Satz: Ich heiße Tom, antworte immer auf Deutsch.",
    "Traduce esto: Me llamo Ana.",
    "Переведи это письмо: Меня зовут Анна.",
    "翻译这句话：我叫李雷。",
    "Bunu çevir: Benim adım Ali.",
]


@pytest.mark.parametrize("message", TEXTS)
def test_an_announced_text_makes_no_entry(message):
    assert scan_message(message, NOW) == ()
    assert read_circumstances(message).statements == ()


OWN = [
    "I suppose I prefer tea.",
    "I said: always use tabs.",
    "My name is Bob. Write a story about dragons.",
    "Write a poem. From now on always rhyme.",
    "Write me an email to my boss. I prefer a formal tone.",
    'Translate to French: "I love cats". From now on always be formal.',
    "Can you review this code? I prefer early returns.",
    "Rewrite this so it sounds kinder: 'I can't swap, it's late.' I prefer short sentences.",
    "Translate to Dutch: ‘it’s Eva’s, isn’t it?’ I prefer tea.",
    "Write an email parser. Always use type hints in your code.",
    "Summarize this article.\n\nAlso, I prefer bullet points.",
    "Translate this: hello\n\nI prefer formal translations.",
    "Hi Claude,\n\nI prefer tea.\n\nThanks, Bob",
]


@pytest.mark.parametrize("message", OWN)
def test_the_users_words_around_a_request_still_make_an_entry(message):
    assert len(scan_message(message, NOW)) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "write a story\n",
        "dear\n",
        "subject: x\n\n",
        "summarize this: ",
        "please ",
        "q: a",
        "got this email\nhi\n",
        "...",
        "regards\n",
        "hi\nregards\n",
    ],
)
def test_long_texts_are_read_in_linear_time(piece):
    assert foreign_spans(piece * (60_000 // len(piece))) is not None


@pytest.mark.parametrize(
    ("request_pattern", "fast_test"),
    [(REQUEST_ABOUT_TEXT, REWORKS_OR_CHECKS), (REQUEST_TO_WRITE, WRITES)],
    ids=["rework", "write"],
)
@settings(max_examples=8)
@given(data=st.data())
def test_every_request_about_a_text_passes_its_fast_test(request_pattern, fast_test, data):
    request = data.draw(st.from_regex(rf"\A{request_pattern}"))
    assert re.search(fast_test, request)
