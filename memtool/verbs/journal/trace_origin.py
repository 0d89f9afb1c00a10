"""trace, from the words on: what bears a line of memory out, who said it, and which command wrote it."""

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
from memtool.core.records.triple import Triple
from memtool.core.records.turn import spell
from memtool.core.text.text import fold, words
from memtool.errors import MemtoolError
from memtool.formats import long_term, rules, semantic, session_state
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.log import reading
from memtool.verbs.search.answer import Question
from memtool.verbs.search.search import search
from memtool.verbs.turns.turn_file import Current, read_turn

_LEADING = re.compile(
    r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+)?(?:\[[^\]]*\]\s*)*(?:\*\*[^*]{1,60}\*\*:?\s*)?(?:\[[^\]]*\]\s*)*"
)
_LONGEST = 300
"""Characters of a text that are looked for among turns."""
_ABOUT = ("candidate", "session", "turn", "at", "policy")
_LOOKED = 20
_EACH = 2
"""Links of one kind that a chain has at most."""


class Link(Struct, frozen=True):
    """One step of a chain: what kind it is of, where it stands and what it says there.

    `step` is memory, evidence, decision, state, note, turn, source or commit; `about` says more by names.
    """

    step: str
    path: str | None
    line: int | None
    text: str
    about: Mapping[str, Any] = field(default_factory=dict)


class Meant(Struct, frozen=True):
    """What a line means: its id if it has one, and the texts by which it is told elsewhere."""

    id: str | None
    said: tuple[str, ...]


def meant(role: str, text: str, number: int) -> Meant:
    """What line `number` of a file of this role means."""
    lines = text.split("\n")
    raw = lines[number - 1].rstrip("\r")
    match role:
        case "semantic":
            if (record := semantic.Line(raw).record) is not None:
                known = record.known
                said = (known.quote or known.object) if isinstance(known, Triple) else known.detail
                return Meant(name_of(record), (said,))
        case "rules" | "rules-archive":
            for rule in rules.rules(rules.parse(raw)):
                return Meant(rule.id, (rule.text,))
        case "long-term":
            for line, fact in long_term.numbered(long_term.parse(text)):
                if line == number:
                    return Meant(None, (fact.detail,))
        case "session-state" | "session-state-archive":
            for entry in session_state.entries(session_state.parse(raw)):
                return Meant(None, (entry.detail,))
    return Meant(None, (raw[_leading(raw) :].strip(),))


def _leading(raw: str) -> int:
    found = _LEADING.match(raw)
    return found.end() if found else 0


def evidence(workspace: Workspace, name: str) -> Iterator[tuple[Link, tuple[str, ...]]]:
    """What a fact or a rule of this id rests on, with its quotes, and each decision that let it in."""
    candidates: set[str] = set()
    for path, number, row in _rows(workspace, "evidence"):
        quotes = row.get("quotes")
        if row.get("id") == name and isinstance(quotes, list):
            candidates.add(str(row.get("candidate", "")))
            said = tuple(str(one) for one in quotes)
            about = {key: row[key] for key in _ABOUT if row.get(key) is not None}
            yield Link("evidence", path, number, " … ".join(said), about), said
    for path, number, row in _rows(workspace, "audit"):
        if row.get("id") in candidates:
            about = {key: str(row[key]) for key in ("at", "action", "rule") if key in row}
            said_so = f"{about.get('action', '')} by the rule {about.get('rule', '')}"
            yield Link("decision", path, number, said_so, {**about, "candidate": str(row["id"])}), ()


def _rows(workspace: Workspace, role: str) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    path = workspace.layout.path(role)
    document = workspace.read(path)
    for number, raw in enumerate(document.text.split("\n") if document else (), 1):
        try:
            row = json_text.loads(raw)[0]
        except json_text.NotJson:
            continue
        if isinstance(row, dict):
            yield str(path), number, row


def told(step: str, pages: Sequence[tuple[str, str]], said: Sequence[str]) -> Iterator[Link]:
    """The first lines of these files that hold one of the texts."""
    needles = [fold(" ".join(one.removesuffix("…").split())) for one in said if is_telling(one)]
    count = 0
    for path, text in pages:
        folded = fold(text)
        if not any(needle in folded for needle in needles):
            continue
        for number, raw in enumerate(text.split("\n"), 1):
            if any(needle in fold(raw) for needle in needles):
                yield Link(step, path, number, raw.strip())
                count += 1
                if count == _EACH:
                    return


def is_telling(said: str) -> bool:
    """Whether a text is long enough to be looked for by itself."""
    folded = fold(said)
    return len(folded) > _LEAST or sum(1 for _ in words(folded)) > 1


_LEAST = 8


def turns(
    workspace: Workspace,
    shelves: SearchIndexes,
    said: Sequence[str],
    today: date,
    group: str | None,
    notices: list[str],
) -> Iterator[Link]:
    """The turns that first said one of the texts, each with where it was imported from."""
    found: dict[tuple[str, int], Link] = {}
    for one in filter(is_telling, said):
        bare = re.sub(r'["“”«»]', " ", one.removesuffix("…"))[:_LONGEST]
        for text in (f'"{bare}"', bare):
            question = Question(text, today, roles=("turn",), group=group, limit=_LOOKED)
            answer = search(workspace, question, shelves)
            notices += [notice for notice in answer.notices if notice not in notices]
            for hit in answer.hits:
                if Spoken(hit.text).holds(one):
                    about = {"speaker": hit.speaker, "seq": hit.seq, "at": hit.at}
                    text_of = f"{hit.speaker}: {hit.snippet}" if hit.speaker else hit.snippet
                    found[hit.path, hit.line] = Link("turn", hit.path, hit.line, text_of, about)
            if found:
                break
    first = sorted(found.values(), key=lambda link: (str(link.about["at"] or ""), link.path, link.line))
    for link in first[:_EACH]:
        yield link
        yield from source(workspace, link.path or "")


def source(workspace: Workspace, path: str) -> Iterator[Link]:
    """Where a turn was imported from, as it says itself."""
    try:
        content = workspace.disk.read_bytes(PurePosixPath(path))
        found = read_turn(content) if content is not None else None
    except MemtoolError:
        return
    origin = found.turn.more.get("source") if isinstance(found, Current) else None
    if isinstance(origin, dict):
        about = {key: str(origin[key]) for key in ("agent", "session", "id") if origin.get(key)}
        said = ", ".join(f"{key} {value}" for key, value in about.items() if key != "agent")
        yield Link("source", path, None, f"imported from {about.get('agent', 'elsewhere')}: {said}", about)


def commits(workspace: Workspace, heads: Sequence[tuple[str, bytes]]) -> dict[tuple[str, bytes], Link]:
    """For each line of a file the commit that brought it there, as far as the journal can tell."""
    found: dict[tuple[str, bytes], Link] = {}
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
                        found[head] = _commit(change.record, "written by")
                        names.pop(head)
                else:
                    names.pop(head)
        if not names:
            break
    return found


def removals(workspace: Workspace, text: str) -> Iterator[Link]:
    """Lines that hold a text, and that a command took out of memory: nothing there says it any more."""
    needle = fold(text)
    for change in versions(workspace.journal.recent(), reading(workspace)):
        if not isinstance(change.step, Moved):
            for number, raw in _gone(change):
                if needle in fold(raw):
                    yield Link("memory", change.step.path, number, raw.strip(), {"gone": True})
                    yield _commit(change.record, "taken out by")
                    return


def _gone(change: Change) -> Iterator[tuple[int, str]]:
    if isinstance(change.before, bytes) and isinstance(change.after, bytes | None):
        left = {*(change.after or b"").split(b"\n")}
        for number, raw in enumerate(change.before.split(b"\n"), 1):
            if raw not in left:
                yield number, raw.decode("utf-8", "replace")


def _has(content: bytes, line: bytes) -> bool:
    return line in content.split(b"\n")


def _commit(record: Record, verb: str) -> Link:
    author = record.author
    about = {"id": record.run, "at": spell(record.at), "command": author.command}
    about |= {key: name for key, name in (("user", author.user), ("session", author.session)) if name}
    command = f"memtool {author.command}".strip()
    said = f"{verb} {command} at {spell(record.at)} ({record.run})"
    return Link("commit", None, None, said, about)
