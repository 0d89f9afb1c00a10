"""What `memtool note` makes and moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from memtool.cli import output
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session
from memtool.verbs.notes import note_move, note_new


def new(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Make a note, and print its path."""
    body = options["body"]
    if words[-1] == "-":
        if body is not None:
            raise click.UsageError("give the text with --body or on stdin, not both")
        words, body = words[:-1], whole_text(None, None)
    notices: list[str] = []
    made = note_new.new(
        session.workspace,
        " ".join(words),
        session.now,
        notices,
        tags=options["labels"],
        to=options["to"],
        body=body or "",
        scope=options["scope"],
    )
    for notice in notices:
        session.notice(notice)
    if not made.is_new:
        session.notice("just this note is there already")
    if session.json and not session.dry_run:
        output.put_json({"path": made.path, "id": made.id, "title": made.title, "new": made.is_new})
    elif not session.dry_run:
        output.put(output.printable(made.path))
    session.show_plan(made.plan)
    return 0


def mv(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Move a note, and print where it is."""
    to = words[1] if len(words) > 1 else None
    if to is None and options["title"] is None:
        raise click.UsageError("name where the note goes, or its new --title")
    notices: list[str] = []
    moved = note_move.move(session.workspace, words[0], to, options["title"], notices, scope=options["scope"])
    for notice in notices:
        session.notice(f"{notice}; links in it stay as they are")
    if moved is None:
        session.notice(f"no note is called {words[0]!r}")
        return 1
    if not moved.plan:
        session.notice("it is there already, and all links lead to it")
    elif not session.dry_run:
        what = "1 link" if moved.links == 1 else f"{moved.links} links"
        where = "1 file" if len(moved.files) == 1 else f"{len(moved.files)} files"
        session.notice(f"{what} in {where} followed" if moved.links else "no link had to change")
    if session.json and not session.dry_run:
        record = {"path": moved.new, "from": moved.old, "title": moved.title, "links": moved.links}
        output.put_json({**record, "files": list(moved.files)})
    elif not session.dry_run:
        output.put(output.printable(moved.new))
    session.show_plan(moved.plan)
    return 0


ACTIONS = {"new": new, "mv": mv}
"""Each action that changes something, by its name."""
