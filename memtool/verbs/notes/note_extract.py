"""Extract a section of a document into a note of its own, which a link replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.lint.lint_target import SourceText
from memtool.core.notes.anchors import NoteAnchors
from memtool.core.notes.definitions import Definition, definitions, needed
from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_parser import parse_links
from memtool.core.notes.link_resolver import LinkResolver, ResolvedLink, name_key
from memtool.core.notes.link_updates import FileMoves, link_edits, redirect_edit
from memtool.core.records.plan import Replace
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.text.clean import clean
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, UnreadableFile
from memtool.formats import canvas, note
from memtool.formats.ownership import file_owner, keeps_owners, with_file_owner
from memtool.verbs.notes.canvases import is_card_of, update_canvases
from memtool.verbs.notes.document_node import DocumentNode, parse_node
from memtool.verbs.notes.link_graph import LinkGraph
from memtool.verbs.notes.note_new import draft_note, note_folder
from memtool.verbs.notes.rename import sources_of_parts


class ExtractedSection(Struct, frozen=True):
    """The new note with its path and text, and the edits of other texts by their paths.

    One edit of the section's own document replaces the section by a link. The others redirect links to the
    section, or to a part of it, to the new note; `canvases` does the same for cards.
    """

    path: str
    title: str
    text: str
    edits: Mapping[str, tuple[TextEdit, ...]]
    canvases: tuple[Replace, ...] = ()


def section_at(node: DocumentNode, line: int) -> int | None:
    """The index of the heading on a line (from 1) that begins a section which can be extracted.

    Only a section of a note can be: in a note, the text of a file with another role, such as facts, would
    lose its meaning.
    """
    if not node.is_note:
        return None
    headings = node.headings
    for index, heading in enumerate(headings):
        if heading.first <= line <= heading.last and heading.text:
            is_whole = heading.level == 1 and index == 0
            return None if is_whole else index
    return None


def plan_extraction(
    graph: LinkGraph, node: DocumentNode, index: int, now: datetime, scope: Scope = WHOLE_WORKSPACE
) -> ExtractedSection:
    """The extraction of the section of a heading, with the sections below it. Nothing is written.

    Relative links in it keep their targets. The new note has the group and the owner of the old one. Raises
    BadUsage where a note has its title, where a line would change its owner, and as `create_note`, and
    UnreadableFile for a link to the section that cannot be rewritten safely and as `update_canvases`.
    """
    source, headings = SourceText(node.text), node.headings
    heading = headings[index]
    title = one_line(clean(heading.text), 200)
    for other in graph.notes():
        if name_key(other.head.title) == name_key(title):
            raise BadUsage(f"{other.path} already has the title {title!r}; links by title would be ambiguous")
    following = next((later for later in headings[index + 1 :] if later.level <= heading.level), None)
    start, body = source.line_start(heading.first), source.line_end(heading.last)
    end = source.line_start(following.first) if following else len(node.text)
    folder = note_folder(graph.workspace, None, node.located.group)
    path, draft = draft_note(graph, folder, title, now, "")
    newline = "\r\n" if "\r\n" in node.text[max(start - 2, 0) : body] else "\n"  # the last line may have none
    defined = _split_definitions(node, start, body, end)
    text = _relocated(graph, node, str(path), body, end, defined).strip("\r\n").replace("\r\n", "\n")
    stem = PurePosixPath(path).stem
    label = title.replace("|", " ").replace("[", "(").replace("]", ")")
    link = f"[[{stem}]]" if stem == title else f"[[{stem}|{label}]]"
    body_text = f"{draft.rstrip()}\n\n{text}\n" if text else draft
    if owner := file_owner(node.text):
        body_text = with_file_owner(body_text, owner)
    if not keeps_owners(node.located.role, body_text, [node.text]):
        raise BadUsage(
            f"in the new note, some lines of the section {title!r} would lose their owner or get another; "
            "move the section by hand, and tag those lines with their owner ([user:NAME])"
        )
    body_text = body_text.replace("\n", newline)
    edits: dict[str, tuple[TextEdit, ...]] = {}
    last = headings.index(following) if following else len(headings)
    section = _Section(node, range(index, last), start, end, str(path), body_text)
    for other in sources_of_parts(graph, node, scope):
        if redirected := _redirected(graph, section, other):
            edits[other.path] = tuple(sorted(redirected))
    own = edits.get(node.path, ())
    staying = [_edited(node.text, own, each.start, each.end).strip("\r\n") for each in defined.staying]
    lines = [link, *(["", *staying] if staying else []), *([""] if following else [])]
    replaced = TextEdit(start, end, "".join(f"{line}{newline}" for line in lines))
    outside = (edit for edit in own if not start <= edit.start < end)
    edits[node.path] = tuple(sorted([replaced, *outside]))
    canvases: tuple[Replace, ...] = ()
    if scope.group is None:
        edits_of = partial(_canvas_edits, graph, section)
        canvases = tuple(update.change for update in update_canvases(graph, node.path, edits_of))
    return ExtractedSection(str(path), title, body_text, edits, canvases)


class _Section(Struct, frozen=True, dict=True):
    """A section: its document, the indexes of its headings and its span; the new note's path and text."""

    node: DocumentNode
    headings: range
    start: int
    end: int
    path: str
    text: str

    @cached_property
    def new(self) -> NoteAnchors:
        """The anchors of the new note."""
        return self._anchors(self.text)

    @cached_property
    def rest(self) -> NoteAnchors:
        """The anchors of the document without the section."""
        return self._anchors(self.node.text[: self.start] + self.node.text[self.end :])

    def _anchors(self, text: str) -> NoteAnchors:
        return parse_node(self.path, self.node.located, text, "", titled_by_heading=True).anchors

    def new_anchor(self, anchor: str) -> str | None:
        """An anchor of the document in the new note, "" for the whole of it; None for a part of the rest."""
        index = self.node.anchors.heading_index(anchor)
        if index is None:
            return anchor if self.new.has(anchor) and not self.rest.has(anchor) else None
        if index not in self.headings:
            return None
        if index == self.headings.start:
            return ""
        new_index = len(self.new.headings) - self.headings.stop + index
        steps = anchor.split("#")
        choices = ("#".join(steps[number:]) for number in range(len(steps)))
        return next((choice for choice in choices if self.new.heading_index(choice) == new_index), "")


def _redirected(graph: LinkGraph, section: _Section, source: DocumentNode) -> list[TextEdit]:
    """The edits of a file, the section aside, that lead links to parts of the section to the new note."""
    node = section.node
    new_anchors: dict[int, str] = {}
    for number, link in enumerate(source.markup.links):
        if not link.anchor or (source.path == node.path and section.start <= link.start < section.end):
            continue
        resolved = graph.names.resolve(link, source.path)
        if not isinstance(resolved, ResolvedLink) or resolved.path != node.path:
            continue
        if (anchor := section.new_anchor(link.anchor)) is not None:
            new_anchors[number] = anchor
    if not new_anchors:
        return []
    names = (other.link_names for other in graph.nodes.values())
    after = LinkResolver([*graph.files, section.path], names)
    edits: dict[int, TextEdit] = {}
    for number, anchor in new_anchors.items():
        edit = redirect_edit(
            source.text, source.markup.links[number], source.path, section.path, anchor, after
        )
        if edit is not None:
            edits.setdefault(edit.start, edit)  # references share one definition
    _check_redirected(source, sorted(edits.values()), dict.fromkeys(new_anchors, section.path), after)
    return [*edits.values()]


def _canvas_edits(graph: LinkGraph, section: _Section, text: str, path: str) -> tuple[TextEdit, ...]:
    """The edits of a canvas after which cards of the section, and links to it, lead to the new note."""
    changes: dict[tuple[int, str], str] = {}
    for card in canvas.cards(text):
        if is_card_of(card, section.node.path):
            old = card.subpath.removeprefix("#")
            anchor = section.new_anchor(old) if old else None
            if anchor is not None:
                changes[card.number, "file"] = section.path
                if not section.new.has(old):
                    changes[card.number, "subpath"] = f"#{anchor}" if anchor else ""
        elif card.text:
            source = parse_node(path, section.node.located, card.text, "", titled_by_heading=False)
            if redirected := _redirected(graph, section, source):
                changes[card.number, "text"] = apply_edits(card.text, sorted(redirected)).text
    return canvas.edits(text, changes)


def _check_redirected(
    source: DocumentNode, edits: Sequence[TextEdit], expected: Mapping[int, str], after: LinkResolver
) -> None:
    """Raise UnreadableFile unless these links, by number, lead to these files after the edits."""
    text = apply_edits(source.text, edits).text
    links = parse_links(text, len(note.parse(text).meta))
    targets = {number: after.resolve(link, source.path) for number, link in enumerate(links)}
    for number, path in expected.items():
        target = targets.get(number)
        found = target.path if isinstance(target, ResolvedLink) else "no file"
        if len(links) != len(source.markup.links) or found != path:
            link = source.markup.links[number]
            quoted = source.text[link.start : link.end]
            raise UnreadableFile(
                f"{source.path}: with its new target, the link {quoted!r} to the section would point to "
                f"{found} instead of {path}; change the link by hand"
            )


class _SplitDefinitions(Struct, frozen=True):
    """What becomes of definitions: those of the section that stay in the document and leave the section, and
    those of the rest that the new note needs, too.
    """

    staying: Sequence[Definition]
    leaving: Sequence[Definition]
    copied: Sequence[Definition]


def _split_definitions(node: DocumentNode, start: int, body: int, end: int) -> _SplitDefinitions:
    """The definitions of a document whose section is `text[start:end]`, below its heading from `body` on."""
    text = node.text
    known = list(definitions(text, node.body, node.markup.literal))
    inside = [each for each in known if body <= each.start < end]
    outside = [each for each in known if not body <= each.start < end]
    for_section = needed(text, _without(text, inside, body, end), known)
    for_rest = needed(
        text, [*_without(text, outside, 0, start), *_without(text, outside, end, len(text))], known
    )
    copied = [each for each in outside if each in for_section]
    labels = {each.label for each in copied}
    return _SplitDefinitions(
        staying=[each for each in inside if each in for_rest],
        leaving=[
            each for each in inside if each.label in labels or (each in for_rest and each not in for_section)
        ],
        copied=copied,
    )


def _without(text: str, left_out: Sequence[Definition], start: int, end: int) -> list[str]:
    """The parts of `text[start:end]` without these definitions."""
    parts: list[str] = []
    for each in left_out:
        if start <= each.start < end:
            parts.append(text[start : each.start])
            start = each.end
    return [*parts, text[start:end]]


def _edited(text: str, edits: Sequence[TextEdit], start: int, end: int) -> str:
    """`text[start:end]` with those of the edits that are in it."""
    inside = (
        TextEdit(edit.start - start, edit.end - start, edit.new)
        for edit in edits
        if start <= edit.start and edit.end <= end
    )
    return apply_edits(text[start:end], inside).text


def _relocated(
    graph: LinkGraph, node: DocumentNode, path: str, start: int, end: int, defined: _SplitDefinitions
) -> str:
    """The text of a section and the definitions that it needs, with links as a file at a path writes them."""
    spans = [(start, end), *((each.start, each.end) for each in defined.copied)]
    links = [
        link for link in node.markup.links if any(low <= link.target_start < high for low, high in spans)
    ]
    names = [other.link_names for other in graph.nodes.values()]
    after = LinkResolver([*graph.files, path], names)
    # the section moves, as a file of the new name beside its old one does, and the rest of the file stays
    beside = str(PurePosixPath(node.path).with_name(PurePosixPath(path).name))
    leaving = FileMoves({beside: path}, graph.names, after, exists=graph.exists)
    following = FileMoves({node.path: path}, graph.names, after, exists=graph.exists)
    headings = node.headings
    first, last = node.text.count("\n", 0, start), node.text.count("\n", 0, end)  # the heading is before

    def is_in_section(link: NoteLink) -> bool:
        index = node.anchors.heading_index(link.anchor)
        return index is not None and first - 1 <= headings[index].last <= last

    def is_to_file(link: NoteLink) -> bool:
        resolved = graph.names.resolve(link, node.path)
        return bool(link.target) and isinstance(resolved, ResolvedLink) and resolved.path == node.path

    own = [
        link
        for link in links
        if not link.target and node.anchors.heading_index(link.anchor) is not None and not is_in_section(link)
    ]
    inner = [link for link in links if is_to_file(link) and is_in_section(link)]
    outer = [link for link in links if link.target and link not in inner]
    edits = [
        *link_edits(node.text, beside, outer, leaving),
        *link_edits(node.text, node.path, inner, following),
    ]
    for link in own:
        edit = redirect_edit(node.text, link, path, node.path, link.anchor, after)
        edits += [edit] if edit is not None else []
    edits = [*{edit.start: edit for edit in edits}.values()]  # references share one definition
    for each in defined.leaving:
        line_end = node.text.find("\n", each.end) + 1
        edits = [edit for edit in edits if not each.start <= edit.start < each.end]
        edits.append(TextEdit(each.start, line_end or len(node.text), ""))
    edits.sort()
    text = _edited(node.text, edits, start, end)
    copies = [_edited(node.text, edits, each.start, each.end).strip("\r\n") for each in defined.copied]
    return "\n".join([text.rstrip("\r\n"), "", *copies]) if copies else text
