"""`memtool watch`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.background import in_background
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, CouldNotTell

_UPGRADE_SECONDS = 10.0
"""Seconds that the watcher spends on old turns at a time; meanwhile it answers no request."""


@click.command(
    "run",
    cls=MemtoolCommand,
    epilog="""
memtool watch
memtool watch --daemon
memtool watch --unit systemd > ~/.config/systemd/user/memtool-watch.service
""",
)
@click.option(
    "--daemon",
    is_flag=True,
    help="Run in the background [default: in the foreground]",
)
@click.option(
    "--unit",
    type=click.Choice(["systemd", "launchd"]),
    help="Print a service definition [default: run the watcher]",
)
@pass_session
def _run(session: Session, daemon: bool, unit: str | None) -> int:
    """Watch the workspace until interrupted

    Exits 11 if a watcher is already running.
    """
    if unit is not None:
        if daemon:
            raise click.UsageError(
                "--daemon (start a watcher) and --unit (print a service definition) cannot be combined"
            )
        from memtool.serve.watch.units import service_definition

        output.put_raw(service_definition(unit, session.root))
        return 0
    if session.incognito or session.dry_run:
        raise BadUsage("a watcher writes an index; it cannot run with --incognito or --dry-run")
    return _start_daemon(session) if daemon else _watch(session)


@click.command(
    "stop",
    cls=MemtoolCommand,
    epilog="""
memtool watch stop
memtool watch stop --root ~/memory
""",
)
@pass_session
def _stop(session: Session) -> int:
    """Stop the workspace's watcher

    Exits 1 if no watcher was running.
    """
    from memtool.serve.watch.daemon import stop

    pid = stop(session.root)
    if pid is None:
        session.notice("no watcher was running")
        return 1
    if session.json:
        output.put_json({"running": False, "pid": pid})
    else:
        session.report("stopped", str(pid))
    return 0


@click.command(
    "status",
    cls=MemtoolCommand,
    epilog="""
memtool watch status
memtool watch status --json
""",
)
@pass_session
def _status(session: Session) -> int:
    """Print whether a watcher is running, and its process id

    If an inotify limit is reached, also prints the limit and the command that raises it. Exits 0 if a watcher
    is running and answers, 1 if none is running, and 3 if one is running but does not answer.
    """
    from memtool.serve.watch.daemon import condition

    watcher = condition(session.root)
    pid = watcher.process
    if session.json:
        limit = None if watcher.limit is None else watcher.limit.to_record()
        output.put_json({"running": pid is not None, "pid": pid, "answers": watcher.answers, "limit": limit})
    elif pid is None:
        output.put("not running")
    else:
        output.put_row("running" if watcher.answers else "not answering", str(pid))
        if watcher.limit is not None:
            output.put_row("limit", f"{watcher.limit.setting} = {watcher.limit.value}", watcher.limit.command)
    return 1 if pid is None else 0 if watcher.answers else CouldNotTell.exit_code


command = ActionGroup(
    "watch",
    [_run, _stop, _status],
    default=_run,
    help="""Keep the index current as files change, and answer searches

Searches work without a watcher: they first compare the index with the files. While a watcher runs, it keeps
the index up to date and answers searches and hooks itself, which is several times faster.""",
    epilog="""
memtool watch
memtool watch --daemon
memtool watch status
memtool watch stop
""",
)


def _start_daemon(session: Session) -> int:
    from memtool.serve.watch.daemon import start

    more = ["--layout", session.given["layout"]] if "layout" in session.given else []
    pid = start(session.workspace.root, more, session.environment)
    if session.json:
        output.put_json({"running": True, "pid": pid})
    else:
        session.report("started", str(pid))
    return 0


def _watch(session: Session) -> int:
    from memtool.cli.searching import watcher_answers
    from memtool.serve.watch.daemon import hold_watcher_lock
    from memtool.serve.watch.service import Watcher
    from memtool.verbs.history.eager_upgrade import upgrade_outdated

    output.log_to_stderr("%(asctime)s %(levelname)s %(message)s")
    session.schedule = in_background()
    workspace = session.workspace

    def upgrade() -> bool:
        reports = upgrade_outdated(workspace, session.now, seconds=_UPGRADE_SECONDS)
        return not all(report.is_whole for report in reports)

    with hold_watcher_lock(workspace.root):
        indexes = session.search_indexes(wait=30.0)
        service = Watcher(indexes, watcher_answers(session, indexes), upgrade)
        service.run(lambda: session.notice(f"watching {workspace.root}"))
    return 0
