"""`memtool note`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from memtool.cli.options import Command
from memtool.cli.session import Session, pass_session

_NAMED = {"show", "backlinks", "mv"}  # these take a note; links and tags may go without


@click.command(
    "note",
    cls=Command,
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
@click.option("--tags", "with_tags", is_flag=True, help="Tags are knots of the graph, too.")
@click.option("--group", metavar="GROUP", help="Notes of this group.")
@pass_session
def command(session: Session, /, action: str, words: tuple[str, ...], **options: Any) -> int:
    """Keep a notebook: make, show and move notes, and follow the links between them.

    Links are read as Obsidian does: [[wikilinks]] by file name, path, id, title or alias, with headings and
    blocks, embeds, and Markdown links; never in code. Where one could mean several files, which are named,
    it leads to the nearest. Exits 1 when there is none of what was asked for; orphans and broken exit 1 when
    there are some, and 3 when there are none but something could not be read.
    """
    from memtool.cli.render import note_changes, note_views

    _check(action, words, options)
    options["scope"] = session.decide_scope(options["group"], writes=action in {"new", "mv"})
    run: Callable[..., int] = {**note_changes.ACTIONS, **note_views.ACTIONS}[action]
    return run(session, tuple(_relative(session, one) for one in words), options)


def _check(action: str, words: tuple[str, ...], options: dict[str, Any]) -> None:
    """Refuse what does not go with an action. Raises UsageError."""
    belongs = {
        "labels": {"new"}, "to": {"new"}, "body": {"new"}, "title": {"mv"},
        "form": {"graph"}, "start": {"graph"}, "depth": {"graph"}, "with_tags": {"graph"},
    }  # fmt: skip
    spelt = {"labels": "tag", "form": "format", "start": "from", "with_tags": "tags"}
    for name, actions in belongs.items():
        given = options[name] not in {None, False, ()}
        if given and action not in actions:
            raise click.UsageError(f"--{spelt.get(name, name)} goes with note {'/'.join(sorted(actions))}")
    if action in {"orphans", "broken", "graph"} and words:
        raise click.UsageError(f"note {action} takes no name")
    if action == "new" and not any(word != "-" for word in words):
        raise click.UsageError("note new takes a title")
    if action in {*_NAMED, "links", "tags"} and len(words) > (2 if action == "mv" else 1):
        raise click.UsageError(f"note {action} takes one name; put one with blanks in it in quotes")
    if action in _NAMED and not words:
        raise click.UsageError(f"note {action} takes a note: its path, id or title")
    if options["depth"] is not None and options["start"] is None:
        raise click.UsageError("--depth goes with --from")


def _relative(session: Session, name: str) -> str:
    """A name, or, of an absolute path into the workspace, as editors give them, the path from the root."""
    if not os.path.isabs(name):
        return name
    inside = os.path.relpath(os.path.realpath(name), session.root)
    return name if inside.startswith("..") else inside
