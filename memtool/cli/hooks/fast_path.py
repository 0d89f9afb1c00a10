"""Parsing of `memtool hook` without click, because an agent waits for it at every prompt."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` and `re` takes longer than all that asks a watcher
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_VALUE_OPTIONS = {
    f"--{name}": key
    for name, key in (
        *((name, name) for name in ("root", "layout", "user", "session", "agent", "budget", "seconds")),
        ("codex-notify", "notify"),
    )
}
_FLAG_OPTIONS = {"--dry-run": "dry_run", "--incognito": "incognito", "--json": "json"}
_FLAG_OPTIONS |= {"-q": "quiet", "--quiet": "quiet", "-v": "verbose", "--verbose": "verbose"}
_OTHER_ACTIONS = (["install"], ["uninstall"], ["print"], ["--help"], ["-h"])
_AGENTS = ("claude-code", "codex", "openclaw")


def run_fast(arguments: Sequence[str]) -> int | None:
    """Run `memtool [OPTIONS] hook [OPTIONS] [JSON]` and return its exit code; None for another command line.

    A mistake in the options is reported on stderr with exit code 0, so that it breaks no turn. A word that is
    neither an action nor JSON exits with 1, which agents ignore and people see.
    """
    words: list[str] = []
    given: dict[str, Any] = {}
    pending: str | None = None  # the option whose value is the next argument
    for argument in arguments:
        name, _, value = argument.partition("=")
        if pending is not None:
            given[pending], pending = argument, None
        elif name in _VALUE_OPTIONS and value:
            given[_VALUE_OPTIONS[name]] = value
        elif argument in _VALUE_OPTIONS:
            pending = _VALUE_OPTIONS[argument]
        elif argument in _FLAG_OPTIONS:
            given[_FLAG_OPTIONS[argument]] = True
        else:
            words.append(argument)
    if words[:1] != ["hook"] or words[1:2] in _OTHER_ACTIONS:
        return None
    text = given.pop("notify", None)
    if words[1:] == ["-"]:
        words.pop()  # stdin is the default
    if words[1:] and words[1].lstrip().startswith("{") and text is None:
        text = words.pop(1)
    if words[1:] and words[1].isalpha():
        actions = ", ".join(name for (name,) in _OTHER_ACTIONS if name.isalpha())
        sys.stderr.write(f"memtool: unknown action {words[1]!r}; choose from {actions}\n")
        return 1
    if words[1:] or pending is not None or not _is_valid(given):
        sys.stderr.write("memtool: unknown options for memtool hook; see memtool hook --help\n")
        return 0
    from memtool.cli.hooks.runner import run_hook

    return run_hook(given, text)


def _is_valid(given: Mapping[str, Any]) -> bool:
    """Whether the numbers are valid and positive, and the agent is a known one."""
    try:
        return (
            float(given.get("seconds", 1)) > 0
            and int(given.get("budget", 1)) > 0
            and given.get("agent", _AGENTS[0]) in _AGENTS
        )
    except ValueError:
        return False
