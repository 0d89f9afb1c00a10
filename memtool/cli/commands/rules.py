"""`memtool rules`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.facts.rules import ConductRule
from memtool.core.records.scope import sees
from memtool.verbs.facts import rules
from memtool.verbs.facts.candidates import load_policy


@click.command(
    "rules",
    cls=MemtoolCommand,
    epilog="""
memtool rules list                               the rules in every prompt
memtool rules add "Name the cone, not the heat"  twenty at most; the oldest is archived
memtool rules add --pin "Ask before posting"     never archived by itself
memtool rules archive r-1c9e02
memtool rules list --archived
memtool rules restore r-1c9e02
""",
)
@click.argument("action", type=click.Choice(["list", "add", "archive", "restore"]))
@click.argument("words", metavar="[TEXT|ID]...", nargs=-1)
@click.option("--archived", "old", is_flag=True, help="Those that no longer hold; for list.")
@click.option("--pin", is_flag=True, help="It is never archived by itself; for add.")
@pass_session
def command(session: Session, action: str, words: tuple[str, ...], old: bool, pin: bool) -> int:
    """Manage the rules of conduct that are in every prompt: list, add, archive or restore.

    A rule that another says already is not added; one that says more of the same, or the opposite, takes the
    other's place, which is archived. Exits 1 when there is nothing.
    """
    workspace, now = session.workspace, session.now
    if (action == "list") == bool(words):
        raise click.UsageError(f"rules {action} takes {'no text' if action == 'list' else 'a text or ids'}")
    match action:
        case "list":
            return _list(session, archived=old)
        case "add":
            return _add(session, " ".join(words), pinned=pin)
        case "archive":
            changed, plan = rules.archive_rules(workspace, words, now, session.owner_tags)
        case _:
            policy = load_policy(workspace.settings)
            changed, plan = rules.restore_rules(workspace, words, policy, now, session.owner_tags)
    for rule in changed:
        _show(session, rule)
    if not changed:
        session.notice("other rules already say this")
    session.show_plan(plan)
    return 0 if changed else 1


def _list(session: Session, *, archived: bool) -> int:
    workspace = session.visible_workspace
    listed = rules.archived_rules(workspace) if archived else rules.active_rules(workspace)
    for rule in listed:
        _show(session, rule)
    if not archived and (count := rules.count_undated_items(workspace)):
        lines = "1 line has" if count == 1 else f"{count} lines have"
        session.notice(
            f"{lines} no date in the rules file and cannot be listed; begin a rule with `- [2025-01-15] `"
        )
    return 0 if listed else 1


def _add(session: Session, text: str, *, pinned: bool) -> int:
    limits = load_policy(session.workspace.settings)
    rule, is_new, retired, plan = rules.add_user_rule(
        session.workspace, text, limits, session.owner, session.now, pinned=pinned
    )
    if is_new:
        _show(session, rule)
    else:
        session.notice("this rule already exists")
    for archived in retired:
        if sees(session.owner_tags, str(archived.rule.owner or "")):
            session.notice(f"archived {archived.rule.id}: {archived.rule.text}")
    session.show_plan(plan)
    return 0 if is_new else 1


def _show(session: Session, rule: ConductRule) -> None:
    if session.json:
        record = {"id": rule.id, "at": rule.at.isoformat(), "text": rule.text, "pinned": rule.pinned}
        output.put_json({**record, "owner": str(rule.owner) if rule.owner else None})
    else:
        pinned = " (pinned)" if rule.pinned else ""
        output.put(output.printable(f"{rule.id}  {rule.text}{pinned}"))
