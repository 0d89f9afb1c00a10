"""A folder that every user of the machine can enter, for tests of permissions."""

from __future__ import annotations

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
