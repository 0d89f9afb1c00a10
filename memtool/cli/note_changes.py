"""What `memtool note` makes and moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from memtool.cli import output
from memtool.cli.inputs import whole_text
from memtool.cli.session import Session
from memtool.verbs import note_new


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
        group=options["group"],
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
