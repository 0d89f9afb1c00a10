"""The model of statements about health and diet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.health_words import BUCKETS, affects_advice, features, health_model, may_affect_advice
from tests.training.train import HEALTH, health_rows


@pytest.mark.parametrize(
    "text",
    [
        "My throat swells up when I eat kiwis.",
        "Doctor's orders: no salt for me since the bypass",
        "our dog is on heart tablets",
        "Ich darf seit der Operation nicht schwer heben.",
        "mi hija es celíaca",
        "j'ai une hernie, je ne dois rien porter de lourd",
        "У меня больное сердце, кофе нельзя",
        "我對花生過敏",
    ],
)
def test_statements_about_health_are_known(text):
    assert may_affect_advice(text)


@pytest.mark.parametrize(
    "text",
    [
        "Our CI runs on GitHub Actions.",
        "I live in Lyon with two flatmates.",
        "My boss wants the report on Fridays",
        "Meine Frau arbeitet bei der Bahn.",
        "Je travaille dans un cabinet d'architectes",
        "мы пишем всё на Go",
        "",
    ],
)
def test_statements_about_other_things_are_not(text):
    assert not may_affect_advice(text)


def test_a_medicine_that_no_sentence_named_is_known_by_its_stem():
    assert may_affect_advice("I'm on zofenopril and tirzeglutide now")


def test_the_model_knows_the_statements_that_it_was_trained_on():
    rows = health_rows()
    sample = rows[:: len(rows) // 600]
    right = sum(may_affect_advice(row.text) == (row.label == HEALTH) for row in sample)
    assert right / len(sample) > 0.95
    assert len(health_model().weights[0]) == BUCKETS


def test_what_is_sure_is_a_part_of_what_is_likely():
    rows = [row.text for row in health_rows() if affects_advice(row.text)]
    assert len(rows) > 500
    assert all(map(may_affect_advice, rows[::10]))


@given(st.text(max_size=200))
def test_features_are_buckets_each_once(text):
    numbers = features(text)
    assert numbers == sorted({*numbers})
    assert all(0 <= number < BUCKETS for number in numbers)
    assert isinstance(may_affect_advice(text), bool)
