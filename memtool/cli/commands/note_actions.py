"""The actions of `memtool note`: each calls its verb, prints the result and returns the exit code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click
from msgspec import Struct

from memtool.cli import output
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session
from memtool.core.notes.graph_text import MERMAID_EDGES, graph_record
from memtool.core.records.scope import Scope
from memtool.verbs.notes import note_graph, note_move, note_new, notes
from memtool.verbs.notes.link_graph import DocumentNode, LinkEdge, LinkGraph, load_link_graph

_FAULTS = {
    "missing": "no such file",
    "unwritten": "not written yet",
    "heading": "no such heading in",
    "block": "no such block in",
}


class NoteOptions(Struct, frozen=True):
    """The parsed options of `memtool note`, with the scope that --group stands for.

    An option that was not given is None, False or empty. Which options go with an action is checked before.
    """

    scope: Scope
    labels: tuple[str, ...]
    to: str | None
    body: str | None
    title: str | None
    form: str | None
    start: str | None
    depth: int | None
    with_tags: bool


def new(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Make a note, and print its path."""
    body = options.body
    if words[-1] == "-":
        if body is not None:
            raise click.UsageError("give the text with --body or on stdin, not both")
        words, body = words[:-1], whole_text(None, None)
    notices: list[str] = []
    created = note_new.create_note(
        session.workspace,
        " ".join(words),
        session.now,
        notices,
        tags=options.labels,
        to=options.to,
        body=body or "",
        scope=options.scope,
        owner=session.owner,
    )
    for notice in notices:
        session.notice(notice)
    if not created.is_new:
        session.notice("this note already exists")
    if session.json and not session.dry_run:
        output.put_json(
            {"path": created.path, "id": created.id, "title": created.title, "new": created.is_new}
        )
    elif not session.dry_run:
        output.put(output.printable(created.path))
    session.show_plan(created.plan)
    return 0


def mv(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Move a note, and print its new path."""
    to = words[1] if len(words) > 1 else None
    if to is None and options.title is None:
        raise click.UsageError("give the new path, or a new --title")
    notices: list[str] = []
    moved = note_move.move_note(session.workspace, words[0], to, options.title, notices, scope=options.scope)
    for notice in notices:
        session.notice(f"{notice}; its links are not updated")
    if moved is None:
        session.notice(f"no note named {words[0]!r}")
        return 1
    if not moved.plan:
        session.notice("nothing to do: the note is already there and all links are correct")
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


def show(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Print a note."""
    link_graph, notices = _link_graph(session, options)
    note = _find(session, link_graph, words[0])
    if note is None:
        return 3 if notices else 1
    if session.json:
        links, backlinks = link_graph.links(note.path), link_graph.backlinks(note.path)
        counts = {"links": len(links), "backlinks": len(backlinks)}
        output.put_json({**notes.node_json(note), **counts, "text": note.text})
    else:
        output.put_raw(note.text)
    return 0


def links(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Print the links out of a note, or all links."""
    link_graph, notices = _link_graph(session, options)
    edges: Sequence[LinkEdge] = link_graph.edges
    if words:
        note = _find(session, link_graph, words[0])
        if note is None:
            return 3 if notices else 1
        edges = link_graph.links(note.path)
    for edge in edges:
        _show_link(session, link_graph, edge)
    return 0 if edges else 3 if notices else 1


def backlinks(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Print the links to a note."""
    link_graph, notices = _link_graph(session, options)
    note = _find(session, link_graph, words[0])
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
    return 0 if edges else 3 if notices else 1


def orphans(session: Session, _: Sequence[str], options: NoteOptions) -> int:
    """Print the notes that nothing links to."""
    link_graph, notices = _link_graph(session, options)
    orphaned = notes.find_orphans(link_graph)
    with output.ignore_closed_pipe():
        for note in orphaned:
            if session.json:
                output.put_json({**notes.node_json(note), "links": len(link_graph.links(note.path))})
            else:
                output.put_row(note.path, note.head.title)
    return 1 if orphaned else 3 if notices else 0


def broken(session: Session, _: Sequence[str], options: NoteOptions) -> int:
    """Print the links that lead nowhere."""
    link_graph, notices = _link_graph(session, options)
    faulty = list(notes.broken_links(link_graph))
    with output.ignore_closed_pipe():
        for edge, fault in faulty:
            if session.json:
                output.put_json(notes.edge_json(link_graph, edge))
            else:
                target = f" {edge.target_path}" if fault in {"heading", "block"} else ""
                text = f"{edge.text}: {_FAULTS[fault]}{target}"
                output.put(output.format_location(edge.source.path, edge.link.line, edge.link.column, text))
    return 1 if any(fault != "unwritten" for _, fault in faulty) else 3 if notices else 0


def tags(session: Session, words: Sequence[str], options: NoteOptions) -> int:
    """Print every tag, or the notes that have one."""
    link_graph, notices = _link_graph(session, options)
    if words:
        tag = words[0].lstrip("#").rstrip("/")
        tagged = list(notes.find_tagged(link_graph, tag))
        for note, line in tagged:
            if session.json:
                output.put_json({**notes.node_json(note), "line": line})
            else:
                output.put(output.format_location(note.path, line, None, note.head.title))
        return 0 if tagged else 3 if notices else 1
    counts = notes.workspace_tags(link_graph)
    for count in counts:
        if session.json:
            output.put_json({"tag": count.name, "notes": count.notes, "nested": count.nested})
        else:
            output.put_row(count.name, str(count.nested))
    return 0 if counts else 3 if notices else 1


def graph(session: Session, _: Sequence[str], options: NoteOptions) -> int:
    """Print a graph of the notes."""
    link_graph, notices = _link_graph(session, options)
    start = None
    if options.start is not None:
        start = _find(session, link_graph, options.start)
        if start is None:
            return 3 if notices else 1
    depth = 1 if options.depth is None else options.depth
    drawing = note_graph.build_graph(link_graph, tags=options.with_tags, start=start, depth=depth)
    form = options.form or ("json" if session.json else "dot")
    if form == "json":
        output.put_json(graph_record(drawing))
    else:
        if form == "mermaid" and len(drawing.edges) > MERMAID_EDGES:
            session.notice(
                f"mermaid draws at most {MERMAID_EDGES} links, and the graph has "
                f"{len(drawing.edges)}; select a part with --from, or use --format html"
            )
        for line in note_graph.render_graph(drawing, form):
            output.put(line)
    return 0 if drawing.nodes else 3 if notices else 1


ACTIONS: dict[str, Callable[[Session, Sequence[str], NoteOptions], int]] = {
    "new": new,
    "mv": mv,
    "show": show,
    "links": links,
    "backlinks": backlinks,
    "orphans": orphans,
    "broken": broken,
    "tags": tags,
    "graph": graph,
}
"""Each action by its name: takes the words and options of the command line, and returns the exit code."""


def _link_graph(session: Session, options: NoteOptions) -> tuple[LinkGraph, list[str]]:
    """The notes of the workspace or a group; and the notices on what could not be read, already printed."""
    notices: list[str] = []
    link_graph = load_link_graph(session.visible_workspace, notices, scope=options.scope)
    for notice in notices:
        session.notice(notice)
    return link_graph, notices


def _find(session: Session, link_graph: LinkGraph, name: str) -> DocumentNode | None:
    """The note that a name refers to. Prints a notice where there is none, or where the name is ambiguous."""
    match = notes.find_note(link_graph, name)
    if match is None:
        near = notes.similar_titles(link_graph, name)
        session.notice(f"no note named {name!r}" + (f" (did you mean {', '.join(near)}?)" if near else ""))
        return None
    if match.others:
        session.notice(f"{name!r} is {match.node.path}; it could also be {', '.join(match.others)}")
    return match.node


def _show_link(session: Session, link_graph: LinkGraph, edge: LinkEdge) -> None:
    values = notes.edge_json(link_graph, edge)
    if session.json:
        output.put_json(values)
        return
    fault = values["fault"]
    target = values["to"] or (_FAULTS[fault] if fault else "outside of what is listed")
    if fault in {"heading", "block"}:
        target = f"{_FAULTS[fault]} {target}"
    others = f" (or {', '.join(values['others'])})" if values["others"] else ""
    text = f"{edge.text} -> {target}{others}"
    output.put(output.format_location(edge.source.path, edge.link.line, edge.link.column, text))
