"""What a hook prints on stderr with --verbose or --dry-run."""

from __future__ import annotations

import sys

from memtool.cli import output
from memtool.cli.plan_output import plan_lines
from memtool.cli.session import Session
from memtool.verbs.hooks.hook_call import HookOutcome


def print_diagnostics(session: Session, event: str, reply: HookOutcome) -> None:
    """Print the faults of a hook, or that it had nothing to do; in a dry run, also the changes not made."""
    for fault in reply.errors:
        output.print_message(fault)
    is_idle = not (reply.text or reply.errors or reply.missed or any(reply.plans))
    if is_idle and not reply.is_late:
        output.print_message(f"{event}: nothing to record, and nothing to add to the conversation")
    for plan in reply.plans if session.given.get("dry_run") else ():
        sys.stderr.writelines(f"{line}\n" for line in plan_lines(plan, session.visible_workspace))
