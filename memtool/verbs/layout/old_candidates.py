"""Candidates in older shapes: a session's buffer as one JSON object, and lines with the keys of that time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.records.candidate import HELD, Decision
from memtool.core.records.entry import Owner
from memtool.core.records.migration import Step
from memtool.core.records.plan import Move, Plan, Replace
from memtool.core.records.turn import spell
from memtool.errors import BadUsage
from memtool.formats import candidate_line, old_candidates
from memtool.formats.candidate_line import NotACandidate
from memtool.formats.syntax import json_text
from memtool.verbs.changes.tree import Tree
from memtool.verbs.facts.candidates import buffers, policy
from memtool.verbs.layout.migration_step import put

_POLICY = "older-buffer"
_ENDING = ".json"
_DONE = ".migrated"
"""What the name of a buffer that was one file ends in, once its candidates are lines."""


def upgraded(tree: Tree, now: datetime) -> Iterator[Step]:
    """A step for each buffer in an older shape. A candidate that says nothing memtool knows stays there."""
    vocabulary = policy(tree.workspace.settings).vocabulary
    yield from _lines(tree, now, vocabulary)
    yield from _objects(tree, now, vocabulary)


def _lines(tree: Tree, now: datetime, vocabulary: Any) -> Iterator[Step]:
    for path in (*buffers(tree.workspace), tree.workspace.layout.path("pending")):
        text = tree.text(path)
        rows = text.split("\n") if text else []
        count = 0
        for number, row in enumerate(rows):
            value = _value(row)
            if old_candidates.is_old(value):
                made = _line(old_candidates.upgraded(value), value, path.parent.name, now, vocabulary)
                count += made is not None
                rows[number] = made.rstrip("\n") if made else row
        document = tree.read(path) if count else None
        if document is not None:
            plan = (Replace(path, "\n".join(rows), document.etag),)
            yield Step("edit", path, plan=plan, lines=count, why="candidates with the keys of today")


def _objects(tree: Tree, now: datetime, vocabulary: Any) -> Iterator[Step]:
    for path in tree.below(_folder(tree), 2):
        located = tree.workspace.located(str(path))
        if path.suffix.lower() != _ENDING or located is None or located.role != "cognition":
            continue
        text = tree.text(path)
        value = _value(text) if text and any(f'"{name}"' in text for name in old_candidates.LISTS) else None
        if old_candidates.is_buffer(value):
            yield _spread(tree, path, value, now, vocabulary)


def _spread(tree: Tree, path: PurePosixPath, value: Any, now: datetime, vocabulary: Any) -> Step:
    """The candidates of an object as lines of their sessions' buffers, and then the object out of the way."""
    session = str(
        value.get("session_id") or (path.stem if path.parent == _folder(tree) else path.parent.name)
    )
    lines: dict[PurePosixPath, list[str]] = {}
    left = 0
    for record, was in old_candidates.of_buffer(value):
        made = _line({"owner": value.get("owner") or "", **record}, was, session, now, vocabulary)
        try:
            name = json_text.loads(made)[0]["session"] if made else ""
            target = tree.workspace.layout.path("session-buffer", name=name)
        except BadUsage:
            made = None
        if made is None:
            left += 1
        else:
            lines.setdefault(target, []).append(made)
    plan: Plan = ()
    for target, rows in lines.items():
        there = tree.text(target) or ""
        ended = "\n" if there and not there.endswith("\n") else ""
        known = {one.get("id") for row in there.split("\n") if isinstance(one := _value(row), dict)}
        new = "".join(row for row in rows if json_text.loads(row)[0]["id"] not in known)
        if new:
            plan += put(tree, target, there + ended + new)
    document = tree.read(path)
    if document is None or not lines:
        return Step("keep", path, why="none of its candidates says anything memtool understands")
    aside = path.with_name(path.name + _DONE)
    number = 1
    while tree.stands(aside):
        number += 1
        aside = path.with_name(f"{path.name}{_DONE}-{number}")
    plan += (Move(path, aside, document.etag),)
    why = f"{sum(map(len, lines.values()))} candidates as lines"
    more = f", {left} not understood" if left else ""
    return Step("move", path, aside, plan, why=f"{why} of {next(iter(lines))}{more}")


def _line(record: dict[str, Any], was: Any, session: str, now: datetime, vocabulary: Any) -> str | None:
    """The line that holds a candidate in today's shape, and what it was; None for what is no candidate."""
    where = str(record.get("session") or session)
    kind, _, name = str(record.get("owner") or f"session:{where}").partition(":")
    try:
        candidate = candidate_line.parse(record, Owner(kind, name), where, vocabulary)
    except (NotACandidate, BadUsage, ValueError):
        return None
    action = record.get("action")
    why = str(record.get("reason") or "held by an older version")
    decision = Decision(action if action in HELD else "commit_at_session_end", _POLICY, why)
    at = record.get("at")
    made = candidate_line.line(candidate, decision, at if isinstance(at, str) else spell(now))
    return json_text.line({**json_text.loads(made)[0], "was": was})


def _value(text: str) -> Any:
    try:
        return json_text.loads(text)[0] if text.strip() else None
    except json_text.NotJson:
        return None


def _folder(tree: Tree) -> PurePosixPath:
    return tree.workspace.layout.folder("cognition")
