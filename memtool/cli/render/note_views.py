"""What `memtool note` prints of notes and the links between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.notes.graph_text import MERMAID_EDGES, record
from memtool.verbs.notes import note_graph, notes
from memtool.verbs.notes.web import Sheet, Tie, Web, web

_WHY = {
    "missing": "there is no such file",
    "unwritten": "not written yet",
    "heading": "there is no such heading in",
    "block": "there is no such block in",
}


def show(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Print a note."""
    known, notices = opened(session, options)
    sheet = chosen(session, known, words[0])
    if sheet is None:
        return 3 if notices else 1
    if session.json:
        counts = {"links": len(known.links(sheet.path)), "backlinks": len(known.backlinks(sheet.path))}
        output.put_json({**notes.about(sheet), **counts, "text": sheet.text})
    else:
        output.put_raw(sheet.text)
    return 0


def links(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Print where a note leads, or all do."""
    known, notices = opened(session, options)
    ties: Sequence[Tie] = known.ties
    if words:
        sheet = chosen(session, known, words[0])
        if sheet is None:
            return 3 if notices else 1
        ties = known.links(sheet.path)
    for tie in ties:
        _link(session, known, tie)
    return 0 if ties else 3 if notices else 1


def backlinks(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Print what leads to a note."""
    known, notices = opened(session, options)
    sheet = chosen(session, known, words[0])
    if sheet is None:
        return 3 if notices else 1
    ties = known.backlinks(sheet.path)
    for tie in ties:
        if session.json:
            more = {"title": tie.source.head.title, "context": notes.context(tie)}
            output.put_json({**notes.about_link(known, tie), **more})
        else:
            output.put(output.where(tie.source.path, tie.link.line, tie.link.column, notes.context(tie)))
    return 0 if ties else 3 if notices else 1


def orphans(session: Session, _: Sequence[str], options: dict[str, Any]) -> int:
    """Print the notes that nothing links to."""
    known, notices = opened(session, options)
    found = notes.orphans(known)
    with output.unread():
        for sheet in found:
            if session.json:
                output.put_json({**notes.about(sheet), "links": len(known.links(sheet.path))})
            else:
                output.put(_row(sheet.path, sheet.head.title))
    return 1 if found else 3 if notices else 0


def broken(session: Session, _: Sequence[str], options: dict[str, Any]) -> int:
    """Print the links that lead nowhere."""
    known, notices = opened(session, options)
    found = list(notes.broken(known))
    with output.unread():
        for tie, fault in found:
            if session.json:
                output.put_json(notes.about_link(known, tie))
            else:
                there = f" {tie.to}" if fault in {"heading", "block"} else ""
                said = f"{tie.written}: {_WHY[fault]}{there}"
                output.put(output.where(tie.source.path, tie.link.line, tie.link.column, said))
    return 1 if any(fault != "unwritten" for _, fault in found) else 3 if notices else 0


def tags(session: Session, words: Sequence[str], options: dict[str, Any]) -> int:
    """Print every tag, or the notes that have one."""
    known, notices = opened(session, options)
    if words:
        tag = words[0].lstrip("#").rstrip("/")
        rows = list(notes.tagged(known, tag))
        for sheet, line in rows:
            if session.json:
                output.put_json({**notes.about(sheet), "line": line})
            else:
                output.put(output.where(sheet.path, line, None, sheet.head.title))
        return 0 if rows else 3 if notices else 1
    counted = notes.tags(known)
    for one in counted:
        if session.json:
            output.put_json({"tag": one.name, "notes": one.notes, "nested": one.nested})
        else:
            output.put(_row(one.name, str(one.nested)))
    return 0 if counted else 3 if notices else 1


def graph(session: Session, _: Sequence[str], options: dict[str, Any]) -> int:
    """Print a graph of the notes."""
    known, notices = opened(session, options)
    start = None
    if options["start"] is not None:
        start = chosen(session, known, options["start"])
        if start is None:
            return 3 if notices else 1
    depth = 1 if options["depth"] is None else options["depth"]
    found = note_graph.graph(known, tags=options["with_tags"], start=start, depth=depth)
    form = options["form"] or ("json" if session.json else "dot")
    if form == "json":
        output.put_json(record(found))
    else:
        if form == "mermaid" and len(found.edges) > MERMAID_EDGES:
            session.notice(
                f"mermaid draws at most {MERMAID_EDGES} links and there are {len(found.edges)}; "
                "take a part with --from, or --format html"
            )
        for line in note_graph.drawn(found, form):
            output.put(line)
    return 0 if found.nodes else 3 if notices else 1


def opened(session: Session, options: dict[str, Any]) -> tuple[Web, list[str]]:
    """The notes of the workspace or a group, and what could not be read, which is said."""
    notices: list[str] = []
    known = web(session.workspace, notices, options["scope"])
    for notice in notices:
        session.notice(notice)
    return known, notices


def chosen(session: Session, known: Web, name: str) -> Sheet | None:
    """The note of a name; where there is none, that is said, with what comes near."""
    found = notes.find(known, name)
    if found is None:
        near = notes.similar(known, name)
        session.notice(f"no note is called {name!r}" + (f"; there is {', '.join(near)}" if near else ""))
        return None
    if found.others:
        session.notice(f"{name!r} is {found.sheet.path}; it could also be {', '.join(found.others)}")
    return found.sheet


def _link(session: Session, known: Web, tie: Tie) -> None:
    record = notes.about_link(known, tie)
    if session.json:
        output.put_json(record)
        return
    fault = record["fault"]
    to = record["to"] or (_WHY[fault] if fault else "outside of what is listed")
    if fault in {"heading", "block"}:
        to = f"{_WHY[fault]} {to}"
    others = f" (or {', '.join(record['others'])})" if record["others"] else ""
    said = f"{tie.written} -> {to}{others}"
    output.put(output.where(tie.source.path, tie.link.line, tie.link.column, said))


def _row(*columns: str) -> str:
    return "\t".join(map(output.printable, columns))


ACTIONS = {
    "show": show,
    "links": links,
    "backlinks": backlinks,
    "orphans": orphans,
    "broken": broken,
    "tags": tags,
    "graph": graph,
}
"""Each action that only looks, by its name."""
