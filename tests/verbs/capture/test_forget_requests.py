"""Requests to forget, in ten languages: they record and remove nothing, and name the commands that do."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.records.entries import Owner
from memtool.verbs.capture.scan import scan
from memtool.verbs.capture.unforgotten import forget_notices
from memtool.verbs.facts.rules import active_rules
from tests.trees import NOW, contents, make, opened

FACTS = "memory/semantic/facts.md"


def say(root, message, owner=None):
    return scan(opened(root), message, now=NOW + timedelta(minutes=1), owner=owner, triggers=DEFAULT_TRIGGERS)


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


REQUESTS = [
    ("Please forget that I live in Bremen", "I live in Bremen"),
    ("Forget what I told you about Renske.", "Renske"),
    ("please forget everything about Renske", "Renske"),
    ("Vergiss bitte, was ich über Renske gesagt habe.", "Renske"),
    ("Olvida lo que te dije sobre Renske", "Renske"),
    ("Oublie tout ce que je t'ai dit sur Renske", "Renske"),
    ("Забудь всё, что я говорил о Рените", "Рените"),
    ("Забудь, что я тебе говорил про моего брата.", "моего брата"),
    ("Can you forget the things I told you about my brother?", "my brother"),
    ("Forget about my brother, he is a liar.", "my brother"),
    ("Please forget about my boss because she left", "my boss"),
    ("Forget what I said about the cottage in Kilkee, we sold it.", "the cottage in Kilkee"),
    ("Forget everything about the van - it was scrapped last week.", "the van"),
    ("Delete the fact that my dog is called Pixel.", "my dog is called Pixel"),
    ("Hey Claude, please forget that I work at Siemens", "I work at Siemens"),
    ("You can forget that I prefer tea, thanks", "I prefer tea"),
    ("Can you forget that my name is Anna?", "my name is Anna"),
    ("Please delete my home address from your memory", "my home address"),
    ("Forget everything you know about my sister Lena", "my sister Lena"),
    ("Vergiss bitte, dass ich in Bremen wohne", "ich in Bremen wohne"),
    ("Olvida que vivo en Bremen", "vivo en Bremen"),
    ("Efface le fait que mon chien s'appelle Pixel", "mon chien s'appelle Pixel"),
    ("Apague a informação de que meu cachorro se chama Pixel", "meu cachorro se chama Pixel"),
    ("Удали информацию о том, что мою собаку зовут Пиксель", "мою собаку зовут Пиксель"),
    ("Bremen'de yaşadığımı unut lütfen", "Bremen'de yaşadığımı"),
    ("Bremenda yashashimni unuting", "Bremenda yashashimni"),
    ("我住在不来梅这件事请忘掉", "我住在不来梅"),
    ("犬の名前がピクセルだということを削除して", "犬の名前がピクセルだ"),
]


@pytest.mark.parametrize(("message", "topic"), REQUESTS)
def test_a_request_to_forget_records_nothing(root, message, topic):
    before = contents(root)
    report = say(root, message)
    assert report.to_forget == (topic,)
    assert not report.entries
    assert contents(root) == before


KEPT = [
    "Please don't forget that I live in Bremen",
    "I always forget that my sister lives in Bremen",
    "Forget Python, I prefer Bremen",
    "Forget that, I live in Bremen",
    "Forget about my last question, I live in Bremen",
    "Vergiss nicht, dass ich in Bremen wohne",
    "No olvides que vivo en Bremen",
    "N'oublie pas que j'habite à Bremen",
    "Не забудь, что я живу в Bremen",
    "请不要忘了我住在Bremen",
    "Bremen'de yaşadığımı unutma",
]


@pytest.mark.parametrize("message", KEPT)
def test_what_is_not_to_be_forgotten_is_recorded(root, message):
    report = say(root, message)
    assert not report.to_forget
    assert any("Bremen" in entry.entry.detail for entry in report.entries)


def test_the_other_sentences_of_the_message_are_recorded(root):
    report = say(root, "Forget that I live in Bremen. I work at Siemens.")
    assert [entry.entry.detail for entry in report.entries] == ["I work at Siemens."]


def test_the_fact_stays_without_the_request_as_its_origin_and_its_command_is_named(root):
    ada = Owner("user", "ada")
    say(root, "I live in Bremen", ada)
    stored = (root / FACTS).read_text()
    report = say(root, "Please forget that I live in Bremen", ada)
    assert (root / FACTS).read_text() == stored
    (notice,) = forget_notices(opened(root), report.to_forget, ada, None)
    name = stored.rpartition("^")[2].strip()
    assert f"memtool --user ada facts forget {name};" in notice
    assert "memtool forget --match 'I live in Bremen'" in notice


def test_the_command_removes_what_the_user_may_see_alone(root):
    eve = Owner("user", "eve")
    report = say(root, "Please forget that I live in Bremen", eve)
    (notice,) = forget_notices(opened(root), report.to_forget, eve, None)
    assert "run MEMTOOL_USER=eve memtool forget --match 'I live in Bremen'" in notice


def test_without_a_fact_only_the_command_that_removes_the_words_is_named(root):
    say(root, "My dog is called Pixel")
    report = say(root, "Please forget that I live in Bremen")
    (notice,) = forget_notices(opened(root), report.to_forget, None, None)
    assert "facts forget" not in notice
    assert "memtool forget --match 'I live in Bremen'" in notice


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("The oven is fine again.", "Forget that the oven is fine again."),
        ("The oven is fine again.", "Forget the oven."),
        ("I have a son named Otto.", "Forget my son."),
        ("Мой врач доктор Ким", "Забудь о моем враче"),
        ("Diş hekimim Ayşe Kaya", "Lütfen diş hekimimi unut"),
        ("我的烤箱坏了", "请忘记烤箱。"),
    ],
)
def test_what_memory_has_of_a_thing_is_named_with_the_command(root, stated, message):
    make(root, {FACTS: f"# Facts\n\n- [context] {stated} ^m-0123456789ab\n"})
    report = say(root, message)
    (notice,) = forget_notices(opened(root), report.to_forget, None, None)
    assert f"to remove m-0123456789ab ({stated!r}), run memtool facts forget m-0123456789ab" in notice


@pytest.mark.parametrize(
    ("message", "phrase"),
    [
        ("Forget the bit about the boiler man.", "'the boiler man'"),
        ("Forget the boiler man.", "'the boiler man'"),
        ("Forget the boiler of the man.", None),  # `man` alone would match too much
        ("Forget the boiler men.", None),
    ],
)
def test_only_words_that_memory_has_are_offered_to_forget_by(root, message, phrase):
    make(root, {FACTS: "# Facts\n\n- [context] the boiler man is Steve ^m-0123456789ab\n"})
    (notice,) = forget_notices(opened(root), say(root, message).to_forget, None, None)
    assert "facts forget m-0123456789ab" in notice
    assert notice.partition("forget --match ")[2] == (phrase or "")


def test_a_rule_about_a_thing_is_named_with_the_command(root):
    say(root, "Always use tabs in Go files.")
    (rule,) = active_rules(opened(root))
    (notice,) = forget_notices(opened(root), say(root, "Forget the tabs").to_forget, None, None)
    assert f"run memtool rules archive {rule.id};" in notice


def test_a_thing_that_memory_does_not_have_is_said_to_be_unknown(root):
    say(root, "My dog is called Pixel")
    (notice,) = forget_notices(opened(root), say(root, "Forget the parrot.").to_forget, None, None)
    assert "memory has no fact or rule about it; to remove every record with these words, run" in notice


def test_nothing_is_said_of_a_request_that_archives_a_rule(root):
    say(root, "Always use tabs in Go files.")
    report = say(root, "Forget the rule about tabs.")
    assert [found.rule.text for found in report.withdrawn] == ["Always use tabs in Go files."]
    assert not report.to_forget


def test_a_request_about_a_thing_is_no_fact(root):
    assert not say(root, "Forget my doctor").entries
    report = say(root, "Forget my doctor. I work at Siemens.")
    assert [entry.entry.detail for entry in report.entries] == ["I work at Siemens."]
