"""The one command that an agent waits for at every prompt, run without click where its options are plain."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

_VALUES = {
    f"--{name}": key
    for name, key in (
        *((one, one) for one in ("root", "layout", "user", "session", "agent", "budget", "seconds")),
        ("codex-notify", "notify"),
    )
}
_FLAGS = {"--dry-run": "dry_run", "--incognito": "incognito", "--json": "json"}
_FLAGS |= {"-q": "quiet", "--quiet": "quiet", "-v": "verbose", "--verbose": "verbose"}
_OTHERS = (["install"], ["uninstall"], ["print"], ["--help"], ["-h"])
_AGENTS = ("claude-code", "codex", "openclaw")


def quickly(arguments: Sequence[str]) -> int | None:
    """Run `memtool [OPTIONS] hook [OPTIONS] [JSON]` without click; None for any other command line.

    A mistake in the options of a hook is told, and breaks no turn either. A word that is neither an action
    nor JSON exits with 1, which agents pass by, and people see.
    """
    words, given, wanted = [], dict[str, Any](), None
    for one in arguments:
        name, _, value = one.partition("=")
        if wanted is not None:
            given[wanted], wanted = one, None
        elif name in _VALUES and value:
            given[_VALUES[name]] = value
        elif one in _VALUES:
            wanted = _VALUES[one]
        elif one in _FLAGS:
            given[_FLAGS[one]] = True
        else:
            words.append(one)
    if words[:1] != ["hook"] or words[1:2] in _OTHERS:
        return None
    text = given.pop("notify", None)
    if words[1:] == ["-"]:
        words.pop()  # stdin, as ever
    if words[1:] and words[1].lstrip().startswith("{") and text is None:
        text = words.pop(1)
    if words[1:] and words[1].isalpha():
        actions = ", ".join(name for (name,) in _OTHERS if name.isalpha())
        sys.stderr.write(f"memtool: {words[1]} is no action of memtool hook; there are {actions}\n")
        return 1
    if words[1:] or wanted is not None or not _fits(given):
        sys.stderr.write("memtool: these options are none of memtool hook's; see memtool hook --help\n")
        return 0
    from memtool.cli.hooks.hooked import run

    return run(given, text)


def _fits(given: Mapping[str, Any]) -> bool:
    """Whether the numbers are numbers, and the agent is one that we know."""
    try:
        return (
            float(given.get("seconds", 1)) > 0
            and int(given.get("budget", 1)) > 0
            and given.get("agent", _AGENTS[0]) in _AGENTS
        )
    except ValueError:
        return False
