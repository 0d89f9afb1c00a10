"""Statements that hold no more: superseded facts and lines of long-term memory, and archived rules."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator

from memtool.core.records.document import Document
from memtool.core.records.semantic import FactTriple
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats import long_term, rules, semantic
from memtool.store.workspace import Workspace
from memtool.verbs.context.place_files import place_documents

_MARK = "[superseded:"
SUPERSEDED = "[superseded]"
_SHORTEST = 8
"""Characters of a statement that is looked for in other texts."""
_END = ".!。！｡ "


def folded_statement(text: str) -> str:
    """A statement as two are compared: in lower case, without the mark at its end."""
    return " ".join(text.casefold().split()).rstrip(_END)


def superseded_statements(workspace: Workspace, group: str | None) -> frozenset[str]:
    """The folded statements that something newer replaced, and none that stands elsewhere again."""
    return _superseded(_texts(workspace, group))


def superseded_in(texts: Collection[str], workspace: Workspace, group: str | None) -> frozenset[str]:
    """Those of `superseded_statements` that some of the texts may contain."""
    read = [*_texts(workspace, group)]
    marked = ((role, text if role == "rules-archive" else _marked_rows(text)) for role, text in read)
    folded = [" ".join(text.casefold().split()) for text in texts]
    found = {statement for statement in _superseded(marked) if any(statement in text for text in folded)}
    return frozenset(found & _superseded(read) if found else ())


def _marked_rows(text: str) -> str:
    return "\n".join(row for row in text.split("\n") if _MARK in row)


def _superseded(texts: Iterable[tuple[str, str]]) -> frozenset[str]:
    gone: set[str] = set()
    current: set[str] = set()
    for role, text in texts:
        match role:
            case "long-term":
                for item in long_term.items(long_term.parse(text)):
                    (current if item.superseded is None else gone).add(folded_statement(item.fact.detail))
            case "semantic":
                for record in semantic.records(semantic.parse(text)):
                    fact = record.fact
                    statement = (fact.quote or "") if isinstance(fact, FactTriple) else fact.detail
                    (current if record.superseded is None else gone).add(folded_statement(statement))
            case _:
                found = gone if role == "rules-archive" else current
                found |= {folded_statement(rule.text) for rule in rules.rules(rules.parse(text))}
    return frozenset(gone - current - {""})


def mark_superseded(text: str, statements: Collection[str]) -> str:
    """A text with a mark after each of these folded statements that it contains."""
    folded = " ".join(text.casefold().split())
    for statement in statements:
        if len(statement) >= _SHORTEST and statement in folded:
            words = r"\s+".join(map(re.escape, statement.split()))
            text = re.sub(
                rf"(?<!\w){words}(?!\w)", rf"\g<0> {SUPERSEDED}", text, count=1, flags=re.IGNORECASE
            )
    return text


def _texts(workspace: Workspace, group: str | None) -> Iterator[tuple[str, str]]:
    """The files that may hold such statements, or what holds again; none where none holds such a one."""
    texts: list[tuple[str, str]] = []
    for place in workspace.layout.places:
        if place.role not in {"long-term", "semantic", "rules", "rules-archive"}:
            continue
        if group is not None and not place.grouped:
            continue
        with contextlib.suppress(UnreadableFile, OutsideWorkspace):  # the sections, or the search, report it
            texts += [
                (place.role, document.text)
                for document in place_documents(workspace, place, group)
                if isinstance(document, Document) and document.text.strip()
            ]
    if any(_MARK in text or role == "rules-archive" for role, text in texts):
        yield from texts
