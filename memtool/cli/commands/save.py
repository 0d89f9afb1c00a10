"""`memtool save`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import REDACT_OPTION, MemtoolCommand
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.verbs.facts.save import save


@click.command(
    "save",
    cls=MemtoolCommand,
    epilog="""
memtool save "My cat's name is Whiskerino"          into the nearest category
memtool save --category goal "Ship the spring line"
memtool save --key city "I live in Tashkent"        the same key later updates it
echo "The kiln holds 80 litres" | memtool save
""",
)
@click.argument("words", metavar="[TEXT|-]", nargs=-1)
@click.option("--category", metavar="NAME", help="What it is a fact of, if not what it is most like.")
@click.option("--key", metavar="KEY", help="What it is kept under: the next fact of this key replaces it.")
@REDACT_OPTION
@click.option("--embedder", metavar="CMD", help="A command that makes vectors of texts.")
@pass_session
def command(
    session: Session,
    words: tuple[str, ...],
    category: str | None,
    key: str | None,
    redact: bool,
    embedder: str | None,
) -> int:
    """Save a fact: into the note of the day, and among the facts of its category.

    A fact that memory knows already is not written again: it counts as asked for, and other words for it are
    kept as evidence. Prints its id, what became of it (written, updated, merged, known or forgotten), its
    category, its file and its owner: everybody, unless --user or --session names one. What was forgotten is
    not saved again; the exit code is 1 then.
    """
    text = whole_text(None, None) if words in {(), ("-",)} else " ".join(words)
    index = session.fact_index(embedder)
    moment = session.now.astimezone(session.zone)
    saved = save(
        session.workspace,
        text,
        index,
        at=moment,
        owner=session.owner,
        category=category,
        key=key,
        redacts=redact,
    )
    index.close()
    if session.json:
        record = {"id": saved.id, "effect": saved.effect, "category": saved.category}
        owner = str(saved.owner) if saved.owner else None
        output.put_json({**record, "path": str(saved.path), "text": saved.text, "owner": owner})
    else:
        whose = str(saved.owner or "everybody")
        output.put_row(saved.id, saved.effect, saved.category, str(saved.path), whose)
    for notice in (*index.notices, *saved.notices):
        session.notice(notice)
    if saved.effect == "forgotten":
        session.notice("this fact was forgotten before; nothing was saved")
    session.show_plan(saved.plan)
    return int(saved.effect == "forgotten")
