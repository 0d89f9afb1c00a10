"""Where a user's shell looks for completion scripts, and how one is put there."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memtool.errors import BadUsage, Unwritable
from memtool.store.config.config import base
from memtool.store.files.posix import reason


def completion_file(shell: str, environment: Mapping[str, str]) -> str:
    """Where a shell finds the completion script of a command, in the user's own folders.

    bash looks there where the package bash-completion is installed, fish always; zsh where the folder is in
    its fpath.
    """
    if shell == "fish":
        return os.path.join(base(environment, "XDG_CONFIG_HOME", ".config"), "fish/completions/memtool.fish")
    shared = base(environment, "XDG_DATA_HOME", ".local/share")
    if shell == "zsh":
        return os.path.join(shared, "zsh/site-functions/_memtool")
    own = base(environment, "BASH_COMPLETION_USER_DIR", os.path.join(shared, "bash-completion"))
    return os.path.join(own, "completions/memtool")


def is_current(path: str, text: str, mark: str) -> bool:
    """Whether a file says this already. Raises BadUsage for one without the mark: it is somebody else's."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            there = file.read()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unwritable(f"{path} cannot be read: {reason(error)}") from error
    if mark not in there:
        raise BadUsage(f"{path} is there already and is not memtool's; move it away first")
    return there == text


def put(path: str, text: str) -> None:
    """A file's whole new text; where it is a link, that of the file it leads to. Raises Unwritable."""
    place = os.path.realpath(path)
    temporary = f"{place}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(place), 0o700, exist_ok=True)
        with open(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, place)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise Unwritable(f"{path} cannot be written: {reason(error)}") from error
