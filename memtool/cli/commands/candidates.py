"""`memtool candidates`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.facts.policy import WritePolicy, policy_rows
from memtool.core.records.plan import Plan
from memtool.errors import BadUsage
from memtool.verbs.facts import candidates
from memtool.verbs.facts.candidates import CandidateResult, PendingCandidate, pending_record
from memtool.verbs.memory_files.audit import decisions_about


@click.command(
    "candidates",
    cls=MemtoolCommand,
    epilog="""
extractor < message.txt | memtool candidates add --user ann --session s1   decide, commit or hold
extractor < message.txt | memtool candidates decide      what policy says, and nothing else
memtool candidates list --user marta                     what waits, and for what
memtool candidates explain c-9c881f672c72                the rule that fired; without an id, all of them
memtool candidates approve c-9c881f672c72                a person's word
memtool candidates drop c-f6ddcbe6d2c2
memtool candidates prompt                                what to ask a model that finds proposals
""",
)
@click.argument(
    "action", type=click.Choice(["add", "decide", "list", "show", "approve", "drop", "explain", "prompt"])
)
@click.argument("names", metavar="[FILE|ID]...", nargs=-1)
@pass_session
def command(session: Session, action: str, names: tuple[str, ...]) -> int:
    """Propose memories, and see what becomes of them.

    Proposals are JSON Lines from any extractor: a lane (semantic or procedural), category, subject, predicate
    and object, or a rule, and the user's words as evidence_quote or evidence. A policy that anybody can read
    decides: memory now, at the session's end, once it is repeated, once a person approves, or never. `prompt`
    prints a prompt with which any model makes proposals of the messages after it. Exits 1 when there was
    nothing, 2 when a line was no proposal.
    """
    return _ACTIONS[action](session, candidates.load_policy(session.workspace.settings), names)


def _add(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    records = _proposals(session, names)
    if not records:
        return 1
    owners = session.owner_ids
    outcomes, plan = candidates.add_proposals(
        session.workspace, records, policy, session.owner, owners.get("session"), session.now
    )
    _show_outcomes(session, outcomes)
    session.show_plan(plan)
    return _proposal_exit_code(outcomes)


def _decide(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    records = _proposals(session, names)
    if not records:
        return 1
    outcomes = tuple(
        candidates.decide_proposals(records, policy, session.owner, session.owner_ids.get("session"))
    )
    _show_outcomes(session, outcomes)
    return _proposal_exit_code(outcomes)


def _list(session: Session, policy: WritePolicy, _: Sequence[str]) -> int:
    notices: list[str] = []
    waiting = _held_candidates(session, policy, notices)
    for candidate in waiting:
        record = pending_record(candidate)
        if session.json:
            output.put_json(record)
        else:
            claim = record.get("rule_text") or f"{record['subject']} {record['predicate']} {record['object']}"
            output.put_row(record["id"], record["action"], claim)
    for notice in notices:
        session.notice(notice)
    return 0 if waiting else 1


def _show(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    notices: list[str] = []
    waiting = _held_candidates(session, policy, notices)
    if not names:
        raise click.UsageError("name the candidates to show by their ids")
    chosen = [entry for entry in waiting if entry.held.candidate.id in names]
    ids = {entry.held.candidate.id for entry in chosen}
    notices += [
        f"no candidate with the id {name!r} is waiting; see memtool candidates list"
        for name in names
        if name not in ids
    ]
    for candidate in chosen:
        record = pending_record(candidate)
        if session.json:
            output.put_json(record)
            continue
        for key, value in record.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            output.put(output.printable(f"{key}: {text}"))
    for notice in notices:
        session.notice(notice)
    return 0 if chosen else 1


def _approve(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    if not names:
        raise click.UsageError("name the candidates to approve by their ids")
    outcomes, plan = candidates.approve_candidates(
        session.workspace, names, policy, session.owner_tags, session.now
    )
    return _conclude(session, outcomes, plan)


def _drop(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    if not names:
        raise click.UsageError("name the candidates to drop by their ids")
    outcomes, plan = candidates.drop_candidates(
        session.workspace, names, policy, session.owner_tags, session.now
    )
    return _conclude(session, outcomes, plan)


def _explain(session: Session, policy: WritePolicy, names: Sequence[str]) -> int:
    if not names:
        _show_policy(session, policy)
        return 0
    records = decisions_about(session.workspace, names)
    for record in records:
        if session.json:
            output.put_json(record)
        else:
            output.put_row(record["at"], record["id"], record["action"], record["rule"])
    if not records:
        session.notice("no decision recorded for it")
    return 0 if records else 1


def _prompt(_session: Session, _policy: WritePolicy, _names: Sequence[str]) -> int:
    output.put_raw(candidates.extractor_prompt())
    return 0


_ACTIONS: dict[str, Callable[[Session, WritePolicy, Sequence[str]], int]] = {
    "add": _add,
    "decide": _decide,
    "list": _list,
    "show": _show,
    "approve": _approve,
    "drop": _drop,
    "explain": _explain,
    "prompt": _prompt,
}
"""Each action: takes the files or ids of the command line, and returns the exit code."""


def _proposals(session: Session, names: Sequence[str]) -> list[Any]:
    """The JSON value of each line of the file, or of stdin; None for a line that is not JSON.

    An empty list is no proposal: an extractor prints it if it finds nothing. Raises UsageError and BadUsage.
    """
    if len(names) > 1:
        raise click.UsageError("give one file, or nothing for stdin")
    source: BinaryIO | None = None
    if names and names[0] != "-":
        session.refuse_files(names)
        try:
            source = open(names[0], "rb")  # noqa: SIM115  closed with the process
        except OSError as error:
            raise BadUsage(f"{names[0]} cannot be read: {error.strerror or error}") from error
    values = [_json_value(line) for line in whole_text(source, None).split("\n") if line.strip()]
    records = [value for value in values if value != []]
    if not records:
        session.notice("no candidate given")
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
            output.put_json(outcome.record())
        elif outcome.candidate is None or outcome.decision is None:
            output.print_message(f"line {number} {outcome.problem}; skipped")
        else:
            decision = outcome.decision
            columns = [outcome.candidate.id, outcome.effect, decision.action]
            columns.append(f"{decision.rule}: {decision.reason}")
            output.put_row(*columns, *([str(outcome.path)] if outcome.path else []))
    if refused := sum(each.candidate is not None and each.effect == "refused" for each in outcomes):
        session.notice(f"{refused} refused: all rules are pinned; archive one with memtool rules archive ID")


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
