"""Signed bytes: proof that derived data was written with the user's key (BLAKE2b with a key, RFC 7693)."""

from __future__ import annotations

from memtool.core.digest import blake2b

_SIZE = 32
"""Bytes of a signature."""


def sign(content: bytes, key: bytes) -> bytes:
    """A content with its signature before it."""
    return _signature(content, key) + content


def verify(signed: bytes, key: bytes) -> bytes | None:
    """The content of signed bytes; None where the signature does not fit."""
    signature, content = signed[:_SIZE], signed[_SIZE:]
    # the digests are compared, so that the time says nothing about the signature
    is_own = _signature(signature, key) == _signature(_signature(content, key), key)
    return content if is_own or _is_older_signature(signature, content, key) else None


def _signature(content: bytes, key: bytes) -> bytes:
    return blake2b(content, key=key, digest_size=_SIZE).digest()


def _is_older_signature(signature: bytes, content: bytes, key: bytes) -> bool:
    """Whether it is an HMAC-SHA-256, as memtool 0.2 signed."""
    import hmac  # loads OpenSSL

    return hmac.compare_digest(signature, hmac.digest(key, content, "sha256"))
