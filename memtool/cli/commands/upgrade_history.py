"""`memtool upgrade-history`."""

from __future__ import annotations

from functools import partial

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import NewerVersion
from memtool.store.commit.partly import after_steps
from memtool.verbs.history.upgrade_history import TurnFileChange, upgrade_history
from memtool.verbs.turns.history import history_groups


@click.command(
    "upgrade-history",
    cls=MemtoolCommand,
    epilog="""
memtool upgrade-history                upgrade, and list the changed files
memtool upgrade-history --dry-run      list the changes without making them
memtool upgrade-history --strict       also fail if a newer memtool wrote a turn file
""",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit 15 if any turn file was written by a newer version of memtool [default: only report it]",
)
@click.option(
    "--group",
    metavar="GROUP",
    help="Upgrade only the history of this group [default: MEMTOOL_GROUP, else all]",
)
@pass_session
def command(session: Session, strict: bool, group: str | None) -> int:
    """Upgrade turn files to the current version

    A turn file is a JSON file with one turn of the history. Moves unreadable files to quarantine. Each file
    is replaced completely or not at all, so the command can be interrupted and run again; a second run finds
    nothing to do and exits 0. Files written by a newer version of memtool stay unchanged. Exits 3 when
    something could not be read.
    """
    from memtool.store.config.schemas import invalid_reason

    group = session.group(group, writes=True) or None
    sums = dict.fromkeys(("current", "upgraded", "quarantined", "newer"), 0)
    unread: list[str] = []
    workspace = session.workspace

    def written() -> str:
        changed = sums["upgraded"] + sums["quarantined"] if workspace.writes else 0
        return f"files changed: {changed}" if changed else ""

    for history in history_groups(workspace) if group is None else [group]:
        with after_steps(written):
            upgraded = upgrade_history(
                workspace,
                session.now,
                group=history,
                report=lambda changed: _show(session, changed),
                progress=session.progress("upgrading"),
                invalid_reason=partial(invalid_reason, "turn"),
            )
        unread += upgraded.unread
        for name in sums:
            sums[name] += getattr(upgraded, name)
    for sentence in unread:
        output.print_message(sentence)
    if session.json:
        output.put_json({**sums, "unread": len(unread)})
    else:
        session.notice("turns: " + ", ".join(f"{count} {name}" for name, count in sums.items()))
    if strict and sums["newer"]:
        raise NewerVersion(
            f"turns written by a newer version of memtool: {sums['newer']}; update memtool to read them"
        )
    return 3 if unread else 0


def _show(session: Session, changed: TurnFileChange) -> None:
    if session.json:
        record = {"path": str(changed.path), "result": changed.result, "reason": changed.why}
        output.put_json(record | ({"target": str(changed.target)} if changed.target else {}))
    else:
        session.report(changed.result, str(changed.path), changed.why)
    if session.dry_run and not session.json:
        session.show_plan(changed.plan)
