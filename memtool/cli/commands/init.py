"""`memtool init`."""

from __future__ import annotations

import os

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.store.root import enclosing_workspace, is_layout_name
from memtool.verbs.layout.init import ignore_in_sync_folders, init


@click.command(
    "init",
    cls=MemtoolCommand,
    epilog="""
memtool init                            in the current directory
memtool init ~/agent --layout openclaw  in another folder, with OpenClaw's layout
memtool init --dry-run                  list what would be created
""",
)
@click.argument("directory", metavar="[DIR]", required=False)
@pass_session
def command(session: Session, directory: str | None) -> int:
    """Create a workspace

    Creates the files that the layout needs, and overwrites nothing. If the folder already holds an agent's
    memory, its layout is detected and its files are used in place. DIR defaults to the current directory.
    Prints a line for each file, beginning with `created`, or with `kept` if the file already existed; with
    -q, prints nothing. If Syncthing or Dropbox synchronises the folder, excludes .memtool from
    synchronisation. The layouts are native (the default), q15, qanot, openclaw, nano, openlegion,
    claude-code, gemini, codex, letta, obsidian, basic-memory and okf; 'memtool help layouts' describes them.
    """
    is_layout = directory and is_layout_name(directory) and not os.path.lexists(directory)
    if is_layout and not session.given.get("layout"):
        raise click.UsageError(
            f"{directory!r} is the name of a layout (did you mean 'memtool init --layout {directory}'?); to "
            f"create a folder of this name, run memtool init ./{directory}"
        )
    session.adopt(directory)
    initialised = init(session.workspace, session.now.astimezone(session.zone).date())
    folders = [f"{folder}/" for folder in initialised.folders]
    for status, paths in (("created", (*initialised.created, *folders)), ("kept", initialised.existing)):
        for path in paths:
            if session.json:
                output.put_json({"path": str(path), "status": status})
            else:
                session.report(status, str(path))
    session.show_plan(initialised.plan)
    becomes = "is" if session.workspace.writes else "would be"
    layout = session.workspace.layout.name
    session.notice(f"{session.workspace.root} {becomes} a workspace in the {layout} layout")
    if outer := enclosing_workspace(session.workspace.root):
        session.notice(f"this workspace {becomes} inside another one, {outer}; their memories are separate")
    if ignored := ignore_in_sync_folders(session.workspace, session.now):
        from memtool.verbs.memory_files.applied_receipts import expect_receipts

        expect_receipts(session.workspace)
    for folder in ignored:
        ignores = "now ignores" if session.workspace.writes else "would ignore"
        session.notice(f"{folder.program} {ignores} {folder.inner} (see memtool help sync)")
    if initialised.created and session.workspace.writes and not session.dry_run:
        session.notice("next: connect an agent (memtool help hooks), or try memtool save and memtool recall")
    return 0
