"""The settings files of agents in JSON: reading them, and what they were before an installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memtool.core.hooks.hook_event import CLAUDE, CODEX, GEMINI, OPENCLAW, QWEN
from memtool.core.hooks.hook_settings import RemoveSetting, SetSetting, install_edits, uninstall_edits
from memtool.errors import BadUsage, UnreadableFile
from memtool.formats.syntax import json_edit, json_text
from memtool.store.external import external_file
from memtool.store.external.external_file import ExternalFile

_ALLOW_COMMENTS = {GEMINI, QWEN}
_REFUSALS = {
    CLAUDE: "ignores the whole file",
    CODEX: "ignores the whole file",
    GEMINI: "does not start",
    QWEN: "does not start",
}
"""What an agent does with settings that it cannot parse; OpenClaw reads JSON5."""


def parse_settings(agent: str, file: ExternalFile, *, strict: bool = True) -> Any:
    """The values of settings; an object without keys where there are none.

    Raises UnreadableFile for a text that the agent cannot read; without `strict`, JSON5 is read for each.
    """
    if is_blank(file):
        return {}
    try:
        is_json5 = agent == OPENCLAW or not strict
        return json_edit.load(file.text or "", json5=is_json5, comments=agent in _ALLOW_COMMENTS)
    except json_text.InvalidJson as error:
        ignores = f", so {agent} {_REFUSALS[agent]}" if agent in _REFUSALS else ""
        raise UnreadableFile(
            f"{file.path} {error}{ignores}; nothing was written; fix the file and try again"
        ) from error


def is_blank(file: ExternalFile) -> bool:
    """Whether a file does not exist or is empty."""
    return file.text is None or not file.text.strip("\ufeff \t\r\n")


def edits_to_install(
    agent: str, path: str, settings: Any, command: str, *, is_named: bool = False, is_project: bool = False
) -> list[SetSetting]:
    """What `install_edits` returns. Raises UnreadableFile for settings of another shape."""
    try:
        return install_edits(agent, settings, command, is_named=is_named, is_project=is_project)
    except BadUsage as error:
        raise UnreadableFile(f"{path}: {error}; nothing was written") from error


def removals(agent: str, path: str, settings: Any, earlier: Any) -> list[RemoveSetting]:
    """What `uninstall_edits` returns. Raises UnreadableFile for settings of another shape."""
    try:
        return uninstall_edits(agent, settings, earlier)
    except BadUsage as error:
        raise UnreadableFile(f"{path}: {error}; nothing was written") from error


def put_value(path: str, text: str, keys: Sequence[str | int], value: Any) -> str:
    """The text of settings with a value set. Raises UnreadableFile for a text that is not JSON."""
    try:
        return json_edit.set_value(text, keys, value)
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"{path} {error}; nothing was written") from error


def settings_before(agent: str, file: ExternalFile) -> ExternalFile | None:
    """The settings as they were before the hooks were installed, by their last backup without any."""
    for backup in external_file.backups(file.path):
        try:
            if not uninstall_edits(agent, parse_settings(agent, backup, strict=False)):
                return backup
        except (BadUsage, UnreadableFile):
            continue
    return None


def is_formatted_anew(agent: str, text: str, earlier: ExternalFile) -> bool:
    """Whether settings differ from earlier ones in white space between values, and in nothing else."""
    if "".join(text.split()) != "".join((earlier.text or "").split()):
        return is_blank(earlier) and text.split() == ["{}"]
    values = parse_settings(agent, ExternalFile(earlier.path, text), strict=False)
    return bool(values == parse_settings(agent, earlier, strict=False))
