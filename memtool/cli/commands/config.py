"""`memtool config`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_zone
from memtool.errors import NoWorkspace

if TYPE_CHECKING:
    from memtool.store.config.settings import Setting
    from memtool.verbs.config.config import ConfigChange, SettingValue

_NEGATIVE = re.compile(r"-\d+(?:\.\d+)?")


class _SetCommand(MemtoolCommand):
    """A command whose last argument may be a negative number."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a negative number behind the options, where it is read as an argument."""
        numbers = [word for word in args if _NEGATIVE.fullmatch(word)]
        if len(numbers) == 1 and "--" not in args:
            args = [*(word for word in args if word != numbers[0]), "--", *numbers]
        return super().parse_args(ctx, args)


_GLOBAL = click.option(
    "--global",
    "is_global",
    is_flag=True,
    help="Use your own config.toml, which applies to all workspaces [default: memtool.toml]",
)


@click.command(
    "list",
    cls=MemtoolCommand,
    epilog="""
memtool config list                                 name, value and source, separated by tabs
memtool config list | grep -v 'default$'            only settings that have been set
memtool config list --json | jq -r 'select(.own_only).name'
""",
)
@pass_session
def _list(session: Session) -> None:
    """List every setting with its value and source

    The source is one of: environment, workspace (memtool.toml), global (your own config.toml) or default.
    """
    for row in _rows(session):
        if session.json:
            output.put_json(
                {
                    "name": row.setting.name,
                    "value": _plain(row.value),
                    "source": row.source,
                    "origin": row.origin,
                    "own_only": row.setting.user_only,
                }
            )
        else:
            output.put_row(row.setting.name, _shown(row.setting, row.value), row.source)


@click.command(
    "get",
    cls=MemtoolCommand,
    epilog="""
memtool config get search.limit
memtool config get --json timezone      with its source
""",
)
@click.argument("name", metavar="KEY")
@pass_session
def _get(session: Session, name: str) -> None:
    """Print the value of a setting

    Prints only the value. List items are separated by commas; a table is printed as JSON.
    """
    from memtool.store.config.settings import setting_named

    setting = setting_named(name)
    (row,) = [row for row in _rows(session) if row.setting is setting]
    if session.json:
        record = {"name": name, "value": _plain(row.value), "source": row.source, "origin": row.origin}
        output.put_json(record)
    else:
        output.put(output.printable(_shown(setting, row.value)))


@click.command(
    "set",
    cls=_SetCommand,
    epilog="""
memtool config set search.limit 20
memtool config set lint.ignore M306,M402               a list
memtool config set --global delegate.seconds 120       for all workspaces
memtool config set --dry-run daily.clip 800            show what would be written
""",
)
@click.argument("name", metavar="KEY")
@click.argument("value", metavar="VALUE")
@_GLOBAL
@pass_session
def _set(session: Session, name: str, value: str, is_global: bool) -> None:
    """Change a setting in memtool.toml, or in your own config.toml

    Invalid values are refused. The rest of the file, including comments, stays unchanged. Separate list items
    with commas; write a table in TOML syntax. Settings that contain a command to run are valid only in your
    own config.toml. 'memtool undo' reverts a change to memtool.toml.
    """
    from memtool.store.config.settings import setting_named
    from memtool.verbs.config.config import set_in_user_file, set_in_workspace

    setting = setting_named(name)
    if name == "timezone":
        parse_zone(value)
    writes = not (session.dry_run or session.incognito)
    if is_global:
        _root(session)  # checks that a caller with MEMTOOL_GROUP may change settings
        change = set_in_user_file(setting, value, session.environment, session.now, writes=writes)
    else:
        change = set_in_workspace(session.workspace, setting, value)
    effect = ("set" if writes else "would be set") if change.is_changed else "unchanged"
    _print_change(session, setting, change, effect, change.value, is_global=is_global)
    if writes:
        _report_override(session, name, change.path)


@click.command(
    "unset",
    cls=MemtoolCommand,
    epilog="""
memtool config unset search.limit
memtool config unset --global delegate.seconds         in your own config.toml
""",
)
@click.argument("name", metavar="KEY")
@_GLOBAL
@pass_session
def _unset(session: Session, name: str, is_global: bool) -> None:
    """Remove a setting from memtool.toml, or from your own config.toml

    Prints the value that applies after the removal; with --dry-run, prints the current value. The rest of
    the file, including comments, stays unchanged. 'memtool undo' reverts a change to memtool.toml.
    """
    from memtool.store.config.settings import setting_named
    from memtool.verbs.config.config import unset_in_user_file, unset_in_workspace

    setting = setting_named(name)
    writes = not (session.dry_run or session.incognito)
    if is_global:
        _root(session)  # checks that a caller with MEMTOOL_GROUP may change settings
        change = unset_in_user_file(setting, session.environment, session.now, writes=writes)
    else:
        change = unset_in_workspace(session.workspace, setting)
    (row,) = [row for row in _rows(session) if row.setting is setting]
    effect = ("unset" if writes else "would be unset") if change.is_changed else "unchanged"
    _print_change(session, setting, change, effect, row.value, is_global=is_global)


def _print_change(
    session: Session, setting: Setting, change: ConfigChange, effect: str, value: Any, *, is_global: bool
) -> None:
    if session.json:
        record = {"effect": effect, "name": setting.name, "value": _plain(value), "path": change.path}
        output.put_json(record)
    else:
        session.report(effect, setting.name, _shown(setting, value), change.path)
    session.show_plan(change.plan)
    if change.is_changed and is_global and session.incognito:
        session.notice("incognito: nothing was written")


@click.command(
    "path",
    cls=MemtoolCommand,
    epilog="""
memtool config path
$EDITOR "$(memtool config path | grep ^global | cut -f2)"       edit your own settings
""",
)
@pass_session
def _path(session: Session) -> None:
    """Print the paths of the settings files

    Prints a line for each file: its scope (workspace or global) and its path. Files that do not exist yet are
    listed too.
    """
    import os

    for source, file in _paths(session):
        if session.json:
            output.put_json({"source": source, "path": file, "exists": os.path.exists(file)})
        else:
            output.put_row(source, file)


command = ActionGroup(
    "config",
    [_list, _get, _set, _unset, _path],
    help="""List, read and change settings

The value of a setting comes from, in order of precedence, an environment variable, the workspace's
memtool.toml, your own config.toml, or the default. 'memtool help settings' explains each setting.""",
    epilog="""
memtool config list                          every setting, its value and its source
memtool config get search.limit              one value, for scripts
memtool config set search.limit 20           in the workspace's memtool.toml
memtool config set --global timezone Asia/Tashkent
memtool config unset search.limit            return to the value in your own config.toml, or the default
memtool config path                          the paths of the settings files
""",
    default=_list,
)


def _paths(session: Session) -> Iterator[tuple[str, str]]:
    import os

    from memtool.store.config.sources import user_config_path
    from memtool.store.root import WORKSPACE_FILE

    if (root := _root(session)) is not None:
        yield "workspace", os.path.join(root, WORKSPACE_FILE)
    yield "global", user_config_path(session.environment)


def _root(session: Session) -> str | None:
    """The root of the workspace; None if there is none. Raises OutsideWorkspace for one group's caller."""
    try:
        root = session.root
    except NoWorkspace:
        if session.given.get("root") or session.environment.get("MEMTOOL_ROOT"):
            raise
        root = None
    if session.environment.get("MEMTOOL_GROUP"):
        _ = session.workspace
    return root


def _rows(session: Session) -> list[SettingValue]:
    from memtool.verbs.config.config import list_settings

    return list_settings(_root(session), session.environment)


def _report_override(session: Session, name: str, path: str) -> None:
    """Say so if another source overrides the value that was set in a file."""
    (row,) = [row for row in _rows(session) if row.setting.name == name]
    if row.origin not in {path, ""}:
        session.notice(
            f"{row.origin} overrides this value; the effective value of {name} is "
            f"{_shown(row.setting, row.value)}"
        )


def _shown(setting: Setting, value: Any) -> str:
    """A value as `config set` takes it; a list of tables as JSON."""
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(setting.default, tuple) and not setting.is_tables:
        return ",".join(value)
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    """A value as JSON represents it."""
    from msgspec import to_builtins

    return to_builtins(value)
