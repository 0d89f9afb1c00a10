"""Signed bytes: proof that derived data was written with the user's key (HMAC-SHA-256)."""

from __future__ import annotations

_SIZE = 32
"""Bytes of a signature."""


def sign(content: bytes, key: bytes) -> bytes:
    """A content with its signature before it."""
    import hmac

    return hmac.digest(key, content, "sha256") + content


def verify(signed: bytes, key: bytes) -> bytes | None:
    """The content of signed bytes; None where the signature does not fit."""
    import hmac

    signature, content = signed[:_SIZE], signed[_SIZE:]
    return content if hmac.compare_digest(signature, hmac.digest(key, content, "sha256")) else None
