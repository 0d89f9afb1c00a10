"""Lines of long-term memory, and of what is written about the user, that answer a question as facts do."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

from memtool.core.context.filled import filled_text
from memtool.core.facts.relation_names import asked_words, line_names
from memtool.core.records.document import Document
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import sees
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.errors import MemtoolError
from memtool.formats import long_term
from memtool.formats.ownership import visible_lines
from memtool.formats.syntax import frontmatter
from memtool.index.engine import FileStamp
from memtool.index.facts.fact_search import FactHit, FactQuery, recall
from memtool.index.facts.facts import FactFile, FactRow, Facts, stems
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.place_files import place_documents

_ABOUT_USER = "user"
"""The name of the core file that is about the user, in any case."""
_LIST_MARK = r"\A(?:[-*+]|\d{1,9}[.)])[ \t]+"
_NAME_OF_OTHER = (
    r"(?<!user)['’]s (?:\w+ )?name\b|\bname of\b"
    r"|\b(?!(?:my|s|user|users|the|a|full|first|last|own|given|real|middle)\b)\w+ name\b"
)
"""Somebody else's name, or that of a thing."""


def recall_lines(
    workspace: Workspace, request: RecallRequest, category: str | None, notices: list[str]
) -> list[FactHit]:
    """The lines that answer a question by words, best first; the id of each is its `path:line`.

    A file that cannot be read is named in `notices`. Raises BrokenIndex.
    """
    files: list[FactFile] = []
    for place in workspace.layout.places:
        if place.role not in {"long-term", "core"}:
            continue
        with contextlib.suppress(MemtoolError):  # the workspace has no such folder
            for document in place_documents(workspace, place, None):
                if not isinstance(document, Document):
                    notices.append(str(document))
                    continue
                is_long_term = place.role == "long-term"
                rows = _long_term_rows if is_long_term else functools.partial(_core_rows, workspace)
                if facts := tuple(rows(document, request)):
                    files.append(FactFile(str(document.path), FileStamp(0, 0, 0, 0, 0, ""), facts))
    if not files:
        return []
    query = FactQuery(
        tuple(stems(asked_words(request.text))), request.limit, category=category, text=request.text
    )
    memory = Facts.in_memory()
    try:
        memory.write(files)
        return recall(memory, None, query)
    finally:
        memory.close()


def _long_term_rows(document: Document, request: RecallRequest) -> Iterator[FactRow]:
    for item in long_term.items(long_term.parse(document.text)):
        owner = str(item.fact.owner or "")
        if item.superseded is None and sees(request.scope.owners, owner):
            yield from _rows(document, item.line, item.fact.detail, item.fact.category, owner, request)


def _core_rows(workspace: Workspace, document: Document, request: RecallRequest) -> Iterator[FactRow]:
    """The lines of the file about the user, without headings and those that a new file has."""
    if document.path.stem.lower() != _ABOUT_USER:
        return
    seed = unfilled_text(workspace.layout, document.path, "core")
    body = frontmatter.parse(document.text).body
    filled = {*filled_text(body, seed).split("\n")}
    first = frontmatter.split(document.text)[2]
    for number, (line, is_shown) in enumerate(visible_lines(document.text, "core", request.scope.owners), 1):
        if is_shown and number >= first and line in filled and not line.startswith("#"):
            text = regex(_LIST_MARK).sub("", line.strip())
            yield from _rows(document, number, text, "", "", request)


def _rows(
    document: Document, line: int, text: str, category: str, owner: str, request: RecallRequest
) -> Iterator[FactRow]:
    text = text.replace("**", "").strip()
    asked = stems(request.text)
    is_name_asked = asked == ["name"] and has_first_person(request.text)
    if text and not (is_name_asked and regex(_NAME_OF_OTHER).search(search_fold(text))):
        name = f"{document.path}:{line}"
        yield FactRow(line, name, category or "context", owner, text, text, "", line_names(text))
