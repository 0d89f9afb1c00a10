"""`memtool maintain`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, idle_option
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_duration
from memtool.core.history.commit_event import CommitEvent
from memtool.errors import PartlyApplied
from memtool.verbs.maintenance.maintain import Maintenance, StepReport, maintain


@click.command(
    "maintain",
    cls=MemtoolCommand,
    epilog="""
memtool maintain -q --root ~/agent    from cron, once a night for each workspace
memtool maintain --idle 2h            end only sessions that have been idle for two hours
memtool maintain --dry-run            show what would be written
""",
)
@idle_option
@pass_session
def command(session: Session, idle: str) -> int:
    """Run routine maintenance of sessions, facts, turns and indexes

    Runs these steps in order: upgrade turn files; renumber turns that have the same number after a merge; end
    idle sessions; remove expired candidates (proposed memories); once a day, reduce the salience of facts and
    remove expired log records; update the search indexes. Prints a line for each step; with -q, only
    failures. If a step fails, the remaining steps still run; the exit code is then 20 if any step wrote
    something, and otherwise the highest exit code of any step. Exits 0 if all steps succeed, even if there
    was nothing to do.
    """
    commits: list[CommitEvent] = []
    session.workspace.on_commit(commits.append)
    task = Maintenance(
        workspace=session.workspace,
        owners=session.owner_tags,
        now=session.now,
        zone=session.zone,
        idle=parse_duration(idle, "--idle"),
        indexes=session.search_indexes(),
        facts=session.fact_index(),
        summarizer=None if session.incognito else session.delegate(None, "summarizer"),
        progress=session.progress("upgrading"),
    )
    worst = 0
    for report in maintain(task):
        _show(session, report)
        worst = max(worst, report.exit_code)
    return PartlyApplied.exit_code if worst and commits else worst


def _show(session: Session, report: StepReport) -> None:
    if session.json:
        record = {"step": report.step, "changed": report.is_changed, "exit_code": report.exit_code}
        output.put_json({**record, "counts": dict(report.counts), "problems": [*report.problems]})
    elif not session.given.get("quiet"):
        output.put_row(report.step, _result(report))
    for problem in report.problems:
        output.print_message(f"{report.step}: {problem}")
    for notice in report.notices:
        session.notice(f"{report.step}: {notice}")
    session.show_plan(report.plan)


def _result(report: StepReport) -> str:
    counted = output.counted({name: count for name, count in report.counts.items() if count})
    if report.exit_code:
        return f"failed; {counted}" if counted else "failed"
    return (counted or "changed") if report.is_changed else "nothing to do"
