"""Sentences that deny one thing and state another: what is superseded, what is stored, and what stays."""

from __future__ import annotations

import pytest

from tests.verbs.capture.test_corrected_memory import current, say, tree

CONTRASTS = [
    (
        "I drive trams, mostly the early shift.",
        "Actually, it's not the early shift any more, I drive the late shift now.",
        "early shift",
        "late shift",
    ),
    (
        "I drive trams, mostly the early shift.",
        "Actually, I work the late shift, not the early shift.",
        "early shift",
        "late shift",
    ),
    (
        "I'm allergic to cashews.",
        "Actually, I'm not allergic to cashews, it's walnuts that give me hives.",
        "cashews",
        "walnuts",
    ),
    ("I'm lactose intolerant.", "Turns out I'm not lactose intolerant, it's gluten.", "lactose", "gluten"),
    ("My wife's name is Mireille.", "My wife's name is Mireia, not Mireille.", "Mireille", "Mireia"),
    (
        "I teach chemistry in Derby.",
        "I don't teach chemistry but physics.",
        "chemistry",
        "physics",
    ),
    (
        "I'm training for a half marathon in October.",
        "It's a full marathon I'm training for, not a half marathon.",
        "a half marathon",
        "full marathon in October",
    ),
    (
        "My favourite tea is Darjeeling.",
        "It's not Darjeeling, my favourite tea is Assam.",
        "Darjeeling",
        "Assam",
    ),
    ("I play goalkeeper.", "I'm not the goalkeeper any more, I play left wing now.", "keeper", "left wing"),
    (
        "My mother has type 2 diabetes.",
        "My mother doesn't have type 2 diabetes, she has type 1.",
        "2",
        "type 1",
    ),
    (
        "Ich bin allergisch gegen Haselnüsse.",
        "Eigentlich bin ich nicht gegen Haselnüsse allergisch, sondern gegen Mandeln.",
        "Haselnüsse",
        "Mandeln",
    ),
    (
        "Ich arbeite als Bäcker in Kassel.",
        "Ich arbeite nicht mehr als Bäcker, ich bin jetzt Konditor.",
        "Bäcker",
        "Konditor",
    ),
    ("Mi perro se llama Toby.", "Mi perro no se llama Toby, se llama Tobi.", "Toby", "Tobi"),
    (
        "Trabajo de camarero.",
        "Ya no trabajo de camarero, ahora soy portero.",
        "camarero",
        "portero",
    ),
    ("J'habite à Nantes.", "Je n'habite plus à Nantes, j'habite à Rennes maintenant.", "Nantes", "Rennes"),
    (
        "Eu trabalho no turno da noite.",
        "Eu trabalho no turno da manhã, não no turno da noite.",
        "noite",
        "manhã",
    ),
    ("Я живу в Казани.", "Я больше не живу в Казани, теперь я живу в Уфе.", "Казани", "Уфе"),
    ("我妻子叫李敏。", "我妻子不叫李敏，叫李明。", "李敏", "李明"),
    ("私はえびアレルギーです。", "実はえびアレルギーではなく、かにアレルギーです。", "えび", "かに"),
]


@pytest.mark.parametrize(("stored", "message", "old", "new"), CONTRASTS)
def test_a_contrast_supersedes_what_it_denies_and_stores_what_it_states(tmp_path, stored, message, old, new):
    root = tree(tmp_path, (stored,))
    assert any(old in text for text in current(root))
    say(root, message, 10)
    assert any(new in text for text in current(root))
    assert not any(old in text and new not in text for text in current(root))


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("I'm allergic to cashews.", "I'm allergic to walnuts too, not only cashews."),
        (
            "I'm allergic to cashews.",
            "My son isn't allergic to cashews, it's walnuts.",
        ),
        ("I'm allergic to cashews.", "This cake doesn't contain cashews, it's walnuts in there."),
        ("I'm allergic to nuts.", "I'm not allergic to all nuts, it's just cashews and pistachios."),
        ("I use Vim for Python.", "I also use Emacs now, not only Vim."),
        ("I use Jenkins for builds.", "It's not Jenkins that's slow, it's our network."),
        ("I drive trams, mostly the early shift.", "Today I'm on the late shift, not the early shift."),
        (
            "I drive trams, mostly the early shift.",
            "Ines works the late shift, not the early shift.",
        ),
        ("I like coffee.", "I don't like coffee in the evening, I drink tea then."),
        ("I work in Leeds.", "I don't live in Leeds, I live in Bradford."),
        ("I run every morning.", "I didn't run this morning, I went swimming."),
        (
            "Ich bin allergisch gegen Nüsse.",
            "Mein Sohn ist nicht gegen Nüsse allergisch, sondern gegen Soja.",
        ),
        ("Vivo en Lima.", "Mi madre no vive en Lima, vive en Cusco."),
        ("我对花生过敏。", "我儿子不是对花生过敏，是对虾过敏。"),
        ("私はえびアレルギーです。", "息子はえびアレルギーではなく、かにアレルギーです。"),
    ],
)
def test_a_contrast_of_something_else_supersedes_nothing(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = current(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*current(root)}


@pytest.mark.parametrize(
    ("stored", "message", "new"),
    [
        (
            "I keep bees in Leeds.",
            "The hives aren't in Hull any more, they're in Bradford now.",
            "Bradford",
        ),
        (
            "I work as a nurse at Kilburn.",
            "I no longer work nights, I'm on the day team in Harrow now.",
            "Harrow",
        ),
    ],
)
def test_what_a_contrast_states_is_stored_beside_what_it_does_not_deny(tmp_path, stored, message, new):
    root = tree(tmp_path, (stored,))
    before = current(root)
    say(root, message, 10)
    assert {*before} < {*current(root)}
    assert any(new in text for text in current(root))
