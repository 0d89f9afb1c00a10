"""`memtool candidates`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import how_to_continue, whole_text
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session, pass_session
from memtool.core.facts.policy import WritePolicy, policy_rows
from memtool.core.records.plan import Plan
from memtool.errors import PartlyApplied
from memtool.verbs.facts import candidates
from memtool.verbs.facts.candidates import (
    CandidateResult,
    PendingCandidate,
    pending_record,
    unknown_candidate,
)
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.memory_files.audit import decisions_about

_SOURCE = click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
_IDS = click.argument("ids", metavar="ID...", nargs=-1, required=True)


@click.command(
    "add",
    cls=MemtoolCommand,
    epilog="""
memtool candidates add --user ann --session s1 proposals.jsonl
extractor < message.txt | memtool candidates add --user ann --session s1
memtool candidates add --user ann --dry-run proposals.jsonl
""",
)
@_SOURCE
@pass_session
def _add(session: Session, source: BinaryIO | None) -> int:
    """Store or hold proposals, as the write policy decides

    Prints a line for each proposal: its id, the effect (such as written or held), the decision, the policy
    rule that applied, the reason, and the file. Exits 16 if neither a user nor a session is given. Exits 1 if
    the input contains no proposals. If a line is not a proposal, exits 20 when proposals on other lines were
    recorded, and otherwise exits 2.
    """
    policy, records = _load_policy(session), _proposals(session, source)
    if not records:
        return 1
    owners = session.owner_ids
    outcomes, plan = candidates.add_proposals(
        session.workspace, records, policy, session.owner, owners.get("session"), session.now
    )
    _show_outcomes(session, outcomes)
    session.show_plan(plan)
    code = _proposal_exit_code(outcomes)
    if not (code and plan and session.workspace.writes):
        return code
    skipped = [number for number, outcome in enumerate(outcomes, 1) if outcome.problem]
    output.print_message(how_to_continue(skipped, done="processed"))
    return PartlyApplied.exit_code


@click.command(
    "decide",
    cls=MemtoolCommand,
    epilog="""
memtool candidates decide proposals.jsonl
extractor < message.txt | memtool candidates decide --json
""",
)
@_SOURCE
@pass_session
def _decide(session: Session, source: BinaryIO | None) -> int:
    """Print what the write policy would decide; store nothing

    Exits 1 if the input contains no proposals, and 2 if a line is not a proposal.
    """
    policy, records = _load_policy(session), _proposals(session, source)
    if not records:
        return 1
    outcomes = tuple(
        candidates.decide_proposals(records, policy, session.owner, session.owner_ids.get("session"))
    )
    _show_outcomes(session, outcomes)
    return _proposal_exit_code(outcomes)


@click.command(
    "list",
    cls=MemtoolCommand,
    epilog="""
memtool candidates list
memtool candidates list --user marta --json
""",
)
@pass_session
def _list(session: Session) -> int:
    """Print the held candidates

    Prints a line for each candidate: its id, what it is waiting for, and the proposed memory. With --user,
    prints only the candidates of that user and those without an owner. Exits 1 if there is no candidate to
    print.
    """
    notices: list[str] = []
    waiting = _held_candidates(session, _load_policy(session), notices)
    for candidate in waiting:
        record = pending_record(candidate)
        if session.json:
            output.put_json(record)
        else:
            claim = record.get("rule_text") or f"{record['subject']} {record['predicate']} {record['object']}"
            output.put_row(record["id"], record["action"], claim)
    for notice in notices:
        session.notice(notice)
    return 0 if waiting else session.nothing("no candidates are waiting for a decision", *notices)


@click.command(
    "show",
    cls=MemtoolCommand,
    epilog="""
memtool candidates show c-9c881f672c72
memtool candidates show c-9c881f672c72 --json
""",
)
@_IDS
@pass_session
def _show(session: Session, ids: tuple[str, ...]) -> int:
    """Print all fields of held candidates

    Takes the ids that `memtool candidates list` prints. Exits 1 if an id matches no held candidate.
    """
    notices: list[str] = []
    waiting = _held_candidates(session, _load_policy(session), notices)
    chosen = [entry for entry in waiting if entry.held.candidate.id in ids]
    found_ids = {entry.held.candidate.id for entry in chosen}
    notices += [unknown_candidate(name, waiting) for name in ids if name not in found_ids]
    for candidate in chosen:
        record = pending_record(candidate)
        if session.json:
            output.put_json(record)
            continue
        for key, value in record.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            output.put_wrapped(f"{key}: ", output.printable(text))
    for notice in notices:
        session.notice(notice)
    return 0 if chosen else 1


@click.command(
    "approve",
    cls=MemtoolCommand,
    epilog="""
memtool candidates approve c-9c881f672c72
memtool candidates list --user ann | cut -f1 | xargs memtool candidates approve
""",
)
@_IDS
@pass_session
def _approve(session: Session, ids: tuple[str, ...]) -> int:
    """Store held candidates

    A candidate that the write policy refuses as unsafe is not stored. Exits 1 if a candidate could not be
    stored. If an id is unknown, changes nothing and exits 1.
    """
    outcomes, plan = candidates.approve_candidates(
        session.workspace, ids, _load_policy(session), session.owner_tags, session.now
    )
    return _conclude(session, outcomes, plan)


@click.command(
    "drop",
    cls=MemtoolCommand,
    epilog="""
memtool candidates drop c-f6ddcbe6d2c2
memtool candidates drop --dry-run c-f6ddcbe6d2c2
""",
)
@_IDS
@pass_session
def _drop(session: Session, ids: tuple[str, ...]) -> int:
    """Remove held candidates without storing them

    If an id is unknown, changes nothing and exits 1.
    """
    outcomes, plan = candidates.drop_candidates(
        session.workspace, ids, _load_policy(session), session.owner_tags, session.now
    )
    return _conclude(session, outcomes, plan)


@click.command(
    "explain",
    cls=MemtoolCommand,
    epilog="""
memtool candidates explain
memtool candidates explain c-9c881f672c72
""",
)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@pass_session
def _explain(session: Session, ids: tuple[str, ...]) -> int:
    """Print the decisions about candidates, or all rules of the write policy

    With ids, prints the time, the id, the action and the rule of each recorded decision, and exits 1 if no
    decision about these candidates has been recorded. Without ids, prints the rules of the policy in the
    order in which they are tried.
    """
    if not ids:
        _show_policy(session, _load_policy(session))
        return 0
    records = decisions_about(session.workspace, ids)
    for record in records:
        if session.json:
            output.put_json(record)
        else:
            output.put_row(record["at"], record["id"], record["action"], record["rule"])
    if not records:
        session.notice("no decision recorded")
    return 0 if records else 1


@click.command(
    "prompt",
    cls=MemtoolCommand,
    epilog="""
memtool candidates prompt
{ memtool candidates prompt; cat messages.json; } | llm | memtool candidates add --user ann
""",
)
@pass_session
def _prompt(_: Session) -> int:
    """Print a prompt that asks a model to propose memories

    Append the messages of a conversation to the prompt, and pass both to any model. The model prints
    proposals for `memtool candidates add`.
    """
    output.put_raw(candidates.extractor_prompt())
    return 0


command = ActionGroup(
    "candidates",
    [_add, _decide, _list, _show, _approve, _drop, _explain, _prompt],
    help="""Propose memories, and review held candidates

A candidate is a proposed memory. `add` and `decide` read lines of JSON; each line proposes a fact (lane
"semantic", with the keys category, subject, predicate, object and evidence_quote) or a rule (lane
"procedural", with the keys rule and evidence). The write policy stores a candidate at once, drops it, or
holds it until the session ends, until it is proposed again, or until a person approves it.""",
    epilog="""
memtool candidates prompt
extractor < message.txt | memtool candidates add --user ann --session s1
memtool candidates list --user ann
memtool candidates explain c-9c881f672c72
memtool candidates approve c-9c881f672c72
""",
    default=_list,
)


def _load_policy(session: Session) -> WritePolicy:
    return load_policy(session.workspace.settings)


def _proposals(session: Session, source: BinaryIO | None) -> list[Any]:
    """The JSON value of each line of the file, or of stdin; None for a line that is not JSON.

    An empty list is not a proposal; an extractor prints it if it finds nothing. Raises BadUsage.
    """
    values = [_json_value(line) for line in whole_text(source, None).split("\n") if line.strip()]
    records = [value for value in values if value != []]
    if not records:
        session.notice(
            "the input contains no proposals; to see what a line must contain, run memtool candidates prompt"
        )
    return records


def _json_value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _held_candidates(session: Session, policy: WritePolicy, notices: list[str]) -> list[PendingCandidate]:
    """The held candidates of this user and of nobody; all of them where no user is named."""
    return candidates.pending_candidates(session.visible_workspace, policy, notices)


def _show_outcomes(session: Session, outcomes: Sequence[CandidateResult]) -> None:
    for number, outcome in enumerate(outcomes, 1):
        if session.json:
            record = outcome.record()
            output.put_json({**record, "effect": shown_effect(session, str(record["effect"]))})
        elif outcome.candidate is None or outcome.decision is None:
            output.print_message(f"line {number} skipped: it {outcome.problem}")
        else:
            decision = outcome.decision
            columns = [outcome.candidate.id, shown_effect(session, outcome.effect), decision.action]
            columns.append(f"{decision.rule}: {decision.reason}")
            output.put_row(*columns, *([str(outcome.path)] if outcome.path else []))
    if refused := sum(
        each.decision is not None and each.effect == "refused" and each.decision.rule != "safety"
        for each in outcomes
    ):
        count = output.plural(refused, "candidate")
        session.notice(
            f"{count} refused: the maximum number of active rules has been reached, and none can be "
            "replaced, because all are pinned; archive one with memtool rules archive ID (memtool rules list "
            "prints the ids)"
        )


def _conclude(session: Session, outcomes: Sequence[CandidateResult], plan: Plan) -> int:
    """Show what became of the named candidates; the exit code."""
    _show_outcomes(session, outcomes)
    session.show_plan(plan)
    return 1 if any(outcome.effect == "refused" for outcome in outcomes) else 0


def _proposal_exit_code(outcomes: Sequence[CandidateResult]) -> int:
    return 2 if any(outcome.problem for outcome in outcomes) else 0


def _show_policy(session: Session, policy: WritePolicy) -> None:
    """Print every row of the policy, in the order in which rows are tried."""
    for lane, row in policy_rows(policy):
        if session.json:
            record = {"lane": lane, "rule": row.rule, "when": list(row.when), "action": row.action}
            output.put_json({**record, "reason": row.reason})
        else:
            conditions = " and ".join(row.when) or "always"
            output.put_row(lane, row.rule, row.action, f"{conditions}: {row.reason}")
