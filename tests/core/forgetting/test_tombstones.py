"""Tombstones recognise what was forgotten, by keyed digests alone."""

from memtool.core.forgetting.messages import PartLink, unpaired_parts
from memtool.core.forgetting.phrases import words_of
from memtool.core.forgetting.tombstones import Digester, ForgetReceipt, Forgotten, Tombstones, key_name
from memtool.core.records.entries import Owner
from memtool.formats import forget_receipt

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
ANN, BOB = Owner("user", "ann"), Owner("user", "bob")


def receipt(key: bytes = KEY) -> ForgetReceipt:
    digester = Digester(key)
    tombstones = Tombstones(
        users=(digester.user("ann"),),
        sessions=(digester.session("s1"),),
        turns=(digester.turn("codex\ns2\n7"),),
        user_texts=(digester.text("I like tea."),),
        phrases={2: (digester.phrase(words_of("Project Lark")),)},
    )
    return ForgetReceipt("2025-01-15T10:30:00Z", "user", key_name(key), {"turn": 3}, tombstones)


SPECIMEN = forget_receipt.render_line(receipt())


def test_what_was_forgotten_is_recognised_and_another_user_may_say_the_same():
    forgotten = Forgotten([receipt()], [OTHER_KEY, KEY])
    assert forgotten.has_text("i LIKE tea", ANN)
    assert forgotten.has_text("i LIKE tea", None)
    assert not forgotten.has_text("I like tea", BOB)
    assert forgotten.has_text("all about project lark.", BOB)
    assert not forgotten.has_text("a project, a lark", BOB)
    assert forgotten.has_user(ANN)
    assert not forgotten.has_user(BOB)
    assert forgotten.has_turn("codex\ns2\n7", "s2")
    assert forgotten.has_turn("codex\ns1\n1", "s1")
    assert not forgotten.has_turn("codex\ns2\n8", "s2")


def test_without_its_key_a_receipt_recognises_nothing():
    assert not Forgotten([receipt()], [OTHER_KEY])


def test_receipts_and_keys_read_back_and_lines_of_others_are_passed_over():
    text = "no receipt\n" + forget_receipt.render_line(receipt()) + '{"at": 1}\n'
    assert [*forget_receipt.parse(text)] == [receipt()]
    assert [*forget_receipt.parse_keys(forget_receipt.render_key(KEY) + "zz\n")] == [KEY]


def test_no_word_is_in_a_receipt():
    line = forget_receipt.render_line(receipt())
    assert not [word for word in ("ann", "tea", "Lark", "codex", "s1") if f'"{word}' in line]


def test_calls_and_results_stay_in_pairs():
    call, result, text = PartLink("call", "c1"), PartLink("result", "c1"), PartLink()
    messages = [[text], [text, call], [result], [text]]
    assert unpaired_parts(messages, {1}) == [(2, 0)]
    assert unpaired_parts(messages, {2}) == [(1, 1)]
    assert unpaired_parts(messages, {0, 3}) == []
