"""The actions of `memtool note` on links and tags: links, backlinks, orphans, broken, tags and graph."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtool.cli import output
from memtool.cli.commands.note_lookup import GROUP, find_note, load_graph
from memtool.cli.options import MemtoolCommand, output_format
from memtool.cli.session import Session, pass_session
from memtool.core.notes.graph_text import MERMAID_EDGES, graph_record
from memtool.errors import CouldNotTell
from memtool.verbs.notes import note_graph, notes
from memtool.verbs.notes.link_graph import LinkEdge, LinkGraph

_FAULTS = {
    "missing": "no such file",
    "unwritten": "not written yet",
    "heading": "no such heading in",
    "block": "no such block in",
    "unchecked": "not checked",
}
_FORMATS = ("dot", "mermaid", "json", "svg", "html")


@click.command(
    "links",
    cls=MemtoolCommand,
    epilog="""
memtool note links celadon
memtool note links --json
""",
)
@click.argument("name", metavar="[NOTE]", required=False)
@GROUP
@pass_session
def links(session: Session, /, name: str | None, group: str | None) -> int:
    """Print the links in a note, or all links

    Prints a line for each link: path:line:column, the link, and the file that it points to. Exits 1 if there
    are no links.
    """
    link_graph, notices = load_graph(session, group)
    edges: Sequence[LinkEdge] = link_graph.edges
    if name is not None:
        note = find_note(session, link_graph, name)
        if note is None:
            return 3 if notices else 1
        edges = link_graph.links(note.path)
    for edge in edges:
        _show_link(session, link_graph, edge)
    return _conclude(session, edges, "no links", notices)


@click.command(
    "backlinks",
    cls=MemtoolCommand,
    epilog="""
memtool note backlinks celadon
memtool note backlinks "Test tiles" --json
""",
)
@click.argument("name", metavar="NOTE")
@GROUP
@pass_session
def backlinks(session: Session, /, name: str, group: str | None) -> int:
    """Print the links to a note, each with the line that contains it

    Exits 1 if there are no such links.
    """
    link_graph, notices = load_graph(session, group)
    note = find_note(session, link_graph, name)
    if note is None:
        return 3 if notices else 1
    edges = link_graph.backlinks(note.path)
    for edge in edges:
        context = notes.link_context(edge)
        if session.json:
            title = edge.source.head.title
            output.put_json({**notes.edge_json(link_graph, edge), "title": title, "context": context})
        else:
            output.put(output.format_location(edge.source.path, edge.link.line, edge.link.column, context))
    return _conclude(session, edges, f"no note links to {note.path}", notices)


@click.command(
    "orphans",
    cls=MemtoolCommand,
    epilog="""
memtool note orphans
memtool note orphans --group family
""",
)
@GROUP
@pass_session
def orphans(session: Session, /, group: str | None) -> int:
    """Print the notes that no other note links to

    Exits 1 if there are such notes; otherwise, exits 3 if a file could not be read.
    """
    link_graph, notices = load_graph(session, group)
    orphaned = notes.find_orphans(link_graph)
    with output.ignore_closed_pipe():
        for note in orphaned:
            if session.json:
                output.put_json({**notes.node_json(note), "links": len(link_graph.links(note.path))})
            else:
                output.put_row(note.path, note.head.title)
    return 1 if orphaned else 3 if notices else 0


@click.command(
    "broken",
    cls=MemtoolCommand,
    epilog="""
memtool note broken
memtool note broken --json | jq -r .path
""",
)
@GROUP
@pass_session
def broken(session: Session, /, group: str | None) -> int:
    """Print links to files, headings or blocks that do not exist

    In some layouts, such as obsidian, wikilinks to notes that have not been written yet are printed, but do
    not affect the exit code. Exits 1 if there are other broken links; otherwise, exits 3 if a file could not
    be read or a folder could not be listed. Links that may lead into a folder that could not be listed are
    not checked.
    """
    link_graph, notices = load_graph(session, group)
    faults = list(notes.broken_links(link_graph))
    faulty = [(edge, fault) for edge, fault in faults if fault != "unchecked"]
    if unchecked := len(faults) - len(faulty):
        folders, verb = " or ".join(link_graph.unlisted_folders), "was" if unchecked == 1 else "were"
        session.notice(
            f"{output.plural(unchecked, 'link')} {verb} not checked: the linked "
            f"{'note' if unchecked == 1 else 'notes'} may be in {folders}, which could not be listed"
        )
    with output.ignore_closed_pipe():
        for edge, fault in faulty:
            if session.json:
                output.put_json(notes.edge_json(link_graph, edge))
            else:
                target = f" {edge.target_path}" if fault in {"heading", "block"} else ""
                text = f"{edge.text}: {_FAULTS[fault]}{target}"
                output.put(output.format_location(edge.source.path, edge.link.line, edge.link.column, text))
    return 1 if any(fault != "unwritten" for _, fault in faulty) else 3 if notices else 0


@click.command(
    "tags",
    cls=MemtoolCommand,
    epilog="""
memtool note tags
memtool note tags glaze
""",
)
@click.argument("tag", metavar="[TAG]", required=False)
@GROUP
@pass_session
def tags(session: Session, /, tag: str | None, group: str | None) -> int:
    """Print each tag and how many notes have it, or the notes that have TAG

    Nested tags count too: a note tagged glaze/celadon is listed under glaze. Exits 1 if no tag or
    note is found.
    """
    link_graph, notices = load_graph(session, group)
    if tag is not None:
        tagged = list(notes.find_tagged(link_graph, tag.lstrip("#").rstrip("/")))
        for note, line in tagged:
            if session.json:
                output.put_json({**notes.node_json(note), "line": line})
            else:
                output.put(output.format_location(note.path, line, None, note.head.title))
        return _conclude(session, tagged, f"no note has the tag {tag!r}", notices)
    counts = notes.workspace_tags(link_graph)
    for count in counts:
        if session.json:
            output.put_json({"tag": count.name, "notes": count.notes, "nested": count.nested})
        else:
            output.put_row(count.name, str(count.nested))
    return _conclude(session, counts, "no tags", notices)


@click.command(
    "graph",
    cls=MemtoolCommand,
    epilog="""
memtool note graph | dot -Tpng > graph.png
memtool note graph --format html > graph.html
memtool note graph --from celadon --depth 2 --format mermaid
""",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="Format of the graph; json is the same as --json [default: dot]",
)
@click.option(
    "--from",
    "start",
    metavar="NOTE",
    help="Include only NOTE and the notes linked to or from it [default: all]",
)
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(min=0),
    help="With --from, include notes up to N links away [default: 1]",
)
@click.option("--tags", "with_tags", is_flag=True, help="Include tags as nodes [default: notes only]")
@GROUP
@pass_session
def graph(
    session: Session,
    /,
    form: str | None,
    start: str | None,
    depth: int | None,
    with_tags: bool,
    group: str | None,
) -> int:
    """Print a graph of the notes and their links

    Exits 1 if there are no notes.
    """
    form = output_format(session, form, "dot")
    if depth is not None and start is None:
        raise click.UsageError("--depth requires --from NOTE")
    link_graph, notices = load_graph(session, group)
    node = None
    if start is not None:
        node = find_note(session, link_graph, start)
        if node is None:
            return 3 if notices else 1
    drawing = note_graph.build_graph(
        link_graph, tags=with_tags, start=node, depth=1 if depth is None else depth
    )
    if form == "json":
        output.put_json(graph_record(drawing))
    else:
        if form == "mermaid" and len(drawing.edges) > MERMAID_EDGES:
            session.notice(
                f"Mermaid draws at most {MERMAID_EDGES} links, but the graph has {len(drawing.edges)}; "
                "select part of it with --from, or use --format html"
            )
        for line in note_graph.render_graph(drawing, form):
            output.put(line)
    return 0 if drawing.nodes else 3 if notices else 1


def _show_link(session: Session, link_graph: LinkGraph, edge: LinkEdge) -> None:
    values = notes.edge_json(link_graph, edge)
    if session.json:
        output.put_json(values)
        return
    fault = values["fault"]
    target = values["to"] or (_FAULTS[fault] if fault else "a file that this command does not read")
    if fault in {"heading", "block"}:
        target = f"{_FAULTS[fault]} {target}"
    others = f" (or {', '.join(values['others'])})" if values["others"] else ""
    text = f"{edge.text} -> {target}{others}"
    output.put(output.format_location(edge.source.path, edge.link.line, edge.link.column, text))


def _conclude(session: Session, printed: Sequence[object], reason: str, notices: Sequence[str]) -> int:
    """The exit code; without anything printed, `reason` is the message."""
    if printed:
        return 0
    return CouldNotTell.exit_code if notices else session.nothing(reason)
