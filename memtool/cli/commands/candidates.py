"""`memtool candidates`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.facts.policy import Policy, describe
from memtool.errors import BadUsage
from memtool.verbs.facts.candidates import Done, Waiting, add, approve, decide, drop, held, policy, record_of
from memtool.verbs.memory.audit import decisions


@click.command(
    "candidates",
    cls=Command,
    epilog="""
extractor < message.txt | memtool candidates add --user ann --session s1   decide, commit or hold
extractor < message.txt | memtool candidates decide      what policy says, and nothing else
memtool candidates list --user marta                     what waits, and for what
memtool candidates explain c-9c881f672c72                the rule that fired; without an id, all of them
memtool candidates approve c-9c881f672c72                a person's word
memtool candidates drop c-f6ddcbe6d2c2
""",
)
@click.argument("action", type=click.Choice(["add", "decide", "list", "show", "approve", "drop", "explain"]))
@click.argument("names", metavar="[FILE|ID]...", nargs=-1)
@pass_session
def command(session: Session, action: str, names: tuple[str, ...]) -> int:
    """Propose memories, and see what becomes of them: add, decide, list, show, approve, drop or explain.

    Proposals are JSON Lines from any extractor: a lane (semantic or procedural), category, subject, predicate
    and object, or a rule, and the user's words as evidence_quote. A policy that anybody can read decides:
    memory now, at the session's end, once it is repeated, once a person approves, or never. Exits 1 when
    there was nothing, 2 when a line was no proposal.
    """
    by = policy(session.workspace.settings)
    if action in {"add", "decide"}:
        return _proposed(session, by, names, commits=action == "add")
    if action == "explain":
        return _explained(session, by, names)
    if action in {"approve", "drop"}:
        if not names:
            raise click.UsageError(f"name the candidates to {action} by their ids")
        if action == "approve":
            done, plan = approve(session.workspace, names, by, session.owner, session.now)
        else:
            done, plan = drop(session.workspace, names, by, session.owner, session.now)
        _show(session, done)
        session.show_plan(plan)
        return 1 if any(one.effect == "refused" for one in done) else 0
    return _listed(session, by, names, whole=action == "show")


def _proposed(session: Session, by: Policy, names: Sequence[str], *, commits: bool) -> int:
    if len(names) > 1:
        raise click.UsageError("give one file, or nothing for stdin")
    source: BinaryIO | None = None
    if names and names[0] != "-":
        session.refuse_files(names)
        try:
            source = open(names[0], "rb")  # noqa: SIM115  closed with the process
        except OSError as error:
            raise BadUsage(f"{names[0]} cannot be read: {error.strerror or error}") from error
    records = [_value(line) for line in whole_text(source, None).split("\n") if line.strip()]
    if not records:
        session.notice("no candidate was given")
        return 1
    if commits:
        owners = session.owners
        done, plan = add(session.workspace, records, by, session.owner, owners.get("session"), session.now)
        _show(session, done)
        session.show_plan(plan)
    else:
        done = tuple(decide(records, by, session.owner, session.owners.get("session")))
        _show(session, done)
    return 2 if any(one.problem for one in done) else 0


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _show(session: Session, done: Sequence[Done]) -> None:
    for number, one in enumerate(done, 1):
        if session.json:
            output.put_json(one.record())
        elif one.candidate is None or one.decision is None:
            output.say(f"line {number} {one.problem}; it was left out")
        else:
            decision = one.decision
            why = f"{decision.rule}: {decision.reason}"
            _row(one.candidate.id, one.effect, decision.action, why, *([str(one.path)] if one.path else []))
    if refused := sum(one.candidate is not None and one.effect == "refused" for one in done):
        session.notice(f"{refused} refused: all rules are pinned; archive one (memtool rules archive ID)")


def _row(*columns: str) -> None:
    output.put("\t".join(map(output.printable, columns)))


def _listed(session: Session, by: Policy, names: Sequence[str], *, whole: bool) -> int:
    notices: list[str] = []
    found = held(session.workspace, by, notices)
    owner = session.owner
    chosen = [one for one in found if owner is None or one.held.candidate.owner == owner]
    if whole:
        if not names:
            raise click.UsageError("name the candidates to show by their ids")
        chosen = [one for one in chosen if one.held.candidate.id in names]
        shown = {one.held.candidate.id for one in chosen}
        notices += [
            f"nothing waits under the id {name!r}; memtool candidates list says what does"
            for name in names
            if name not in shown
        ]
    for one in chosen:
        _waits(session, one, whole=whole)
    for notice in notices:
        session.notice(notice)
    return 0 if chosen else 1


def _waits(session: Session, one: Waiting, *, whole: bool) -> None:
    record = record_of(one)
    if session.json:
        output.put_json(record)
    elif whole:
        for key, value in record.items():
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            output.put(output.printable(f"{key}: {said}"))
    else:
        said = record.get("rule_text") or f"{record['subject']} {record['predicate']} {record['object']}"
        _row(record["id"], record["action"], said)


def _explained(session: Session, by: Policy, names: Sequence[str]) -> int:
    if not names:
        for lane, row in describe(by):
            conditions = " and ".join(row.when) or "always"
            if session.json:
                output.put_json(
                    {
                        "lane": lane,
                        "rule": row.rule,
                        "when": list(row.when),
                        "action": row.action,
                        "reason": row.reason,
                    }
                )
            else:
                _row(lane, row.rule, row.action, f"{conditions}: {row.reason}")
        return 0
    found = decisions(session.workspace, names)
    for one in found:
        if session.json:
            output.put_json(one)
        else:
            _row(one["at"], one["id"], one["action"], one["rule"])
    if not found:
        session.notice("no decision about that is on record")
    return 0 if found else 1
