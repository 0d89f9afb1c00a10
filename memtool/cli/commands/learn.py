"""`memtool learn`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import text_of_words
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session, pass_session
from memtool.verbs.facts.learn import learn

_TEXT = click.argument("words", metavar="[TEXT|-]...", nargs=-1)


@click.command(
    "error",
    cls=MemtoolCommand,
    epilog="""
memtool learn error --tool ffmpeg "needs -y to overwrite a file"
make 2>&1 | tail -1 | memtool learn error --tool make
""",
)
@_TEXT
@click.option("--tool", metavar="NAME", help="Name of the tool that failed [default: none]")
@pass_session
def _error(session: Session, words: tuple[str, ...], tool: str | None) -> int:
    """Record an error made by a tool or by the agent

    Without TEXT, or if TEXT is `-`, reads stdin. Exits 1, without recording anything, if the user has
    asked for this text to be forgotten.
    """
    return _record(session, "error", words, tool)


@click.command(
    "correction",
    cls=MemtoolCommand,
    epilog="""
memtool learn correction "The order is for 48 mugs, not 40"
memtool learn correction - < correction.txt
""",
)
@_TEXT
@pass_session
def _correction(session: Session, words: tuple[str, ...]) -> int:
    """Record a correction by the user

    Without TEXT, or if TEXT is `-`, reads stdin. Exits 1, without recording anything, if the user has
    asked for this text to be forgotten.
    """
    return _record(session, "correction", words)


@click.command(
    "win",
    cls=MemtoolCommand,
    epilog="""
memtool learn win "A table of the three offers, with the cheapest first"
memtool learn win --dry-run "Short answers in the morning"
""",
)
@_TEXT
@pass_session
def _win(session: Session, words: tuple[str, ...]) -> int:
    """Record what worked well

    Without TEXT, or if TEXT is `-`, reads stdin. Exits 1, without recording anything, if the user has
    asked for this text to be forgotten.
    """
    return _record(session, "win", words)


command = ActionGroup(
    "learn",
    [_correction, _error, _win],
    help="""Record an error, a correction or a success for later prompts

Prints `learnt` for a new entry (`not-written` with --incognito) or `known` for an existing one, and the path
of its file. When the file exceeds 50,000 characters, its older half is moved to an archive.""",
    epilog="""
memtool learn correction "The order is for 48 mugs, not 40"
memtool learn error --tool ffmpeg "needs -y to overwrite a file"
memtool learn win "A table of the three offers, with the cheapest first"
""",
)


def _record(session: Session, kind: str, words: tuple[str, ...], tool: str | None = None) -> int:
    """Record a text, or stdin where there is none; the exit code."""
    text = text_of_words(words, f"learn {kind}")
    learnt = learn(session.workspace, kind, text, session.now, session.owner, tool)
    if learnt.is_forgotten:
        return 1
    effect = shown_effect(session, "learnt" if learnt.is_new else "known")
    if session.json:
        output.put_json({"effect": effect, "path": str(learnt.path), "text": learnt.line})
    else:
        session.report(effect, str(learnt.path))
    if learnt.archived:
        session.notice(f"{output.plural(learnt.archived, 'older learning')} archived")
    session.show_plan(learnt.plan)
    return 0
