"""Reference pages made from the code: exit codes, settings and commands, for `help` and for the README."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.errors import ERRORS
from memtool.store.settings import SETTINGS
from memtool.store.workspace import described

_ANSWERS = ((0, "yes: it was done, found, or is in order"), (1, "the answer is no: no hit, or nothing to do"))


def codes() -> list[tuple[int, str]]:
    """Each exit code with its meaning, in order."""
    return sorted({*_ANSWERS, *((error.exit_code, error.meaning) for error in ERRORS)})


def exit_codes() -> Iterator[str]:
    """The page on exit codes."""
    for code, meaning in codes():
        yield f"{code:>3}  {meaning}"


def settings() -> Iterator[str]:
    """The page on settings."""
    yield "Settings stand in memtool.toml at the workspace's root and in your own memtool/config.toml; the"
    yield "environment variable overrides both."
    for setting in SETTINGS:
        yield ""
        own = "  (own config only)" if setting.user_only else ""
        yield f"{setting.name} = {toml_value(setting.default)}{own}"
        yield f"    {setting.meaning}"
        if not isinstance(setting.default, dict):
            yield f"    env: {setting.variable}"


def layouts() -> Iterator[str]:
    """The page on layouts: whose trees they are, and the role of each path."""
    yield "A layout says where each role's files are. --role and role: in a search take these names."
    for name, summary, places in described():
        yield ""
        yield f"{name}: {summary}"
        for role, path in places:
            yield f"    {role:<22} {path}"


def toml_value(value: object) -> str:
    """A default as it would stand in a TOML file."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return "{}" if isinstance(value, dict) else str(value)
