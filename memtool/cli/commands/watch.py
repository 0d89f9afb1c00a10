"""`memtool watch`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, in_background, pass_session
from memtool.errors import BadUsage, CouldNotTell

_UPGRADE_SECONDS = 10.0
"""Seconds that the watcher spends on old turns at a time, in which it answers nobody."""


@click.command(
    "watch",
    cls=MemtoolCommand,
    epilog="""
memtool watch                    in the foreground, until Ctrl-C
memtool watch --daemon           in the background
memtool watch status             is one running?
memtool watch stop               end it
memtool watch --unit systemd     a service definition that keeps it running
""",
)
@click.argument(
    "action", type=click.Choice(["run", "stop", "status"]), default="run", metavar="[run|stop|status]"
)
@click.option("--daemon", is_flag=True, help="Run in the background; return once it answers.")
@click.option("--unit", type=click.Choice(["systemd", "launchd"]), help="Print a service definition.")
@pass_session
def command(session: Session, action: str, daemon: bool, unit: str | None) -> int:
    """Keep the index fresh while files change, and answer searches.

    Searching needs no watcher: a search always looks at what is on disk when it starts. While a watcher
    lives, searches are answered from its memory, several times faster.
    """
    if unit is not None:
        from memtool.serve.watch.units import service_definition as definition

        output.put_raw(definition(unit, session.root))
        return 0
    if action == "status":
        return _status(session)
    if action == "stop":
        return _stop(session)
    if session.incognito or session.dry_run:
        raise BadUsage("a watcher writes an index; it cannot run incognito or as a dry run")
    return _daemon(session) if daemon else _run(session)


def _status(session: Session) -> int:
    """Print the state; the exit code is 3 for a watcher that is there and does not answer."""
    from memtool.serve.watch.daemon import condition

    watcher = condition(session.root)
    pid = watcher.process
    if session.json:
        output.put_json({"running": pid is not None, "pid": pid, "answers": watcher.answers})
    elif pid is None:
        output.put("not running")
    else:
        output.put_row("running" if watcher.answers else "not answering", str(pid))
    return 1 if pid is None else 0 if watcher.answers else CouldNotTell.exit_code


def _stop(session: Session) -> int:
    from memtool.serve.watch.daemon import stop

    pid = stop(session.root)
    if pid is None:
        session.notice("no watcher was running")
        return 1
    if session.json:
        output.put_json({"running": False, "pid": pid})
    else:
        output.put_row("stopped", str(pid))
    return 0


def _daemon(session: Session) -> int:
    from memtool.serve.watch.daemon import start

    more = ["--layout", session.given["layout"]] if "layout" in session.given else []
    pid = start(session.workspace.root, more, session.environment)
    if session.json:
        output.put_json({"running": True, "pid": pid})
    else:
        output.put_row("started", str(pid))
    return 0


def _run(session: Session) -> int:
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
