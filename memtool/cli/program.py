"""The command line by which other programs start memtool."""

from __future__ import annotations

import os
import shutil
import sys


def program_words(*, is_for_this_machine: bool = True) -> list[str]:
    """The words that start memtool: `memtool` if it is on PATH, else this Python with the module.

    A memtool of the active virtual environment is named by its path, because other programs may run outside
    of that; but not in settings that other machines share.
    """
    on_path = shutil.which("memtool")
    if on_path and is_for_this_machine and is_in_environment(on_path):
        return [os.path.abspath(on_path)]
    return ["memtool"] if on_path else [sys.executable, "-m", "memtool"]


def is_in_environment(program: str) -> bool:
    """Whether a program belongs to the virtual environment that this process runs in."""
    folders = {
        os.path.realpath(os.path.dirname(os.path.abspath(binary))) for binary in (program, sys.executable)
    }
    return sys.prefix != sys.base_prefix and len(folders) == 1
