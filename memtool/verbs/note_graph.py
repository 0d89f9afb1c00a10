"""note graph: the notes and their links as a graph, and its pictures."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.graph import Edge, Graph, Node
from memtool.core.graph_text import dot, mermaid
from memtool.core.names import name_key
from memtool.core.pattern import compiled
from memtool.layouts.load import text_of
from memtool.verbs.web import Sheet, Tie, Web

_ATTACHMENT = (
    r"\.(?:png|jpe?g|gif|bmp|svg|webp|avif|heic|tiff?|ico|pdf|mp3|wav|m4a|ogg|3gp|flac|webm|mp4|ogv|mov|mkv"
    r"|canvas|base|txt|csv|tsv|json|ya?ml|toml|xml|html?|css|js|ts|py|sh|zip|gz|docx?|xlsx?|pptx?|odt|epub)$"
)


def graph(web: Web, *, tags: bool = False, start: Sheet | None = None, depth: int = 1) -> Graph:
    """All notes, other pages that are linked with something, what is linked and not there, and tags if asked.

    With `start` only what lies at most `depth` links around that file. Images and other files are left out.
    """
    nodes: dict[str, Node] = {}
    counts: dict[tuple[str, str], int] = {}
    for sheet in web.sheets.values():
        if sheet.is_note or sheet is start:
            nodes[sheet.path] = _node(sheet)
    for tie in web.ties:
        source, target = tie.source.path, _target(web, tie)
        if target is None or target.id == source:
            continue
        nodes.setdefault(source, _node(tie.source))
        nodes.setdefault(target.id, target)
        counts[source, target.id] = counts.get((source, target.id), 0) + 1
    if tags:
        for path in [path for path in nodes if path in web.sheets]:
            for tag in web.sheets[path].tags:
                knot = f"#{name_key(tag)}"
                nodes.setdefault(knot, Node(knot, f"#{tag}", "tag"))
                counts[path, knot] = 1
    names = sorted(nodes)
    place = {name: number for number, name in enumerate(names)}
    edges = tuple(Edge(place[a], place[b], count) for (a, b), count in sorted(counts.items()))
    whole = Graph(tuple(nodes[name] for name in names), edges)
    return whole if start is None else whole.around(place[start.path], depth)


def drawn(found: Graph, form: str) -> Iterator[str]:
    """The lines of a graph in a format: dot, mermaid, svg or html."""
    if form == "dot":
        yield from dot(found)
    elif form == "mermaid":
        yield from mermaid(found)
    elif form == "svg":
        from memtool.core.graph_svg import svg

        yield from svg(found, text_of("graph.css"))
    else:
        from memtool.core.graph_html import html

        yield html(found, text_of("graph.html"))


def _node(sheet: Sheet) -> Node:
    return Node(sheet.path, sheet.head.title, "note" if sheet.is_note else "page", sheet.tags)


def _target(web: Web, tie: Tie) -> Node | None:
    """The knot that a link leads to; None for an image, a folder, or what is known to be elsewhere."""
    if tie.to is not None:
        sheet = web.sheets.get(tie.to)
        return None if sheet is None else _node(sheet)
    name = tie.link.target
    if web.fault(tie) not in {"missing", "unwritten"} or compiled(_ATTACHMENT).search(name.lower()):
        return None
    title = name.rpartition("/")[2].removesuffix(".md")
    return Node(f"?{name_key(title)}", title, "missing")
