"""Rename what is at a position of a document: a note, a heading or a tag, with everything that names it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.notes.anchors import NoteAnchors, linked_heading, normalize_heading
from memtool.core.notes.link_resolver import link_keys, may_mean, name_key
from memtool.core.notes.link_updates import FileMoves, renamed_anchor
from memtool.core.notes.tags import is_under
from memtool.core.records.plan import Change, Plan, Replace
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.secrets.redact import check_identifier
from memtool.core.text.clean import clean
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, UnreadableFile
from memtool.formats import note
from memtool.formats.syntax.outline import escape_closing, outline
from memtool.verbs.notes.canvases import edits_in_place, update_canvases
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph
from memtool.verbs.notes.note_move import plan_move
from memtool.verbs.notes.note_new import parse_tag
from memtool.verbs.notes.relink import relink

_MOST_HEADING_CHARS = 200


class RenamedNote(Struct, frozen=True):
    """A note to rename; a new name with a slash or `.md` is a path, any other its title."""

    path: str


class RenamedHeading(Struct, frozen=True):
    """A heading to rename, by its index in its note."""

    path: str
    index: int


class RenamedTag(Struct, frozen=True):
    """A tag to rename, with those nested in it."""

    name: str


RenameTarget = RenamedNote | RenamedHeading | RenamedTag


def heading_target(node: DocumentNode, index: int) -> RenamedNote | RenamedHeading:
    """What a heading names: the note if it is its title, else a part of it."""
    heading = node.headings[index]
    is_title = heading.level == 1 and normalize_heading(heading.text) == normalize_heading(node.head.title)
    is_first = all(other.level > 1 for other in node.headings[:index])
    return (
        RenamedNote(node.path) if node.is_note and is_title and is_first else RenamedHeading(node.path, index)
    )


def current_name(graph: LinkGraph, target: RenameTarget) -> str:
    """The name that a rename replaces."""
    match target:
        case RenamedNote(path):
            return graph.nodes[path].head.title
        case RenamedHeading(path, index):
            return graph.nodes[path].headings[index].text
        case RenamedTag(name):
            return name


def plan_rename(graph: LinkGraph, target: RenameTarget, name: str, scope: Scope = WHOLE_WORKSPACE) -> Plan:
    """The plan that renames a target and updates all links and uses. Nothing is written.

    A tag may get the name of another tag, with which it is merged: frontmatter that has both keeps one, while
    in the text both stay where they are written.

    Raises BadUsage for an invalid or taken name and for a secret, UnreadableFile for what cannot be rewritten
    safely.
    """
    match target:
        case RenamedNote(path):
            is_path = "/" in name or name.lower().endswith(".md")
            moved = plan_move(graph, path, name if is_path else None, None if is_path else name, scope)
            if moved is None:
                raise BadUsage(f"{path} is not a note that can be renamed")
            return moved.plan
        case RenamedHeading(path, index):
            return _rename_heading(graph, graph.nodes[path], index, name, scope)
        case RenamedTag(old):
            return tuple(_rename_tag(graph, old, parse_tag(name), scope))


def _rename_heading(graph: LinkGraph, node: DocumentNode, index: int, name: str, scope: Scope) -> Plan:
    new = one_line(clean(name), _MOST_HEADING_CHARS + 1).lstrip("# ")
    if not new or len(new) > _MOST_HEADING_CHARS:
        raise BadUsage(f"a heading must be 1 to {_MOST_HEADING_CHARS} characters long")
    check_identifier(new, "the heading")
    if not linked_heading(new):
        raise BadUsage(f"{new!r} consists only of characters that a link cannot contain; choose another name")
    headings = node.headings
    heading = headings[index]
    key = normalize_heading(heading.text)
    if any(normalize_heading(other.text) == normalize_heading(new) != key for other in headings):
        raise BadUsage(f"{node.path} already has a heading {new!r}; links to it would be ambiguous")
    moving = FileMoves({node.path: node.path}, graph.names, graph.names, heading.text, new)
    after = [*node.anchors.headings]
    after[index] = after[index][0], new
    anchors = replace(node.anchors, headings=tuple(after))
    moving = replace(moving, new_anchor=partial(_anchor_after, node, anchors, moving))
    keys = link_keys(node.link_names)
    plan: list[Change] = []
    for other in sources_of_parts(graph, node, scope):
        links = [(other.path if may_mean(link.target, keys) else "", link) for link in other.markup.links]
        edits = relink(other.text, links, other.path, moving)[1]
        own = (_heading_edit(node, index, new),) if other.path == node.path else ()
        if changes := sorted([*edits, *own]):
            plan.append(Replace(PurePosixPath(other.path), apply_edits(other.text, changes).text, other.etag))
    if scope.group is None:
        updates = update_canvases(graph, node.path, edits_in_place(moving))
        plan += [update.change for update in updates]
    return tuple(plan)


def _anchor_after(
    node: DocumentNode, after: NoteAnchors, moving: FileMoves, anchor: str, is_wiki: bool
) -> str | None:
    """The anchor that leads to the same heading of a note when its anchors are `after`; None if it needs no
    change.

    Several headings may have the same text. Raises BadUsage if no anchor would lead there.
    """
    at = None if anchor.rpartition("#")[2].startswith("^") else node.anchors.heading_index(anchor)
    if at is None or after.heading_index(anchor) == at:
        return None
    slug = [*after.slugs()][at]
    path = _heading_path(after, at)
    texts = ["#".join(path[start:]) for start in range(len(path) - 1, -1, -1)]
    renamed = renamed_anchor(anchor, moving, is_wiki=is_wiki)
    for candidate in (renamed or "", *((*texts, slug) if is_wiki else (slug, *texts))):
        if candidate and after.heading_index(candidate) == at:
            return candidate
    raise BadUsage(
        f"the link target {anchor!r} refers to the heading {after.headings[at][1]!r} of {node.path}; after "
        "this change, no link could refer to that heading; choose another name"
    )


def _heading_path(anchors: NoteAnchors, index: int) -> list[str]:
    """The headings above a heading and itself, as the steps of an anchor."""
    level = anchors.headings[index][0]
    path = [linked_heading(anchors.headings[index][1])]
    for above, text in reversed(anchors.headings[:index]):
        if above < level:
            level = above
            path.insert(0, linked_heading(text))
    return path


def sources_of_parts(graph: LinkGraph, node: DocumentNode, scope: Scope) -> Iterator[DocumentNode]:
    """The note itself and those with links to parts of it, each once."""
    sources = {edge.source.path for edge in graph.backlinks(node.path) if edge.link.anchor} - {node.path}
    yield node
    for path in sorted(sources):
        source = replace(graph.nodes[path])  # what is parsed of many files is not kept
        if scope.group is None or (source.located.group or "") == scope.group:
            yield source


def _heading_edit(node: DocumentNode, index: int, new: str) -> TextEdit:
    """The edit of a heading's line, in which `#` characters at the end are escaped if they would close it."""
    heading, texts = node.headings[index], [other.text for other in node.headings]
    at = node.text[heading.start :].partition("\n")[0].rfind(heading.text)
    if not heading.text or at < 0:
        raise UnreadableFile(
            f"{node.path}:{heading.first}: this line does not contain the heading's text exactly as memtool "
            f"reads it ({heading.text!r}); change the heading by hand"
        )
    texts[index] = new if heading.last > heading.first else escape_closing(new)
    start = heading.start + at
    edit = TextEdit(start, start + len(heading.text), texts[index])
    if texts != [other.text for other in outline(apply_edits(node.text, [edit]).text).headings]:
        raise BadUsage(
            f"{new!r} cannot be the text of this heading, because Markdown would parse it differently; "
            "choose another name"
        )
    return edit


def _rename_tag(graph: LinkGraph, old: str, new: str, scope: Scope) -> Iterator[Replace]:
    for path in sorted(graph.tags.notes_with(old)):
        node = replace(graph.nodes[path])  # what is parsed of many files is not kept
        if scope.group is not None and (node.located.group or "") != scope.group:
            continue
        edits = [
            TextEdit(span.start, span.start + len(old), new)
            for span in node.tag_spans
            if is_under(span.name, old)
        ]
        if not edits:
            continue
        text, tags = apply_edits(node.text, edits).text, node.head.tags
        if edits[0].start < node.body or any(is_under(tag, old) for tag in tags):
            page = note.parse(text)
            repeated = note.repeated_tag_edits(text, len(page.meta), note.metadata(page, "").tags, new)
            text = apply_edits(text, repeated).text
            tags = note.metadata(note.parse(text), "").tags
        wanted = (f"{new}{tag[len(old) :]}" if is_under(tag, old) else tag for tag in node.head.tags)
        if {*map(name_key, tags)} != {*map(name_key, wanted)}:
            read = ", ".join(tags) or "none"
            raise UnreadableFile(
                f"{node.path}: after renaming to {new!r}, the note's tags would be parsed as {read}; "
                "change its tags by hand"
            )
        yield Replace(PurePosixPath(node.path), text, node.etag)
