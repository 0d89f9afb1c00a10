"""BLAKE2b, from the module in which `hashlib` finds it: importing `hashlib` loads OpenSSL."""

from __future__ import annotations

__all__ = ["blake2b"]

try:
    from _blake2 import blake2b
except ImportError:  # not CPython
    from hashlib import blake2b
