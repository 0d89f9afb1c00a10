"""Parsing of `memtool hook` without click, because an agent waits for it at every prompt."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` and `re` takes longer than asking a watcher
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
_ACTIONS = ("install", "uninstall", "print")
_HELP = ("--help", "-h")
_AGENTS = ("claude-code", "codex", "openclaw", "opencode", "pi", "gemini", "qwen")


def run_fast(arguments: Sequence[str]) -> int | None:
    """Run `memtool [OPTIONS] hook [answer] [OPTIONS] [JSON]`: the exit code; None for other command lines.

    Wrong options are reported on stderr with exit code 0, so that the agent's turn goes on. A word that is
    neither an action nor JSON exits with 1, which agents ignore and people see; 2 would block a prompt.
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
    if words[:1] != ["hook"] or any(word in _ACTIONS or word in _HELP for word in words[1:]):
        return None
    words.pop(0)
    if words[:1] == ["answer"]:
        words.pop(0)
    text = given.pop("notify", None)
    if words == ["-"]:
        words.pop()  # stdin is the default
    if words and words[0].lstrip().startswith("{") and text is None:
        text = words.pop(0)
    agent = next((agent for agent in _AGENTS if words and words[0] in {agent, agent.partition("-")[0]}), None)
    if words and (agent or words[0].isalpha()):
        from memtool.cli.other_names import action_advice, exact_advice, similar_choice

        near = f"install {agent}" if agent else similar_choice(words[0], _ACTIONS)
        hint = f" (did you mean 'memtool hook {near}'?)" if near else "; choose install, uninstall or print"
        if not near and (advice := exact_advice("hook", words[0]) or action_advice("hook", words[0])):
            hint = f"; {advice}"
        sys.stderr.write(f"memtool: unknown action {words[0]!r}{hint}; see memtool hook --help\n")
        return 1
    if fault := _fault(words, given, pending):
        sys.stderr.write(f"memtool: {fault}; see memtool hook --help\n")
        return 0
    from memtool.cli.hooks.runner import run_hook

    return run_hook(given, text)


def _fault(words: Sequence[str], given: Mapping[str, Any], pending: str | None) -> str | None:
    """What is wrong with the remaining words, the options, or the option without a value; None if nothing."""
    if words:
        return f"no such option {words[0]!r}" if words[0][:1] == "-" else f"unexpected argument {words[0]!r}"
    if pending is not None:
        name = "codex-notify" if pending == "notify" else pending
        return f"--{name} needs a value"
    for key, number in (("seconds", float), ("budget", int)):
        try:
            is_positive = number(given.get(key, 1)) > 0
        except ValueError:
            is_positive = False
        if not is_positive:
            noun = "a whole number" if number is int else "a number"
            return f"--{key} must be {noun} above 0, not {given[key]!r}"
    if given.get("agent", _AGENTS[0]) not in _AGENTS:
        return f"--agent must be one of {', '.join(_AGENTS)}, not {given['agent']!r}"
    return None
