"""`memtool rules`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.facts.rules import ConductRule, RetiredRule
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.verbs.facts import rules
from memtool.verbs.facts.write_policy import load_policy


@click.command(
    "list",
    cls=MemtoolCommand,
    session_note="rules of all sessions are listed",
    epilog="""
memtool rules list
memtool rules list --archived
""",
)
@click.option(
    "--archived", is_flag=True, help="Print archived rules instead of active ones [default: active]"
)
@pass_session
def _list(session: Session, archived: bool) -> int:
    """Print the rules, each with its id

    Prints a line for each rule: its id and its text, separated by a tab; on a terminal, in columns. With
    --user, prints the rules of that user and the rules without an owner. Exits 1 if there are no rules to
    print.
    """
    workspace = session.visible_workspace
    listed = rules.archived_rules(workspace) if archived else rules.active_rules(workspace)
    for rule in listed:
        _show(session, rule)
    if not archived and (count := rules.count_undated_items(workspace)):
        lines = "1 line of the rules file has" if count == 1 else f"{count} lines of the rules file have"
        session.notice(
            f"{lines} no date and cannot be listed; begin each rule with its date: `- [2025-01-15] `"
        )
    if listed:
        return 0
    return session.nothing("no archived rules" if archived else "no rules; add one with memtool rules add")


@click.command(
    "add",
    cls=MemtoolCommand,
    epilog="""
memtool rules add "Give glaze amounts in per cent"
memtool rules add --pin "Ask before posting"
memtool rules add --user ann "Call me Annie"
""",
)
@click.argument("words", metavar="TEXT...", nargs=-1, required=True)
@click.option(
    "--pin", is_flag=True, help="Never archive this rule to make room for others [default: not pinned]"
)
@pass_session
def _add(session: Session, words: tuple[str, ...], pin: bool) -> int:
    """Add a rule, and print its id

    A rule is 1 to 280 characters long. A rule that extends or contradicts an active one replaces it; the old
    rule is archived. At most 20 rules can be active; to make room, the oldest unpinned rule is archived.
    Exits 1 if an active rule already says the same thing.
    """
    limits = load_policy(session.workspace.settings)
    rule, is_new, retired, plan = rules.add_user_rule(
        session.workspace, " ".join(words), limits, session.owner, session.now, pinned=pin
    )
    return _conclude_new(session, rule, retired, plan, is_new=is_new)


@click.command(
    "edit",
    cls=MemtoolCommand,
    epilog="""
memtool rules edit r-1c9e02 "Keep answers under ten lines"
memtool rules edit --dry-run r-1c9e02 "Keep answers under ten lines"
""",
)
@click.argument("name", metavar="ID")
@click.argument("words", metavar="TEXT...", nargs=-1, required=True)
@pass_session
def _edit(session: Session, name: str, words: tuple[str, ...]) -> int:
    """Correct a rule: a new rule replaces it

    Takes an id that `memtool rules list` prints, or its beginning. The new rule has the same owner as the
    old one, and is pinned if the old one was. The old rule is archived; `memtool undo` reverts the edit.
    Exits 1, without changing anything, if the id is unknown or if an active rule already says the same thing.
    """
    limits = load_policy(session.workspace.settings)
    rule, is_new, retired, plan = rules.edit_rule(
        session.workspace, name, " ".join(words), limits, session.now, session.owner_tags
    )
    return _conclude_new(session, rule, retired, plan, is_new=is_new)


@click.command(
    "archive",
    cls=MemtoolCommand,
    epilog="""
memtool rules archive r-1c9e02
memtool rules list | grep posting | cut -f1 | xargs memtool rules archive
""",
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@pass_session
def _archive(session: Session, ids: tuple[str, ...]) -> int:
    """Move rules to the archive, so that prompts no longer include them

    Takes the ids that `memtool rules list` prints. If an id is unknown, changes nothing and exits 1.
    """
    changed, plan = rules.archive_rules(session.workspace, ids, session.now, session.owner_tags)
    return _conclude(session, changed, plan)


@click.command(
    "restore",
    cls=MemtoolCommand,
    epilog="""
memtool rules restore r-40aa6f
memtool rules restore --dry-run r-40aa6f
""",
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@pass_session
def _restore(session: Session, ids: tuple[str, ...]) -> int:
    """Make archived rules active again

    Takes the ids that `memtool rules list --archived` prints. Exits 1 if active rules already say the same
    thing, or if an id is unknown.
    """
    policy = load_policy(session.workspace.settings)
    changed, plan = rules.restore_rules(session.workspace, ids, policy, session.now, session.owner_tags)
    return _conclude(session, changed, plan)


command = ActionGroup(
    "rules",
    [_list, _add, _edit, _archive, _restore],
    help="""List, add, edit, archive and restore rules

Rules are instructions from the user to the agent.""",
    epilog="""
memtool rules list
memtool rules add "Name the cone, not the heat"
memtool rules edit r-1c9e02 "Keep answers under ten lines"
memtool rules archive r-1c9e02
memtool rules restore r-40aa6f
""",
    default=_list,
)


def _conclude_new(
    session: Session, rule: ConductRule, retired: Sequence[RetiredRule], plan: Plan, *, is_new: bool
) -> int:
    """Show a rule that was added, and those that it replaces; the exit code, which is 1 if it is not new."""
    if is_new:
        _show(session, rule)
    else:
        session.notice("this rule already exists")
    for archived in retired:
        if sees(session.owner_tags, str(archived.rule.owner or "")):
            session.notice(f"archived {archived.rule.id}: {archived.rule.text}")
    session.show_plan(plan)
    return 0 if is_new else 1


def _conclude(session: Session, changed: Sequence[ConductRule], plan: Plan) -> int:
    """Show the rules that were changed; the exit code, which is 1 for none."""
    for rule in changed:
        _show(session, rule)
    if not changed:
        session.notice("nothing was changed: active rules already say the same thing")
    session.show_plan(plan)
    return 0 if changed else 1


def _show(session: Session, rule: ConductRule) -> None:
    if session.json:
        record = {"id": rule.id, "at": rule.at.isoformat(), "text": rule.text, "pinned": rule.pinned}
        output.put_json({**record, "owner": str(rule.owner) if rule.owner else None})
    else:
        pinned = " (pinned)" if rule.pinned else ""
        output.put_row(rule.id, f"{rule.text}{pinned}")
