"""config: the settings in force and where each is set; and set one in a settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Literal

from msgspec import Struct

from memtool.core.records.plan import Create, Plan, Replace
from memtool.errors import BadUsage
from memtool.formats.workspace_file import with_setting, without_setting
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config.settings import SETTINGS, Setting
from memtool.store.config.sources import load_layers, user_config_path
from memtool.store.config.validation import parse_value
from memtool.store.external.external_file import read_file, write_file
from memtool.store.files.disk import Disk
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace

Source = Literal["default", "global", "workspace", "environment"]


class SettingValue(Struct, frozen=True):
    """A setting, its value in force, and what sets it: `origin` is the file or variable, "" for a default."""

    setting: Setting
    value: Any
    source: Source
    origin: str = ""


class ConfigChange(Struct, frozen=True):
    """A value that was set: the file, whether it changed, and the plan if it is the workspace's file."""

    path: str
    value: Any
    is_changed: bool
    plan: Plan = ()


def list_settings(root: str | None, environment: Mapping[str, str]) -> list[SettingValue]:
    """Every setting in the order of the table; without a root there is no workspace. Raises BadUsage."""
    layers = load_layers(None if root is None else Disk(root), environment)
    workspace_file = "" if root is None else os.path.join(root, WORKSPACE_FILE)
    rows: list[SettingValue] = []
    for setting in SETTINGS:
        name = setting.name
        if name in layers.environment:
            row = SettingValue(setting, layers.environment[name], "environment", setting.variable or "")
        elif name in layers.workspace_file:
            row = SettingValue(setting, layers.workspace_file[name], "workspace", workspace_file)
        elif name in layers.user_file:
            row = SettingValue(setting, layers.user_file[name], "global", user_config_path(environment))
        else:
            row = SettingValue(setting, setting.default, "default")
        rows.append(row)
    return rows


def set_in_workspace(workspace: Workspace, setting: Setting, text: str) -> ConfigChange:
    """Set a setting in the workspace's memtool.toml to the value that a text stands for.

    Raises BadUsage for a wrong value, for a setting that only the user's own file may have, and for a layout
    that is not the one of the files.
    """
    value = _checked_value(setting, text)
    if setting.user_only:
        raise BadUsage(
            f"{setting.name} can be set only in your own config.toml, because a workspace from "
            "somebody else could misuse it; "
            f"run: memtool config set --global {setting.name} VALUE"
        )
    if setting.name == "layout" and (not value or load_layout(value) != workspace.layout):
        raise BadUsage(
            f"the workspace has the {workspace.layout.name} layout; to move its files to another layout, "
            f"run: memtool migrate --to {value or 'LAYOUT'}"
        )
    return _write_in_workspace(workspace, setting, value)


def unset_in_workspace(workspace: Workspace, setting: Setting) -> ConfigChange:
    """Remove a setting from the workspace's memtool.toml. Raises BadUsage."""
    if setting.name == "layout":
        raise BadUsage(
            "the layout setting cannot be removed, because it determines the roles of files; to change it, "
            "run: memtool migrate --to LAYOUT"
        )
    return _write_in_workspace(workspace, setting, None)


@retry_when_stale
def _write_in_workspace(workspace: Workspace, setting: Setting, value: Any) -> ConfigChange:
    path = PurePosixPath(WORKSPACE_FILE)
    with workspace.lock():
        document = workspace.read_text(path)
        before = "" if document is None else document.text
        after = _edited(before, setting.name, value, WORKSPACE_FILE)
        plan: Plan = ()
        if document is None:
            plan = (Create(path, after),) if after else ()
        elif after != before:
            plan = (Replace(path, after, document.etag),)
        workspace.commit(plan)
    return ConfigChange(os.path.join(workspace.root, WORKSPACE_FILE), value, bool(plan), plan)


def set_in_user_file(
    setting: Setting, text: str, environment: Mapping[str, str], now: datetime, *, writes: bool
) -> ConfigChange:
    """Set a setting in the user's own config.toml, which holds for all workspaces.

    Nothing is written unless `writes`. Raises BadUsage, UnreadableFile, StaleWrite, Unwritable.
    """
    return _write_in_user_file(setting, _checked_value(setting, text), environment, now, writes=writes)


def unset_in_user_file(
    setting: Setting, environment: Mapping[str, str], now: datetime, *, writes: bool
) -> ConfigChange:
    """Remove a setting from the user's own config.toml; errors as in `set_in_user_file`."""
    return _write_in_user_file(setting, None, environment, now, writes=writes)


def _write_in_user_file(
    setting: Setting, value: Any, environment: Mapping[str, str], now: datetime, *, writes: bool
) -> ConfigChange:
    path = user_config_path(environment)
    file = read_file(path)
    after = _edited(file.text or "", setting.name, value, path)
    is_changed = after != (file.text or "")
    if is_changed and writes:
        write_file(file, after, now, with_backup=False)
    return ConfigChange(path, value, is_changed)


def _checked_value(setting: Setting, text: str) -> Any:
    """The value of a text. Raises BadUsage, also for an unknown layout or time zone."""
    if setting.is_tables:
        raise BadUsage(
            f"{setting.name} is a list of tables; edit the settings file by hand (memtool config path "
            "prints its path)"
        )
    value = parse_value(setting, text, "config set")
    if setting.name == "layout" and value and value not in LAYOUT_NAMES:
        raise BadUsage(f"unknown layout {value!r}; choose from {', '.join(LAYOUT_NAMES)}")
    return value


def _edited(text: str, name: str, value: Any, path: str) -> str:
    """A settings file with this value, or without one. Raises BadUsage where that is not possible."""
    edited = without_setting(text, name) if value is None else with_setting(text, name, value)
    if edited is None:
        raise BadUsage(
            f"memtool cannot change {name} in {path} without changing other lines; edit the settings "
            "file by hand"
        )
    return edited
