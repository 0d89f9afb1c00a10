"""Credentials of many kinds are found wherever they stand, and nothing innocent is taken for one."""

import pytest

from memtool.core.secrets.redact import find_secrets, redact
from tests.secret_samples import KINDS, innocent, samples

RECALL = 0.97
INNOCENT = 1_000


def _shown(secret: str) -> str:
    """The part of a secret that must not be left: its end, or a line of a key."""
    line = secret.split("\n")[1] if "-----BEGIN" in secret else secret
    return line[-12:] if len(line) > 14 else line


def test_there_are_at_least_150_kinds():
    assert len({*KINDS}) >= 150


@pytest.mark.parametrize("seed", [1, 2])
def test_credentials_of_every_kind_are_redacted(seed):
    results = [(kind, text, _shown(secret) not in redact(text)) for kind, secret, text in samples(seed, 4)]
    missed = [(kind, text) for kind, text, is_redacted in results if not is_redacted]
    assert 1 - len(missed) / len(results) >= RECALL, missed
    found = {kind for kind, _, is_redacted in results if is_redacted}
    assert {*KINDS} - found == set()


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_innocent_is_taken_for_a_credential(seed):
    assert [text for text in innocent(seed, INNOCENT) if find_secrets(text)] == []
