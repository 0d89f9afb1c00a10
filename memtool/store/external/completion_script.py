"""The user's shell completion script: its path, and its installation."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memtool.errors import BadUsage, Unwritable
from memtool.store.files.posix import error_reason
from memtool.store.root import user_folder


def completion_path(shell: str, environment: Mapping[str, str]) -> str:
    """The path at which a shell looks for memtool's completion script, in the user's folders.

    fish always looks there, bash if the package bash-completion is installed, zsh if the folder is in its
    fpath.
    """
    if shell == "fish":
        return os.path.join(
            user_folder(environment, "XDG_CONFIG_HOME", ".config"), "fish/completions/memtool.fish"
        )
    shared = user_folder(environment, "XDG_DATA_HOME", ".local/share")
    if shell == "zsh":
        return os.path.join(shared, "zsh/site-functions/_memtool")
    bash_folder = user_folder(
        environment, "BASH_COMPLETION_USER_DIR", os.path.join(shared, "bash-completion")
    )
    return os.path.join(bash_folder, "completions/memtool")


def is_current(path: str, text: str, mark: str) -> bool:
    """Whether a file has this text. Raises BadUsage for a file without `mark`, which is not memtool's."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            current = file.read()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unwritable(f"{path} cannot be read: {error_reason(error)}") from error
    if mark not in current:
        raise BadUsage(f"{path} already exists and was not written by memtool; move or rename it first")
    return current == text


def install(path: str, text: str) -> None:
    """Replace a file's text, following a link. Raises Unwritable."""
    real_path = os.path.realpath(path)
    temporary = f"{real_path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(real_path), 0o700, exist_ok=True)
        with open(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, real_path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise Unwritable(f"{path} cannot be written: {error_reason(error)}") from error
