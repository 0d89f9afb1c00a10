"""What is of the present task or of this exchange makes no rule, preference or memory; what lasts does."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.capture.passing import OF_EXCHANGE, is_passing
from memtool.core.capture.scan import scan_message

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)

PASSING = [
    "Immer wenn ich das starte, stürzt es ab.",
    "Sempre que compilo, dá erro.",
    "Cada vez que compilo, da error.",
    "Chaque fois que je compile, ça plante.",
    "Каждый раз, когда я запускаю, появляется ошибка.",
    "Whenever I run it, it crashes.",
    "Wait, always?",
    "I like that you always explain.",
    "Always test your code, my teacher told me.",
    "Teste immer deinen Code, sagte mein Lehrer.",
    "Never use the word delve in this essay.",
    "Always close the file after reading it in this function.",
    "I need you to always run the tests before you commit in this PR.",
    "Benutze in diesem Aufsatz niemals Emojis.",
    "Nunca uses emojis en este ensayo.",
    "N'utilise jamais d'emojis dans ce texte.",
    "Nunca use emojis neste texto.",
    "Никогда не используй эмодзи в этом тексте.",
    "Bu metinde asla emoji kullanma.",
    "在这篇文章里永远不要用表情符号。",
    "この記事では絵文字を絶対に使わないでください。",
    "I like the second option better.",
    "I prefer the second draft you wrote.",
    "I'd love a refund.",
    "I want a divorce.",
    "This is React code.",
    "Don't forget to add the semicolon.",
    "Vergiss nicht, das Semikolon hinzuzufügen.",
    "Me gusta más la segunda opción.",
    "Ich bevorzuge die zweite Variante.",
    "我喜欢第二个方案。",
]
LASTING = [
    "Immer wenn ich nach Preisen frage, gib die Währung an.",
    "Sempre que eu perguntar sobre preços, mostra a moeda.",
    "Whenever I ask about prices, show the currency.",
    "For this project, always use tabs.",
    "Always answer in this format: a, b, c.",
    "Hi, this is Anna.",
    "Hello! This is Anna from Berlin.",
    "This is Anna from support.",
    "This is my brother Tom.",
    "I want a dog.",
    "Don't forget that I am vegan.",
    "I prefer the old Star Wars films.",
    "Jedes Mal, wenn du Code schreibst, füge Kommentare hinzu",
]


@pytest.mark.parametrize("message", PASSING)
def test_what_is_of_the_moment_makes_no_durable_entry(message):
    assert not [found.entry for found in scan_message(message, NOW) if found.durable]


@pytest.mark.parametrize("message", LASTING)
def test_what_lasts_makes_a_durable_entry(message):
    assert any(found.durable for found in scan_message(message, NOW))


@pytest.mark.parametrize("category", ["instruction", "preference", "remember"])
@pytest.mark.parametrize(
    "piece",
    [
        "whenever a ",
        "in this ",
        ", my a ",
        "bu a ",
        "i like that you ",
        "the first ",
        "don't forget ",
        "a",
        "no olvides ",
    ],
)
def test_long_sentences_are_read_in_linear_time(category, piece):
    is_passing(category, piece * (20_000 // len(piece)), 0, 4 if len(piece) > 1 else 20_000, is_question=True)


@pytest.mark.parametrize("row", range(len(OF_EXCHANGE)))
@settings(max_examples=30)
@given(data=st.data())
def test_what_a_pattern_of_this_exchange_matches_has_one_of_its_parts(row, data):
    parts, pattern = OF_EXCHANGE[row]
    text = data.draw(st.from_regex(pattern))
    match = re.search(pattern, text)
    assert match is not None
    assert any(part in text for part in parts.split("|"))
