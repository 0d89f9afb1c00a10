"""`memtool fleet`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.commands.fleet_jobs import run_command, work_command
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage

if TYPE_CHECKING:
    from memtool.verbs.fleet.status import TreeStatus

_DSN = click.argument("dsn", metavar="DSN")


@click.command(
    "dev",
    cls=MemtoolCommand,
    epilog="""
memtool fleet dev                                start the server, and print its DSN
memtool fleet init "$(memtool fleet dev)"        create a fleet on that server
memtool fleet dev --stop
memtool fleet dev --delete                       stop the server, and delete its data
""",
)
@click.option(
    "--dir", "folder", metavar="DIR", help="Folder for the server [default: ~/.local/state/memtool/fleet-dev]"
)
@click.option("--stop", is_flag=True, help="Stop the server [default: start it]")
@click.option("--delete", is_flag=True, help="Stop the server and delete its data [default: keep the data]")
@pass_session
def _dev(session: Session, folder: str | None, stop: bool, delete: bool) -> int:
    """Start a local PostgreSQL server for a trial fleet, and print its DSN

    Uses the PostgreSQL server programs that are installed on this machine. The server listens on a Unix
    socket only and requires a password, which is stored in a private file that the DSN names. If you are
    root, the server runs as the user postgres, and its folder is in that user's home folder. --stop keeps the
    server's folder and data. Use the server for trials only: if the machine crashes, data may be lost.
    """
    from memtool.verbs.fleet.dev import find_dev_server

    server = find_dev_server(session.environment, folder)
    if delete:
        is_there = server.is_trial() if session.dry_run else server.delete()
        deleted = "would delete" if session.dry_run else "deleted"
        session.notice(f"{deleted} {server.folder}" if is_there else f"no server in {server.folder}")
        return 0
    if stop:
        is_running = server.is_running() if session.dry_run else server.stop()
        stopped = "would stop" if session.dry_run else "stopped"
        session.notice(
            f"{stopped} the server in {server.folder}" if is_running else "the server is not running"
        )
        return 0
    if not session.dry_run:
        server.start()
    if session.json:
        output.put_json({"dsn": server.dsn, "folder": server.folder})
    else:
        output.put(server.dsn)
    return 0


@click.command(
    "init",
    cls=MemtoolCommand,
    epilog="""
memtool fleet init 'postgresql://admin@db.example.org/fleet'
PGPASSWORD=… memtool fleet init 'host=db.example.org dbname=fleet user=admin'
""",
)
@_DSN
@pass_session
def _init(session: Session, dsn: str) -> int:
    """Create a fleet in a PostgreSQL database, or upgrade its schema

    DSN is a PostgreSQL connection string for a user who owns the database and may create roles. Put the
    password in PGPASSWORD or in a password file, not in DSN. All privileges of PUBLIC on the database and on
    its public schema are revoked, so use a database that contains nothing else.
    """
    from memtool.verbs.fleet.join import init_fleet

    if session.dry_run:
        session.notice("dry run: nothing was changed")
        return 0
    migrated = init_fleet(dsn)
    if session.json:
        output.put_json({"before": migrated.before, "version": migrated.after})
    elif migrated.before == migrated.after:
        session.report("unchanged", f"version {migrated.after}")
    else:
        session.report("upgraded" if migrated.before else "created", f"version {migrated.after}")
    if not migrated.is_limited:
        session.notice(
            "a workspace could use up the locks or the disk space of the database server; to prevent this, "
            "use a database that contains nothing else, and run memtool fleet init once as a PostgreSQL "
            "superuser"
        )
    return 0


@click.command(
    "join",
    cls=MemtoolCommand,
    epilog="""
memtool fleet join DSN --as laptop --reads all
memtool fleet join DSN --as desk --reads laptop --reads-user ann
memtool fleet join DSN --as laptop --replace       replace a lost password
""",
)
@_DSN
@click.option("--as", "name", metavar="NAME", required=True, help="Name of this workspace in the fleet")
@click.option(
    "--reads",
    metavar="TREE",
    multiple=True,
    help="Let NAME search TREE, or every tree if TREE is 'all'; repeatable [default: none]",
)
@click.option(
    "--reads-user",
    "users",
    metavar="USER",
    multiple=True,
    help="Let NAME search the memory of USER in other trees; repeatable [default: none]",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace the password if NAME already exists [default: exit with an error]",
)
@pass_session
def _join(
    session: Session, dsn: str, name: str, reads: tuple[str, ...], users: tuple[str, ...], replace: bool
) -> int:
    """Add this workspace to a fleet and create the workspace's password

    DSN is the connection string with which the fleet was created. The workspace gets its own database role
    and password, which are stored in your configuration and not in the workspace. The workspace can search
    its own memory and that of the trees (other workspaces of the fleet) named by --reads. In those trees,
    memory that belongs to a user is searched only if --reads-user names the user.
    """
    from memtool.verbs.fleet.join import join_fleet

    workspace = session.workspace
    if not workspace.writes:
        session.notice(f"{_no_write(session)}: {name} was not added to the fleet")
        return 0
    environment = session.environment
    path = join_fleet(workspace.root, dsn, name, reads, users, environment, session.now, replace=replace)
    if session.json:
        output.put_json({"joined": name, "key": path})
    else:
        session.report("joined", name, path)
    return 0


@click.command(
    "push",
    cls=MemtoolCommand,
    epilog="""
memtool fleet push
memtool fleet push --dry-run                    list the files that differ
*/10 * * * *  memtool fleet push -q --root ~/agent      a crontab line
""",
)
@pass_session
def _push(session: Session) -> int:
    """Send changed documents of this workspace to the fleet

    Sends only files whose content has changed, each in its own transaction, and removes deleted files from
    the fleet. If a push is interrupted, the next push sends the rest. Before a document is sent, secrets in
    it are replaced by [REDACTED:kind]. Past messages are not sent. In incognito mode, nothing is sent. Exits
    3 if a file could not be read or the database could not be reached.
    """
    from memtool.verbs.fleet.push import own_key, push

    key = own_key(session.workspace, session.environment)
    if session.incognito:
        session.notice("incognito: nothing was sent")
        return 0
    report = push(session.workspace, key, session.document_index(), session.progress("pushing"))
    if report.is_superseded:
        session.notice("a newer push of this workspace has started; it will send the remaining files")
    for path in report.put if session.dry_run else ():
        _print_change(session, "put", path)
    for path in report.removed if session.dry_run else ():
        _print_change(session, "remove", path)
    if not session.dry_run and session.json:
        output.put_json(
            {"put": len(report.put), "removed": len(report.removed), "unchanged": report.unchanged}
        )
    elif not session.dry_run:
        session.report(
            "pushed",
            output.plural(len(report.put), "file"),
            f"{len(report.removed)} removed",
            f"{report.unchanged} unchanged",
        )
    for sentence in report.unread:
        output.print_message(sentence)
    return 3 if report.unread else 0


@click.command(
    "status",
    cls=MemtoolCommand,
    epilog="""
memtool fleet status
memtool fleet status --json
""",
)
@pass_session
def _status(session: Session) -> int:
    """List the trees of the fleet that this workspace may search

    For each tree (workspace in the fleet), prints its name, how many documents and chunks (indexed passages)
    it has, the time of its last push, whether a worker (memtool fleet work) is running for it, and the number
    of waiting jobs. For this workspace, also prints how many files differ from their copies in the fleet. A
    tree that has not pushed in the last 7 days is marked as silent. Exits 3 if the database cannot be
    reached.
    """
    from memtool.verbs.fleet.push import own_key
    from memtool.verbs.fleet.status import fleet_status

    key = own_key(session.workspace, session.environment)
    for row in fleet_status(key, session.document_index(), session.now).trees:
        _print_tree(session, row)
    return 0


@click.command(
    "forget",
    cls=MemtoolCommand,
    epilog="""
memtool fleet forget DSN laptop          ask for confirmation, then remove the tree laptop
memtool fleet forget DSN laptop --yes
""",
)
@_DSN
@click.argument("name", metavar="NAME")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation [default: ask]")
@pass_session
def _forget(session: Session, dsn: str, name: str, yes: bool) -> int:
    """Remove a tree and all its documents from a fleet

    DSN is the connection string with which the fleet was created. A tree is a workspace in the fleet. The
    workspace's files stay unchanged, but the database no longer accepts the workspace's password. To remove a
    text or a user's records from the workspace and from the fleet, run memtool forget in the workspace
    instead.
    """
    from memtool.verbs.fleet.join import remove_from_fleet

    if session.dry_run or session.incognito:
        session.notice(f"{_no_write(session)}: {name} was not removed from the fleet")
        return 0
    if not yes:
        if sys.stdin is None or not sys.stdin.isatty():
            raise BadUsage("nothing was removed: cannot ask for confirmation without a terminal; add --yes")
        if not click.confirm(f"Permanently remove {name} from the fleet?", err=True):
            return 1
    session.report(name, output.plural(remove_from_fleet(dsn, name), "document"), "removed")
    return 0


command = ActionGroup(
    "fleet",
    [_init, _join, _push, _status, run_command, work_command, _forget, _dev],
    help="""Search the memory of many workspaces through PostgreSQL

A fleet is a PostgreSQL database that contains an index of many workspaces. These workspaces, called trees,
push their documents to the database. memtool search --fleet searches this workspace and the trees that it
may read. All memory stays in the files, so no memory is lost if the database is dropped. See memtool help
fleets.""",
    epilog="""
memtool fleet init "$(memtool fleet dev)"
memtool fleet join "$(memtool fleet dev)" --as laptop --reads all
memtool fleet push
memtool fleet status
""",
)


def _no_write(session: Session) -> str:
    return "dry run" if session.dry_run else "incognito"


def _print_change(session: Session, action: str, path: str) -> None:
    if session.json:
        output.put_json({"action": action, "path": path})
    else:
        output.put_row(action, path)


def _print_tree(session: Session, row: TreeStatus) -> None:
    tree = row.tree
    pushed_at = tree.pushed_at and tree.pushed_at.isoformat(timespec="seconds")
    lag = None if row.lag is None else len(row.lag.put) + len(row.lag.removed)
    if session.json:
        output.put_json(
            {
                "tree": tree.name,
                "own": tree.is_own,
                "documents": tree.documents,
                "chunks": tree.chunks,
                "joined_at": tree.joined_at.isoformat(timespec="seconds"),
                "pushed_at": pushed_at,
                "silent": row.is_silent,
                "behind": lag,
                "worker": not row.work.is_silent,
                "worker_seen_at": row.work.seen_at and row.work.seen_at.isoformat(timespec="seconds"),
                "jobs": row.work.waiting,
            }
        )
        return
    worker = "no worker" if row.work.is_silent else "worker running"
    jobs = f", {output.plural(row.work.waiting, 'job')} waiting" if row.work.waiting else ""
    state = f"pushed {pushed_at}" if pushed_at else "never pushed"
    output.put_row(
        tree.name,
        output.plural(tree.documents, "document"),
        output.plural(tree.chunks, "chunk"),
        f"{state}, silent" if row.is_silent and pushed_at else state,
        worker + jobs,
        *([] if lag is None else [f"this workspace, {output.plural(lag, 'file')} to push"]),
    )
