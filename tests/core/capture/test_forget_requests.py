"""Requests to forget: what they are about, without the reason that is given for them."""

from __future__ import annotations

import pytest

from memtool.core.capture.forget_requests import forget_requests
from memtool.core.capture.message_sentences import split_message


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("Forget what I said about the second shop, that was wrong.", "the second shop"),
        ("Forget everything I told you about Ann; I was joking.", "Ann"),
        ("Forget that I live in Lima - it isn't true any more.", "I live in Lima"),
        ("Vergiss, was ich über Anna gesagt habe, das war falsch.", "Anna"),
        ("Olvida lo que te dije sobre Ana, era mentira", "Ana"),
        ("Забудь, что я говорил про Анну, это неправда", "Анну"),
        ("Forget what I said about the cottage in Kilkee, we sold it.", "the cottage in Kilkee"),
        ("Forget everything about the van - it was scrapped last week", "the van"),
        ("Forget what I told you about the harp, because I gave it away.", "the harp"),
        ("Vergiss, was ich über das Boot gesagt habe, wir haben es verkauft.", "das Boot"),
        ("Olvida lo que te dije sobre la casa en Ronda, la vendimos.", "la casa en Ronda"),
        ("Oublie ce que je t'ai dit sur le bateau, on l'a vendu.", "le bateau"),
        ("Забудь, что я говорил про дачу, мы её продали.", "дачу"),
    ],
)
def test_a_request_is_about_what_is_to_be_forgotten_and_not_about_why(sentence, topic):
    assert forget_requests([sentence]) == {0: topic}


@pytest.mark.parametrize(
    "sentence",
    [
        "Forget what I said about Ann, she is my cousin",
        "Forget what I said about the deadline, that is on Friday",
        "Forget what I said about the second shop, I only have one.",
        "Forget what I said about the cottage, we sold it and moved to Cork.",
        "Forget what I said about the van, it was sold and I cycle now.",
        "Forget what I said about the car, we sold the Volvo.",
        "Forget what I said about Tom, I no longer work at Siemens.",
        "Don't forget what I said about the cottage, we sold it.",
    ],
)
def test_what_holds_instead_is_a_correction(sentence):
    assert not forget_requests([sentence])


def test_it_is_named_in_the_words_of_the_user_with_code():
    assert split_message("Forget that I use `pnpm` for builds.").forget_requests == {
        0: "I use `pnpm` for builds"
    }


THINGS = [
    ("Forget that the oven is fine again.", "the oven is fine again"),
    ("Please forget about my old address, thanks", "my old address"),
    ("Can you forget the gym membership?", "the gym membership"),
    ("Vergiss bitte meinen Zahnarzt", "meinen Zahnarzt"),
    ("Por favor, olvida a mi dentista", "a mi dentista"),
    ("Oublie mon dentiste s'il te plaît", "mon dentiste"),
    ("Esquece o meu dentista por favor", "o meu dentista"),
    ("Забудь, пожалуйста, о моем враче", "моем враче"),
    ("Lütfen diş hekimimi unut", "diş hekimimi"),
    ("Iltimos, pech haqida unuting", "pech"),
    ("请忘记烤箱。", "烤箱"),
    ("オーブンを忘れてください。", "オーブン"),
]


@pytest.mark.parametrize(("sentence", "topic"), THINGS)
def test_a_thing_to_be_forgotten_may_be_of_memory_or_of_the_task(sentence, topic):
    assert forget_requests([sentence], of_task=True) == {0: topic}


@pytest.mark.parametrize(("sentence", "topic"), THINGS)
def test_a_message_that_may_be_about_the_task_is_stored(sentence, topic):
    split = split_message(sentence)
    assert split.possible_forget_requests == {0: topic}
    assert not split.private


@pytest.mark.parametrize(
    "sentence",
    [
        "Don't forget the oven.",
        "I forget the oven all the time.",
        "Did you forget the oven?",
        "Forget the oven test, run the other one",
        "Forget it.",
        "Oh forget that",
        "Forget what I said.",
        "Forget the previous message.",
        "Forget to call Tom and the shop closes",
        "Vergiss bitte den Ofen nicht",
        "Vergiss es",
        "No olvide que vivo en Lima",
        "No olvide el horno",
        "Oublie pas le four",
        "Esquece isso",
        "Не забудь про духовку",
        "Забудь об этом",
        "Fırını unutma",
        "Bunu unut",
        "Buni unuting",
        "请不要忘了烤箱",
        "忘了带钥匙",
        "それは忘れてください",
        "傘を忘れて困った",
    ],
)
def test_a_reminder_or_a_word_for_what_was_just_said_asks_to_forget_nothing(sentence):
    assert not forget_requests([sentence], of_task=True)
