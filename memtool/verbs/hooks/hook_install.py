"""Installing memtool's hooks in an agent's settings, with a skill, and removing them."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.hooks.hook_command import own_command_advice, replaced_root_advice, updated_command
from memtool.core.hooks.hook_event import CLAUDE, CODEX, GEMINI, OPENCLAW, OPENCODE, PI, QWEN
from memtool.core.hooks.hook_plugin import (
    PLUGIN_AGENTS,
    command_words,
    installed_words,
    is_plugin,
    plugin_advice,
    plugin_text,
    plugin_words,
)
from memtool.core.hooks.hook_settings import (
    installation_advice,
    installed_command,
    installed_commands,
    main_command,
    settings_with_hooks,
    uninstall_edits,
)
from memtool.errors import BadUsage, MemtoolError, UnreadableFile
from memtool.formats.syntax import json_edit
from memtool.layouts.resources import resource_text
from memtool.store.commit.partly import after_steps
from memtool.store.external import external_file
from memtool.store.external.external_file import ExternalFile
from memtool.verbs.hooks.agent_files import (
    PROJECT_SCOPE,
    USER_SCOPE,
    AgentFolders,
    InstalledFile,
    check_places,
    new_skill,
    skill_advice,
    skill_file,
)
from memtool.verbs.hooks.agent_settings import (
    edits_to_install,
    is_blank,
    is_formatted_anew,
    parse_settings,
    put_value,
    removals,
    settings_before,
)

_HANDLER = "handler.js"
_HOOK_FILES = ("HOOK.md", _HANDLER)
_OPENCLAW_OPTION = " --agent openclaw"
_TEMPLATE_FOLDER = "openclaw-hook"
_PLUGIN_FOLDER, _PLUGIN_CALL, _PLUGIN_NAME = "agent-plugins", "call.js", "memtool.js"
_EMPTY = "{}\n"
_SETTINGS = {
    CLAUDE: ("settings.json",),
    CODEX: ("hooks.json",),
    GEMINI: ("settings.json",),
    QWEN: ("settings.json",),
    OPENCODE: ("plugins", _PLUGIN_NAME),
    PI: ("extensions", _PLUGIN_NAME),
}
"""The file with the hooks in an agent's own folder."""


class HookInstallation(Struct, frozen=True):
    """The affected files of an agent, advice for the user, and the command that the hooks run afterwards."""

    files: tuple[InstalledFile, ...]
    advice: tuple[str, ...] = ()
    command: str = ""


def install(
    agent: str, scope: str, folders: AgentFolders, command: str, *, is_named: bool = False
) -> HookInstallation:
    """The changes that make an agent call the hooks; `is_named` says that the user gave the command.

    Raises BadUsage, and UnreadableFile for settings that the agent itself cannot parse: Claude Code and Codex
    ignore a settings file that has a comment or a trailing comma; Gemini CLI and Qwen Code allow comments.
    """
    is_project = scope == PROJECT_SCOPE
    if agent in PLUGIN_AGENTS:
        plugin = _install_plugin(agent, scope, folders, command, is_named=is_named)
        pages = [plugin]
        old, in_use = (shlex.join(plugin_words(text) or ()) for text in (plugin.before.text, plugin.after))
        notes = plugin_advice(agent, is_project=is_project)
    else:
        file = external_file.read_file(_settings_path(agent, scope, folders))
        settings = parse_settings(agent, file)
        text = _with_hooks(agent, file, settings, command, is_named=is_named, is_project=is_project)
        pages = [InstalledFile(file, text, _generated(agent, file, settings))]
        if agent == OPENCLAW:
            old = _openclaw_command(folders) or ""
            in_use = updated_command(old or None, command, is_named=is_named, is_project=is_project)
            pages += _hook_files(agent, folders, in_use)
        else:
            old = main_command(settings) or ""
            in_use = main_command(parse_settings(agent, replace(file, text=text))) or command
        notes = installation_advice(agent, settings, in_use, is_project=is_project)
    skill = skill_file(agent, scope, folders, in_use)
    if is_project:
        check_places([*pages, skill], folders.project)
    call = shlex.join(["memtool", "hook", "install", agent, *(["--scope", scope] if is_project else [])])
    own = own_command_advice(call, old, in_use, command, is_named=is_named) if old else []
    lost = [] if own else replaced_root_advice(old, in_use)
    advice = (*own, *lost, *notes, *_other_scope_advice(agent, scope, folders), *skill_advice(skill))
    return HookInstallation((*pages, skill), advice, in_use)


def uninstall(agent: str, scope: str, folders: AgentFolders, command: str) -> HookInstallation:
    """The changes that remove the hooks. Raises BadUsage, UnreadableFile.

    Settings become what they were before the installation, if a backup shows it. A settings file with exactly
    the text that `install` creates is removed.
    """
    if agent in PLUGIN_AGENTS:
        plugin = external_file.read_file(_settings_path(agent, scope, folders))
        is_own = is_plugin(agent, plugin.text)
        page = InstalledFile(plugin, None if is_own else plugin.text, _generated_plugin(agent, plugin.text))
        skill = skill_file(agent, scope, folders, None)
        return HookInstallation((page, skill), tuple(skill_advice(skill)))
    file = external_file.read_file(_settings_path(agent, scope, folders))
    settings = parse_settings(agent, file, strict=False)
    generated, text = _generated(agent, file, settings), file.text
    earlier = settings_before(agent, file)
    parsed = parse_settings(agent, earlier, strict=False) if earlier is not None else None
    for removal in removals(agent, file.path, settings, parsed):
        text = json_edit.remove_value(text or "", removal.path)
    if earlier is not None and text != file.text and is_formatted_anew(agent, text or "", earlier):
        text = earlier.text
    elif text is not None and file.text == generated and not os.path.islink(file.path):
        text = None
    hook_files = [replace(page, after=None) for page in _hook_files(agent, folders, command)]
    skill = skill_file(agent, scope, folders, None)
    pages = (InstalledFile(file, text, generated), *hook_files, skill)
    return HookInstallation(pages, tuple(skill_advice(skill)))


class InstalledHooks(Struct, frozen=True):
    """A settings file that names memtool's hooks or cannot be read, or a plugin.

    `commands` are the hooks' commands; `problem` says why the agent cannot read the file, if it cannot.
    `is_outdated` says that the plugin is not the one that this version of memtool installs.
    """

    agent: str
    scope: str
    path: str
    commands: tuple[str, ...] = ()
    problem: str | None = None
    is_outdated: bool = False


def installed_hooks(folders: AgentFolders) -> list[InstalledHooks]:
    """The settings, except OpenClaw's, that name memtool's hooks or cannot be read, and the plugins."""
    states: dict[str, InstalledHooks] = {}
    for agent in PLUGIN_AGENTS:
        for scope in (USER_SCOPE, PROJECT_SCOPE):
            path = _settings_path(agent, scope, folders)
            if plugin := _installed_plugin(agent, scope, path):
                states[path] = plugin
    for agent in (CLAUDE, CODEX, GEMINI, QWEN):
        for scope in (USER_SCOPE, PROJECT_SCOPE):
            path = _settings_path(agent, scope, folders)
            try:
                file = external_file.read_file(path)
                settings = parse_settings(agent, file, strict=False)
                if uninstall_edits(agent, settings):
                    commands = tuple(installed_commands(settings))
                    states[path] = InstalledHooks(agent, scope, path, commands)
                    parse_settings(agent, file)
            except MemtoolError as error:
                problem = str(error).partition(";")[0]
                states[path] = InstalledHooks(agent, scope, path, problem=problem)
    return list(states.values())


def preview(
    agent: str, scope: str, folders: AgentFolders, command: str
) -> tuple[list[tuple[str, str]], tuple[str, str]]:
    """The path of each file of hooks that `install` changes with the text that it adds, and the skill's."""
    path = _settings_path(agent, scope, folders)
    if agent in PLUGIN_AGENTS:
        words = command_words(command)
        pages = [(path, plugin_text(agent, _plugin_templates(agent), words))]
    else:
        text = json.dumps(settings_with_hooks(agent, command), indent=2, ensure_ascii=False) + "\n"
        hook_files = _hook_files(agent, folders, command)
        pages = [(path, text), *((page.before.path, page.after or "") for page in hook_files)]
    return pages, new_skill(agent, scope, folders, command)


def write_files(files: Sequence[InstalledFile], now: datetime) -> list[str | None]:
    """Write the changed files; return the path of each file's backup, or None.

    Settings, the first file, are written last, so that they never name missing files; a removal goes in the
    opposite order. Raises StaleWrite and Unwritable, and PartlyApplied after the first file.
    """
    backups: dict[int, str | None] = {}
    numbers = range(len(files))
    for number in numbers if any(page.after is None for page in files) else reversed(numbers):
        page = files[number]
        if page.effect != "unchanged":
            keeps = page.before.text != page.generated
            with after_steps(lambda: ", ".join(files[done].before.path for done in backups)):
                backups[number] = external_file.write_file(
                    page.before, page.after, now, with_backup=keeps, folders=page.folders
                )
    return [backups.get(number) for number in range(len(files))]


def _with_hooks(
    agent: str,
    file: ExternalFile,
    settings: Any,
    command: str,
    *,
    is_named: bool = False,
    is_project: bool = False,
) -> str:
    """The text of the settings with the hooks added."""
    text = _EMPTY if is_blank(file) else file.text or ""
    for change in edits_to_install(
        agent, file.path, settings, command, is_named=is_named, is_project=is_project
    ):
        text = put_value(file.path, text, change.path, change.value)
    return text


def _generated(agent: str, file: ExternalFile, settings: Any) -> str | None:
    """The settings that memtool creates where there are none, with the command that is in these."""
    command = "" if agent == OPENCLAW else installed_command(settings)
    return None if command is None else _with_hooks(agent, ExternalFile(file.path, None), {}, command)


def _settings_path(agent: str, scope: str, folders: AgentFolders) -> str:
    if agent != OPENCLAW:
        return os.path.join(folders.of_agent(agent, scope), *_SETTINGS[agent])
    if scope != USER_SCOPE:
        raise BadUsage(f"{agent} has no {scope} hooks; omit --scope")
    return folders.openclaw_settings


def _other_scope_advice(agent: str, scope: str, folders: AgentFolders) -> list[str]:
    """Advice where the agent's settings of the other scope name the hooks too."""
    if agent == OPENCLAW:
        return []
    path = _settings_path(agent, PROJECT_SCOPE if scope == USER_SCOPE else USER_SCOPE, folders)
    if os.path.realpath(path) == os.path.realpath(_settings_path(agent, scope, folders)):
        return []
    try:
        file = external_file.read_file(path)
        if agent in PLUGIN_AGENTS:
            has_hooks = is_plugin(agent, file.text)
        else:
            has_hooks = bool(uninstall_edits(agent, parse_settings(agent, file, strict=False)))
    except MemtoolError:
        return []
    if not has_hooks:
        return []
    return [
        f"each hook runs twice: {path} also contains memtool's hooks; remove them from one of the two files"
    ]


def _hook_files(agent: str, folders: AgentFolders, command: str) -> list[InstalledFile]:
    """The files besides the settings that memtool installs for an agent."""
    if agent != OPENCLAW:
        return []
    full_command = json.dumps(command + _OPENCLAW_OPTION)
    pages: list[InstalledFile] = []
    for name in _HOOK_FILES:
        before, template = (
            external_file.read_file(_openclaw_hook_file(folders, name)),
            resource_text(f"{_TEMPLATE_FOLDER}/{name}"),
        )
        text = template.replace("{command}", full_command)
        pages.append(InstalledFile(before, text, _if_generated(template, before.text)))
    return pages


def _openclaw_hook_file(folders: AgentFolders, name: str) -> str:
    return os.path.join(folders.openclaw, "hooks", "memtool", name)


def _openclaw_command(folders: AgentFolders) -> str | None:
    """The command that memtool's hook of OpenClaw runs; None without a hook that memtool wrote."""
    text = external_file.read_file(_openclaw_hook_file(folders, _HANDLER)).text
    written = _filled_in(resource_text(f"{_TEMPLATE_FOLDER}/{_HANDLER}"), text)
    try:
        command = json.loads(written or "")
    except ValueError:
        return None
    return command.removesuffix(_OPENCLAW_OPTION) if isinstance(command, str) else None


def _if_generated(template: str, text: str | None) -> str | None:
    """The text if it is the template filled with any command, else None."""
    return None if _filled_in(template, text) is None else text


def _filled_in(template: str, text: str | None) -> str | None:
    """What the text has in place of the template's command; None for another text."""
    start, _, end = template.partition("{command}")
    if text is None or not (text.startswith(start) and text.endswith(end)):
        return None
    command = text[len(start) : len(text) - len(end)]
    return command if "\n" not in command and text == template.replace("{command}", command) else None


def _install_plugin(
    agent: str, scope: str, folders: AgentFolders, command: str, *, is_named: bool
) -> InstalledFile:
    """The plugin in place of an older one. Raises BadUsage, UnreadableFile for another's."""
    file = external_file.read_file(_settings_path(agent, scope, folders))
    if file.text is not None and not is_plugin(agent, file.text):
        raise UnreadableFile(
            f"{file.path} exists, but is not memtool's plugin; nothing was written; rename the file and try "
            "again"
        )
    is_project = scope == PROJECT_SCOPE
    words = installed_words(file.text, command, is_named=is_named, is_project=is_project)
    text = plugin_text(agent, _plugin_templates(agent), words)
    return InstalledFile(file, text, _generated_plugin(agent, file.text))


def _installed_plugin(agent: str, scope: str, path: str) -> InstalledHooks | None:
    """The state of memtool's plugin at a path; None if there is none."""
    try:
        text = external_file.read_file(path).text
    except MemtoolError as error:
        return InstalledHooks(agent, scope, path, problem=str(error).partition(";")[0])
    if not is_plugin(agent, text):
        return None
    words = plugin_words(text)
    if words is None:
        return InstalledHooks(agent, scope, path, problem=f"{path} has no valid 'const COMMAND' line")
    is_outdated = text != _generated_plugin(agent, text)
    return InstalledHooks(agent, scope, path, (shlex.join(words),), is_outdated=is_outdated)


def _plugin_templates(agent: str) -> list[str]:
    return [resource_text(f"{_PLUGIN_FOLDER}/{name}") for name in (f"{agent}.js", _PLUGIN_CALL)]


def _generated_plugin(agent: str, text: str | None) -> str | None:
    """The plugin that memtool generates with the command that is in this text; None if there is none."""
    words = plugin_words(text)
    return None if words is None else plugin_text(agent, _plugin_templates(agent), words)
