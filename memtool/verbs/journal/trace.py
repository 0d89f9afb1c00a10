"""trace: find where a line of memory comes from, back to the turn in which it was said."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.identity import shown_sentence
from memtool.core.records.health import count_noun
from memtool.core.records.scope import Scope
from memtool.core.records.turn import format_moment
from memtool.core.records.unknown_id import id_hint
from memtool.core.text.folding import fold
from memtool.errors import BadUsage, MemtoolError
from memtool.formats import semantic
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.changed_statements import line_statement
from memtool.verbs.journal.line_identity import current_lines, identify_line, is_searchable
from memtool.verbs.journal.replaced_lines import LineKey, edited_chains, replaced_chains, superseded_lines
from memtool.verbs.journal.trace_origin import (
    DatedText,
    TraceStep,
    find_commits,
    find_removal,
    find_texts,
    find_turns,
    load_evidence,
)
from memtool.verbs.journal.unlisted_memory import TracedFile, UnlistedCount, count_unlisted, lines_about_user

MEMORY_ROLES = (
    "semantic",
    "rules",
    "long-term",
    "learnings",
    "core",
    "working-memory",
    "memories",
    "note",
    "episode",
    "rules-archive",
)
"""Roles whose lines are memory, in the order in which they are traced."""
MOST_IN_FULL = 60
"""The most lines of which `trace_all` searches all origins: each takes a search of the turns."""
CURRENT_ROLES = ("semantic", "rules", "long-term", "learnings")
"""Roles of the files with current facts, rules, items and learnings, in the order in which `trace_all` lists
them."""
STATE_ROLES = ("session-state", "session-state-archive")
NOTE_ROLES = ("daily-note",)
_POSITION = re.compile(r"(.+):(\d{1,7})")
_ID = re.compile(r"\^?([a-z]-[0-9A-Za-z-]{2,64})")
_WITH_ID = re.compile(r"(.*\S) \^([a-z]-[0-9A-Za-z-]{2,64})")


class TraceReport(Struct, frozen=True):
    """A chain for each matching line: the line first, then its origins, then the lines that it replaced.

    Current lines come first. A matching line that one above it replaced has no chain of its own. In a chain
    of `trace_all`, other lines that state the same follow the first line.
    `fault` says what is wrong with a path:line that names no line, or an unknown id; it is empty otherwise.
    """

    chains: tuple[tuple[TraceStep, ...], ...]
    notices: tuple[str, ...]
    fault: str = ""
    unlisted: tuple[UnlistedCount, ...] = ()
    """What else is stored: lines of files of every prompt, notes, log entries, turns, episodes, old facts."""

    @property
    def has_origin(self) -> bool:
        """Whether at least one chain has an origin."""
        return any(step.kind not in {"memory", "replaced"} for chain in self.chains for step in chain)


def trace(
    workspace: Workspace,
    text: str,
    indexes: SearchIndexes,
    today: date,
    scope: Scope,
    *,
    limit: int,
) -> TraceReport:
    """Trace the origins of lines of memory, given by words, by id, or as path:line.

    Evidence comes from the files, speakers from notes and turns, and writers from the journal. If no line of
    memory matches, the journal is searched for a removal of the text. Raises BadUsage for an empty text.
    """
    query = " ".join(text.split())
    if not query:
        raise BadUsage("nothing to trace: the text is empty")
    notices: list[str] = []
    seen = workspace.seen_by(scope.owners)
    files = _read_files(seen, scope, notices)
    matches = _find_lines(files, query)
    traced_lines = matches[:limit]
    if len(matches) > limit:
        notices.append(
            f"traced {limit} of {len(matches)} matching lines; to trace all, use -n {len(matches)}"
        )

    def turns(texts: Sequence[str]) -> Iterable[TraceStep]:
        return find_turns(workspace, indexes, texts, today, scope, notices)

    by_path = {file.path: file for file in files}

    def trace_lines(lines: Iterable[LineKey]) -> Iterator[tuple[TraceStep, ...]]:
        return _chains(seen, files, [[(by_path[path], number)] for path, number in lines], turns)

    superseded = superseded_lines(seen, files if traced_lines else ())
    edited = edited_chains(seen, [_line_key(*line) for line in traced_lines])
    keys = [(file.path, number) for file, number in traced_lines]
    chains: list[tuple[TraceStep, ...]] = []
    shown: set[tuple[str | None, int | None]] = set()
    for (file, number), chain in zip(traced_lines, trace_lines(keys), strict=True):
        if (file.path, number) not in shown:
            replaced = [*replaced_chains(superseded, chain, trace_lines)]
            shown |= {(step.path, step.line) for step in replaced if step.kind == "replaced"}
            chains.append((*chain, *replaced, *edited[_line_key(file, number)]))
    if not traced_lines:
        steps = [] if scope.group is not None else [*find_removal(workspace, query, scope.owners)]
        steps += turns([query])
        chains += [tuple(steps)] if steps else []
    fault = "" if chains else _position_fault(seen, files, query, scope) or _id_fault(files, query)
    return TraceReport(tuple(chains), tuple(visible_notices(workspace, scope, dict.fromkeys(notices))), fault)


def trace_all(
    workspace: Workspace, indexes: SearchIndexes, today: date, scope: Scope, *, limit: int | None
) -> TraceReport:
    """Trace lines about the user, and all current facts, rules, items of long-term memory and learnings.

    What two lines state of one owner is listed once. What a line replaced follows its origins. In a large
    memory, each is traced to its first known origin only: session state, notes and turns are searched for
    what no command or evidence explains.
    """
    notices: list[str] = []
    seen = workspace.seen_by(scope.owners)
    files = _read_files(seen, scope, notices)
    about_user = {
        (file.path, number): text
        for file in files
        for number, text in lines_about_user(workspace.layout, file).items()
    }
    lines = [(file, number) for file in files for path, number in about_user if path == file.path]
    lines += [
        (file, number)
        for role in CURRENT_ROLES
        for file in files
        if file.located.role == role
        for number in current_lines(role, file.text)
    ]

    def turns(texts: Sequence[str]) -> Iterable[TraceStep]:
        return find_turns(workspace, indexes, texts, today, scope, notices)

    traced_lines = _join_repeats(seen, lines)[:limit]
    chains = [*_chains(seen, files, traced_lines, turns, is_brief=len(traced_lines) > MOST_IN_FULL)]
    replaced = _replaced_by_all(seen, files, chains)
    chains = [
        (replace(first, text=about_user.get((first.path or "", first.line or 0), first.text)), *steps, *older)
        for (first, *steps), older in zip(chains, replaced, strict=True)
    ]
    unlisted = count_unlisted(workspace.layout, files, indexes, scope)
    shown_notices = tuple(visible_notices(workspace, scope, dict.fromkeys(notices)))
    return TraceReport(tuple(chains), shown_notices, unlisted=unlisted)


def _replaced_by_all(
    workspace: Workspace, files: Sequence[TracedFile], chains: Sequence[Sequence[TraceStep]]
) -> list[list[TraceStep]]:
    """What the first line of each chain replaced, each with the first known kind of origins.

    Turns are not searched for it.
    """
    by_path = {file.path: file for file in files}
    superseded = superseded_lines(workspace, files)
    old = [[(by_path[path], number)] for path, number in superseded.lines]
    known = {
        (path, number): chain
        for (path, number), chain in zip(
            superseded.lines,
            _chains(workspace, files, old, lambda _: (), is_brief=True) if old else (),
            strict=True,
        )
    }
    edits = {
        number: _line_key(by_path[first.path or ""], first.line or 0)
        for number, (first, *_) in enumerate(chains)
        if by_path[first.path or ""].located.role == "long-term"
    }
    edited = edited_chains(workspace, edits.values())
    return [
        [
            *replaced_chains(superseded, chain, lambda lines: [known[line] for line in lines]),
            *(edited[edits[number]] if number in edits else ()),
        ]
        for number, chain in enumerate(chains)
    ]


def _chains(
    workspace: Workspace,
    files: Sequence[TracedFile],
    lines: Sequence[Sequence[tuple[TracedFile, int]]],
    turns: Callable[[Sequence[str]], Iterable[TraceStep]],
    *,
    is_brief: bool = False,
) -> Iterator[tuple[TraceStep, ...]]:
    """The lines, each with those that repeat it and its origins; if brief, only with the first kind of them
    that is known."""
    states, notes = (
        [DatedText(file.path, file.text, file.located.day) for file in files if file.located.role in roles]
        for roles in (STATE_ROLES, NOTE_ROLES)
    )
    notes.sort(key=lambda note: note.path.rpartition("/")[2])
    commit_steps = find_commits(workspace, [_line_key(*first) for first, *_ in lines], states)
    evidence = load_evidence(workspace)
    for (file, number), *repeats in lines:
        identity = identify_line(file.located.role, file.text, number)
        line_text = file.text.split("\n")[number - 1].strip()
        at, owner = identity.at and format_moment(identity.at), identity.owner and str(identity.owner)
        about = {"id": identity.id, "at": at, "owner": owner}
        about = {name: value for name, value in about.items() if value}
        steps = [TraceStep("memory", file.path, number, line_text, about)]
        for other, other_number in repeats:
            repeated = other.text.split("\n")[other_number - 1].strip()
            name = identify_line(other.located.role, other.text, other_number).id
            steps.append(
                TraceStep("memory", other.path, other_number, repeated, {"id": name} if name else {})
            )
        own = len(steps)
        steps += commit_steps[_line_key(file, number)]
        evidence_steps = [*evidence.of(identity.id)] if identity.id else []
        texts = tuple(
            dict.fromkeys([*(quote for _, quotes in evidence_steps for quote in quotes), *identity.texts])
        )
        steps += [step for step, _ in evidence_steps]
        if file.located.role not in (*STATE_ROLES, *NOTE_ROLES) and not (is_brief and len(steps) > own):
            steps += find_texts("state", states, texts)
        if file.located.role not in NOTE_ROLES and not (is_brief and len(steps) > own):
            steps += find_texts("note", notes, texts)
        if not (is_brief and len(steps) > own):
            steps += turns([*filter(is_searchable, texts)])
        yield tuple(steps)


def _join_repeats(
    workspace: Workspace, lines: Sequence[tuple[TracedFile, int]]
) -> list[list[tuple[TracedFile, int]]]:
    """The lines, each with the later ones that state the same of the same owner.

    A line of a file of another role that is the evidence of a fact states the same as the fact.
    """
    joined: list[list[tuple[TracedFile, int]]] = []
    by_statement: dict[tuple[str, str], list[tuple[TracedFile, int]]] = {}
    stated: set[tuple[str, str]] = set()
    evidence = load_evidence(workspace)
    rows = {file.path: file.text.split("\n") for file, _ in lines}
    for file, number in lines:
        role, row = file.located.role, rows[file.path][number - 1]
        identity = identify_line(role, row, 1)
        statement = line_statement(row.strip(), is_fact=role == "semantic")
        quotes = [quote for _, texts in evidence.of(identity.id or "") for quote in texts]
        keys = [(str(identity.owner or ""), comparison_key(text)) for text in (statement, *quotes)]
        known = by_statement.get(keys[0])
        if known is not None and (known[0][0].located.role != role or keys[0] in stated):
            known.append((file, number))
            continue
        joined.append([(file, number)])
        stated.add(keys[0])
        for key in keys:
            by_statement.setdefault(key, joined[-1])
    return joined


def _position_fault(workspace: Workspace, files: Sequence[TracedFile], query: str, scope: Scope) -> str:
    """Why a text that looks like path:line names no line; "" if it does not look like it."""
    place = _POSITION.fullmatch(query)
    if place is None:
        return ""
    path = place[1]
    for file in files:
        if file.path == path:
            return f"{path} has only {count_noun(_count_lines(file), 'line')}"
    if " " in path or not ("/" in path or PurePosixPath(path).suffix):
        return ""
    located = workspace.role_of(path)
    with contextlib.suppress(MemtoolError):
        if located and scope.admits(located.group) and workspace.read(PurePosixPath(path)) is not None:
            return f"{path} has the role {located.role}; trace does not read files with this role"
    return f"{path}: no such memory file"


def _count_lines(file: TracedFile) -> int:
    return file.text.count("\n") + (not file.text.endswith("\n"))


def _line_key(file: TracedFile, number: int) -> tuple[str, bytes]:
    return file.path, file.text.split("\n")[number - 1].encode("utf-8", "surrogateescape")


def _read_files(workspace: Workspace, scope: Scope, notices: list[str]) -> list[TracedFile]:
    """The files in the scope that may hold the line or its origins."""
    listing = workspace.document_listing()
    notices += [f"{path or 'the workspace root'} cannot be listed: {why}" for path, why in listing.unreadable]
    files: list[TracedFile] = []
    for path in sorted(listing.files):
        located = workspace.role_of(path)
        if located is None or located.role not in (*MEMORY_ROLES, *STATE_ROLES, *NOTE_ROLES):
            continue
        if not scope.admits(located.group):
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            notices.append(str(error))
            continue
        if document is not None:
            files.append(TracedFile(path, located, document.text))
    return files


def _find_lines(files: Sequence[TracedFile], query: str) -> list[tuple[TracedFile, int]]:
    """The matching lines, by position, id or words; memory comes before session state and notes, and current
    lines before superseded ones."""
    if (place := _POSITION.fullmatch(query)) is not None:
        for file in files:
            if file.path == place[1] and 0 < int(place[2]) <= _count_lines(file):
                return [(file, int(place[2]))]
    for roles in ((*MEMORY_ROLES,), STATE_ROLES, NOTE_ROLES):
        candidates = [candidate for candidate in files if candidate.located.role in roles]
        candidates.sort(key=lambda candidate: roles.index(candidate.located.role))
        matches = _search_lines(candidates, query)
        if matches:
            old = {(file.path, number) for file in candidates for number in _superseded_numbers(file)}
            return sorted(matches, key=lambda match: (match[0].path, match[1]) in old)
    return []


def _superseded_numbers(file: TracedFile) -> set[int]:
    """The numbers of the lines of a file that state a superseded fact or item."""
    numbers = (number for number, row in enumerate(file.text.split("\n"), 1) if " [superseded: " in row)
    if file.located.role not in {"semantic", "long-term"}:
        return set()
    return {*numbers}.difference(current_lines(file.located.role, file.text))


def _id_fault(files: Iterable[TracedFile], query: str) -> str:
    """What to say of an id that no line has; "" for a query that is no id."""
    id_match = _ID.fullmatch(query)
    if id_match is None:
        return ""
    rows = (line.rstrip() for file in files for line in file.text.split("\n"))
    texts = {match[2]: match[1] for row in rows if (match := _WITH_ID.fullmatch(row))}
    hint = id_hint(id_match[1], texts, "memtool facts list and memtool rules list")
    return f"no line of memory has the id {id_match[1]!r}{hint}"


def _search_lines(files: Iterable[TracedFile], query: str) -> list[tuple[TracedFile, int]]:
    id_match = _ID.fullmatch(query)
    needle = fold(query)
    matches: list[tuple[TracedFile, int]] = []
    for file in files:
        if id_match is None and needle.split(" ", 1)[0] not in fold(file.text):
            continue
        for number, line in enumerate(file.text.split("\n"), 1):
            if id_match is not None and line.rstrip().endswith(f"^{id_match[1]}"):
                return [(file, number)]
            if needle in " ".join(fold(line).split()) or needle in _shown_fact(file.located.role, line):
                matches.append((file, number))
    return matches


def _shown_fact(role: str, line: str) -> str:
    """A line of facts, folded, as `memtool facts` shows it; "" for another one."""
    record = semantic.SemanticLine(line).record if role == "semantic" else None
    return fold(shown_sentence(record.fact)) if record is not None else ""
