"""`memtool doctor`."""

from __future__ import annotations

import os
import shlex
import shutil
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.cli.table import COMMANDS
from memtool.core.records.health import HealthCheck, health_exit_code
from memtool.errors import BadUsage, MemtoolError

if TYPE_CHECKING:
    from memtool.verbs.hooks.hook_install import InstalledHooks

_INDENT = 30
_COLOURS = {"ok": "good", "wrong": "bad", "unknown": "bad", "note": "dim"}


@click.command(
    "doctor",
    cls=MemtoolCommand,
    epilog="""
memtool doctor                    all checks, and what to run next
memtool doctor -q                 only problems
memtool doctor --json             as JSON Lines
memtool doctor -q || mail -s "memory" me@example.org < /dev/null
""",
)
@pass_session
def command(session: Session) -> int:
    """Check the workspace and suggest what to run next

    Changes nothing. Exits 1 if something needs attention; otherwise, exits 3 if something could not be
    checked. With -q, prints only problems.
    """
    checks = _checks(session)
    with output.ignore_closed_pipe():
        for check in checks:
            if session.json:
                record = {
                    "check": check.name,
                    "state": check.state,
                    "detail": check.message,
                    "run": check.next_command,
                }
                output.put_json(record)
            elif check.state in {"wrong", "unknown"} or not session.given.get("quiet"):
                _print(check)
    return health_exit_code(checks)


def _checks(session: Session) -> list[HealthCheck]:
    from memtool.store.config.sources import integrity_key
    from memtool.verbs.health.check_context import CheckContext
    from memtool.verbs.health.doctor import doctor
    from memtool.verbs.health.tree_checks import settings_remedy

    try:
        read_only = session.open_read_only()
    except BadUsage as error:  # an invalid setting: nothing else can be checked
        remedy = settings_remedy(str(error), session.environment, session.root)
        return [HealthCheck("settings", "wrong", str(error), remedy)]
    patient = CheckContext(
        read_only,
        read_only.seen_by(session.owner_tags).listing(),
        session.now,
        session.environment,
        session.search_indexes(),
        session.fact_index(),
        integrity_key(session.environment, make=False),
        session.progress("checking files"),
        session.owner_tags,
        frozenset(COMMANDS),
    )
    return [
        HealthCheck("workspace", "ok", read_only.root),
        *doctor(patient),
        _hooks(session),
        _watcher(read_only.root),
        *_fleet(session),
    ]


def _hooks(session: Session) -> HealthCheck:
    from memtool.cli.hooks.agent_folders import agent_folders
    from memtool.verbs.hooks.hook_install import installed_hooks

    states = installed_hooks(agent_folders(session.environment))
    for file in states:
        if file.problem is not None:
            return HealthCheck("hooks", "wrong", file.problem, f"$EDITOR {shlex.quote(file.path)}")
    for file in states:
        for hook_command in file.commands:
            if fault := _hook_fault(session, file, hook_command):
                return fault
    if not states:
        return HealthCheck(
            "hooks", "note", "memtool's hooks are not installed in any agent", "memtool help hook"
        )
    places = [_hook_place(file, session.root) for file in states]
    return HealthCheck("hooks", "ok", f"installed in {', '.join(places)}")


def _hook_place(file: InstalledHooks, root: str) -> str:
    """The settings file with hooks, and the workspace that these name, if it is not the one at `root`."""
    from memtool.core.hooks.hook_command import named_root

    roots = dict.fromkeys(filter(None, map(named_root, file.commands)))
    others = [named for named in roots if os.path.realpath(os.path.expanduser(named)) != root]
    if not others:
        return file.path
    return f"{file.path} (for {' and '.join(others)}, not for this workspace)"


def _hook_fault(session: Session, file: InstalledHooks, hook_command: str) -> HealthCheck | None:
    """What prevents an agent from running an installed hook; None if nothing does."""
    from memtool.cli.program import common_path, is_in_common_folder
    from memtool.core.hooks.hook_command import named_root
    from memtool.verbs.delegates.delegate import Delegate

    path = common_path(session.environment.get("PATH", os.defpath))
    # the root is a file, so that no program is inside it: the hook's program may be anywhere
    delegate = Delegate("hook", hook_command, {"PATH": path}, root=file.path)
    install = f"memtool hook install {file.agent}" + (" --scope project" if file.scope == "project" else "")
    if root := named_root(hook_command):
        install += f" --root {shlex.quote(root)}"
    if program := delegate.missing_program():
        text = f"the hooks in {file.path} cannot run: {program} not found or not executable"
        return HealthCheck("hooks", "wrong", text, install)
    found = shutil.which(delegate.program, path=path)
    if delegate.program == "memtool" and found and not is_in_common_folder(found):
        text = (
            f"the hooks in {file.path} run memtool without its path, so they fail where PATH does not "
            f"contain {os.path.dirname(found)}"
        )
        return HealthCheck("hooks", "note", text, install)
    if file.is_outdated:
        text = f"{file.path} differs from the plugin that this version of memtool installs"
        return HealthCheck("hooks", "note", text, install)
    return None


def _fleet(session: Session) -> list[HealthCheck]:
    """The check of the fleet; none where the workspace has not joined one."""
    from memtool.store.external.fleet_key import read_key

    try:
        key = read_key(session.environment, session.root)
    except MemtoolError as error:
        return [HealthCheck("fleet", "wrong", str(error), "memtool help fleets")]
    if key is None:
        return []
    from memtool.verbs.fleet.status import check_fleet

    return [check_fleet(key, session.document_index(), session.now)]


def _watcher(root: str) -> HealthCheck:
    from memtool.serve.watch.daemon import condition

    watcher = condition(root)
    if watcher.limit is not None:
        text = f"process {watcher.running} answers searches more slowly than usual: {watcher.limit}"
        return HealthCheck("watcher", "note", text, watcher.limit.command)
    if watcher.running is not None:
        return HealthCheck("watcher", "ok", f"running, process {watcher.running}")
    if watcher.busy is not None:
        text = f"process {watcher.busy} is not answering (busy or suspended); searches work without it"
        return HealthCheck("watcher", "note", text, "memtool watch status")
    if watcher.other is not None:
        text = f"process {watcher.other} is a watcher started by a different version of memtool"
        return HealthCheck("watcher", "wrong", text, "memtool watch stop; memtool watch --daemon")
    if watcher.left:
        text = f"the watcher stopped without removing {', '.join(watcher.left)}"
        return HealthCheck("watcher", "wrong", text, "memtool watch --daemon")
    return HealthCheck("watcher", "note", "not running; searches work without it", "memtool watch --daemon")


def _print(check: HealthCheck) -> None:
    state = f"{check.state:<8}"
    painted = output.paint(state, _COLOURS[check.state]) if output.use_colours() else state
    output.put_wrapped(f"{painted}{check.name:<22}", output.printable(check.message), _INDENT)
    if check.next_command:
        output.put_indented(output.printable(check.next_command), _INDENT)
