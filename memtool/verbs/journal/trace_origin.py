"""The origins of a line of memory: its evidence, the turns that said it, and the commit that wrote it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from memtool.core.facts.support import EvidenceText
from memtool.core.history.journal import (
    Appended,
    CommitRecord,
    CommitStep,
    Created,
    Moved,
    Replaced,
    changed_line_counts,
    line_digest,
    line_id,
)
from memtool.core.history.versions import ContentChange, content_changes
from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import Scope
from memtool.core.records.turn import format_moment
from memtool.core.text.folding import fold
from memtool.errors import MemtoolError
from memtool.formats import rules, session_state
from memtool.store.files.reader import TreeReader
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.line_identity import is_searchable
from memtool.verbs.journal.log import version_reader
from memtool.verbs.memory_files.audit import DECISIONS_BY_HAND, recorded_decisions
from memtool.verbs.memory_files.evidence import EvidenceRow, evidence_rows
from memtool.verbs.search.search import search
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

_MOST_QUERY_CHARS = 300
"""Most characters of a text that are searched for in turns."""
_EVIDENCE_FIELDS = ("candidate", "session", "turn", "at", "policy")
_CORRECTION = "**correction**: "
_MOST_HITS = 20
_MOST_STEPS = 2
"""Most links of one kind in a chain."""


class TraceStep(Struct, frozen=True):
    """One step of a trace: its kind, its position and its text.

    `kind` is memory, evidence, decision, state, note, turn, source, commit, or, for a line that an earlier
    line of the chain replaced and whose origins follow, replaced; `about` holds further fields.
    """

    kind: str
    path: str | None
    line: int | None
    text: str
    about: Mapping[str, Any] = field(default_factory=dict)


class EvidenceTable(Struct, frozen=True):
    """The evidence of a workspace by id, the decisions by candidate with their lines, and both paths."""

    evidence: Mapping[str, Sequence[EvidenceRow]]
    evidence_path: str
    decisions: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]]
    decisions_path: str

    def of(self, name: str) -> Iterator[tuple[TraceStep, tuple[str, ...]]]:
        """Yield the evidence of a fact or rule with its quotes, and the decisions that admitted it."""
        rows = self.evidence.get(name, ())
        for row in rows:
            about = {key: row.fields[key] for key in _EVIDENCE_FIELDS if row.fields.get(key) is not None}
            yield (
                TraceStep("evidence", self.evidence_path, row.line, " … ".join(row.quotes), about),
                row.quotes,
            )
        candidates = dict.fromkeys(row.candidate for row in rows)
        decided = [pair for candidate in candidates for pair in self.decisions.get(candidate, ())]
        for number, record in sorted(decided, key=lambda pair: pair[0]):
            about = {key: str(record[key]) for key in ("at", "action", "rule") if key in record}
            rule = about.get("rule", "")
            decision = DECISIONS_BY_HAND.get(rule, f"{about.get('action', '')} (rule: {rule})")
            about["candidate"] = str(record["id"])
            yield TraceStep("decision", self.decisions_path, number, decision, about), ()


def load_evidence(workspace: Workspace) -> EvidenceTable:
    """Read the evidence and the decisions of a workspace."""
    evidence: dict[str, list[EvidenceRow]] = {}
    for row in evidence_rows(workspace):
        evidence.setdefault(row.id, []).append(row)
    decisions: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for number, record in recorded_decisions(workspace, ("",)):
        decisions.setdefault(str(record.get("id")), []).append((number, record))
    paths = (str(workspace.layout.path(role)) for role in ("evidence", "audit"))
    return EvidenceTable(evidence, next(paths), decisions, next(paths))


class DatedText(Struct, frozen=True):
    """The text of a file in which a line was stated, and its day if all its lines are of one day."""

    path: str
    text: str
    day: date | None


def find_texts(kind: str, files: Sequence[DatedText], texts: Sequence[str]) -> Iterator[TraceStep]:
    """Yield the first lines in these files that contain one of the texts, with their days."""
    needles = [
        fold(" ".join(wanted_text.removesuffix("…").split()))
        for wanted_text in texts
        if is_searchable(wanted_text)
    ]
    count = 0
    for file in files:
        folded = fold(file.text)
        if not any(needle in folded for needle in needles):
            continue
        for number, raw in enumerate(file.text.split("\n"), 1):
            if any(needle in fold(raw) for needle in needles):
                at = file.day.isoformat() if file.day else _entry_time(raw)
                yield TraceStep(kind, file.path, number, raw.strip(), {"at": at} if at else {})
                count += 1
                if count == _MOST_STEPS:
                    return


def _entry_time(line: str) -> str | None:
    """The time of an entry of the session state; None for another line."""
    entries = session_state.entries(session_state.parse(line.rstrip("\r")))
    return next((format_moment(entry.at) for entry in entries), None)


def find_turns(
    workspace: Workspace,
    indexes: SearchIndexes,
    texts: Sequence[str],
    today: date,
    scope: Scope,
    notices: list[str],
) -> Iterator[TraceStep]:
    """Yield the earliest turns that contain one of the texts, each with the source of its import."""
    steps_found: dict[tuple[str, int], TraceStep] = {}
    for wanted_text in texts:
        plain = re.sub(r'["“”«»]', " ", wanted_text.removesuffix("…"))[:_MOST_QUERY_CHARS]
        for query_text in (f'"{plain}"', plain):
            request = SearchRequest(query_text, scope, today, roles=("turn",), limit=_MOST_HITS)
            response = search(workspace, request, indexes)
            notices += [notice for notice in response.notices if notice not in notices]
            for hit in response.hits:
                if EvidenceText(hit.text).contains_quote(wanted_text):
                    about = {"speaker": hit.speaker, "seq": hit.seq, "at": hit.at}
                    text_of = f"{hit.speaker}: {hit.snippet}" if hit.speaker else hit.snippet
                    steps_found[hit.path, hit.line] = TraceStep("turn", hit.path, hit.line, text_of, about)
            if steps_found:
                break
    earliest = sorted(
        steps_found.values(), key=lambda step: (str(step.about["at"] or ""), step.path, step.line)
    )
    for step in earliest[:_MOST_STEPS]:
        yield step
        yield from import_source(workspace, step.path or "")


def import_source(workspace: Workspace, path: str) -> Iterator[TraceStep]:
    """Yield the source of an imported turn, as recorded in the turn."""
    try:
        content = workspace.disk.read_bytes(PurePosixPath(path))
        result = read_turn(content) if content is not None else None
    except MemtoolError:
        return
    origin = result.turn.more.get("source") if isinstance(result, CurrentTurn) else None
    if isinstance(origin, dict):
        about = {key: str(origin[key]) for key in ("agent", "session", "id") if origin.get(key)}
        description = ", ".join(f"{key} {value}" for key, value in about.items() if key != "agent")
        yield TraceStep(
            "source",
            path,
            None,
            f"imported from {about.get('agent', 'an unknown agent')}: {description}",
            about,
        )


def find_commits(
    workspace: Workspace, heads: Sequence[tuple[str, bytes]], states: Sequence[DatedText] = ()
) -> dict[tuple[str, bytes], list[TraceStep]]:
    """Return the commit that added each line, and the undo that restored it, as far as the journal goes back.

    After the commit of a line of `heads` without an id, the corrections that it recorded in the session
    state, whose files are `states`: the line may be an older one with its value put right.
    Of a superseded line also the commit that superseded it, after the one that added it; of an archived rule
    the one that archived it. Of a line that was
    edited by hand it is the commit that added the record with its id. What an undo reverted when it restored
    a line says nothing of that line. Beyond a change of which it is not known whether it wrote a line, as
    after `forget`, only a change that certainly wrote it counts.
    """
    steps: dict[tuple[str, bytes], list[TraceStep]] = {head: [] for head in heads}
    names = {head: head[0] for head in heads}
    lines: dict[tuple[str, bytes], bytes] = {}
    by_mark: defaultdict[str, set[tuple[str, bytes]]] = defaultdict(set)

    def seek(head: tuple[str, bytes], line: bytes) -> None:
        lines[head] = line
        for mark in _marks_of(line):
            by_mark[mark].add(head)

    for head in heads:
        seek(head, head[1])
    reverted: dict[tuple[str, bytes], set[str]] = {head: set() for head in heads}
    rules_path, archive = (
        str(workspace.layout.path(role)) if workspace.has(role) else "" for role in ("rules", "rules-archive")
    )
    passed_unknown: set[tuple[str, bytes]] = set()
    for change in (
        content_changes(workspace.journal.newest_first(), version_reader(workspace)) if names else ()
    ):
        step = change.step
        marks = _written_marks(step)
        touched = names if marks is None else {head for mark in marks for head in by_mark.get(mark, ())}
        for head, name in [(head, names[head]) for head in touched if head in names]:
            if change.record.run in reverted[head]:
                continue
            if isinstance(step, Moved):
                names[head] = step.path if step.target == name else name
            elif step.path == name and (verb := _what_was_done(change, lines[head])) != "":
                if verb is None or (verb != "written by" and head in passed_unknown):
                    passed_unknown.add(head)
                    continue
                is_undo = bool(change.record.undoes)
                if is_undo and reverted[head] and verb != "written by":
                    continue  # it did again what the later undo reverted
                is_restored = verb == "written by" and is_undo
                active = _line_before_mark(change, lines[head])
                if verb == "written by" and not is_restored and name == archive:
                    steps[head].insert(0, _commit_step(change.record, "archived by"))
                    names[head] = rules_path
                    seek(head, _active_rule(lines[head]))
                    continue
                if verb == "written by" and not is_restored and active is not None:
                    steps[head].insert(0, _commit_step(change.record, "superseded by"))
                    seek(head, active)
                    continue
                if not (is_restored and steps[head]):
                    verb = "restored by" if is_restored else verb
                    steps[head].insert(0, _commit_step(change.record, verb))
                    if verb == "written by" and not line_id(head[1]):
                        steps[head][1:1] = _corrections_by(
                            change.record, states, head[1].decode("utf-8", "replace")
                        )
                if is_restored:
                    reverted[head].update(change.record.undoes)
                else:
                    names.pop(head)
        if not names:
            break
    return steps


def _corrections_by(record: CommitRecord, states: Sequence[DatedText], line: str) -> Iterator[TraceStep]:
    """Yield the lines of the session state with corrections that a commit recorded, to a value of a line."""
    from memtool.core.capture.corrected_lines import says_value  # few lines were corrected
    from memtool.core.capture.corrections import corrections

    written = {mark for step in record.steps for mark in _written_marks(step) or ()}
    for file in states if written else ():
        for number, row in enumerate(file.text.split("\n"), 1):
            if _CORRECTION in row and not written.isdisjoint(
                _marks_of(row.encode("utf-8", "surrogateescape"))
            ):
                said = row.partition(_CORRECTION)[2].strip()
                if not any(found.new and says_value(found.new, line) for found in corrections(said)):
                    continue
                yield TraceStep(
                    "state", file.path, number, row.strip(), {"at": _entry_time(row) or "", "said": said}
                )


def _marks_of(line: bytes) -> set[str]:
    """The digests by which the journal may know a line: with and without its line end, and of its id."""
    return {line_digest(line), line_digest(line + b"\n"), line_id(line)} - {""}


def _written_marks(step: CommitStep) -> set[str] | None:
    """The digests of all lines that a step wrote, and of their ids; None if these are not known."""
    if isinstance(step, Created | Appended | Replaced) and step.written is not None and step.written.is_whole:
        return {mark for each in step.written.new for mark in (each.digest, each.id)}
    return None if isinstance(step, Moved) or changed_line_counts(step)[1] else set()


def _line_before_mark(change: ContentChange, line: bytes) -> bytes | None:
    """The line that a change marked as superseded; None if it did not.

    A fact with a key may have had another id. Where the text before the change is unknown, as after `forget`,
    it is the line without its mark.
    """
    start, mark, rest = line.rpartition(b" [superseded: ")
    if not mark or change.before is None:
        return None
    if not isinstance(change.before, bytes):
        name = re.search(rb" \^[\w-]+\s*\Z", rest)
        return start + (name[0] if name else b"")
    rows = (row for row in change.before.split(b"\n") if row.startswith(start))
    return next((row for row in rows if re.fullmatch(rb"(?: \^[\w-]+)?\s*", row[len(start) :])), None)


def _active_rule(line: bytes) -> bytes:
    """The line of an archived rule as it was in the rules file."""
    return rules.active_line(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _what_was_done(change: ContentChange, line: bytes) -> str | None:
    """What a change did to a line, as words before its command: "" for nothing; None if that is not known."""
    step, before, after = change.step, change.before, change.after
    if changed_line_counts(step)[1] == 0:
        return ""
    if isinstance(step, Created | Appended | Replaced) and step.written is not None:
        new = step.written.new
        if {line_digest(line), line_digest(line + b"\n")} & {mark.digest for mark in new}:
            return "written by"
        if not step.written.is_whole:
            return None
        name = line_id(line)
        return "edited by hand since" if name and any(mark.id == name for mark in new) else ""
    if not isinstance(after, bytes) or not _has_line(after, line) or not isinstance(before, bytes | None):
        return None
    return "written by" if before is None or not _has_line(before, line) else ""


def find_removal(workspace: Workspace, text: str, owners: Collection[str]) -> Iterator[TraceStep]:
    """Yield the most recently removed line that contains a text, and the commit that removed it.

    With `owners`, no line of another user.
    """
    needle, disk = fold(text), workspace.seen_by(owners).disk
    for change in content_changes(workspace.journal.newest_first(), version_reader(workspace)):
        if not isinstance(change.step, Moved):
            for number, line in _removed_lines(change, disk):
                if needle in fold(line):
                    yield TraceStep("memory", change.step.path, number, line.strip(), {"removed": True})
                    yield _commit_step(change.record, "removed by")
                    return


def _removed_lines(change: ContentChange, disk: TreeReader) -> Iterator[tuple[int, str]]:
    if isinstance(change.before, bytes) and isinstance(change.after, bytes | None):
        remaining = {*(change.after or b"").split(b"\n")}
        shown = disk.visible_bytes(change.step.path, change.before) or b""
        for number, line in enumerate(shown.split(b"\n"), 1):
            if line not in remaining:
                yield number, line.decode("utf-8", "replace")


def _has_line(content: bytes, line: bytes) -> bool:
    return line in content.split(b"\n")


def _commit_step(record: CommitRecord, verb: str) -> TraceStep:
    author = record.author
    about = {"id": record.run, "at": format_moment(record.at), "command": author.command}
    about |= {key: name for key, name in (("user", author.user), ("session", author.session)) if name}
    command = f"memtool {author.command}".strip()
    description = f"{verb} {command} at {format_moment(record.at)} ({record.run})"
    return TraceStep("commit", None, None, description, about)
