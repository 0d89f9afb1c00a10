"""`memtool init`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.layout.init import init


@click.command(
    "init",
    cls=MemtoolCommand,
    epilog="""
memtool init                            make this folder a workspace
memtool init ~/agent --layout openclaw  another one, as OpenClaw keeps it
memtool init --dry-run                  what would be made
""",
)
@click.argument("directory", metavar="[DIR]", required=False)
@pass_session
def command(session: Session, directory: str | None) -> int:
    """Make a folder a workspace: seed the files its layout needs.

    What is there already stays as it is; a folder that an agent already keeps memory in is recognised and
    used in place. Layouts: native (the default), q15, qanot, openclaw, nano, openlegion, claude-code,
    obsidian.
    """
    session.adopt(directory)
    initialised = init(session.workspace, session.now.astimezone(session.zone).date())
    folders = [f"{folder}/" for folder in initialised.folders]
    for status, paths in (("created", (*initialised.created, *folders)), ("kept", initialised.existing)):
        for path in paths:
            if session.json:
                output.put_json({"path": str(path), "status": status})
            else:
                output.put_row(status, str(path))
    session.show_plan(initialised.plan)
    becomes = "is" if session.workspace.writes else "would be"
    layout = session.workspace.layout.name
    session.notice(f"{session.workspace.root} {becomes} a workspace in the {layout} layout")
    return 0
