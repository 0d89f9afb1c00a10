"""`memtool learn`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.verbs.facts.learn import KINDS, learn


@click.command(
    "learn",
    cls=MemtoolCommand,
    epilog="""
memtool learn correction "The order is for 48 mugs, not 40"
memtool learn error --tool ffmpeg "needs -y to write over a file"
memtool learn win "A table of the three offers, with the cheapest first"
make 2>&1 | tail -1 | memtool learn error --tool make
""",
)
@click.argument("kind", type=click.Choice(sorted(KINDS)))
@click.argument("words", metavar="[TEXT|-]", nargs=-1)
@click.option("--tool", metavar="NAME", help="The tool that failed; it stands before the text.")
@pass_session
def command(session: Session, kind: str, words: tuple[str, ...], tool: str | None) -> int:
    """Record an error, a correction by the user or what worked, for the next prompts.

    What is known already is not written again; past 50,000 characters the older half moves to an archive.
    Prints `learnt` for a new entry or `known` for one that exists, and the file. What was forgotten is not
    written again; the exit code is 1 then.
    """
    text = whole_text(None, None) if words in {(), ("-",)} else " ".join(words)
    learnt = learn(session.workspace, kind, text, session.now, session.owner, tool)
    if learnt.is_forgotten:
        return 1
    effect = "learnt" if learnt.is_new else "known"
    if session.json:
        output.put_json({"effect": effect, "path": str(learnt.path), "text": learnt.line})
    else:
        output.put(f"{effect}\t{output.printable(str(learnt.path))}")
    if learnt.archived:
        session.notice(f"{learnt.archived} older learnings archived")
    session.show_plan(learnt.plan)
    return 0
