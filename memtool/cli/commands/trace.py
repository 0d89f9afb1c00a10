"""`memtool trace`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.journal.trace import trace
from memtool.verbs.journal.trace_origin import TraceStep


@click.command(
    "trace",
    cls=MemtoolCommand,
    epilog="""
memtool trace "celadon, not in white"      from words of the line
memtool trace m-c80f12                     from the id of a fact or a rule
memtool trace MEMORY.md:13                 from where it stands
memtool trace --json "short answers"       a record for each step
""",
)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "-n", "--limit", metavar="N", type=LimitType(min=1), default=5, help="Lines at most. [default: 5]"
)
@click.option("--group", metavar="GROUP", help="As this group: what it may read.")
@pass_session
def command(session: Session, text: tuple[str, ...], limit: int, group: str | None) -> int:
    """Say where a line of memory comes from, step by step down to who said it.

    Prints the line as path:line: text, and indented below it the command that wrote it, the evidence and the
    decision that let it in, the session state and the daily note that say it, the turn in which it was said,
    and where that turn was imported from; as much as is known. Exits 1 when nothing is.
    """
    scope = session.decide_scope(group)
    today = session.now.astimezone(session.zone).date()
    traced = trace(session.workspace, " ".join(text), session.search_indexes(), today, scope, limit=limit)
    for number, chain in enumerate(traced.chains, 1):
        for depth, link in enumerate(chain):
            _show(session, link, number, depth)
    for notice in traced.notices:
        session.notice(notice)
    if traced.chains and not traced.has_origin:
        session.notice("origin unknown: no recorded source")
    return 0 if traced.has_origin else 1


def _show(session: Session, link: TraceStep, chain: int, depth: int) -> None:
    if session.json:
        where = {"path": link.path, "line": link.line, "text": link.text}
        output.put_json({"chain": chain, "step": link.kind, **where, "about": dict(link.about)})
        return
    place = f"{link.path}:{link.line}: " if link.line else f"{link.path}: " if link.path else ""
    suffix = ""
    if link.kind == "evidence":
        fields = [f"{name} {link.about[name]}" for name in ("session", "turn", "at") if link.about.get(name)]
        suffix = f" ({', '.join(fields)})" if fields else ""
    elif link.about.get("gone"):
        suffix = " (no longer there)"
    output.put(output.printable(f"{'  ' if depth else ''}{place}{link.text}{suffix}"))
