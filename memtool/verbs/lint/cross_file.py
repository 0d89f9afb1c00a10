"""Problems between files: duplicate ids, facts and numbers, and links; cached until a file changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtool.core.lint.check_result import CrossFileData
from memtool.core.lint.problem import Problem, line_fingerprint
from memtool.core.notes.link_resolver import name_key
from memtool.core.secrets.redact import redact_line
from memtool.store.workspace import Workspace
from memtool.verbs.lint import link_checks, lint_cache
from memtool.verbs.lint.checked_files import CheckedFiles, apply_overrides
from memtool.verbs.lint.copies import named_copies
from memtool.verbs.lint.link_checks import CrossFileProblem
from memtool.verbs.lint.request import LintRequest
from memtool.verbs.lint.subjects import SubjectResolver

_Position = tuple[str, int]
_MAX_ABOUT = 80
"""Characters of what two facts are about, in a message."""


def compare_files(files: CheckedFiles) -> Iterator[Problem]:
    """Yield the problems between files; a duplicate is reported at the later of two, by path and line."""
    facts_by_file = {path: check.facts for path, check in files.checks.items() if check.record[1]}
    yield from compare_data(facts_by_file, files.subjects)
    yield from _compare_contents(files)


def compare_data(data: Mapping[str, CrossFileData], subjects: SubjectResolver) -> Iterator[Problem]:
    """Yield the problems of `compare_files`, of the data of each file by path."""
    facts_by_file = sorted(data.items(), key=lambda row: row[0])
    earlier = EarlierFacts()
    for path, facts in facts_by_file:
        yield from earlier.problems(path, facts)
        earlier.add(path, facts)
    yield from compare_rest(data, subjects)


class EarlierFacts:
    """What files state, for comparison with a file whose path comes after theirs."""

    def __init__(self) -> None:
        self._ids: dict[str, _Position] = {}
        self._statements: dict[str, _Position] = {}
        self._claims: dict[str, list[tuple[_Position, str]]] = {}

    def add(self, path: str, facts: CrossFileData) -> None:
        """Add the facts of the next file in order of path."""
        for line, name, digest in facts.facts:
            if name:
                self._ids.setdefault(name, (path, line))
            if digest:
                self._statements.setdefault(digest, (path, line))
        for line, claim in facts.claims:
            self._claims.setdefault(claim.subject, []).append(((path, line), claim.value))

    def problems(self, path: str, facts: CrossFileData) -> Iterator[Problem]:
        """Yield facts and ids of a later file that these files have, and its facts that contradict others."""
        for line, name, digest in facts.facts:
            if name and (first := self._ids.get(name)) is not None:
                message = f"duplicate block id ^{name}, also at {first[0]}:{first[1]}"
                yield Problem(path, line, 1, "M210", message, name)
            if digest and (first := self._statements.get(digest)) is not None:
                yield Problem(path, line, 1, "M212", f"duplicate of {first[0]}:{first[1]}", digest)
        if facts.claims:
            yield from self._contradictions(path, facts)

    def _contradictions(self, path: str, facts: CrossFileData) -> Iterator[Problem]:
        """Yield facts with another value than an earlier one, also of their file, of what has one value."""
        from memtool.core.facts.one_value import is_other_value  # 3 ms, and the results are cached

        own: dict[str, list[tuple[_Position, str]]] = {}
        for line, claim in facts.claims:
            here = own.setdefault(claim.subject, [])
            earlier = (*self._claims.get(claim.subject, ()), *here)
            contrary = next((at for at, value in earlier if is_other_value(value, claim.value)), None)
            here.append(((path, line), claim.value))
            if contrary is not None:
                place = f"line {contrary[1]}" if contrary[0] == path else f"{contrary[0]}:{contrary[1]}"
                about = redact_line(claim.about, _MAX_ABOUT)
                message = f"contradicts {place}: two values for {about}"
                yield Problem(path, line, 1, "M219", message, line_fingerprint(claim.subject + claim.value))


def compare_rest(data: Mapping[str, CrossFileData], subjects: SubjectResolver) -> Iterator[Problem]:
    """Yield the problems of `compare_data` but for those of facts."""
    facts_by_file = sorted(data.items(), key=lambda row: row[0])
    yield from _compare_note_ids(facts_by_file, subjects)
    yield from _compare_aliases(facts_by_file, subjects)
    yield from _compare_histories(facts_by_file, subjects)


def _compare_note_ids(
    facts_by_file: list[tuple[str, CrossFileData]], subjects: SubjectResolver
) -> Iterator[Problem]:
    """Yield notes of one workspace or group that have the same id."""
    by_id: dict[str, list[tuple[str, CrossFileData]]] = {}
    for path, facts in facts_by_file:
        if facts.id:
            by_id.setdefault(facts.id, []).append((path, facts))
    for name, notes in by_id.items():
        first_paths: dict[str, str] = {}
        for path, facts in notes if len(notes) > 1 else ():
            first = first_paths.setdefault(subjects.group_of(path), path)
            if first != path:
                yield Problem(path, facts.line, 1, "M210", f"duplicate id {name!r}, also in {first}", name)


def _compare_aliases(
    facts_by_file: list[tuple[str, CrossFileData]], subjects: SubjectResolver
) -> Iterator[Problem]:
    """Yield aliases that another note of the workspace or group has as well, at the later of two notes."""
    first_paths: dict[tuple[str, str], str] = {}
    for path, facts in facts_by_file:
        for line, alias in facts.aliases:
            key = name_key(alias)
            first = first_paths.setdefault((subjects.group_of(path), key), path)
            if first != path:
                message = f"alias {redact_line(alias, _MAX_ABOUT)!r} is also an alias of {first}"
                yield Problem(path, line, 1, "M407", message, line_fingerprint(key))


def _compare_histories(
    facts_by_file: list[tuple[str, CrossFileData]], subjects: SubjectResolver
) -> Iterator[Problem]:
    """Yield sequence numbers that two turns of a history share, and heads that are behind their history."""
    numbers: dict[tuple[str, int], str] = {}
    highest: dict[str, tuple[int, str]] = {}
    for path, facts in facts_by_file:
        if facts.seq is not None:
            group = subjects.group_of(path)
            first = numbers.setdefault((group, facts.seq), path)
            if first != path:
                yield Problem(
                    path, 1, 1, "M218", f"duplicate turn number {facts.seq}, also in {first}", str(facts.seq)
                )
            highest[group] = max(highest.get(group, (0, "")), (facts.seq, path))
    for path, facts in facts_by_file:
        if facts.last_seq is None:
            continue
        last, highest_path = highest.get(subjects.group_of(path), (0, ""))
        if facts.last_seq < last:
            message = f"last_seq is {facts.last_seq}, but the newest turn is number {last} ({highest_path})"
            yield Problem(path, facts.line, 1, "M214", message)


def _compare_contents(files: CheckedFiles) -> Iterator[Problem]:
    """Yield notes of one workspace or group with the same content; conflict copies have other codes."""
    copies = {copy.path for copy in named_copies(files.listing.files, files.is_ignored)}
    first_paths: dict[tuple[str, str], str] = {}
    for path, check in sorted(files.checks.items()):
        if not check.stamp.size or path in copies or files.subjects.resolve_or_plain(path).format != "note":
            continue
        first = first_paths.setdefault((files.subjects.group_of(path), check.stamp.etag), path)
        if first != path:
            yield Problem(path, 1, 1, "M315", f"same content as {first}")


def check_between_files(
    workspace: Workspace, files: CheckedFiles, request: LintRequest
) -> list[CrossFileProblem]:
    """Return the problems between all files, with the contents of `request.overrides` in place of files.

    The result for the files as they are is cached. With a group, links are not checked, because their targets
    may lie outside the group.
    """
    if request.group is not None:
        apply_overrides(files, request.overrides)
        return [CrossFileProblem(fault) for fault in compare_files(files)]
    state = lint_cache.content_hash(
        {**files.checks, **files.ignored_sources}, link_checks.target_paths(files)
    )
    cache = files.cache
    if cache.faults is not None and cache.state == state:
        faults_found = [CrossFileProblem.of(row) for row in cache.faults]
    else:
        faults_found = _check_all(workspace, files)
    if files.needs_saving or cache.state != state:
        checks = {**files.checks, **files.ignored_sources}
        lint_cache.save_cache(
            workspace,
            request.key,
            checks,
            files.links_by_path(),
            [fault.record() for fault in faults_found],
            state,
        )
    if request.overrides:
        apply_overrides(files, request.overrides)
        return _check_all(workspace, files)
    return faults_found


def _check_all(workspace: Workspace, files: CheckedFiles) -> list[CrossFileProblem]:
    across_files = (CrossFileProblem(problem) for problem in compare_files(files))
    return [*across_files, *link_checks.check_links(workspace, files)]
