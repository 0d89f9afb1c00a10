"""`memtool facts`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import Command, Count
from memtool.cli.session import Session, pass_session
from memtool.core.records.turn import spell
from memtool.verbs.facts.facts import Shown, by_salience, facts, forget, show


@click.command(
    "facts",
    cls=Command,
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
@click.option("-n", "--limit", metavar="N", type=Count(min=1), help="Facts at most.")
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
    """See to the facts: list, top (by salience), show or forget.

    Prints a line a fact: its id, its category, path:line, and the fact; before these, for top, its salience.
    With --user, facts of that user and of nobody in particular. Exits 1 when there is none.
    """
    if (action in {"show", "forget"}) != bool(names):
        raise click.UsageError("show and forget take ids; list and top take none")
    mine = session.mine
    notices: list[str] = []
    if action == "forget":
        today = session.now.astimezone(session.zone).date()
        gone, plan = forget(session.workspace, names, today, mine, purge=purge)
        for fact in gone:
            if session.json:
                output.put_json({"id": fact.name, "forgotten": fact.text, "purged": purge})
            else:
                output.put(f"{fact.name}\t{output.printable(fact.text)}")
        if purge:
            session.notice("notes and transcripts may still say it; memtool search finds where")
        session.show_plan(plan)
        return 0
    if action == "show":
        found = []
        for name in names:
            shown = show(session.workspace, name, session.now, notices, mine)
            found += shown
            if not shown:
                notices.append(f"no fact has the id {name!r}; memtool facts list says which there are")
    else:
        found = facts(session.workspace, session.now, notices, category=category, mine=mine, old=old)
        found = (by_salience(found) if action == "top" else found)[:limit]
    for one in found:
        _show(session, one, action)
    for notice in notices:
        session.notice(notice)
    return 0 if found else 1


def _show(session: Session, one: Shown, action: str) -> None:
    fact, past, last = one.fact, one.fact.record.superseded, one.uses.last_accessed
    if session.json:
        output.put_json(
            {
                "id": fact.name,
                "path": str(fact.path),
                "line": fact.line,
                "category": fact.category,
                "owner": str(fact.owner) if fact.owner else None,
                "text": fact.text,
                "salience": round(one.salience, 6),
                "accesses": one.uses.accesses,
                "last_accessed": spell(last) if last else None,
                "superseded": {"on": past.on.isoformat(), "by": past.by} if past else None,
                **({"quotes": list(one.quotes)} if action == "show" else {}),
            }
        )
        return
    columns = [fact.name, fact.category, f"{fact.path}:{fact.line}", fact.text]
    if past:
        columns[-1] += f" (superseded {past.on.isoformat()}{f' by {past.by}' if past.by else ''})"
    if action == "top":
        columns.insert(0, f"{one.salience:.2f}")
    output.put("\t".join(map(output.printable, columns)))
    if action == "show":
        since = f", last on {spell(last)}" if last else ""
        output.put(f"  salience {one.salience:.2f}: asked for {one.uses.accesses} times{since}")
        for quote in one.quotes:
            output.put(f"  “{output.printable(quote)}”")
