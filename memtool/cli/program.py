"""The command line by which other programs start memtool."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import Any

_COMMON_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "~/.local/bin")
"""Folders that are on PATH wherever programs start; pipx and uv install into the last."""


def program_words() -> list[str]:
    """The words that start memtool: `memtool` if it is on everybody's PATH, else with an absolute path.

    A program that is only on the PATH of this shell, such as that of a virtual environment, is not found by
    an agent that is started elsewhere.
    """
    words = absolute_program_words()
    return ["memtool"] if len(words) == 1 and is_in_common_folder(words[0]) else words


def absolute_program_words() -> list[str]:
    """The words that start memtool wherever a program starts, with an absolute path."""
    on_path = shutil.which("memtool")
    return [os.path.abspath(on_path)] if on_path else [sys.executable, "-m", "memtool"]


def scope_options(given: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str | None]:
    """The options that say which memory this run uses, for a command line that is run in any environment."""
    root = given.get("root") or environment.get("MEMTOOL_ROOT")
    return {
        "--root": os.path.realpath(root) if root else None,
        "--layout": given.get("layout"),
        "--user": given.get("user") or environment.get("MEMTOOL_USER"),
    }


def is_in_common_folder(program: str) -> bool:
    """Whether a program is in a folder that is on PATH wherever programs start."""
    return os.path.dirname(os.path.abspath(program)) in map(os.path.expanduser, _COMMON_FOLDERS)


def common_path(path: str) -> str:
    """A search path, extended by the folders that are on PATH wherever programs start."""
    return os.pathsep.join([path, *map(os.path.expanduser, _COMMON_FOLDERS)])


def is_in_environment(program: str) -> bool:
    """Whether a program belongs to the virtual environment that this process runs in."""
    folders = {
        os.path.realpath(os.path.dirname(os.path.abspath(binary))) for binary in (program, sys.executable)
    }
    return sys.prefix != sys.base_prefix and len(folders) == 1
