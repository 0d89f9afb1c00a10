"""Signed bytes are given back with the key that signed them only."""

from __future__ import annotations

import hmac

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.integrity import sign, verify

keys = st.binary(min_size=32, max_size=32)


@given(st.binary(), keys, keys)
def test_only_the_key_that_signed_verifies(content, key, other):
    assert verify(sign(content, key), key) == content
    assert other == key or verify(sign(content, key), other) is None


@given(st.binary(), keys, st.data())
def test_a_changed_byte_or_a_shorter_text_is_refused(content, key, data):
    signed = sign(content, key)
    place = data.draw(st.integers(0, len(signed) - 1))
    changed = signed[:place] + bytes([signed[place] ^ 1]) + signed[place + 1 :]
    assert verify(changed, key) is None
    assert verify(signed[:place], key) is None


def test_what_version_0_2_signed_is_accepted():
    key = b"k" * 32
    assert verify(hmac.digest(key, b"tea", "sha256") + b"tea", key) == b"tea"
