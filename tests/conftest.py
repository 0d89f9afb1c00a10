"""Hooks of pytest for all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests.examples import IN_SUITE, SUITE

# no example has a time limit, which a busy machine would exceed
settings.register_profile("default", settings.get_profile("default"), deadline=None)
settings.register_profile(SUITE, settings.get_profile(SUITE), max_examples=IN_SUITE)
_UMASK = os.umask(0)
os.umask(_UMASK)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt what collecting makes from garbage collection: a million objects that live until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect garbage while the controller of xdist still waits, so that pytest's own collection is short.

    A worker that has not ended five seconds after the controller told it to is sent SIGINT by execnet.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def restored_umask() -> Iterator[None]:
    """Undo the umask that `memtool` sets for its process, where a test runs it inside its own."""
    yield
    os.umask(_UMASK)
