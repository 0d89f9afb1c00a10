"""What a hook prints on stderr with --verbose or --dry-run."""

from __future__ import annotations

import sys

from memtool.cli import output
from memtool.cli.plan_output import plan_lines
from memtool.cli.session import Session
from memtool.verbs.hooks.hook_call import HookOutcome

_MOST_FILES = 3


def print_diagnostics(session: Session, event: str, reply: HookOutcome) -> None:
    """Print the faults of a hook, what it recorded and injected and, in a dry run, the changes not made."""
    for fault in reply.errors:
        output.print_message(fault)
    if not (reply.errors or reply.missed or reply.is_late) or reply.text or any(reply.plans):
        output.print_message(describe_outcome(event, reply, writes=session.workspace.writes))
    for plan in reply.plans if session.given.get("dry_run") else ():
        sys.stderr.writelines(f"{line}\n" for line in plan_lines(plan, session.visible_workspace))


def describe_outcome(event: str, reply: HookOutcome, *, writes: bool) -> str:
    """A sentence on the files in which a hook recorded something, and how much text it injected."""
    paths = [*dict.fromkeys(str(change.path) for plan in reply.plans for change in plan)]
    listed = ", ".join(paths[:_MOST_FILES])
    listed += f" and {len(paths) - _MOST_FILES} more" if len(paths) > _MOST_FILES else ""
    recorded = f"{'recorded' if writes else 'would record'} in {listed}" if paths else "nothing to record"
    recorded += f", because {reply.without_turn}" if not paths and reply.without_turn else ""
    added = f"added {len(reply.text):,} characters to" if reply.text else "nothing to add to"
    return f"{event}: {recorded}; {added} the conversation"
