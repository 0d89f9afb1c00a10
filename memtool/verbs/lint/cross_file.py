"""Problems between files: duplicate ids, facts and numbers, and links; cached until a file changes."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Seen
from memtool.store.workspace import Workspace
from memtool.verbs.lint import links, memory
from memtool.verbs.lint.files import Files, give
from memtool.verbs.lint.links import Fault
from memtool.verbs.lint.subjects import Subjects
from memtool.verbs.lint.wanted import Wanted

_Where = tuple[str, int]


def problems(files: Files) -> Iterator[Problem]:
    """Yield the problems between files; a duplicate is reported at the later of two, by path and line."""
    facts_by_file = [(path, check.seen) for path, check in sorted(files.found.items()) if check.found[1]]
    yield from _facts(facts_by_file)
    yield from _notes(facts_by_file, files.subjects)
    yield from _histories(facts_by_file, files.subjects)


def _facts(facts_by_file: list[tuple[str, Seen]]) -> Iterator[Problem]:
    """Yield facts that another file states too, and ids that another file uses."""
    first_statement: dict[str, _Where] = {}
    ids: dict[str, _Where] = {}
    for path, facts in facts_by_file:
        for line, name, hash_ in facts.facts:
            first = ids.setdefault(name, (path, line)) if name else (path, line)
            if first[0] != path:
                message = f"^{name} is the id of {first[0]}:{first[1]}, too"
                yield Problem(path, line, 1, "M210", message, name)
            first = first_statement.setdefault(hash_, (path, line)) if hash_ else (path, line)
            if first[0] != path:
                yield Problem(path, line, 1, "M212", f"{first[0]}:{first[1]} says the same", hash_)


def _notes(facts_by_file: list[tuple[str, Seen]], subjects: Subjects) -> Iterator[Problem]:
    """Yield notes of one workspace or group that have the same id."""
    ids: dict[tuple[str, str], str] = {}
    for path, facts in facts_by_file:
        if facts.id:
            first = ids.setdefault((subjects.group(path), facts.id), path)
            if first != path:
                yield Problem(
                    path, facts.line, 1, "M210", f"the id {facts.id} is that of {first}, too", facts.id
                )


def _histories(facts_by_file: list[tuple[str, Seen]], subjects: Subjects) -> Iterator[Problem]:
    """Yield sequence numbers that two turns of a history share, and heads that are behind their history."""
    numbers: dict[tuple[str, int], str] = {}
    highest: dict[str, tuple[int, str]] = {}
    for path, facts in facts_by_file:
        if facts.seq is not None:
            group = subjects.group(path)
            first = numbers.setdefault((group, facts.seq), path)
            if first != path:
                yield Problem(path, 1, 1, "M218", f"{first} has the number {facts.seq}, too", str(facts.seq))
            highest[group] = max(highest.get(group, (0, "")), (facts.seq, path))
    for path, facts in facts_by_file:
        last, highest_path = highest.get(subjects.group(path), (0, ""))
        if facts.last_seq is not None and facts.last_seq < last:
            message = f"last_seq is {facts.last_seq}, and {highest_path} has the number {last}"
            yield Problem(path, facts.line, 1, "M214", message)


def faults(workspace: Workspace, files: Files, wanted: Wanted) -> list[Fault]:
    """Return the problems between all files, with the contents of `wanted.given` in place of files.

    The result for the files as they are is cached. With a group, links are not checked, because their targets
    may lie outside the group.
    """
    if wanted.group is not None:
        give(files, wanted.given)
        return [Fault(fault) for fault in problems(files)]
    state = memory.state({**files.found, **files.silent}, links.names(files))
    cache = files.memory
    if cache.faults is not None and cache.state == state:
        faults_found = [Fault.of(row) for row in cache.faults]
    else:
        faults_found = _found(workspace, files)
    if files.is_new or cache.state != state:
        checks = {**files.found, **files.silent}
        memory.save(
            workspace, wanted.key, checks, files.ties(), [fault.record() for fault in faults_found], state
        )
    if wanted.given:
        give(files, wanted.given)
        return _found(workspace, files)
    return faults_found


def _found(workspace: Workspace, files: Files) -> list[Fault]:
    across_files = (Fault(problem) for problem in problems(files))
    return [*across_files, *links.faults(workspace, files)]
