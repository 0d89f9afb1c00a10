"""The commands that a fleet may run on the machine of a tree: a closed grammar of words and options.

Design notes
------------
- The machine that runs a command decides with this module, whatever the database says. The operator's machine
  uses it to refuse a command before it is queued.
- No command here takes a path, a setting, a pattern or a program, and none prints more of the memory than its
  maintenance needs. `compact` is missing because it reads a conversation from stdin, and `quarantine purge`
  because it deletes what nobody has looked at.
- Each word of a command is one word of a fixed set, or the value of an option, which matches a pattern as a
  whole. A value never begins with a hyphen, so it cannot become an option.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from memtool.core.text.regex import regex
from memtool.errors import BadUsage

MOST_WORDS = 16
LONGEST_WORD = 100
"""Words of a command, and characters of a word."""

_SPAN = "[1-9][0-9]{0,3}[smh]"
_CODES = "M[0-9]{1,3}(?:,M[0-9]{1,3}){0,7}"
_ID = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"
_SEVERITY = "error|warning|info"
_REASON = "end|timeout|shutdown|web|voice"
_FLAG = ""
"""The pattern of an option without a value."""
_COMMON = {"--dry-run": _FLAG, "--json": _FLAG, "--quiet": _FLAG, "-q": _FLAG}

RUNNABLE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "maintain": {"--idle": _SPAN},
        "lint": {
            "--strict": _FLAG,
            "--fix": _FLAG,
            "--severity": _SEVERITY,
            "--select": _CODES,
            "--ignore": _CODES,
        },
        "reindex": {"--verify": _FLAG},
        "upgrade-history": {"--strict": _FLAG},
        "decay": {},
        "session sweep": {"--idle": _SPAN},
        "session status": {},
        "session-end": {"--user": _ID, "--session": _ID, "--if-idle": _SPAN, "--reason": _REASON},
        "quarantine list": {},
        "doctor": {},
        "status": {},
        "fleet push": {},
    }
)
"""The options of each command that a fleet may run, besides `_COMMON`, and the patterns of their values."""


def parse_job_command(words: Sequence[object], allowed: Sequence[str] = tuple(RUNNABLE)) -> tuple[str, ...]:
    """The words of a command, checked one by one. Raises BadUsage for one that a fleet may not run.

    `allowed` are the commands of `RUNNABLE` that may run here.
    """
    if not words or len(words) > MOST_WORDS:
        raise BadUsage(
            f"a fleet command must consist of 1 to {MOST_WORDS} words; allowed commands: {_choices(allowed)}"
        )
    checked = [_plain_word(word) for word in words]
    name, rest = _split_name(checked)
    if name not in RUNNABLE:
        raise BadUsage(f"a fleet cannot run {name!r}; allowed commands: {_choices(allowed)}")
    if name not in allowed:
        raise BadUsage(
            f"this workspace does not allow its fleet to run {name!r}; allowed commands: {_choices(allowed)}"
        )
    options = {**RUNNABLE[name], **_COMMON}
    given: set[str] = set()
    while rest:
        option, *rest = rest
        option, has_value, value = option.partition("=")
        pattern = options.get(option)
        if pattern is None:
            known = ", ".join(sorted(options))
            raise BadUsage(f"a fleet cannot run {name!r} with {option!r}; the allowed options are {known}")
        if option in given:
            raise BadUsage(f"{option} appears twice in the fleet command")
        given.add(option)
        if pattern == _FLAG:
            if has_value:
                raise BadUsage(f"{option} takes no value")
            continue
        if not has_value:
            if not rest:
                raise BadUsage(f"{option} needs a value")
            value, *rest = rest
        if regex(pattern, re.ASCII).fullmatch(value) is None:
            raise BadUsage(f"invalid value {value!r} for {option} in a fleet command")
    return tuple(checked)


def _plain_word(word: object) -> str:
    """A word that is a short printable text; raises BadUsage for anything else."""
    if not isinstance(word, str) or not word.isprintable() or not 0 < len(word) <= LONGEST_WORD:
        raise BadUsage(
            f"each word of a fleet command must consist of 1 to {LONGEST_WORD} printable characters"
        )
    return word


def _split_name(words: list[str]) -> tuple[str, list[str]]:
    """The name of the command, with its action if it has one, and the words after it."""
    two = " ".join(words[:2])
    has_actions = any(name.startswith(f"{words[0]} ") for name in RUNNABLE)
    return (two, words[2:]) if has_actions else (words[0], words[1:])


def _choices(names: Sequence[str]) -> str:
    return ", ".join(names)
