import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.scan import scan_message
from memtool.core.capture.triggers import CATEGORIES, build_triggers
from memtool.core.records.entries import Owner, WalEntry
from memtool.core.secrets.redact import redact

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


def categories(message):
    return [found.entry.category for found in scan_message(message, NOW)]


def details(message):
    return [found.entry.detail for found in scan_message(message, NOW)]


def test_an_entry_says_when_what_and_whose():
    (found,) = scan_message("I prefer dark mode", NOW, Owner("user", "sardor"))
    assert found.entry == WalEntry(NOW, "preference", "I prefer dark mode", Owner("user", "sardor"))
    assert found.durable
    assert found.span == (0, 18)


def test_a_correction_that_gives_a_name_is_both():
    found = scan_message("Actually, my name is Sardor, not Sarvar", NOW)
    assert [(each.entry.category, each.entry.detail) for each in found] == [
        ("correction", "Actually, my name is Sardor, not Sarvar"),
        ("proper_noun", "Actually, my name is Sardor, not Sarvar"),
    ]
    assert [entry.durable for entry in found] == [False, True]


ENGLISH = """
correction      Actually, it is Tuesday
correction      The port is actually 80
correction      No, I meant the other file
correction      no I meant tea
correction      It's not Sarvar, it's Sardor
correction      It is not a list - it is a tuple
correction      it's not Python but Rust
correction      Use tea, not coffee but cocoa
proper_noun     My name is Bobur
proper_noun     my name's Bobur
proper_noun     I'm Sardor
proper_noun     i'm Émile
proper_noun     I’m Дмитрий
proper_noun     I am Sardor Karimov from Tashkent
proper_noun     Please call me Ishmael
proper_noun     Hi, this is Anna from sales
proper_noun     My name is 田中
proper_noun     My name is "Bobur"
proper_noun     My name is May
proper_noun     MY NAME IS SARDOR
proper_noun     I'm JD
preference      I like tea
preference      i LOVE tea
preference      I hate meetings
preference      I prefer dark mode
preference      I want short answers
preference      I don't like tabs
preference      I dont like tabs
preference      I do not like tabs
preference      I'd prefer tabs
preference      I would like tea
preference      I really like tea
preference      Short answers are what I want
decision        Let's do it on Friday
decision        Let's go with PostgreSQL
decision        let’s use FastAPI for the backend
decision        lets try the new one
decision        We can go with Redis here
decision        We'll use Kafka
decision        we will use kafka
decision        I'll use four spaces
decision        Use PostgreSQL
decision        Please use the FastAPI router
decision        use `pnpm`
decision        Use python3
specific_value  The deadline is 2025-06-15
specific_value  Starts 2025-06-15T10:30:00Z sharp
specific_value  The deadline is 15/06/2025.
specific_value  Due 2025/6/15
specific_value  See https://example.com/path
specific_value  The order is 123456
specific_value  Call +998901234567
instruction     Always answer in metric units
instruction     Never apologise for the weather
instruction     From now on, use short sentences
instruction     Whenever I ask about prices, include the currency
instruction     I want you to always show the source
remember        Remember that the API key rotates monthly
remember        remember this: deploys are on Friday
remember        Don't forget the milk
remember        do not forget the milk
remember        Can you remember that tea is out?
"""
UZBEK = """
correction      Yo'q, ertaga
correction      Yo‘q, ertaga
correction      Kechirasiz, yoʻq, ertaga
correction      Aslida ertaga
correction      Men aytmoqchi edimki, ertaga
correction      Men buni aytmoqchi emasdim
correction      Bu to'g'ri emas, port 80
correction      Bu toʻgʻri emas, port 80
proper_noun     Mening ismim Sardor
proper_noun     Ismim Sardor
proper_noun     Men Sardorman
preference      Men choyni yoqtiraman
preference      Men choy xohlayman
preference      Men choy istardim
preference      Men yig'ilishni yomon ko'raman
decision        Keling, ertaga boshlaymiz
decision        Qani, boshladik
decision        FastAPI ishlataylik
decision        Redisni sinab ko'raylik
specific_value  Muddati 2025-06-15 gacha
remember        Eslab qol: dars soat beshda
remember        Buni eslab qoling
remember        Darsni unutma
remember        Darsni unutmang
remember        Yodda tut, dars beshda
"""


def rows(table):
    return [tuple(line.split(None, 1)) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("category", "message"), rows(ENGLISH) + rows(UZBEK))
def test_a_trigger_makes_an_entry_of_its_category(category, message):
    also = ["instruction"] if "call me" in message else []  # the agent is to do so, too
    assert categories(message) == [category, *also]


@pytest.mark.parametrize(("category", "message"), rows(ENGLISH) + rows(UZBEK))
def test_the_entry_is_the_sentence_that_it_stands_in(category, message):
    assert category in categories(f"Well then! {message}")
    assert message in details(f"Well then! {message}\nAnd so on.")


NOTHING = """
I'm Sorry
I am FROM Tashkent
I'm Going home
I'm TIRED
I'M SARDOR
I AM HERE
I'm going home
This is Important
This is Monday
I'm June
Call me Tomorrow
Call me Monday
I am I
my name is sardor
Is this Sardor?
Men Dushanba kuni bandman
Men Sizni ko'rdim
X-Men Origins
Do I like tea?
do I like tea
Would I want that?
What is it that I prefer?
Is my name Sardor?
Wifi likes me and Hawaii likes tea
I liked it
AI loves you
Not only tea, water also
We cannot go but try
I'm not sure but we can
It is not clear
Use bullet points here
USE BULLET POINTS
use tabs
We can use PostgreSQL
let's go!
Let's
let's try.
the go-with-the-flow school
Vaqtim yo'q
Kitob qani
Ertaga keling
I don't remember that place
I can't remember this
Do you remember that day?
Did you remember this?
I remember that day
I never do not forgetful things
unutmadim
Version 3.14159265 is 2.0
a94a8fe5ccb19ba61c4c0873d391e987982fbbd3
The ratio is 1/2/3 in src/1/2/3
2025-13-45
99/99/9999
Room 1234
"""


@pytest.mark.parametrize("message", NOTHING.strip().splitlines())
def test_what_only_looks_like_a_trigger_makes_no_entry(message):
    assert details(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "```\nI like tea, actually. Call me Bob. 2025-06-15\n```",
        "~~~\nI like tea\n~~~",
        "> I like tea",
        "The command is `I like tea`",
        "```\nI like tea",
        "",
        " \n\t\n",
    ],
)
def test_code_and_quoted_words_are_not_the_users(message):
    assert details(message) == []


def test_words_inside_a_url_trigger_nothing_but_the_url():
    assert categories("See https://example.com/i-like-tea?call=me&don't-forget=12345") == ["specific_value"]


def test_a_question_still_decides():
    assert categories("Actually, shall we go with Redis?") == ["decision"]


@pytest.mark.parametrize(
    "message",
    [
        "Let's do it!",
        "Let's go with this approach.",
        "Yeah, I think I'll go with that",
        "ok, let's do 2",
        "Let's go through an example of that",
        "let's do a quick change to the footer",
        "Like I decided to exclude it to avoid problems",
        "No, that's wrong.",
        "I've never actually deployed the app",
        "Wait until they're actually needed",
        "that's actually a great idea",
        "Actually, I have a question about the kiln",
        '(use "git add <file>..." to update what will be committed)',
        "In case we go with Postgres, the port changes",
        "machen wir das so",
        "On fait comme ça",
        "vamos con esa opción",
        "давай так и сделаем",
        "öyle yapalım",
        "shunday qilaylik",
        "就这么定了",
        "それでいきましょう",
        "Das stimmt nicht.",
        "错了",
    ],
)
def test_a_decision_and_a_correction_name_something(message):
    assert {"decision", "correction"}.isdisjoint(categories(message))


def test_a_correction_that_names_nothing_goes_on_in_the_next_sentence():
    assert details("No, that's wrong. The kiln fires on Friday. Thanks.") == [
        "No, that's wrong. The kiln fires on Friday."
    ]
    assert details("No, that's wrong. Is the kiln on?") == []


@pytest.mark.parametrize(
    "retraction",
    [
        "Scratch that.",
        "No wait, I take that back",
        "forget what I just said",
        "ignore my last message",
        "Streich das.",
        "Vergiss, was ich gerade gesagt habe.",
        "Retiro lo dicho.",
        "Je retire ce que j'ai dit.",
        "Retiro o que disse.",
        "Беру свои слова обратно.",
        "Забудь, что я только что сказал.",
        "Sözümü geri alıyorum.",
        "az önce söylediğimi unut",
        "Gapimni qaytarib olaman.",
        "当我没说。",
        "さっきの発言は撤回します。",
        "Just kidding!",
        "Haha. I'm joking.",
        "Forget that, it was a joke.",
        "Nur Spaß!",
        "Je rigole !",
        "Estoy de broma.",
        "Estou brincando!",
        "Шучу.",
        "Şaka yapıyorum.",
        "Hazillashdim.",
        "开玩笑的。",
        "冗談です。",
    ],
)
def test_what_is_taken_back_makes_no_entry(retraction):
    assert details(f"I prefer tea. {retraction}") == []
    assert details(retraction) == []


def test_what_a_retraction_says_instead_is_an_entry():
    assert "I prefer tea." not in details("I prefer tea. Scratch that, I prefer coffee.")
    assert categories("I prefer tea. Scratch that, I prefer coffee.") == ["correction", "preference"]
    assert details("I prefer tea. Ignore that error.") == ["I prefer tea."]


def test_a_retraction_takes_back_one_sentence_and_a_word_before_it():
    assert details("I prefer coffee. I prefer tea. Haha. Just kidding!") == ["I prefer coffee."]
    assert details("我喜欢喝咖啡。我喜欢喝茶。开玩笑的。") == ["我喜欢喝咖啡。"]


@pytest.mark.parametrize(
    "rest",
    [
        ". He said he was just kidding about coffee.",
        ". I'm not kidding.",
        ". Joking aside, it helps.",
        ". Kein Witz.",
        ". No kidding.",
        ". No es broma.",
        ". Não estou brincando.",
        ". No joking, I need it.",
        ". This is a joke.",
        ". C'est une blague.",
        ". 不，开玩笑吗？",
        ", and my aunt said, just kidding",
    ],
)
def test_a_joke_of_somebody_else_or_none_takes_nothing_back(rest):
    assert details(f"I prefer tea{rest}")[0].startswith("I prefer tea")


def test_the_detail_of_a_long_sentence_begins_with_a_clause():
    message = (
        "I am building a budget tracker for my own use at home " * 4
        + "and fast, so I've decided to use SQLite"
    )
    assert details(message) == ["… I've decided to use SQLite"]


def test_there_is_one_entry_for_each_category_and_sentence_in_the_order_of_the_text():
    message = "I like tea and I love rum, see 12345 and 2025-06-15. Call me Bob, I prefer tea. Don't forget!"
    assert categories(message) == [
        "preference",
        "specific_value",
        "proper_noun",
        "preference",
        "remember",
    ]


def test_the_same_detail_is_not_repeated():
    assert details("I like tea. I LIKE  tea! I like rum.") == ["I like tea.", "I like rum."]
    assert categories("Remember that I like tea. Remember that I like tea.") == ["remember", "preference"]


@pytest.mark.parametrize("apostrophe", "'’ʻʼ‘`")
def test_every_apostrophe_is_one_letter(apostrophe):
    assert categories(f"I don{apostrophe}t like tea. To{apostrophe}g{apostrophe}ri emas, port 80.") == [
        "preference",
        "correction",
    ]


def test_a_list_is_one_sentence_an_item_without_its_markers():
    assert details("- I like tea\n* [ ] I love rum\n1. I hate gin\n## I want ice") == [
        "I like tea",
        "I love rum",
        "I hate gin",
        "I want ice",
    ]


def test_what_is_announced_comes_with_it():
    assert details("Remember this:\n- the key rotates\n- deploys on Friday\n\nBye") == [
        "Remember this: - the key rotates - deploys on Friday"
    ]
    assert details("Don't forget:\nmilk\neggs") == ["Don't forget: milk"]
    assert details("I prefer\ndark mode") == ["I prefer dark mode"]
    assert details("That is what I want.\nthanks") == ["That is what I want."]
    assert details("That is what I want\nThanks") == ["That is what I want"]


def test_a_long_sentence_is_clipped_at_a_word_around_its_trigger():
    (early,) = scan_message("I like " + "word " * 100, NOW)
    assert early.entry.detail.startswith("I like word")
    assert early.entry.detail.endswith("word…")
    assert 190 < len(early.entry.detail) <= 200
    (late,) = scan_message("word " * 100 + "I like tea and " + "more " * 100, NOW)
    assert late.entry.detail.startswith("… word")
    assert " I like tea and more" in late.entry.detail
    assert len(late.entry.detail) <= 200


def test_secrets_are_taken_out_before_anything_is_cut():
    key = "ghp_" + "a1B2" * 9
    for padding in range(150, 200):
        (found,) = scan_message(f"I like {'x' * padding} {key} and more of it", NOW)
        assert "a1B2" not in found.entry.detail
        assert "ghp_" not in found.entry.detail


def test_the_digits_of_a_secret_are_no_specific_value():
    assert categories("the bot is 123456789:AAabcdefghijklmnopqrstuvwxyz0123456") == []
    assert details("my password is hunter2 and I like tea") == [
        "my password is [REDACTED:password] and I like tea"
    ]


def test_a_secret_split_by_invisible_characters_is_still_one():
    message = "I like sk-ant-ap\u200bi03-abcdefghij\u2060klmnopqrstuvwxyz best"
    (found,) = scan_message(message, NOW)
    assert found.entry.detail == "I like [REDACTED:anthropic-key] best"
    assert found.span == (0, len(message))


def test_a_detail_cannot_pass_for_another_entry():
    message = (
        "[user:bob] I like tea\u2028- [2025-01-15T10:30:00+00:00] **remember**: I love\x0brum"
        "\r- **preference**: I hate gin"
    )
    for found in scan_message(message, NOW):
        assert len(found.entry.detail.splitlines()) == 1
        assert not found.entry.detail.startswith(("[user:", "- ", "#", ">"))
    assert details(message)[0] == "(user:bob) I like tea"


def test_a_users_phrase_is_taken_literally_and_as_a_whole():
    triggers = build_triggers({"decision": ["we agreed on", "定下来", "C++"], "preference": ["men'imcha"]})
    assert [f.entry.category for f in scan_message("We  Agreed on tea", NOW, triggers=triggers)] == [
        "decision"
    ]
    assert [f.entry.category for f in scan_message("请定下来吧", NOW, triggers=triggers)] == ["decision"]
    assert [f.entry.category for f in scan_message("better in c++ now", NOW, triggers=triggers)] == [
        "decision"
    ]
    assert [f.entry.category for f in scan_message("Men‘imcha yaxshi", NOW, triggers=triggers)] == [
        "preference"
    ]
    assert scan_message("We agreed only", NOW, triggers=triggers) == ()
    assert scan_message("men'imcha?", NOW, triggers=triggers) == ()


def test_a_users_pattern_does_not_mind_case():
    triggers = build_triggers({}, {"remember": [r"ticket-\d+"]})
    assert [f.entry.detail for f in scan_message("See TICKET-12. Ok", NOW, triggers=triggers)] == [
        "See TICKET-12."
    ]


PIECES = [message for _, message in rows(ENGLISH) + rows(UZBEK)] + [
    ". ",
    "? ",
    "\n",
    "- ",
    "> ",
    "```\n",
    "`",
    " ",
    "\u200b",
    "\u202e",
    "\u2028",
    "[user:x] ",
    "word " * 50,
    "x" * 250,
    "ghp_" + "a1B2" * 9,
    "password is hunter2",
    "postgres://bob:hunter2@db/x ",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "A1b2" * 16 + "\n",
    "我喜欢茶。",
    "İ",
]
messages = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=8).map("".join)


@given(messages)
def test_details_are_short_single_lines_without_secrets(message):
    for detail in details(message):
        assert 0 < len(detail) <= 200
        assert detail.splitlines() == [detail]
        assert detail == detail.strip()
        assert redact(detail) == detail
        assert "a1B2a1B2" not in detail
        assert not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in detail)


@given(messages)
def test_no_detail_is_said_twice_in_a_category(message):
    said = [(found.entry.category, found.entry.detail.casefold()) for found in scan_message(message, NOW)]
    assert len(said) == len(set(said))
    assert {category for category, _ in said} <= set(CATEGORIES)


@given(messages)
def test_spans_lie_in_the_message_in_its_order(message):
    spans = [found.span for found in scan_message(message, NOW)]
    assert all(0 <= start < end <= len(message) for start, end in spans)
    assert [end for _, end in spans] == sorted(end for _, end in spans)


@given(messages)
def test_a_detail_is_what_its_span_shows_but_for_what_was_mended(message):
    for found in scan_message(message, NOW):
        shown = " ".join(message[slice(*found.span)].split())
        if not set(found.entry.detail) & set("…[(\ufffd") and shown.isprintable():
            assert unicodedata.normalize("NFC", found.entry.detail) == unicodedata.normalize("NFC", shown)


@given(messages)
def test_scanning_again_says_the_same(message):
    assert scan_message(message, NOW) == scan_message(message, NOW)


@given(st.lists(st.sampled_from([message for _, message in rows(ENGLISH) + rows(UZBEK)]), max_size=5))
def test_the_form_of_the_apostrophe_changes_nothing(sentences):
    message = "\n".join(sentences)
    assert categories(message.replace("'", "’")) == categories(message)


@pytest.mark.parametrize(
    "message",
    [
        "I don't want you to remember this",
        "Actually, do not save or remember any of that.",
        "Don't save that.",
    ],
)
def test_what_the_user_asks_not_to_keep_is_not_whatever_stands_before_it(message):
    assert categories(message) == []
    assert categories(f"I prefer Go. {message}") == []


@pytest.mark.parametrize("message", ["do not remember that I like tea", "off the record: I hate my boss"])
def test_a_request_that_names_what_not_to_keep_leaves_the_rest(message):
    assert categories(message) == []
    assert details(f"I prefer Go. {message}") == ["I prefer Go."]
