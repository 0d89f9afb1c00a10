"""`memtool note`."""

from __future__ import annotations

import os
from collections.abc import Mapping

import click

from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session

_OPTION_ACTIONS = {
    "--tag": "new",
    "--to": "new",
    "--body": "new",
    "--title": "mv",
    "--format": "graph",
    "--from": "graph",
    "--depth": "graph",
    "--tags": "graph",
}
"""The action of each option that belongs to one action."""
_WORDS = {
    "show": (1, 1),
    "mv": (1, 2),
    "links": (0, 1),
    "backlinks": (1, 1),
    "orphans": (0, 0),
    "broken": (0, 0),
    "tags": (0, 1),
    "graph": (0, 0),
}
"""How many words each action takes, at least and at most; `new` takes a title of any number of words."""


@click.command(
    "note",
    cls=MemtoolCommand,
    epilog="""
memtool note new "Crawling glaze" --tag glaze --to inbox   its path is printed
memtool note new "Crawling glaze" - < thoughts.txt         with a text
memtool note show "Kiln schedule"                          by title, id, name, alias or path
memtool note links celadon                                 where it leads
memtool note backlinks celadon                             what leads to it, with the words around
memtool note orphans                                       notes that nothing links to
memtool note broken                                        links that lead nowhere
memtool note tags                                          every tag, and how many notes have it
memtool note tags glaze                                    the notes with a tag, nested ones too
memtool note mv celadon zettel/glazes/                     links and cards of canvases follow
memtool note mv celadon --title "Celadon glaze"
memtool note graph --format html > graph.html
memtool note graph --from celadon --depth 2 --format mermaid
""",
)
@click.argument(
    "action",
    type=click.Choice(["new", "show", "mv", "links", "backlinks", "orphans", "broken", "tags", "graph"]),
)
@click.argument("words", metavar="[NOTE|TITLE|TAG|TARGET]...", nargs=-1)
@click.option("--tag", "labels", metavar="TAG", multiple=True, help="A tag of a new note; repeat for more.")
@click.option("--to", metavar="PLACE", help="Where a new note goes: inbox, zettel, maps, or a folder.")
@click.option("--body", metavar="TEXT", help="The text of a new note; or - as the last word, for stdin.")
@click.option("--title", metavar="TITLE", help="A new title; for mv.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["dot", "mermaid", "json", "svg", "html"]),
    help="How a graph is drawn. [default: dot]",
)
@click.option("--from", "start", metavar="NOTE", help="Only what is linked with this note; for graph.")
@click.option(
    "--depth", metavar="N", type=click.IntRange(min=0), help="How many links away from it. [default: 1]"
)
@click.option("--tags", "with_tags", is_flag=True, help="Include tags as nodes of the graph.")
@click.option("--group", metavar="GROUP", help="Notes of this group.")
@pass_session
def command(
    session: Session,
    /,
    action: str,
    words: tuple[str, ...],
    labels: tuple[str, ...],
    to: str | None,
    body: str | None,
    title: str | None,
    form: str | None,
    start: str | None,
    depth: int | None,
    with_tags: bool,
    group: str | None,
) -> int:
    """Keep a notebook: make, show and move notes, and follow the links between them.

    Links are read as Obsidian does: [[wikilinks]] by file name, path, id, title or alias, with headings and
    blocks, embeds, and Markdown links; never in code. Where one could mean several files, which are named,
    it leads to the nearest. Exits 1 when there is none of what was asked for; orphans and broken exit 1 when
    there are some, and 3 when there are none but something could not be read.
    """
    from memtool.cli.commands.note_actions import ACTIONS, NoteOptions

    _check_options(
        action,
        {
            "--tag": labels,
            "--to": to,
            "--body": body,
            "--title": title,
            "--format": form,
            "--from": start,
            "--depth": depth,
            "--tags": with_tags,
        },
    )
    _check_words(action, words)
    if depth is not None and start is None:
        raise click.UsageError("--depth goes with --from")
    options = NoteOptions(
        scope=session.decide_scope(group, writes=action in {"new", "mv"}),
        labels=labels,
        to=to,
        body=body,
        title=title,
        form=form,
        start=start,
        depth=depth,
        with_tags=with_tags,
    )
    return ACTIONS[action](session, tuple(_relative(session, word) for word in words), options)


def _check_options(action: str, values: Mapping[str, object]) -> None:
    """Raise UsageError for an option that belongs to another action; `values` are by option, as parsed."""
    for option, owner in _OPTION_ACTIONS.items():
        if values[option] not in {None, False, ()} and action != owner:
            raise click.UsageError(f"{option} goes with note {owner}")


def _check_words(action: str, words: tuple[str, ...]) -> None:
    """Raise UsageError for more or fewer words than the action takes."""
    if action == "new":
        if not any(word != "-" for word in words):
            raise click.UsageError("note new takes a title")
        return
    least, most = _WORDS[action]
    if words and most == 0:
        raise click.UsageError(f"note {action} takes no name")
    if len(words) > most:
        raise click.UsageError(f"note {action} takes one name; put one with blanks in it in quotes")
    if len(words) < least:
        raise click.UsageError(f"note {action} takes a note: its path, id or title")


def _relative(session: Session, name: str) -> str:
    """A name as it is; an absolute path into the workspace, as editors give it, relative to the root."""
    if not os.path.isabs(name):
        return name
    inside = os.path.relpath(os.path.realpath(name), session.root)
    return name if inside.startswith("..") else inside
