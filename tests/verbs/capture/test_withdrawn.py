"""Instructions that a message takes back or changes, in ten languages, and sentences that take back none."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.records.entries import Owner
from memtool.verbs.capture.scan import scan
from memtool.verbs.capture.withdrawn import withdrawal_notices
from memtool.verbs.facts.rules import active_rules, archived_rules, restore_rules
from memtool.verbs.facts.write_policy import load_policy
from tests.trees import NOW, make, opened

RULES = "memory/procedural/rules.md"


def tree(folder, *texts, owner=""):
    """A workspace with these rules."""
    lines = "".join(
        f"- [2025-06-01T09:00:00Z] {owner}{text} ^r-{number:08x}\n" for number, text in enumerate(texts, 1)
    )
    return make(folder / "w", {"memtool.toml": 'layout = "native"\n', RULES: "# Rules\n\n" + lines})


def say(root, message, owner=None):
    return scan(opened(root), message, now=NOW + timedelta(minutes=1), owner=owner, triggers=DEFAULT_TRIGGERS)


def texts(rules):
    return [rule.text for rule in rules]


WITHDRAWN = [
    ("Always answer in short sentences.", "Forget what I said about short sentences."),
    ("Always answer in short sentences.", "You don't need to answer in short sentences anymore."),
    ("Never use bullet points.", "Ignore my earlier instruction about bullet points."),
    ("Never use bullet points.", "Ok, bullet points are fine now."),
    ("Never use bullet points.", "You can use bullet points again, thanks."),
    ("Never use abbreviations.", "From now on you may use abbreviations."),
    ("Always put the VAT number on invoices.", "The rule about the VAT number no longer applies."),
    ("Avoid emojis.", "I've changed my mind about emojis."),
    ("From now on at most three sentences.", "You can stop limiting your answers to three sentences."),
    ("From now on at most three sentences.", "Forget the three-sentence rule."),
    ("From now on at most three sentences.", "Longer answers are fine from now on."),
    ("Keep answers short.", "You can write longer answers again."),
    ("Always millimetres, never inches.", "You don't need to use millimetres any more."),
    ("Always millimetres, never inches.", "Inches are fine again."),
    ("Always end with a summary.", "The summaries at the end aren't necessary any more."),
    ("From now on sign emails with Kind regards.", "Drop the Kind regards thing."),
    ("Never use tables.", "I take back the thing about tables."),
    ("Never use tables.", "The no-tables rule is off."),
    ("Always ask before running tests.", "You're free to run tests without asking from now on."),
    ("Always ask before running tests.", "You needn't ask before running tests any longer."),
    ("Antworte immer in kurzen Sätzen.", "Vergiss, was ich über kurze Sätze gesagt habe."),
    ("Antworte immer in kurzen Sätzen.", "Du musst nicht mehr in kurzen Sätzen antworten."),
    ("Verwende niemals Aufzählungen.", "Aufzählungen sind jetzt in Ordnung."),
    ("Réponds toujours en phrases courtes.", "Oublie ce que j'ai dit sur les phrases courtes."),
    ("N'utilise jamais d'émojis.", "Tu peux de nouveau utiliser des émojis."),
    ("Responde siempre con frases cortas.", "Ya no hace falta que respondas con frases cortas."),
    ("No uses nunca viñetas.", "Ya puedes usar viñetas."),
    ("Responda sempre com frases curtas.", "Esquece o que eu disse sobre frases curtas."),
    ("Nunca use emojis.", "Agora pode usar emojis."),
    ("Всегда отвечай короткими предложениями.", "Забудь, что я говорил про короткие предложения."),
    ("Никогда не используй эмодзи.", "Теперь можно использовать эмодзи."),
    ("Her zaman kısa cümlelerle cevap ver.", "Kısa cümleler hakkında söylediklerimi unut."),
    ("Asla emoji kullanma.", "Artık emoji kullanabilirsin."),
    ("Doim qisqa gaplar bilan javob ber.", "Qisqa gaplar haqida aytganimni unut."),
    ("Hech qachon emoji ishlatma.", "Endi emoji ishlatish mumkin."),
    ("总是用简短的句子回答。", "忘掉我说过的关于简短句子的要求。"),
    ("不要使用表情符号。", "现在可以使用表情符号了。"),
    ("箇条書きは使わないで。", "箇条書きについての指示は忘れてください。"),
    ("絵文字は絶対に使わないで。", "もう絵文字を使ってもいいです。"),
]


@pytest.mark.parametrize(("rule", "message"), WITHDRAWN)
def test_a_rule_that_the_user_takes_back_is_archived(tmp_path, rule, message):
    root = tree(tmp_path, rule, "Name the source of each price.")
    report = say(root, message)
    assert texts(active_rules(opened(root))) == ["Name the source of each price."]
    assert texts(archived_rules(opened(root))) == [rule]
    assert [entry.entry.detail for entry in report.entries] == [message]


KEPT = [
    "Forget what I said about the meeting.",
    "Did I ask you to forget what I said about short sentences?",
    "Translate: Forget what I said about short sentences.",
    'He said: "Bullet points are fine now."',
    "My editor says bullet points are fine now.",
    "The bullet points in the draft are fine now.",
    "For this answer, bullet points are fine.",
    "You can use bullet points this once.",
    "Just for this one, ignore my instruction about bullet points.",
    "Are bullet points fine now?",
    "If you can use bullet points again, tell me.",
    "You don't need to answer in short sentences in this case.",
    "The students don't need to answer in short sentences anymore.",
    "You can use short sentences again.",
    "Forget the invoice I mentioned yesterday.",
    "Suppose bullet points are fine now.",
    "Longer emails are fine from now on.",
    "The short sentences in the draft aren't needed anymore.",
    "Drop the meeting thing.",
]


@pytest.mark.parametrize("message", KEPT)
def test_a_sentence_that_takes_nothing_back_leaves_the_rules(tmp_path, message):
    root = tree(tmp_path, "Always answer in short sentences.", "Never use bullet points.")
    say(root, message)
    assert texts(active_rules(opened(root)))[:2] == [
        "Always answer in short sentences.",
        "Never use bullet points.",
    ]


LIFTING = [
    "You don't need to use millimetres any more.",
    "You no longer need to answer in millimetres.",
    "Longer letters are fine from now on.",
    "You needn't ask before running tests any longer.",
]


@pytest.mark.parametrize("message", LIFTING)
def test_a_sentence_that_only_lifts_never_becomes_a_rule(tmp_path, message):
    root = tree(tmp_path, "Name the source of each price.")
    report = say(root, message)
    assert texts(active_rules(opened(root))) == ["Name the source of each price."]
    assert not any(entry.durable for entry in report.entries)
    assert all(
        "memtool rules list" in notice for notice in withdrawal_notices(report.withdrawn, None, "memtool")
    )


STANDING = [
    "From now on you may commit without asking.",
    "From now on you can call me Liz.",
    "You don't need to be polite with me any more, be blunt.",
]


@pytest.mark.parametrize("message", STANDING)
def test_a_permission_from_now_on_that_lifts_no_rule_is_a_rule(tmp_path, message):
    root = tree(tmp_path, "Name the source of each price.")
    say(root, message)
    assert message in texts(active_rules(opened(root)))


def test_a_withdrawal_says_which_rule_was_archived_and_how_to_restore_it(tmp_path):
    root = tree(tmp_path, "Never use bullet points.")
    report = say(root, "You can use bullet points again.")
    (notice,) = withdrawal_notices(report.withdrawn, Owner("user", "ada"), "memtool")
    assert notice.startswith("archived the rule r-00000001 ('Never use bullet points.')")
    assert "memtool --user ada rules restore r-00000001" in notice


def test_a_withdrawal_of_a_pinned_rule_says_that_it_is_pinned(tmp_path):
    root = tree(tmp_path, "Never use bullet points. (pinned)")
    report = say(root, "You can use bullet points again.")
    (notice,) = withdrawal_notices(report.withdrawn, None, "memtool")
    assert "is pinned" in notice
    assert len(active_rules(opened(root))) == 1


def test_a_rule_of_another_owner_stays(tmp_path):
    root = tree(tmp_path, "Never use bullet points.", owner="[user:ada] ")
    say(root, "You can use bullet points again.", Owner("user", "bo"))
    assert "Never use bullet points." in texts(active_rules(opened(root)))
    say(root, "You can use bullet points again.", Owner("user", "ada"))
    assert "Never use bullet points." not in texts(active_rules(opened(root)))


def test_where_several_rules_may_be_meant_a_message_names_the_commands(tmp_path):
    root = tree(
        tmp_path, "Always put the VAT number on invoices.", "Print the VAT number in bold on letters."
    )
    report = say(root, "Forget what I said about the VAT number.")
    assert len(active_rules(opened(root))) == 2
    (notice,) = withdrawal_notices(report.withdrawn, None, "memtool")
    assert "r-00000001" in notice
    assert "r-00000002" in notice
    assert "memtool rules archive ID" in notice


def test_of_a_rule_that_says_more_nothing_is_lost(tmp_path):
    root = tree(tmp_path, "Always answer in short sentences and add the source of each claim.")
    report = say(root, "Forget what I said about short sentences.")
    assert len(active_rules(opened(root))) == 1
    (notice,) = withdrawal_notices(report.withdrawn, Owner("user", "ada"), "memtool")
    assert "memtool --user ada rules archive r-00000001" in notice


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Never use emojis in commit messages.", "You can use emojis again."),
        ("Never use bullet points in emails.", "Bullet points are fine now."),
        ("Always run the tests before committing.", "You can stop running the tests."),
    ],
)
def test_a_rule_for_one_case_stays_when_a_permission_does_not_name_the_case(tmp_path, rule, message):
    root = tree(tmp_path, rule)
    report = say(root, message)
    assert texts(active_rules(opened(root))) == [rule]
    assert withdrawal_notices(report.withdrawn, Owner("user", "ada"), "memtool")


def test_a_withdrawn_rule_can_be_restored(tmp_path):
    root = tree(tmp_path, "Never use bullet points.")
    say(root, "Bullet points are fine now.")
    workspace = opened(root)
    restore_rules(workspace, ["r-00000001"], load_policy(workspace.settings), NOW)
    assert texts(active_rules(opened(root))) == ["Never use bullet points."]


def test_a_message_may_take_one_rule_back_and_give_another(tmp_path):
    root = tree(tmp_path, "Never use bullet points.")
    say(root, "Bullet points are fine now. Always add a summary at the end.")
    assert texts(active_rules(opened(root))) == ["Always add a summary at the end."]


CHANGED = [
    ("Tutoie-moi toujours.", "Vouvoie-moi."),
    ("Duze mich bitte immer.", "Sieze mich ab jetzt bitte."),
    ("Tutéame siempre.", "Trátame de usted a partir de ahora."),
    ("Always answer in English.", "Ab jetzt antworte immer auf Deutsch."),
    ("Always millimetres, never inches.", "Use inches from now on."),
    ("Always give short answers.", "From now on give me long, detailed answers."),
    ("Responde siempre con frases cortas.", "Responde con frases largas a partir de ahora."),
]


@pytest.mark.parametrize(("rule", "message"), CHANGED)
def test_a_contrary_instruction_replaces_the_old_one(tmp_path, rule, message):
    root = tree(tmp_path, rule)
    say(root, message)
    assert texts(active_rules(opened(root))) == [message]
