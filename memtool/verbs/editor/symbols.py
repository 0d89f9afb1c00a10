"""Symbols of a document and of the workspace, and the ranges of a document that can be folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.lint.lint_target import SourceText
from memtool.core.notes.link_resolver import name_key
from memtool.core.records.document import Document
from memtool.core.secrets.redact import redact_line
from memtool.formats import rules, semantic
from memtool.formats.syntax import json_text
from memtool.formats.syntax.outline import Heading, outline
from memtool.store.workspace import Workspace
from memtool.verbs.editor.places import heading_span, tag_uses
from memtool.verbs.memory_files.semantic_files import facts_of
from memtool.verbs.notes.link_graph import LinkGraph
from memtool.verbs.turns.history import is_turn_name, seq_of_name

MOST_SYMBOLS = 200
"""Most symbols of the workspace in one answer."""
_MOST_NAME_CHARS = 120


class OutlineSymbol(Struct):
    """A symbol of a document: its name, its kind, its span, and the span of its name.

    `kind` is heading, fact, rule or message; `id` is that of a fact or a rule.
    """

    name: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    detail: str = ""
    id: str = ""
    children: list[OutlineSymbol] = field(default_factory=list)


class WorkspaceSymbol(Struct, frozen=True):
    """A symbol of the workspace: a note, a fact, a rule or a turn, with its path and offset."""

    name: str
    kind: str
    path: str
    start: int
    end: int
    id: str = ""


class FoldedLines(Struct, frozen=True):
    """Lines (from 1) that can be folded: frontmatter, a section or a code block."""

    first: int
    last: int
    kind: str


def document_symbols(workspace: Workspace, path: str, text: str) -> list[OutlineSymbol]:
    """The symbols of a document: its headings as a tree, facts and rules below them; messages of a turn."""
    located = workspace.layout.locate(path)
    role = located.role if located else ""
    if role == "turn":
        return list(_messages(text))
    if not path.lower().endswith((".md", ".markdown")):
        return []
    source = SourceText(text)
    roots: list[OutlineSymbol] = []
    stack: list[tuple[int, OutlineSymbol]] = []
    headings = outline(text).headings
    records = sorted(_records(source, path, role), key=lambda symbol: symbol.start)
    entries: list[tuple[int, Heading | OutlineSymbol]] = [
        *((heading.start, heading) for heading in headings),
        *((symbol.start, symbol) for symbol in records),
    ]
    for start, entry in sorted(entries, key=lambda row: row[0]):
        if isinstance(entry, OutlineSymbol):
            entry.name = redact_line(entry.name, _MOST_NAME_CHARS)
            (stack[-1][1].children if stack else roots).append(entry)
            continue
        while stack and stack[-1][0] >= entry.level:
            stack.pop()[1].end = start
        at, to = heading_span(text, entry)
        symbol = OutlineSymbol(
            redact_line(entry.text, _MOST_NAME_CHARS) or "#" * entry.level,
            "heading",
            start,
            len(text),
            at,
            to,
        )
        (stack[-1][1].children if stack else roots).append(symbol)
        stack.append((entry.level, symbol))
    return roots


def _records(source: SourceText, path: str, role: str) -> Iterator[OutlineSymbol]:
    """The facts and rules of a document, with their whole texts as names."""
    match role:
        case "semantic":
            lines = [
                (number, line.record.id or "", line.raw, "superseded" if line.record.superseded else "")
                for number, line in enumerate(semantic.parse(source.text).lines, 1)
                if line.record
            ]
            facts = {fact.line: fact for fact in facts_of(Document(PurePosixPath(path), source.text, ""))}
            for number, _, raw, state in lines:
                start = source.line_start(number)
                fact = facts[number]
                detail = " ".join(filter(None, (fact.category, fact.name, state)))
                end = start + len(raw.rstrip("\r"))
                yield OutlineSymbol(fact.text, "fact", start, end, start, end, detail, fact.name)
        case "rules" | "rules-archive":
            for number, line in enumerate(rules.parse(source.text).lines, 1):
                if line.rule is not None:
                    start = source.line_start(number)
                    end = start + len(line.raw.rstrip("\r"))
                    name = line.rule.text
                    yield OutlineSymbol(name, "rule", start, end, start, end, line.rule.id, line.rule.id)
        case _:
            return


def _messages(text: str) -> Iterator[OutlineSymbol]:
    """The messages of a turn, each with its first line as its name."""
    try:
        messages: Any = json_text.loads(text)[0]["messages"]
        roles = [str(message["role"]) for message in messages]
    except (json_text.InvalidJson, KeyError, TypeError):
        return
    if not isinstance(messages, list):
        return
    spans = json_text.item_spans(text, "messages")
    for number, (role, (start, end)) in enumerate(zip(roles, spans, strict=False), 1):
        name_end = start + len(text[start:end].partition("\n")[0].rstrip("\r"))
        yield OutlineSymbol(f"{number}: {role}", "message", start, end, start, name_end)


def workspace_symbols(graph: LinkGraph, paths: Sequence[str], query: str) -> list[WorkspaceSymbol]:
    """The notes, facts, rules and turns whose names contain all words of a query; a note also by its aliases.

    A fact or rule that is found by its id has it before its name, because editors match names, too. The names
    have no secrets. For `#tag` these are the uses of a tag. `paths` are the files among which
    turns are found.
    """
    words = name_key(query).split()
    found: list[WorkspaceSymbol] = []
    for symbol in _all_symbols(graph, paths, query.strip()):
        name, with_id = symbol.name, f"{symbol.id} {symbol.name}"
        if symbol.id and not _has_words(name, words) and _has_words(with_id, words):
            name = with_id
        if _has_words(name, words) or symbol.kind == "tag":
            found.append(replace(symbol, name=redact_line(name, _MOST_NAME_CHARS)))
            if len(found) == MOST_SYMBOLS:
                break
    return found


def _has_words(name: str, words: Sequence[str]) -> bool:
    key = name_key(name)
    return all(word in key for word in words)


def _all_symbols(graph: LinkGraph, paths: Sequence[str], query: str) -> Iterator[WorkspaceSymbol]:
    for node in graph.notes():
        for name in dict.fromkeys((node.head.title, *node.head.aliases)):
            yield WorkspaceSymbol(name, "note", node.path, 0, 0)
    for node in graph.nodes.values():
        if node.located.role in {"semantic", "rules"}:
            for each in _records(SourceText(node.text), node.path, node.located.role):
                yield WorkspaceSymbol(each.name, each.kind, node.path, each.start, each.end, each.id)
    for path in paths:
        name = path.rpartition("/")[2]
        if is_turn_name(name) and (located := graph.workspace.layout.locate(path)) and located.role == "turn":
            yield WorkspaceSymbol(f"turn {seq_of_name(name)}", "turn", path, 0, 0)
    if query.startswith("#") and len(query) > 1:
        for use in tag_uses(graph, query[1:]):
            name = graph.nodes[use.path].text[use.start : use.end]
            yield WorkspaceSymbol(f"#{name}", "tag", use.path, use.start, use.end)


def folded_lines(text: str) -> Iterator[FoldedLines]:
    """The frontmatter, the sections and the code blocks of a Markdown text that have several lines."""
    lines = text.split("\n")
    count = len(lines) - (lines[-1] == "")
    found = outline(text)
    if lines[0].rstrip("\r").removeprefix("\ufeff") == "---":
        end = next((n for n, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
        if end > 1:
            yield FoldedLines(1, end, "frontmatter")
    for index, heading in enumerate(found.headings):
        following = (other.first for other in found.headings[index + 1 :] if other.level <= heading.level)
        last = next(following, count + 1) - 1
        while last > heading.last and not lines[last - 1].strip():
            last -= 1
        if last > heading.last:
            yield FoldedLines(heading.last, last, "section")
    yield from (FoldedLines(first, last, "code") for first, last in found.code_spans if last > first)
