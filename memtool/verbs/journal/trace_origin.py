"""The origins of a line of memory: its evidence, the turns that said it, and the commit that wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from memtool.core.facts.fact import name_of
from memtool.core.facts.support import Spoken
from memtool.core.history.journal import Moved, Record
from memtool.core.history.versions import Change, versions
from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import Scope
from memtool.core.records.triple import Triple
from memtool.core.records.turn import spell
from memtool.core.text.terms import word_list
from memtool.core.text.text import fold
from memtool.errors import MemtoolError
from memtool.formats import long_term, rules, semantic, session_state
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.log import reading
from memtool.verbs.search.search import search
from memtool.verbs.turns.turn_file import Current, read_turn

_LEADING = re.compile(
    r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+)?(?:\[[^\]]*\]\s*)*(?:\*\*[^*]{1,60}\*\*:?\s*)?(?:\[[^\]]*\]\s*)*"
)
_LONGEST = 300
"""Most characters of a text that are searched for in turns."""
_ABOUT = ("candidate", "session", "turn", "at", "policy")
_LOOKED = 20
_EACH = 2
"""Most links of one kind in a chain."""


class Link(Struct, frozen=True):
    """One step of a trace: its kind, its position and its text.

    `step` is memory, evidence, decision, state, note, turn, source or commit; `about` holds further fields.
    """

    step: str
    path: str | None
    line: int | None
    text: str
    about: Mapping[str, Any] = field(default_factory=dict)


class Meant(Struct, frozen=True):
    """The identity of a line: its id, if it has one, and the texts to search for elsewhere."""

    id: str | None
    said: tuple[str, ...]


def meant(role: str, text: str, number: int) -> Meant:
    """Return the identity of line `number` in a file of this role."""
    lines = text.split("\n")
    line_text = lines[number - 1].rstrip("\r")
    match role:
        case "semantic":
            if (record := semantic.Line(line_text).record) is not None:
                statement = record.known
                detail = (
                    (statement.quote or statement.object)
                    if isinstance(statement, Triple)
                    else statement.detail
                )
                return Meant(name_of(record), (detail,))
        case "rules" | "rules-archive":
            for rule in rules.rules(rules.parse(line_text)):
                return Meant(rule.id, (rule.text,))
        case "long-term":
            for line, fact in long_term.numbered(long_term.parse(text)):
                if line == number:
                    return Meant(None, (fact.detail,))
        case "session-state" | "session-state-archive":
            for entry in session_state.entries(session_state.parse(line_text)):
                return Meant(None, (entry.detail,))
    return Meant(None, (line_text[_leading(line_text) :].strip(),))


def _leading(line: str) -> int:
    match = _LEADING.match(line)
    return match.end() if match else 0


def evidence(workspace: Workspace, name: str) -> Iterator[tuple[Link, tuple[str, ...]]]:
    """Yield the evidence of a fact or rule with its quotes, and the decisions that admitted it."""
    candidates: set[str] = set()
    for path, number, row in _rows(workspace, "evidence"):
        quotes = row.get("quotes")
        if row.get("id") == name and isinstance(quotes, list):
            candidates.add(str(row.get("candidate", "")))
            quoted = tuple(str(quote) for quote in quotes)
            about = {key: row[key] for key in _ABOUT if row.get(key) is not None}
            yield Link("evidence", path, number, " … ".join(quoted), about), quoted
    for path, number, row in _rows(workspace, "audit"):
        if row.get("id") in candidates:
            about = {key: str(row[key]) for key in ("at", "action", "rule") if key in row}
            decision = f"{about.get('action', '')} by the rule {about.get('rule', '')}"
            yield Link("decision", path, number, decision, {**about, "candidate": str(row["id"])}), ()


def _rows(workspace: Workspace, role: str) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    path = workspace.layout.path(role)
    document = workspace.read(path)
    for number, line in enumerate(document.text.split("\n") if document else (), 1):
        try:
            row = json_text.loads(line)[0]
        except json_text.NotJson:
            continue
        if isinstance(row, dict):
            yield str(path), number, row


def told(step: str, files: Sequence[tuple[str, str]], texts: Sequence[str]) -> Iterator[Link]:
    """Yield the first lines in these files that contain one of the texts."""
    needles = [
        fold(" ".join(wanted_text.removesuffix("…").split()))
        for wanted_text in texts
        if is_telling(wanted_text)
    ]
    count = 0
    for path, page_text in files:
        folded = fold(page_text)
        if not any(needle in folded for needle in needles):
            continue
        for number, raw in enumerate(page_text.split("\n"), 1):
            if any(needle in fold(raw) for needle in needles):
                yield Link(step, path, number, raw.strip())
                count += 1
                if count == _EACH:
                    return


def is_telling(text: str) -> bool:
    """Whether a text is long enough to be searched for."""
    folded = fold(text)
    return len(folded) > _LEAST or len(word_list(folded)) > 1


_LEAST = 8


def turns(
    workspace: Workspace,
    shelves: SearchIndexes,
    texts: Sequence[str],
    today: date,
    scope: Scope,
    notices: list[str],
) -> Iterator[Link]:
    """Yield the earliest turns that contain one of the texts, each with the source of its import."""
    steps_found: dict[tuple[str, int], Link] = {}
    for wanted_text in filter(is_telling, texts):
        plain = re.sub(r'["“”«»]', " ", wanted_text.removesuffix("…"))[:_LONGEST]
        for query_text in (f'"{plain}"', plain):
            request = SearchRequest(query_text, scope, today, roles=("turn",), limit=_LOOKED)
            response = search(workspace, request, shelves)
            notices += [notice for notice in response.notices if notice not in notices]
            for hit in response.hits:
                if Spoken(hit.text).holds(wanted_text):
                    about = {"speaker": hit.speaker, "seq": hit.seq, "at": hit.at}
                    text_of = f"{hit.speaker}: {hit.snippet}" if hit.speaker else hit.snippet
                    steps_found[hit.path, hit.line] = Link("turn", hit.path, hit.line, text_of, about)
            if steps_found:
                break
    earliest = sorted(
        steps_found.values(), key=lambda step: (str(step.about["at"] or ""), step.path, step.line)
    )
    for step in earliest[:_EACH]:
        yield step
        yield from source(workspace, step.path or "")


def source(workspace: Workspace, path: str) -> Iterator[Link]:
    """Yield the source of an imported turn, as recorded in the turn."""
    try:
        content = workspace.disk.read_bytes(PurePosixPath(path))
        result = read_turn(content) if content is not None else None
    except MemtoolError:
        return
    origin = result.turn.more.get("source") if isinstance(result, Current) else None
    if isinstance(origin, dict):
        about = {key: str(origin[key]) for key in ("agent", "session", "id") if origin.get(key)}
        description = ", ".join(f"{key} {value}" for key, value in about.items() if key != "agent")
        yield Link(
            "source", path, None, f"imported from {about.get('agent', 'elsewhere')}: {description}", about
        )


def commits(workspace: Workspace, heads: Sequence[tuple[str, bytes]]) -> dict[tuple[str, bytes], Link]:
    """Return the commit that added each line, as far as the journal goes back."""
    steps: dict[tuple[str, bytes], Link] = {}
    names = {head: head[0] for head in heads}
    for change in versions(workspace.journal.recent(), reading(workspace)) if names else ():
        for head, name in list(names.items()):
            step = change.step
            if isinstance(step, Moved):
                if step.target == name:
                    names[head] = step.path
            elif step.path == name:
                if isinstance(change.after, bytes) and _has(change.after, head[1]):
                    if not isinstance(change.before, bytes | None):
                        names.pop(head)
                    elif change.before is None or not _has(change.before, head[1]):
                        steps[head] = _commit(change.record, "written by")
                        names.pop(head)
                else:
                    names.pop(head)
        if not names:
            break
    return steps


def removals(workspace: Workspace, text: str) -> Iterator[Link]:
    """Yield the most recently removed line that contains a text, and the commit that removed it."""
    needle = fold(text)
    for change in versions(workspace.journal.recent(), reading(workspace)):
        if not isinstance(change.step, Moved):
            for number, line in _gone(change):
                if needle in fold(line):
                    yield Link("memory", change.step.path, number, line.strip(), {"gone": True})
                    yield _commit(change.record, "taken out by")
                    return


def _gone(change: Change) -> Iterator[tuple[int, str]]:
    if isinstance(change.before, bytes) and isinstance(change.after, bytes | None):
        remaining = {*(change.after or b"").split(b"\n")}
        for number, line in enumerate(change.before.split(b"\n"), 1):
            if line not in remaining:
                yield number, line.decode("utf-8", "replace")


def _has(content: bytes, line: bytes) -> bool:
    return line in content.split(b"\n")


def _commit(record: Record, verb: str) -> Link:
    author = record.author
    about = {"id": record.run, "at": spell(record.at), "command": author.command}
    about |= {key: name for key, name in (("user", author.user), ("session", author.session)) if name}
    command = f"memtool {author.command}".strip()
    description = f"{verb} {command} at {spell(record.at)} ({record.run})"
    return Link("commit", None, None, description, about)
