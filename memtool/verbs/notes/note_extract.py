"""Extract a section of a document into a note of its own, which a link replaces."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.lint.lint_target import SourceText
from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_resolver import LinkResolver, ResolvedLink, name_key
from memtool.core.notes.link_updates import FileMoves, link_edits
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.text.clean import clean
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage
from memtool.formats.syntax.outline import outline
from memtool.verbs.notes.link_graph import DocumentNode, LinkGraph
from memtool.verbs.notes.note_new import draft_note, note_folder


class ExtractedSection(Struct, frozen=True):
    """The new note with its path and text, and the edit that replaces the section by a link to it."""

    path: str
    title: str
    text: str
    edit: TextEdit


def section_at(node: DocumentNode, line: int) -> int | None:
    """The index of the heading on a line (from 1) that begins a section which can be extracted."""
    headings = outline(node.text).headings
    for index, heading in enumerate(headings):
        if heading.first <= line <= heading.last and heading.text:
            is_whole = heading.level == 1 and index == 0
            return None if is_whole else index
    return None


def plan_extraction(
    graph: LinkGraph, node: DocumentNode, index: int, now: datetime, scope: Scope = WHOLE_WORKSPACE
) -> ExtractedSection:
    """The extraction of the section of a heading, with the sections below it. Nothing is written.

    Relative links in it keep their targets. Raises BadUsage where a note has its title, and as `create_note`.
    """
    source, headings = SourceText(node.text), outline(node.text).headings
    heading = headings[index]
    title = one_line(clean(heading.text), 200)
    for note in graph.notes():
        if name_key(note.head.title) == name_key(title):
            raise BadUsage(f"{note.path} already has the title {title!r}; links by title would be ambiguous")
    later = (other for other in headings[index + 1 :] if other.level <= heading.level)
    following = next(later, None)
    start, body = source.line_start(heading.first), source.line_end(heading.last)
    end = source.line_start(following.first) if following else len(node.text)
    folder = note_folder(graph.workspace, None, scope.group)
    path, draft = draft_note(graph, folder, title, now, "")
    text = _relocated(graph, node, str(path), body, end).strip("\r\n").replace("\r\n", "\n")
    stem = PurePosixPath(path).stem
    label = title.replace("|", " ").replace("[", "(").replace("]", ")")
    link = f"[[{stem}]]" if stem == title else f"[[{stem}|{label}]]"
    newline = "\r\n" if node.text[start:body].endswith("\r\n") else "\n"
    gap = newline if following else ""
    body_text = f"{draft.rstrip()}\n\n{text}\n" if text else draft
    return ExtractedSection(str(path), title, body_text, TextEdit(start, end, f"{link}{newline}{gap}"))


def _relocated(graph: LinkGraph, node: DocumentNode, path: str, start: int, end: int) -> str:
    """A part of a text, with its links as a file at another path writes them."""
    links = [link for link in node.markup.links if start <= link.start and link.end <= end]
    names = [other.link_names for other in graph.nodes.values()]
    after = LinkResolver([*graph.files, path], names)
    # the section moves, as a file of the new name beside its old one does, and the rest of the file stays
    beside = str(PurePosixPath(node.path).with_name(PurePosixPath(path).name))
    leaving = FileMoves({beside: path}, graph.names, after, exists=graph.exists)
    following = FileMoves({node.path: path}, graph.names, after, exists=graph.exists)
    headings = outline(node.text).headings
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
        edit
        for edit in (
            *link_edits(node.text, beside, outer, leaving),
            *link_edits(node.text, node.path, inner, following),
        )
        if edit.end <= end
    ]
    stem = PurePosixPath(node.path).stem
    edits += [TextEdit(link.target_start, link.target_start, stem) for link in own if link.is_wiki]
    moved = [TextEdit(edit.start - start, edit.end - start, edit.new) for edit in sorted(edits)]
    return apply_edits(node.text[start:end], moved).text
