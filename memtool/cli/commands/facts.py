"""`memtool facts`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.records.semantic import FactTriple
from memtool.core.records.turn import format_moment
from memtool.verbs.facts.facts import ListedFact, forget_facts, list_facts, show_fact, sort_by_salience


@click.command(
    "facts",
    cls=MemtoolCommand,
    epilog="""
memtool facts list --category preference
memtool facts top -n 5                      the most prominent first
memtool facts show m-c80f12                 with what it superseded, and its evidence
memtool facts forget m-c80f12               it no longer counts, and stays in its file
memtool facts forget --purge m-c80f12       its line, salience and quotes are gone
""",
)
@click.argument("action", type=click.Choice(["list", "top", "show", "forget"]))
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--category", metavar="NAME", help="Only facts of this category; for list and top.")
@click.option("--all", "old", is_flag=True, help="Superseded facts too; for list.")
@click.option("-n", "--limit", metavar="N", type=LimitType(min=1), help="Facts at most.")
@click.option("--purge", is_flag=True, help="Take it out of the files for good; for forget.")
@pass_session
def command(
    session: Session,
    action: str,
    names: tuple[str, ...],
    category: str | None,
    old: bool,
    limit: int | None,
    purge: bool,
) -> int:
    """Manage facts: list, top (by salience), show or forget.

    Prints a line a fact: its id, its category, path:line, and the fact; before these, for top, its salience.
    With --user, facts of that user and of nobody in particular. Exits 1 when there is none.
    """
    if (action in {"show", "forget"}) != bool(names):
        raise click.UsageError("show and forget take ids; list and top take none")
    mine = session.owner_tags
    if action == "forget":
        return _forget(session, names, mine, purge=purge)
    notices: list[str] = []
    if action == "show":
        entries = _named(session, names, notices)
    else:
        entries = list_facts(
            session.visible_workspace, session.now, notices, category=category, include_superseded=old
        )
        entries = (sort_by_salience(entries) if action == "top" else entries)[:limit]
    for entry in entries:
        if session.json:
            _print_json(entry, quotes=action == "show")
        else:
            _print(entry, salience=action == "top", details=action == "show")
    for notice in notices:
        session.notice(notice)
    return 0 if entries else 1


def _forget(session: Session, names: Sequence[str], mine: frozenset[str], *, purge: bool) -> int:
    today = session.now.astimezone(session.zone).date()
    forgotten, plan = forget_facts(session.workspace, names, today, mine, purge=purge)
    for fact in forgotten:
        if session.json:
            output.put_json({"id": fact.name, "forgotten": fact.text, "purged": purge})
        else:
            output.put(f"{fact.name}\t{output.printable(fact.text)}")
    if purge:
        session.notice(
            "notes and transcripts may still contain it; remove it everywhere with memtool forget --match"
        )
    session.show_plan(plan)
    return 0


def _named(session: Session, names: Sequence[str], notices: list[str]) -> list[ListedFact]:
    """The facts with these ids; a notice for each id that no fact has."""
    entries: list[ListedFact] = []
    for name in names:
        found_facts = show_fact(session.visible_workspace, name, session.now, notices)
        entries += found_facts
        if not found_facts:
            notices.append(f"no fact with the id {name!r}; see memtool facts list")
    return entries


def _print_json(entry: ListedFact, *, quotes: bool) -> None:
    fact, superseded, last = entry.fact, entry.fact.record.superseded, entry.counts.last_accessed
    says = fact.record.fact
    triple = (says.subject, says.predicate, says.object) if isinstance(says, FactTriple) else (None,) * 3
    output.put_json(
        {
            "id": fact.name,
            "path": str(fact.path),
            "line": fact.line,
            "category": fact.category,
            "owner": str(fact.owner) if fact.owner else None,
            **dict(zip(("subject", "predicate", "object"), triple, strict=True)),
            "text": fact.text,
            "salience": round(entry.salience, 6),
            "accesses": entry.counts.accesses,
            "last_accessed": format_moment(last) if last else None,
            "superseded": {"on": superseded.on.isoformat(), "by": superseded.by} if superseded else None,
            **({"quotes": list(entry.quotes)} if quotes else {}),
        }
    )


def _print(entry: ListedFact, *, salience: bool, details: bool) -> None:
    """Print a fact on one line; with its salience in front, or with details on the lines after it."""
    fact, superseded = entry.fact, entry.fact.record.superseded
    columns = [fact.name, fact.category, f"{fact.path}:{fact.line}", fact.text]
    if superseded:
        successor = f" by {superseded.by}" if superseded.by else ""
        columns[-1] += f" (superseded {superseded.on.isoformat()}{successor})"
    if salience:
        columns.insert(0, f"{entry.salience:.2f}")
    output.put_row(*columns)
    if details:
        last = entry.counts.last_accessed
        since = f", last on {format_moment(last)}" if last else ""
        output.put(f"  salience {entry.salience:.2f}: accessed {entry.counts.accesses} times{since}")
        for quote in entry.quotes:
            output.put(f"  “{output.printable(quote)}”")
