"""Hook plugins: the JavaScript file by which an agent without hook settings calls `memtool hook`."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence

from memtool.core.hooks.hook_command import unmarked_command, updated_command
from memtool.core.hooks.hook_event import OPENCODE, PI
from memtool.errors import BadUsage

PLUGIN_AGENTS = (OPENCODE, PI)
"""The agents that load a plugin of memtool from a folder of their own."""
_COMMAND_LINE = "const COMMAND = "
_PLACEHOLDER = f"{_COMMAND_LINE}{{command}};"
_HEADER_LINES = 3
_SHELL_TOKEN = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|.""", re.DOTALL)
"""An escaped character, a quoted string, or any other character of a command line."""
_SHELL_SIGNS = frozenset("();<>|&$`*?[")
_WORD_SIGNS = frozenset("~#")
"""What a shell does not take literally at the start of a word."""
_EXPANSION = re.compile(r"(?<!\\)(?:\\\\)*([$`])")


def plugin_text(agent: str, templates: Sequence[str], words: Sequence[str]) -> str:
    """The plugin that runs a command of these words, made of its templates.

    The words are JSON, which is JavaScript, too, whatever a path contains.
    """
    text = "".join(templates)
    assert is_plugin(agent, text)
    return text.replace(_PLACEHOLDER, f"{_COMMAND_LINE}{json.dumps([*words])};")


def is_plugin(agent: str, text: str | None) -> bool:
    """Whether a file is memtool's plugin for an agent, of any version, and not one of the user's."""
    header = "\n".join((text or "").split("\n", _HEADER_LINES)[:_HEADER_LINES])
    return f"Written by `memtool hook install {agent}`" in header


def plugin_words(text: str | None) -> tuple[str, ...] | None:
    """The words of the command that a plugin runs; None if they cannot be read."""
    lines = (text or "").split("\n")
    found = [line.removeprefix(_COMMAND_LINE) for line in lines if line.startswith(_COMMAND_LINE)]
    try:
        words = json.loads(found[0].strip().removesuffix(";")) if len(found) == 1 else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        return None
    return tuple(words)


def command_words(command: str) -> tuple[str, ...]:
    """The words of a command line that is run without a shell.

    Raises BadUsage for one that needs a shell: with operators, variables, `~`, patterns or a comment.
    """
    plain = unmarked_command(command)
    words = shlex.split(plain)
    fault = ""
    if sign := _shell_syntax(plain):
        fault = f"{sign!r} does not work"
    elif not words or "=" in words[0].partition("/")[0]:
        fault = "the first word must be the name or path of a program"
    if fault:
        raise BadUsage(
            f"invalid command {plain!r}: the agent runs commands without a shell, so {fault}; "
            "put the command into a script, and give the full path of the script"
        )
    return tuple(words)


def _shell_syntax(command: str) -> str:
    """The first operator, expansion, pattern or comment that a shell would not take literally; "" if none."""
    starts_word = True
    for match in _SHELL_TOKEN.finditer(command):
        token = match[0]
        if token.startswith('"') and (found := _EXPANSION.search(token)):
            return found[1]
        if token in _SHELL_SIGNS or (starts_word and token in _WORD_SIGNS):
            return token
        starts_word = token.isspace()
    return ""


def installed_words(
    text: str | None, command: str, *, is_named: bool, is_project: bool = False
) -> tuple[str, ...]:
    """The words of the command after an installation over the plugin with this text. Raises BadUsage."""
    words = plugin_words(text)
    old = None if words is None else shlex.join(words)
    new = updated_command(old, command, is_named=is_named, is_project=is_project)
    return words if words is not None and new == old else command_words(new)


def plugin_advice(agent: str, *, is_project: bool) -> list[str]:
    """What the user must know or do after the installation."""
    if agent == OPENCODE:
        return ["opencode loads plugins when it starts, so restart opencode"]
    advice = ["pi loads extensions when it starts; if pi is already running, type /reload"]
    if is_project:
        advice.append("pi loads a project's extensions only if you trust the project")
    return advice
