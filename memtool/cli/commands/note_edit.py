"""The actions of `memtool note` on notes: new, show and mv."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.commands.note_lookup import GROUP, find_note, load_graph, relative_name
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import text_for_model
from memtool.verbs.notes import note_move, note_new, notes


@click.command(
    "new",
    cls=MemtoolCommand,
    epilog="""
memtool note new "Crawling glaze"
memtool note new "Crawling glaze" --tag glaze --to zettel --body "See [[Celadon]]."
memtool note new "Crawling glaze" - < thoughts.txt
""",
)
@click.argument("words", metavar="TITLE...", nargs=-1, required=True)
@click.option(
    "--tag", "labels", metavar="TAG", multiple=True, help="Tag to add; repeatable [default: no tag]"
)
@click.option(
    "--to", metavar="PLACE", help="Where to put the note: inbox, zettel, maps or a folder [default: inbox]"
)
@click.option(
    "--body",
    metavar="TEXT",
    help="Text of the note; to read it from stdin, give - after TITLE instead [default: empty]",
)
@GROUP
@pass_session
def new(
    session: Session,
    /,
    words: tuple[str, ...],
    labels: tuple[str, ...],
    to: str | None,
    body: str | None,
    group: str | None,
) -> int:
    """Create a note, and print its path

    If a note with this title and text already exists, prints its path and changes nothing. Exits 13 if
    --to names a folder outside the workspace.
    """
    if not any(word != "-" for word in words):
        raise click.UsageError("missing title: give it before '-'")
    if words[-1] == "-":
        if body is not None:
            raise click.UsageError("give the text with --body or on stdin, not both")
        words, body = words[:-1], whole_text(None, None)
    scope = session.decide_scope(group, writes=True)
    to = None if to is None else relative_name(session, to)
    notices: list[str] = []
    created = note_new.create_note(
        session.workspace,
        " ".join(words),
        session.now,
        notices,
        tags=labels,
        to=to,
        body=body or "",
        scope=scope,
        owner=session.owner,
    )
    for notice in notices:
        session.notice(notice)
    if not created.is_new:
        session.notice("this note already exists")
    if "/" in created.title and to is None:
        session.notice(f"{created.title!r} was used as the title; to put the note in a folder, use --to")
    if session.json and not session.dry_run:
        output.put_json(
            {"path": created.path, "id": created.id, "title": created.title, "new": created.is_new}
        )
    elif not session.dry_run:
        output.put(output.printable(created.path))
    session.show_plan(created.plan)
    return 0


@click.command(
    "show",
    cls=MemtoolCommand,
    epilog="""
memtool note show "Kiln schedule"
memtool note show celadon --json
""",
)
@click.argument("name", metavar="NOTE")
@GROUP
@pass_session
def show(session: Session, /, name: str, group: str | None) -> int:
    """Print a note

    NOTE is a title, id, alias, file name or path. Removes control and invisible characters, as `memtool get`
    does; `memtool get --raw PATH` prints the exact bytes. Exits 1 if there is no such note.
    """
    link_graph, notices = load_graph(session, group)
    note = find_note(session, link_graph, name)
    if note is None:
        return 3 if notices else 1
    text = text_for_model(note.text)
    if session.json:
        links, backlinks = link_graph.links(note.path), link_graph.backlinks(note.path)
        counts = {"links": len(links), "backlinks": len(backlinks)}
        output.put_json({**notes.node_json(note), **counts, "text": text})
    else:
        output.put_text(text)
    return 0


@click.command(
    "mv",
    cls=MemtoolCommand,
    epilog="""
memtool note mv celadon zettel/glazes/
memtool note mv celadon --title "Celadon glaze"
memtool note mv kiln-schedule firing-program --dry-run
""",
)
@click.argument("name", metavar="NOTE")
@click.argument("to", metavar="[TARGET]", required=False)
@click.option("--title", metavar="TITLE", help="New title [default: unchanged]")
@GROUP
@pass_session
def mv(session: Session, /, name: str, to: str | None, title: str | None, group: str | None) -> int:
    """Move or rename a note, and update all links to it

    TARGET is a folder (ending in `/`) or a new path; `.md` may be omitted. Cards on Obsidian canvases
    are updated too. Prints the new path. Exits 1 if there is no such note.
    """
    if to is None and title is None:
        raise click.UsageError("missing TARGET or --title")
    scope = session.decide_scope(group, writes=True)
    name, to = relative_name(session, name), None if to is None else relative_name(session, to)
    notices: list[str] = []
    moved = note_move.move_note(session.workspace, name, to, title, notices, scope=scope)
    for notice in notices:
        session.notice(notice)
    if notices and moved is not None:
        session.notice("links in the files that could not be read were not updated")
    if moved is None:
        find_note(session, load_graph(session, group)[0], name)  # says what was probably meant
        return 1
    if not moved.plan:
        session.notice(
            "nothing to do: the note already has the requested path and title, and all links to it are "
            "correct"
        )
    elif not session.dry_run:
        links, files = output.plural(moved.links, "link"), output.plural(len(moved.files), "file")
        session.notice(f"{links} updated in {files}" if moved.links else "no links to update")
    if session.json and not session.dry_run:
        values = {"path": moved.new, "from": moved.old, "title": moved.title, "links": moved.links}
        output.put_json({**values, "files": list(moved.files)})
    elif not session.dry_run:
        output.put(output.printable(moved.new))
    session.show_plan(moved.plan)
    return 0
