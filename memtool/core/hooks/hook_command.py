"""The command line by which an agent runs memtool's hooks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from memtool.errors import BadUsage

_PROGRAM = "memtool"
_MARK = " # memtool hook"
"""A shell comment that marks a command as memtool's if its words do not show it."""
_SCOPE_OPTIONS = ("--root", "--layout", "--user")
"""The options of a hook's command that say whose memory it uses, and where that is."""


def hook_command(program: Sequence[str], options: Mapping[str, str | None]) -> str:
    """The command that runs the hooks with a program and the options that have a value."""
    words = [word for name in _SCOPE_OPTIONS if (value := options.get(name)) for word in (name, value)]
    return shlex.join([*program, *words, "hook"])


def updated_command(old: str | None, command: str, *, is_named: bool, is_project: bool = False) -> str:
    """The command that replaces an installed one.

    It is `command` if the user has just given it (`is_named`). Otherwise the user's own command stays, and
    one that memtool wrote hands on the scope options that `command` does not name; the layout only with its
    workspace. A project's files come with its repository, so nothing of a command in them stays.
    """
    if old is None or is_named or is_project:
        return command
    installed = _parse_generated(old)
    if installed is None:
        return old
    current = _parse_generated(command)
    if current is None:
        return command
    (_, options), (program, given) = installed, current
    if given.get("--root", options.get("--root")) != options.get("--root"):
        options = {name: value for name, value in options.items() if name != "--layout"}
    return hook_command(program, {**options, **given})


def is_memtool_hook(command: Any) -> bool:
    """Whether a command is `memtool hook`, at any path and with any options."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    names = [word.rpartition("/")[2] for word in words]
    return _PROGRAM in names and "hook" in names[names.index(_PROGRAM) + 1 :]


def named_option(command: str, name: str) -> str:
    """The value of an option such as `--root` in a hook's command; "" if the command does not name it."""
    words = shlex.split(command)
    for word, value in zip(words, [*words[1:], ""], strict=False):
        if word == name:
            return value
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=")
    return ""


def named_root(command: str) -> str:
    """The workspace that a hook's command names; "" if it names none."""
    return named_option(command, "--root")


def mark_command(command: str) -> str:
    """The command with a mark, if needed, by which `is_memtool_hook` recognises it.

    Raises BadUsage for a text that is not a shell command.
    """
    try:
        if not shlex.split(command) or "\n" in command:
            raise ValueError("a command must be a single line that names a program")
    except ValueError as error:
        raise BadUsage(f"invalid command {command!r}: {str(error).lower()}") from error
    return command if is_memtool_hook(command) else command + _MARK


def unmarked_command(command: str) -> str:
    """The command without the mark of `mark_command`."""
    return command.removesuffix(_MARK)


def replaced_root_advice(old: str, command: str) -> list[str]:
    """A sentence on the workspace that an old command names and a new one does not, if there is one."""
    root = named_root(old)
    if not root or root == named_root(command):
        return []
    lost = f"the hooks no longer use the workspace {root}"
    return [f"{lost}; to use that workspace again, install the hooks with --root {shlex.quote(root)}"]


def own_command_advice(call: str, old: str, in_use: str, command: str, *, is_named: bool) -> list[str]:
    """A sentence on the user's own installed command `old`, if another one is in use or was asked for.

    `command` is the one that the installation would write, and `call` the installation as it is typed.
    """
    if is_written_by_memtool(old) or is_named:
        return []
    if old != in_use:
        again = f"{call} --command {shlex.quote(unmarked_command(old))}"
        replaced = f"memtool replaced this command in the hooks of this project: {unmarked_command(old)};"
        reason = "someone else may have written it"
        return [f"{replaced} {reason}; to use that command, run: {again}"]
    current = _parse_generated(command)
    if current is None:
        return []
    program, given = current
    known = {name: named_option(old, name) for name in _SCOPE_OPTIONS}
    unused = {name: value for name, value in given.items() if value != known[name]}
    if not unused:
        return []
    if "--root" in unused:  # a layout holds for its workspace alone
        del known["--layout"]
    again = f"{call} --command {shlex.quote(hook_command(program, {**known, **given}))}"
    asked = shlex.join([word for name, value in unused.items() for word in (name, value or "")])
    kept = f"the hooks run a command of your own, which memtool left unchanged: {unmarked_command(old)}"
    return [f"{kept}; that command does not use {asked}; to replace it, run: {again}"]


def is_written_by_memtool(command: str) -> bool:
    """Whether a command consists only of the program, scope options and `hook`."""
    return _parse_generated(command) is not None


def _parse_generated(command: str) -> tuple[list[str], dict[str, str | None]] | None:
    """The program and the options of a command that `hook_command` wrote; None for any other."""
    words = shlex.split(command)
    length = 3 if words[1:2] == ["-m"] else 1
    program, options, action = words[:length], words[length:-1], words[length:][-1:]
    names, values = options[::2], options[1::2]
    is_generated = (
        program[-1:] != []
        and program[-1].rpartition("/")[2] == _PROGRAM
        and action == ["hook"]
        and len(names) == len(values)
        and set(names) <= set(_SCOPE_OPTIONS)
    )
    return (program, dict(zip(names, values, strict=True))) if is_generated else None
