"""`memtool trace`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.verbs.journal.trace import trace
from memtool.verbs.journal.trace_origin import TraceStep


@click.command(
    "trace",
    cls=MemtoolCommand,
    epilog="""
memtool trace "celadon, not in white"      by words of the line
memtool trace m-c80f12                     by the id of a fact or a rule
memtool trace MEMORY.md:13                 by path and line
memtool trace --json "short answers"       one JSON record per step
""",
)
@click.argument("text", nargs=-1, required=True)
@limit_option(5)
@click.option("--group", metavar="GROUP", help="Read only files that GROUP may read [default: MEMTOOL_GROUP]")
@pass_session
def command(session: Session, text: tuple[str, ...], limit: int, group: str | None) -> int:
    """Show where a line of memory comes from

    Prints the line as path:line: text, and indented below it, as far as they are known: the command that
    wrote it, the evidence and the decision to store it, the session state and the daily note that contain it,
    the turn in which it was said, and the file from which that turn was imported. Exits 1 when nothing is
    found.
    """
    scope = session.decide_scope(group)
    today = session.now.astimezone(session.zone).date()
    traced = trace(session.workspace, " ".join(text), session.search_indexes(), today, scope, limit=limit)
    for number, chain in enumerate(traced.chains, 1):
        for depth, link in enumerate(chain):
            _show(session, link, number, depth)
    for notice in traced.notices:
        session.notice(notice)
    if not traced.chains:
        session.notice(
            traced.fault
            or "no line of memory matches; give consecutive words of the line, the id of a fact, or path:line"
        )
    if traced.chains and not traced.has_origin:
        session.notice("origin unknown: no source is recorded")
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
    elif link.about.get("removed"):
        suffix = " (removed)"
    indent = "  " if depth else ""
    output.put_wrapped(output.printable(f"{indent}{place}"), output.printable(f"{link.text}{suffix}"))
