"""What somebody asks not to keep is told from what only speaks of keeping."""

import pytest

from memtool.core.privacy.private_requests import (
    is_about_storing,
    is_private_request,
    private_turns,
    without_private_turns,
)
from memtool.core.records.turn import Message, TextPart

ASKED = [
    "Don't remember this: my cat is ill",
    "Please don\u2019t remember this, but my sister Sarah lives nearby.",
    "Please don't save this",
    "DO NOT SAVE THIS",
    "Actually, do not save or remember any of that.",
    "do not remember that I like tea",
    "I don't want you to remember this",
    "I'd rather you didn't save that",
    "I don't want this to be saved",
    "I don't want any of this remembered",
    "Forget what I said about tea",
    "Could you not save this please?",
    "Never mind, don't save that.",
    "Don't note that.",
    "don't write this down",
    "off the record: I hate my boss",
    "Strictly confidential: she was adopted",
    "My daughter was adopted. This is confidential.",
    "Keep this between us",
    "Please keep this confidential: I'm gay.",
    "Will you keep this between us: I'm gay.",
    "I hope you keep this between us. I'm gay.",
    "Make sure you keep this to yourself",
    "We keep this between us, ok?",
    "I told you in confidence, I have HIV.",
    "I'm telling you this in strict confidence: I have HIV.",
    "This stays confidential, I have HIV.",
    "What I'm about to tell you must remain between us. I have HIV.",
    "Strictly between us and confidential: I have epilepsy.",
    "Can we keep that confidential?",
    "Please treat this as confidential",
    "C'est strictement confidentiel : je suis enceinte.",
    "Je te le dis en toute confidence : je suis enceinte.",
    "Confidencial: estoy embarazada.",
    "Te lo cuento en confianza: estoy embarazada.",
    "Isto é confidencial: estou grávida.",
    "Streng vertraulich: ich bin schwanger.",
    "Das bleibt vertraulich: ich bin schwanger.",
    "Конфиденциально: я беременна.",
    "Bu gizli kalsın: hamileyim.",
    "Bu maxfiy qolsin: men homiladorman.",
    "You don't need to remember that",
    "Do **not** remember\u200b  that",
    "the plan is red\nplease don't store that",
    "buni eslab qolma",
    "Buni saqlamang",
    '"I am ill" is what she said, do not save that',
    "This is just between us.",
    "plz dont save this",
    "I don't want any of this conversation to be saved",
    "i dont want u to remember this",
    "I don't want this stored in your memory, please",
    "Forget everything I told you, please",
    "Would you please not remember this?",
    "I said: don't save that!",
    "If you don't mind, don't save that",
    "If I'm honest I hate my boss, don't save that",
    'don\'t remember that I said "I hate my boss"',
    '"Don\'t save that"',
    "```\nx = 1\n```\ndon't save that",
]
NOT_ASKED = [
    "I don't remember that movie",
    "I don't remember the details of that argument.",
    "I can't remember this",
    "Don't forget to save this file",
    "Don't save this file to disk",
    "Don't store that in the database",
    "I don't want to store this in Redis",
    "Never store passwords in plain text",
    "Never save anything about my kids",
    "Don't forget what I said",
    "We don't store that",
    "The app does not save this",
    "Keep this short",
    "don't keep it short",
    "If you don't save this function I will lose it",
    "use off the record label",
    "the confidential files are in folder B",
    "we sell confidential shredding",
    "I keep this confidential, like all my files",
    "You don't have to keep this confidential: I'm gay.",
    "This is not confidential: I'm gay.",
    "Please keep client names confidential.",
    "I told him in confidence.",
    "J'ai un poste confidentiel.",
    "El archivo es confidencial.",
    "Der Bericht ist vertraulich.",
    "Конфиденциальные файлы лежат в папке B.",
    "Bu gizli dosya nerede?",
    "Please remember that I like tea",
    "men saqlamayman",
    "The difference is between us",
    "Never store all of it in memory, stream it",
    "I don't want the session stored in a cookie",
    "Never store the session, log out instead",
    "I don't want everything saved in one file",
    "I don't want it kept in the repository",
    "I don't want to remember everything, so please save this",
    "I don't need to remember all that",
    "Can you not remember that I like tea?",
    "Forget what I said, we use Postgres",
    "Forget everything I said about Redis; we use Postgres",
    "forget what I said and use tabs",
    "Keep this between us-east and eu-west",
    "Leave it out of memory to spare the RAM",
    "Never save this to memory card",
    "If the tests fail, don't keep that",
    "My boss told me: don't save that",
    'The dialog says "Unsaved work! Do not save this"',
    "> don't save that",
    "```\n- do not store this\n```",
    "run\n~~~\nDo not save the session\n~~~",
]


@pytest.mark.parametrize("text", ASKED)
def test_it_is_heard_when_somebody_asks_not_to_keep_something(text):
    assert is_private_request(text)


@pytest.mark.parametrize("text", NOT_ASKED)
def test_speaking_of_keeping_asks_nothing(text):
    assert not is_private_request(text)


def test_that_is_the_last_words_and_any_of_that_is_all_of_them():
    said = ["I like tea", "I fear exams", "My dog died", "please don't save that", "I like milk"]
    assert private_turns(said) == {2, 3}
    assert private_turns([*said, "don't remember any of that"]) == set(range(6))
    assert private_turns(said[:3]) == frozenset()
    assert private_turns(["I like tea", "don't remember this: my cat is ill"]) == {1}
    assert private_turns(["I like tea", "do not remember that I like rum"]) == {1}
    assert private_turns([*said[:3], "Forget what I said."]) == {2, 3}
    assert private_turns([*said[:3], "Forget what I said about tea."]) == {0, 1, 2, 3}


def test_what_is_left_of_a_conversation_is_without_the_answers_to_what_is_not_kept():
    said = [
        ("user", "tea"),
        ("assistant", "hot"),
        ("user", "rum"),
        ("assistant", "old"),
        ("user", "don't save that"),
    ]
    left = without_private_turns(
        [Message(role, (TextPart(text),)) for role, text in [*said, ("assistant", "as you wish")]]
    )
    assert [one.parts[0].text for one in left] == ["tea", "hot"]


def test_what_memory_says_again_asks_nothing():
    recalled = "<memory-context>\nplease don't save that\n</memory-context>\nI like milk"
    said = [Message("user", (TextPart(text),)) for text in ("I like tea", recalled)]
    assert without_private_turns(said) == tuple(said)


def test_a_rule_about_keeping_is_known():
    assert is_about_storing("Never save anything about the user's children.")
    assert not is_about_storing("You prefer shorter replies.")
