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
    """The problems between files; those of one file stand at the later of the two, by path and line."""
    seen = [(path, known.seen) for path, known in sorted(files.found.items()) if known.found[1]]
    yield from _facts(seen)
    yield from _notes(seen, files.subjects)
    yield from _histories(seen, files.subjects)


def _facts(seen: list[tuple[str, Seen]]) -> Iterator[Problem]:
    """Facts that another file states, too, and ids that another file has given."""
    said: dict[str, _Where] = {}
    ids: dict[str, _Where] = {}
    for path, one in seen:
        for line, name, hash_ in one.facts:
            first = ids.setdefault(name, (path, line)) if name else (path, line)
            if first[0] != path:
                message = f"^{name} is the id of {first[0]}:{first[1]}, too"
                yield Problem(path, line, 1, "M210", message, name)
            first = said.setdefault(hash_, (path, line)) if hash_ else (path, line)
            if first[0] != path:
                yield Problem(path, line, 1, "M212", f"{first[0]}:{first[1]} says the same", hash_)


def _notes(seen: list[tuple[str, Seen]], subjects: Subjects) -> Iterator[Problem]:
    """Notes of one workspace or group that give themselves the same id."""
    ids: dict[tuple[str, str], str] = {}
    for path, one in seen:
        if one.id:
            first = ids.setdefault((subjects.group(path), one.id), path)
            if first != path:
                yield Problem(path, one.line, 1, "M210", f"the id {one.id} is that of {first}, too", one.id)


def _histories(seen: list[tuple[str, Seen]], subjects: Subjects) -> Iterator[Problem]:
    """Numbers that two turns of one history have, and heads that are behind their history."""
    numbers: dict[tuple[str, int], str] = {}
    highest: dict[str, tuple[int, str]] = {}
    for path, one in seen:
        if one.seq is not None:
            group = subjects.group(path)
            first = numbers.setdefault((group, one.seq), path)
            if first != path:
                yield Problem(path, 1, 1, "M218", f"{first} has the number {one.seq}, too", str(one.seq))
            highest[group] = max(highest.get(group, (0, "")), (one.seq, path))
    for path, one in seen:
        last, at = highest.get(subjects.group(path), (0, ""))
        if one.last_seq is not None and one.last_seq < last:
            message = f"last_seq is {one.last_seq}, and {at} has the number {last}"
            yield Problem(path, one.line, 1, "M214", message)


def faults(workspace: Workspace, files: Files, wanted: Wanted) -> list[Fault]:
    """The faults between all files as they are; then those with what an editor has in their place.

    What is known of all is kept for the next time. A group does not see everything that its links may lead
    to, so nothing is said of them.
    """
    if wanted.group is not None:
        give(files, wanted.given)
        return [Fault(one) for one in problems(files)]
    now = memory.state({**files.found, **files.silent}, links.names(files))
    held = files.memory
    if held.faults is not None and held.state == now:
        found = [Fault.of(row) for row in held.faults]
    else:
        found = _found(workspace, files)
    if files.is_new or held.state != now:
        known = {**files.found, **files.silent}
        memory.save(workspace, wanted.key, known, files.ties(), [one.record() for one in found], now)
    if wanted.given:
        give(files, wanted.given)
        return _found(workspace, files)
    return found


def _found(workspace: Workspace, files: Files) -> list[Fault]:
    across_files = (Fault(one) for one in problems(files))
    return [*across_files, *links.faults(workspace, files)]
