"""A folder that every user of the machine can enter, and another user, for tests of permissions."""

from __future__ import annotations

import ctypes  # noqa: F401 -- a module that memtool imports late, from where another user may not read
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """A new folder that other users can enter; pytest's temporary folders are private."""
    if os.geteuid() != 0 and not os.access("/tmp", os.W_OK):
        pytest.skip("there is no folder that other users can enter")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Do the block with the rights of another user of the machine; skips the test unless root runs it."""
    if os.geteuid() != 0:
        pytest.skip("only root can act as another user")
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
