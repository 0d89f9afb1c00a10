"""`memtool save`."""

from __future__ import annotations

import os
import shlex

import click

from memtool.cli import output
from memtool.cli.options import EMBEDDER_OPTION, REDACT_OPTION, MemtoolCommand
from memtool.cli.parse.inputs import text_of_words
from memtool.cli.render.effects import shown_effect, undo_call
from memtool.cli.session import Session, pass_session
from memtool.verbs.facts.save import save


@click.command(
    "save",
    cls=MemtoolCommand,
    epilog="""
memtool save "My cat's name is Whiskerino"          in the most similar category
memtool save --category goal "Ship the spring line"
memtool save --key city "I live in Tashkent"        a later fact with this key replaces it
echo "The kiln holds 80 litres" | memtool save
""",
)
@click.argument("words", metavar="[TEXT|-]", nargs=-1)
@click.option(
    "--category",
    metavar="NAME",
    help="Category of the fact [default: inferred from similar facts and the text]",
)
@click.option(
    "--key", metavar="KEY", help="Key of the fact; a later fact with this key replaces it [default: none]"
)
@REDACT_OPTION
@EMBEDDER_OPTION
@pass_session
def command(
    session: Session,
    words: tuple[str, ...],
    category: str | None,
    key: str | None,
    redact: bool,
    embedder: str | None,
) -> int:
    """Save a fact, and add it to the daily note

    The fact is stored with the other facts in its category. A fact that is already stored is not written
    again: its access count increases, and a different wording is added as evidence. Prints the id, the effect
    (written, updated, merged, known or forgotten; not-written with --incognito), the category, the file, and
    the owner (everybody, unless --user or --session is given). Exits 1, without saving, if the user has asked
    for this fact to be forgotten.
    """
    text = text_of_words(words, "save")
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
    effect = shown_effect(session, saved.effect)
    if session.json:
        record = {"id": saved.id, "effect": effect, "category": saved.category}
        owner = str(saved.owner) if saved.owner else None
        output.put_json({**record, "path": str(saved.path), "text": saved.text, "owner": owner})
    else:
        whose = str(saved.owner or "everybody")
        output.put_row(saved.id, effect, saved.category, str(saved.path), whose)
    for notice in (*index.notices, *saved.notices):
        session.notice(notice)
    undo = undo_call(session) if effect in {"written", "updated"} else None
    if category and saved.category not in session.workspace.layout.categories:
        from memtool.core.lint.lint_target import closest_category

        known = [*filter(None, session.workspace.layout.categories)]
        if near := closest_category(saved.category, known):
            first = f"run {undo}, and " if undo else ""
            session.notice(
                f"{saved.category!r} is a new category; if you meant {near!r}, {first}"
                f"save the fact with --category {near}"
            )
    if key and saved.owner is None and saved.id != f"k-{key}":
        session.notice(
            f"the fact with the key {key!r} has the id {saved.id}; to replace it later, save the new "
            "fact with the same --key"
        )
    if len(words) == 1 and os.path.isfile(text):
        what = (
            f"saved the path itself; to save the text of the file, run: {undo}; "
            if undo
            else ("this is a path; to save the text of the file, run: ")
        )
        session.notice(f"{what}memtool save < {shlex.quote(text)}")
    if saved.effect == "forgotten":
        tag = f"[{saved.owner}] " if saved.owner else ""
        session.notice(
            "nothing was saved: this fact was removed by an earlier forget command; to store it again, add "
            f"the line '- [{saved.category}] {tag}TEXT' to {saved.path} in an editor"
        )
    session.show_plan(saved.plan)
    return int(saved.effect == "forgotten")
