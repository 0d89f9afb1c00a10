"""Migration of candidates in older formats: buffers that are one JSON object, and lines with older keys."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.records.candidate import HELD_ACTIONS, PolicyDecision
from memtool.core.records.entries import Owner
from memtool.core.records.health import count_noun
from memtool.core.records.migration import MigrationStep
from memtool.core.records.plan import Move, Plan, Replace
from memtool.core.records.turn import format_moment, parse_moment
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage
from memtool.formats import candidate_line, candidate_upgrade
from memtool.formats.candidate_line import InvalidCandidate
from memtool.formats.syntax import json_text
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.facts.candidates import session_buffers
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.layout.migration_step import write_plan

_POLICY = "older-buffer"
_ENDING = ".json"
_CONVERTED_SUFFIX = ".migrated"
"""The ending added to the name of an object buffer after its candidates were converted."""


def upgrade_candidates(tree: PlannedTree, now: datetime) -> Iterator[MigrationStep]:
    """Yield a step for each buffer in an older format; unknown candidates stay as they are."""
    vocabulary = load_policy(tree.workspace.settings).vocabulary
    yield from _upgrade_lines(tree, now, vocabulary)
    yield from _convert_objects(tree, now, vocabulary)


def _upgrade_lines(tree: PlannedTree, now: datetime, vocabulary: Any) -> Iterator[MigrationStep]:
    for path in (*session_buffers(tree.workspace), tree.workspace.layout.path("pending")):
        text = tree.try_read_text(path)
        lines = text.split("\n") if text else []
        count = 0
        for number, row in enumerate(lines):
            value = _value(row)
            if candidate_upgrade.is_old_candidate(value):
                new_line = _candidate_line(
                    candidate_upgrade.upgrade_candidate(value), value, path.parent.name, now, vocabulary
                )
                count += new_line is not None
                lines[number] = new_line.rstrip("\n") if new_line else row
        document = tree.read(path) if count else None
        if document is not None:
            plan = (Replace(path, "\n".join(lines), document.etag),)
            yield MigrationStep(
                "edit", path, plan=plan, lines=count, why="renames keys from an older candidate format"
            )


def _convert_objects(tree: PlannedTree, now: datetime, vocabulary: Any) -> Iterator[MigrationStep]:
    for path in tree.below(_folder(tree), 2):
        located = tree.workspace.role_of(str(path))
        if path.suffix.lower() != _ENDING or located is None or located.role != "cognition":
            continue
        text = tree.try_read_text(path)
        value = (
            _value(text)
            if text and any(f'"{name}"' in text for name in candidate_upgrade.BUFFER_LISTS)
            else None
        )
        if candidate_upgrade.is_old_buffer(value):
            yield _convert_object(tree, path, value, now, vocabulary)


def _convert_object(
    tree: PlannedTree, path: PurePosixPath, value: Any, now: datetime, vocabulary: Any
) -> MigrationStep:
    """The step that appends the candidates of an object to session buffers, and renames the object's file."""
    session = str(
        value.get("session_id") or (path.stem if path.parent == _folder(tree) else path.parent.name)
    )
    lines: dict[PurePosixPath, list[str]] = {}
    skipped = 0
    for record, old_value in candidate_upgrade.upgrade_buffer(value):
        new_line = _candidate_line(
            {"owner": value.get("owner") or "", **record}, old_value, session, now, vocabulary
        )
        try:
            name = json_text.loads(new_line)[0]["session"] if new_line else ""
            target = tree.workspace.layout.path("session-buffer", name=name)
        except BadUsage:
            new_line = None
        if new_line is None:
            skipped += 1
        else:
            lines.setdefault(target, []).append(new_line)
    plan: Plan = ()
    for target, new_lines in lines.items():
        existing = tree.try_read_text(target) or ""
        separator = "\n" if existing and not existing.endswith("\n") else ""
        ids = {
            candidate.get("id") for row in existing.split("\n") if isinstance(candidate := _value(row), dict)
        }
        added = "".join(row for row in new_lines if json_text.loads(row)[0]["id"] not in ids)
        if added:
            plan += write_plan(tree, target, existing + separator + added)
    document = tree.read(path)
    if document is None or not lines:
        return MigrationStep("keep", path, why="no candidate in the file can be read")
    done_path = path.with_name(path.name + _CONVERTED_SUFFIX)
    number = 1
    while tree.exists(done_path):
        number += 1
        done_path = path.with_name(f"{path.name}{_CONVERTED_SUFFIX}-{number}")
    plan += (Move(path, done_path, document.etag),)
    why = f"{count_noun(sum(map(len, lines.values())), 'candidate')} converted to lines"
    more = f", {skipped} unreadable" if skipped else ""
    return MigrationStep("move", path, done_path, plan, why=f"{why} in {next(iter(lines))}{more}")


def _candidate_line(
    record: dict[str, Any], old_value: Any, session: str, now: datetime, vocabulary: Any
) -> str | None:
    """Return the line of a candidate in the current format; None for a record that is no candidate."""
    session_name = str(record.get("session") or session)
    kind, _, name = str(record.get("owner") or f"session:{session_name}").partition(":")
    try:
        candidate = candidate_line.parse(record, Owner(kind, name), session_name, vocabulary)
    except (InvalidCandidate, BadUsage, ValueError):
        return None
    action = record.get("action")
    why = one_line(str(record.get("reason") or "")) or "held by an older version of memtool"
    decision = PolicyDecision(action if action in HELD_ACTIONS else "commit_at_session_end", _POLICY, why)
    held_at = parse_moment(str(record.get("at") or ""))
    new_line = candidate_line.render_line(candidate, decision, format_moment(held_at or now))
    return json_text.dump_line({**json_text.loads(new_line)[0], "was": old_value})


def _value(text: str) -> Any:
    try:
        return json_text.loads(text)[0] if text.strip() else None
    except json_text.InvalidJson:
        return None


def _folder(tree: PlannedTree) -> PurePosixPath:
    return tree.workspace.layout.folder("cognition")
