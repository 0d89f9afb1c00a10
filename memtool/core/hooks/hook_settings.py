"""Hook settings: the edits of an agent's settings that install or remove memtool's hooks."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from memtool.core.hooks.hook_command import (
    is_memtool_hook,
    is_written_by_memtool,
    updated_command,
)
from memtool.core.hooks.hook_event import (
    CLAUDE,
    CODEX,
    GEMINI,
    OPENCLAW,
    QWEN,
    hook_timeout,
    parse_hook_event,
)
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
"""The events of Claude Code, Codex and Qwen Code that memtool handles."""
GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "PreCompress", "AfterAgent", "SessionEnd")
"""The events of Gemini CLI that memtool handles."""
_MATCHERS = {"PreCompress": "manual"}
"""The cases of an event that a hook is for: Gemini CLI reports `auto` before every request to the model."""
_IN_MILLISECONDS = {GEMINI, QWEN}
"""The agents whose time limits are milliseconds; Qwen Code 0.24 takes less than 1000 as seconds."""
OPENCLAW_PATH = ("hooks", "internal")
"""The path in OpenClaw's settings under which its hooks are enabled."""
_TITLES = {CLAUDE: "Claude Code", GEMINI: "Gemini CLI", QWEN: "Qwen Code"}
_NAME = "memtool"
_ASYNCHRONOUS = {"Stop", "SubagentStop"}
"""Events whose hooks run asynchronously in Claude Code; SessionEnd does what they could not finish."""


class SetSetting(Struct, frozen=True):
    """Set a value at a path of the settings."""

    path: tuple[str | int, ...]
    value: Any


class RemoveSetting(Struct, frozen=True):
    """Remove the value at a path of the settings."""

    path: tuple[str | int, ...]


def settings_with_hooks(agent: str, command: str) -> dict[str, Any]:
    """The settings of an agent that contain memtool's hooks and nothing else."""
    if agent == OPENCLAW:
        return {"hooks": {"internal": {"entries": {_NAME: {"enabled": True}}}}}
    return {"hooks": {event: [_hook_group(agent, event, command)] for event in _events(agent)}}


def install_edits(
    agent: str, settings: Any, command: str, *, is_named: bool = False, is_project: bool = False
) -> list[SetSetting]:
    """The edits after which the settings contain each of memtool's hooks once; none if they already do.

    An existing hook of memtool is kept with the user's changes. Its command becomes what `updated_command`
    returns. Raises BadUsage for settings of another shape.
    """
    if agent == OPENCLAW:
        return _openclaw_edits(settings)
    hooks = _object(_object(settings, "the file").get("hooks", {}), "hooks")
    changes: list[SetSetting] = []
    generated = next(filter(is_written_by_memtool, installed_commands(settings)), None)
    updated = partial(updated_command, command=command, is_named=is_named, is_project=is_project)
    new_command = updated(generated)
    for event in _events(agent):
        entries = _list(hooks.get(event, []), f"hooks.{event}")
        own_hooks = [*_own_hooks(event, entries)]
        if not own_hooks:
            entry = _hook_group(agent, event, new_command)
            path = ("hooks", event, len(entries)) if event in hooks else ("hooks", event)
            changes.append(SetSetting(path, entry if event in hooks else [entry]))
        updates = [(path, hook["command"], updated(hook["command"])) for path, hook in own_hooks]
        changes += [SetSetting((*path, "command"), new) for path, old, new in updates if new != old]
    return changes


def uninstall_edits(agent: str, settings: Any, earlier: Any = None) -> list[RemoveSetting]:
    """The edits, in order, that remove all of memtool's hooks from the settings. Raises BadUsage.

    Objects and arrays that are empty without them are removed as well, because `install` may have added them,
    except for those in the `earlier` settings, which are from before the installation.
    """
    top = _object(settings, "the file")
    if agent == OPENCLAW:
        path = (*OPENCLAW_PATH, "entries", _NAME)
        parents = [top]
        for key in path[:-1]:
            parents.append(_object(parents[-1].get(key, {}), key))
        if _NAME not in parents[-1]:
            return []
        emptied = len(path)
        while emptied > 1 and len(parents[emptied - 1]) == 1 and not _has(earlier, path[: emptied - 1]):
            emptied -= 1
        return [RemoveSetting(path[:emptied])]
    hooks = _object(top.get("hooks", {}), "hooks")
    changes: list[RemoveSetting] = []
    remaining = dict(hooks)
    for event in [event for event in _events(agent) if event in hooks]:
        hook_groups = _list(hooks[event], f"hooks.{event}")
        own_paths = {path for path, _ in _own_hooks(event, hook_groups)}
        group_count = len(hook_groups)
        for number in reversed(range(len(hook_groups))):
            group = ("hooks", event, number)
            hook_count = len(_hooks_of_group(hook_groups[number]))
            own = [index for index in range(hook_count) if (*group, "hooks", index) in own_paths]
            if own and len(own) == hook_count:
                changes.append(RemoveSetting(group))
                group_count -= 1
            else:
                changes += [RemoveSetting((*group, "hooks", index)) for index in reversed(own)]
        if own_paths and not group_count and not _has(earlier, ("hooks", event)):
            changes.append(RemoveSetting(("hooks", event)))
            del remaining[event]
    if changes and not remaining and not _has(earlier, ("hooks",)):
        changes.append(RemoveSetting(("hooks",)))
    return changes


def _has(settings: Any, path: Sequence[str]) -> bool:
    """Whether settings have a value at a path of keys."""
    for key in path:
        if not isinstance(settings, Mapping) or key not in settings:
            return False
        settings = settings[key]
    return True


def installed_commands(settings: Any) -> list[str]:
    """The different commands of memtool's hooks in the settings, in order."""
    hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
    events = dict.fromkeys((*EVENTS, *GEMINI_EVENTS))
    rows = [(event, hooks.get(event)) for event in events] if isinstance(hooks, Mapping) else []
    groups_by_event = [(event, groups) for event, groups in rows if isinstance(groups, list)]
    own_hooks = (hook for event, groups in groups_by_event for _, hook in _own_hooks(event, groups))
    return list(dict.fromkeys(hook["command"] for hook in own_hooks))


def installed_command(settings: Any) -> str | None:
    """The command of memtool's hooks in the settings; None if there is none or there are several."""
    commands = installed_commands(settings)
    return commands[0] if len(commands) == 1 else None


def main_command(settings: Any) -> str | None:
    """Of the commands of memtool's hooks in the settings, the first that memtool wrote, else the first."""
    commands = installed_commands(settings)
    return next(filter(is_written_by_memtool, commands), commands[0] if commands else None)


def _events(agent: str) -> tuple[str, ...]:
    return GEMINI_EVENTS if agent == GEMINI else EVENTS


def _hook_group(agent: str, event: str, command: str) -> dict[str, Any]:
    matcher = _MATCHERS.get(event)
    hook_event = parse_hook_event({"hook_event_name": event, "trigger": matcher}, agent)
    assert hook_event is not None
    seconds = hook_timeout(agent, hook_event.kind)
    timeout = int(seconds * 1000 if agent in _IN_MILLISECONDS else seconds)
    hook = {"type": "command", "command": command, "timeout": timeout}
    hook |= {"async": True} if agent == CLAUDE and event in _ASYNCHRONOUS else {}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


def _own_hooks(event: str, groups: list[Any]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    for group_number, group in enumerate(groups):
        for hook_number, hook in enumerate(_hooks_of_group(group)):
            if isinstance(hook, Mapping) and is_memtool_hook(hook.get("command")):
                yield ("hooks", event, group_number, "hooks", hook_number), hook


def _hooks_of_group(group: Any) -> list[Any]:
    inner = group.get("hooks") if isinstance(group, Mapping) else None
    return inner if isinstance(inner, list) else []


def _openclaw_edits(settings: Any) -> list[SetSetting]:
    """The edits that enable memtool's hook in OpenClaw.

    OpenClaw runs the hooks that its settings enable; if they enable none and hooks are on, all that it finds.
    """
    hooks = _object(_object(settings, "the file").get("hooks", {}), "hooks")
    internal = _object(hooks.get("internal", {}), "hooks.internal")
    entries = _object(internal.get("entries", {}), "hooks.internal.entries")
    own_entry = entries.get(_NAME)
    is_on = isinstance(own_entry, Mapping) and own_entry.get("enabled") is True
    others = [entry for entry in entries.values() if isinstance(entry, Mapping)]
    is_discovered = internal.get("enabled") is True and not any(
        entry.get("enabled") is not False for entry in others
    )
    if is_on or (is_discovered and own_entry is None):
        return []
    if isinstance(own_entry, Mapping):
        return [SetSetting((*OPENCLAW_PATH, "entries", _NAME, "enabled"), value=True)]
    return [SetSetting((*OPENCLAW_PATH, "entries", _NAME), {"enabled": True})]


def installation_advice(agent: str, settings: Any, command: str, *, is_project: bool) -> list[str]:
    """What the user must know or do after the installation, one sentence each."""
    if agent == CODEX:
        line = json.dumps([*shlex.split(command), "--codex-notify"])
        return [
            "Codex runs a new or changed hook only after you approve it: start codex and review the hooks",
            (
                "to record your conversations before you approve the hook, add this line to Codex's "
                f"config.toml: notify = {line}"
            ),
        ]
    if agent == OPENCLAW:
        sentences = ["the OpenClaw Gateway loads hooks when it starts; run: openclaw gateway restart"]
        hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
        internal = hooks.get("internal") if isinstance(hooks, Mapping) else None
        if isinstance(internal, Mapping) and internal.get("enabled") is False:
            sentences.append("all OpenClaw hooks remain disabled because hooks.internal.enabled is false")
        return sentences
    name = _TITLES[agent]
    sentences = [f"{name} reads its settings when a session starts, so start a new session"]
    if is_project:
        sentences.append(f"{name} runs a project's hooks only if you trust the project")
    if switch := _disabling_switch(agent, settings):
        sentences.append(f"all {name} hooks remain disabled because {switch}")
    return sentences


def _disabling_switch(agent: str, settings: Any) -> str:
    """The setting by which the user has disabled all hooks of an agent; "" if there is none."""
    if not isinstance(settings, Mapping):
        return ""
    if agent == GEMINI:
        config = settings.get("hooksConfig")
        is_off = isinstance(config, Mapping) and config.get("enabled") is False
        return "hooksConfig.enabled is false" if is_off else ""
    return "disableAllHooks is true" if settings.get("disableAllHooks") is True else ""


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadUsage(f"{name} must be a JSON object")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadUsage(f"{name} must be a JSON array")
    return value
