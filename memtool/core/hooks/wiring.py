"""Wiring: which hooks an agent's settings must name, and the edits after which they do, or do no more."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from memtool.core.hooks.hook import CLAUDE, CODEX, OPENCLAW, heard, limit
from memtool.errors import BadUsage

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SubagentStop",
    "SessionEnd",
)
"""The events of Claude Code and of Codex at which memory has something to do."""
SWITCH = ("hooks", "internal")
"""Where OpenClaw's settings say which of its hooks run."""
_NAME = "memtool"
_MARK = " # memtool hook"
"""Behind a command that does not say so itself: a shell passes it by, and it is known again."""
_AFTER = {"Stop", "SubagentStop"}
"""Events whose hooks Claude Code does not wait for: what it ends before they are done, SessionEnd brings."""


class Put(Struct, frozen=True):
    """A value to be set at a path."""

    path: tuple[str | int, ...]
    what: Any


class Take(Struct, frozen=True):
    """Something to be taken away at a path."""

    path: tuple[str | int, ...]


def wanted(agent: str, command: str) -> dict[str, Any]:
    """What the settings of an agent hold when memtool's hooks are in them, and nothing else."""
    if agent == OPENCLAW:
        return {"hooks": {"internal": {"entries": {_NAME: {"enabled": True}}}}}
    return {"hooks": {event: [{"hooks": [_hook(agent, event, command)]}] for event in EVENTS}}


def edits(agent: str, settings: Any, command: str, *, is_named: bool = False) -> list[Put]:
    """What is to be set so that settings name the hooks, each once; nothing where they do.

    A hook of memtool's that is there stays, with what its owner made of it; only a command as this writes
    them is brought up to date, and any where the owner has just named another. Raises BadUsage for settings
    of another shape.
    """
    if agent == OPENCLAW:
        return _switched_on(settings)
    hooks = _object(_object(settings, "the file").get("hooks", {}), "hooks")
    found: list[Put] = []
    for event in EVENTS:
        rows = _list(hooks.get(event, []), f"hooks.{event}")
        ours = [*_ours(event, rows)]
        if not ours:
            entry = {"hooks": [_hook(agent, event, command)]}
            path = ("hooks", event, len(rows)) if event in hooks else ("hooks", event)
            found.append(Put(path, entry if event in hooks else [entry]))
        found += [
            Put((*path, "command"), command)
            for path, one in ours
            if one["command"] != command and (is_named or _is_plain(one["command"]))
        ]
    return found


def removals(agent: str, settings: Any) -> list[Take]:
    """What is to be taken away, in this order, until settings name no hook of memtool's. Raises BadUsage."""
    top = _object(settings, "the file")
    if agent == OPENCLAW:
        entries = _object(_object(_object(top.get("hooks", {}), "hooks").get("internal", {}), "internal")
                          .get("entries", {}), "entries")  # fmt: skip
        return [Take((*SWITCH, "entries", _NAME))] if _NAME in entries else []
    hooks = _object(top.get("hooks", {}), "hooks")
    found: list[Take] = []
    left = dict(hooks)
    for event in [one for one in EVENTS if one in hooks]:
        rows = _list(hooks[event], f"hooks.{event}")
        ours = {path for path, _ in _ours(event, rows)}
        kept = len(rows)
        for number in reversed(range(len(rows))):
            inner = _inner(rows[number])
            mine = [one for one in range(len(inner)) if ("hooks", event, number, "hooks", one) in ours]
            if mine and len(mine) == len(inner):
                found.append(Take(("hooks", event, number)))
                kept -= 1
            else:
                found += [Take(("hooks", event, number, "hooks", one)) for one in reversed(mine)]
        if ours and not kept:
            found.append(Take(("hooks", event)))
            del left[event]
    if found and not left:
        found.append(Take(("hooks",)))
    return found


def command_of(settings: Any) -> str | None:
    """What the hooks of memtool's in settings are called by, where it is one and the same."""
    hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
    rows = [(event, hooks.get(event)) for event in EVENTS] if isinstance(hooks, Mapping) else []
    found = {one["command"] for event, row in rows if isinstance(row, list) for _, one in _ours(event, row)}
    return found.pop() if len(found) == 1 else None


def is_ours(command: Any) -> bool:
    """Whether a command is memtool's hook, wherever memtool lies and whatever options it has."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    names = [word.rpartition("/")[2] for word in words]
    return _NAME in names and "hook" in names[names.index(_NAME) + 1 :]


def marked(command: str) -> str:
    """A command that `is_ours`: one that does not look like memtool's gets a remark for the shell.

    Raises BadUsage for what no shell can run.
    """
    try:
        if not shlex.split(command) or "\n" in command:
            raise ValueError("it is one line that names a program")
    except ValueError as error:
        raise BadUsage(f"{command!r} is no command: {str(error).lower()}") from error
    return command if is_ours(command) else command + _MARK


def _is_plain(command: str) -> bool:
    """Whether a command is no more than the program and, perhaps, the workspace."""
    words = shlex.split(command)
    start = words.index("-m") + 1 if words[1:2] == ["-m"] else 0
    rest = words[start:]
    return rest[0].rpartition("/")[2] == _NAME and (
        rest[1:] == ["hook"] or (len(rest) == 4 and rest[1] == "--root" and rest[3] == "hook")
    )


def _hook(agent: str, event: str, command: str) -> dict[str, Any]:
    told = heard({"hook_event_name": event}, agent)
    assert told is not None
    hook = {"type": "command", "command": command, "timeout": int(limit(agent, told.moment))}
    return hook | ({"async": True} if agent == CLAUDE and event in _AFTER else {})


def _ours(event: str, rows: list[Any]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    for number, row in enumerate(rows):
        for inner, one in enumerate(_inner(row)):
            if isinstance(one, Mapping) and is_ours(one.get("command")):
                yield ("hooks", event, number, "hooks", inner), one


def _inner(row: Any) -> list[Any]:
    inner = row.get("hooks") if isinstance(row, Mapping) else None
    return inner if isinstance(inner, list) else []


def _switched_on(settings: Any) -> list[Put]:
    """OpenClaw runs the hooks that are named, or, where none is and the switch is on, all that it finds."""
    hooks = _object(_object(settings, "the file").get("hooks", {}), "hooks")
    internal = _object(hooks.get("internal", {}), "hooks.internal")
    entries = _object(internal.get("entries", {}), "hooks.internal.entries")
    mine = entries.get(_NAME)
    is_on = isinstance(mine, Mapping) and mine.get("enabled") is True
    is_found = internal.get("enabled") is True and not any(
        one.get("enabled") is not False for one in entries.values() if isinstance(one, Mapping)
    )
    if is_on or (is_found and mine is None):
        return []
    if isinstance(mine, Mapping):
        return [Put((*SWITCH, "entries", _NAME, "enabled"), what=True)]
    return [Put((*SWITCH, "entries", _NAME), {"enabled": True})]


def advice(agent: str, settings: Any, command: str, *, is_project: bool) -> list[str]:
    """What a person must know or do besides, a sentence each."""
    if agent == CODEX:
        line = json.dumps([*shlex.split(command), "--codex-notify"])
        return [
            "Codex runs no new or changed hook that you have not trusted: start codex and review them there",
            f"until then this line of its config.toml keeps the history at least: notify = {line}",
        ]
    if agent == OPENCLAW:
        found = ["the Gateway loads hooks when it starts: openclaw gateway restart"]
        hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
        internal = hooks.get("internal") if isinstance(hooks, Mapping) else None
        if isinstance(internal, Mapping) and internal.get("enabled") is False:
            found.append("its hooks are all switched off, and stay so: hooks.internal.enabled is false")
        return found
    found = ["Claude Code reads its settings when a session starts"]
    if is_project:
        found.append("it runs a project's hooks only where you have trusted the project")
    if isinstance(settings, Mapping) and settings.get("disableAllHooks") is True:
        found.append("its hooks are all switched off, and stay so: disableAllHooks is true")
    return found


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadUsage(f"{name} is no object there, and hooks are in one; mend it first")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadUsage(f"{name} is no list there, and hooks are in one; mend it first")
    return value
