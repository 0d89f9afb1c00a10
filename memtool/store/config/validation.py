"""Validation of settings: from TOML documents, environment variables and typed text to checked values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.errors import BadUsage
from memtool.store.config.settings import (
    COMMAND_SETTINGS,
    RETIRED_SETTINGS,
    SETTINGS,
    SETTINGS_BY_NAME,
    Setting,
    similar_settings,
    variable_name,
)


def from_tables(
    tables: Mapping[str, Any], source: str, *, is_user_file: bool
) -> tuple[dict[str, Any], list[str]]:
    """The validated settings of a TOML document, and notices.

    There is a notice for each refused or unknown key, and one for all retired keys. Raises BadUsage for a
    value of the wrong type.
    """
    values: dict[str, Any] = {}
    notices: list[str] = []
    entries = _flatten(tables, "")
    for name, value in entries:
        setting = SETTINGS_BY_NAME.get(name)
        if name in RETIRED_SETTINGS:
            continue
        if setting is None:
            hint = similar_settings(name) or "see memtool help settings"
            notices.append(f"{source}: unknown setting {name!r}; {hint}")
        elif setting.user_only and not is_user_file:
            notices.append(f"{source}: {name} cannot be set in a workspace; set it in your own config.toml")
        else:
            values[name] = convert(setting, value, source)
    if retired := [f"{name} ({RETIRED_SETTINGS[name]})" for name, _ in entries if name in RETIRED_SETTINGS]:
        notices.append(f"{source}: obsolete settings: {', '.join(retired)}")
    return values, notices


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings of environment variables. Raises BadUsage for a value of the wrong type."""
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        variable = setting.variable
        if variable and (text := environment.get(variable, "")):
            values[setting.name] = convert(setting, _from_text(setting.default, text), variable)
    return values


def parse_value(setting: Setting, text: str, source: str) -> Any:
    """The checked value of a text that a user typed: a table is in TOML, a list in TOML or between commas.

    Raises BadUsage.
    """
    is_array = text.lstrip().startswith("[")
    takes_array = isinstance(setting.default, tuple) or setting.name in COMMAND_SETTINGS
    if not (isinstance(setting.default, dict) or (is_array and takes_array)):
        return convert(setting, _from_text(setting.default, text), source)
    import tomllib

    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError) as error:
        raise BadUsage(f"{source}: {setting.name} must be a TOML value, not {shown_value(text)}") from error
    return convert(setting, value, source)


def retired_variables(environment: Mapping[str, str]) -> list[str]:
    """A notice for each environment variable of a setting that is no longer read."""
    return [
        f"{variable_name(name)} is no longer read: {replacement}"
        for name, replacement in RETIRED_SETTINGS.items()
        if environment.get(variable_name(name))
    ]


def _from_text(default: Any, text: str) -> Any:
    """The value that the text of an environment variable stands for; the text itself where it is none."""
    if isinstance(default, int | float):
        try:
            return type(default)(text.strip().lower())
        except ValueError:
            return text
    return text


def convert(setting: Setting, value: Any, source: str) -> Any:
    """A value checked against the setting's type and limits. Raises BadUsage, which names the source."""
    default = setting.default
    if setting.is_tables:
        from memtool.store.config.write_hooks import read_write_hooks

        return read_write_hooks(value, source)
    if isinstance(default, dict):
        if isinstance(value, dict) and all(
            isinstance(rows, list) and all(isinstance(row, str) for row in rows) for rows in value.values()
        ):
            return value
        raise BadUsage(
            f"{source}: {setting.name} must be a table of lists of strings, not {shown_value(value)}"
        )
    if isinstance(default, tuple):
        rows = [value] if isinstance(value, str) else value
        if isinstance(rows, list | tuple) and all(isinstance(row, str) for row in rows):
            return tuple(word for row in rows for word in row.replace(",", " ").split())
        raise BadUsage(f"{source}: {setting.name} must be a list of strings, not {shown_value(value)}")
    if isinstance(default, str):
        if isinstance(value, str) and (not setting.choices or value in setting.choices):
            return value
        if setting.name in COMMAND_SETTINGS and _is_arguments(value):
            return tuple(value)
        from memtool.core.text.enumeration import enumeration  # only for this error

        allowed = enumeration([*filter(None, setting.choices)], "or") or "a string in quotes"
        raise BadUsage(f"{source}: {setting.name} must be {allowed}, not {shown_value(value)}")
    kinds = (int,) if isinstance(default, int) else (int, float)
    least, most = setting.limits
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        number = "a whole number" if isinstance(default, int) else "a number"
        raise BadUsage(
            f"{source}: {setting.name} must be {number} from {least} to {most}, not {shown_value(value)}"
        )
    return type(default)(value)


def shown_value(value: Any) -> str:
    """A refused value as a message shows it, which nobody made short."""
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number with too many digits"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _is_arguments(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) and item for item in value)


def _flatten(tables: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    entries: list[tuple[str, Any]] = []
    for key, value in tables.items():
        name = prefix + key
        if isinstance(value, dict) and name not in SETTINGS_BY_NAME:
            entries.extend(_flatten(value, name + "."))
        else:
            entries.append((name, value))
    return entries
