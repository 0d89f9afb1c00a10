"""Profiles are data: every weight named, and within sane bounds."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import fields

from memtool.core.search.profiles import CONVERSATION, DOCUMENTS, FACTS, NANO, PROFILES, SENTENCE_FACTS
from memtool.core.search.weights import ScoringProfile

EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)


def weights(value):
    """Every number in a profile, with the path to it."""
    if isinstance(value, Struct):
        for field in fields(value):
            yield from (
                (f"{field.name}.{path}", number) for path, number in weights(getattr(value, field.name))
            )
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ((f"{name}.{path}", number) for path, number in weights(inner))
    elif isinstance(value, int | float):
        yield "", value


def parts(profile):
    return [getattr(profile, field.name) for field in fields(profile) if field.name != "name"]


def test_every_profile_names_all_weights():
    for part in (ScoringProfile, *map(type, parts(DOCUMENTS))):
        for field in fields(part):
            assert field.required, field.name


def test_names_are_unique():
    assert len({profile.name for profile in PROFILES}) == len(PROFILES)


@EVERY_PROFILE
def test_weights_are_within_bounds(profile):
    for path, number in weights(profile):
        assert number >= 0, path
    match, signals, dense = profile.match, profile.signals, profile.dense
    assert match.frequency + match.coverage > 0
    assert 0 <= match.required_share < 1
    assert 0 < match.required_from <= match.required_to
    assert 0 <= profile.terms.b <= 1
    assert profile.terms.usual_length > 0
    assert min(signals.speaker, signals.time, signals.dated) >= 1
    assert max(signals.question_penalty, signals.dense_question_penalty) < 1
    assert 0 <= dense.least_beside <= dense.least_alone <= 1


@EVERY_PROFILE
def test_context_takes_less_than_a_message_gives(profile):
    context = profile.context
    assert context.before + context.after < 1
    assert context.reply + 2 * context.beside_user < 1
    assert context.fade < 1
    assert (context.reach > 0) == (context.before + context.reply > 0)


@pytest.mark.parametrize("profile", [DOCUMENTS, CONVERSATION, FACTS], ids=lambda profile: profile.name)
def test_both_kinds_of_embedders_have_weights(profile):
    assert profile.dense.fusion.keys() == {"embedded", "command"}
    for fusion in profile.dense.fusion.values():
        assert fusion.lexical > 0
        assert 0 < fusion.dense <= 1
        assert 0 <= fusion.context <= 1


def test_the_weights_of_facts_sum_to_1():
    for fusion in (*FACTS.dense.fusion.values(), *SENTENCE_FACTS.dense.fusion.values()):
        assert fusion.lexical + fusion.dense == pytest.approx(1.0)
        assert fusion.dense == 0.7


def test_nano_is_twice_the_coverage_and_once_the_density():
    assert (NANO.match.coverage, NANO.match.density) == (2.0, 1.0)
    assert (NANO.signals.phrase_bonus, NANO.signals.own_bonus) == (0.35, 0.05)
