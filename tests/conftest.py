"""Hooks of pytest for all tests."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Exempt what collecting made from garbage collection: a million objects that live until the end."""
    gc.collect()
    gc.freeze()
