"""Load settings from the user's file, the workspace's file and the environment; and the user's secret key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.errors import BadUsage, UnreadableFile
from memtool.formats.syntax.plain_toml import parse_plain_toml
from memtool.layouts.layout import Layout
from memtool.layouts.load import load_layout
from memtool.store.config.settings import Settings
from memtool.store.config.validation import from_environment, from_tables, retired_variables
from memtool.store.files.disk import Disk
from memtool.store.files.posix import error_reason
from memtool.store.root import WORKSPACE_FILE, user_folder


def user_config_path(environment: Mapping[str, str]) -> str:
    """The user's configuration file, the only file that may name commands to run."""
    return os.path.join(user_folder(environment, "XDG_CONFIG_HOME", ".config"), "memtool", "config.toml")


class SettingsLayers(Struct, frozen=True):
    """The settings of each source by name, of those that it sets; and notices, one sentence each."""

    user_file: Mapping[str, Any]
    workspace_file: Mapping[str, Any]
    environment: Mapping[str, Any]
    notices: tuple[str, ...] = ()

    def merged(self) -> Settings:
        """The settings in force: the environment over the workspace's file over the user's."""
        values = {**self.user_file, **self.workspace_file, **self.environment}
        return Settings(values, self.notices, self.workspace_file.get("layout", ""))


def load(disk: Disk, environment: Mapping[str, str]) -> Settings:
    """The settings in force in a workspace.

    Raises BadUsage for invalid TOML or an invalid value, UnreadableFile for a file that cannot be read.
    """
    return load_layers(disk, environment).merged()


def load_named_layout(name: str, environment: Mapping[str, str], settings: Settings) -> Layout:
    """The layout that a setting names. Raises BadUsage, with the source of the name, for an unknown one."""
    try:
        return load_layout(name)
    except BadUsage as error:
        if environment.get("MEMTOOL_LAYOUT") == name:
            error.name_source("MEMTOOL_LAYOUT")
        else:
            error.name_source(
                WORKSPACE_FILE if settings.own_layout == name else user_config_path(environment)
            )
        raise


def load_layers(disk: Disk | None, environment: Mapping[str, str]) -> SettingsLayers:
    """The settings of each source; without a disk there is no workspace. Raises as `load`."""
    user_path = user_config_path(environment)
    user_values, notices = _file_settings(_user_text(user_path), user_path, is_user_file=True)
    values, more = _file_settings(
        None if disk is None else _workspace_text(disk), WORKSPACE_FILE, is_user_file=False
    )
    notices = (*notices, *more, *retired_variables(environment))
    return SettingsLayers(user_values, values, from_environment(environment), notices)


def _file_settings(
    text: str | None, source: str, *, is_user_file: bool
) -> tuple[dict[str, Any], Sequence[str]]:
    """The settings of a file and its notices; none for None."""
    return ({}, ()) if text is None else from_tables(_toml(text, source), source, is_user_file=is_user_file)


def integrity_key(environment: Mapping[str, str], *, make: bool) -> bytes | None:
    """The user's secret key, which authenticates derived files; created on first use if `make`.

    It is stored outside all workspaces, so that a copied tree cannot include a forged index. None if it
    neither exists nor can be created: then no index on disk can be trusted, and none is written.
    """
    path = os.path.join(user_folder(environment, "XDG_STATE_HOME", ".local/state"), "memtool", "seal.key")
    try:
        key = _read_key(path)
        if key is None and make:
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            _write_key(path)
            key = _read_key(path)
    except OSError:
        return None
    return key


def _read_key(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            key = file.read(64)
    except FileNotFoundError:
        return None
    return key if len(key) == 32 else None


def _write_key(path: str) -> None:
    temporary = f"{path}.{os.getpid()}"
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(os.urandom(32))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(temporary, path)  # the first of several processes wins
    except FileExistsError:
        if _read_key(path) is None:  # truncated by a crash of the machine
            os.replace(temporary, path)
    except OSError:  # a file system without hard links
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _user_text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BadUsage(f"{path} cannot be read: it is not UTF-8") from error
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error_reason(error)}") from error


def _workspace_text(disk: Disk) -> str | None:
    try:
        document = disk.read(PurePosixPath(WORKSPACE_FILE))
    except UnreadableFile as error:  # the user may not know which root was found
        raise UnreadableFile(os.path.join(disk.root, str(error))) from error
    return None if document is None else document.text


def _yaml_hint(text: str, fault: str) -> str:
    """How the line with a fault is written in TOML, if it is written as in YAML; else ""."""
    import re

    place = re.match(r"Expected '='.*at line (\d+)", fault)
    line = text.split("\n")[int(place[1]) - 1] if place else ""
    entry = re.fullmatch(r"\s*([\w.-]+)\s*:\s*[\"']?(.*?)[\"']?\s*", line)
    return f'; write {entry[1]} = "{entry[2]}"' if entry else ""


def _toml(text: str, source: str) -> dict[str, Any]:
    text = text.removeprefix("\ufeff")  # editors on Windows write a byte order mark
    plain = parse_plain_toml(text)
    if plain is not None:
        return plain
    import tomllib

    from memtool.core.text.json_fault import value_fault

    try:
        return tomllib.loads(text)
    except ValueError as error:  # also a number with more digits than Python reads
        raise BadUsage(
            f"{source} is not valid TOML: {value_fault(error)}{_yaml_hint(text, str(error))}"
        ) from error
    except RecursionError as error:
        raise BadUsage(f"{source} is nested too deeply") from error
