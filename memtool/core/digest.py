"""BLAKE2b, the digest of everything here, without the cryptographic library that `hashlib` opens too."""

from __future__ import annotations

__all__ = ["blake2b"]

try:  # CPython's own module, which is what `hashlib.blake2b` is; to open OpenSSL beside it takes 3 ms
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b
