"""Lint of one document of an editor: its unsaved text is checked against a snapshot of all other files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal

from memtool.core.lint.baseline import compare, restrict
from memtool.core.lint.check_result import CrossFileData, FileCheck
from memtool.core.lint.codes.all_codes import CODES_BY_NAME
from memtool.core.lint.file_links import FileLinks
from memtool.core.lint.lint_target import LintTarget, SourceText
from memtool.core.lint.problem import Problem, apply_fixes
from memtool.core.notes.link_parser import parse_links
from memtool.core.records.document import etag_of
from memtool.core.secrets.redact import SecretFinder, find_secrets
from memtool.core.text.edits import TextEdit
from memtool.formats.lint.check import check_file
from memtool.formats.syntax.frontmatter import split
from memtool.index.engine import FileStamp
from memtool.store.config import schemas
from memtool.store.files.buffered_disk import BufferedDisk
from memtool.store.files.posix import encode
from memtool.store.workspace import Workspace
from memtool.verbs.lint import copies, cross_file, lint_cache, placement, prompt_limits
from memtool.verbs.lint.checked_files import CheckedFiles, check_files, unreadable_problem
from memtool.verbs.lint.link_checks import LinkChecker, LinkedFiles, confirm_problems
from memtool.verbs.lint.lint import drop_excused
from memtool.verbs.lint.lint_cache import LintCache
from memtool.verbs.lint.request import LintRequest, LintSelection
from memtool.verbs.lint.unlisted_files import UnlistedFiles

_CUT_BY_AGENT = {"M303": "Claude Code", "M316": "Codex"}
_CUT_BY_HOST = frozenset({"M304", "M305"})
"""Codes of problems at the place from which on the agent of the layout does not see a file."""


DocumentChange = Literal["data", "names", "links"]
"""A change in a document that matters to other files: its facts, ids or size; its names, headings or blocks;
the targets of its links."""


class LintSnapshot:
    """The checks of all files of a workspace, in which an editor's documents replace files.

    The problems of a document are those that `memtool lint - --path PATH` reports for its text, but the files
    are not read again: load a new snapshot when they may have changed, with the one before, whose results for
    unchanged files it takes over. Notes without links are reported after `use_linked`. Raises
    BadUsage for invalid settings.
    """

    def __init__(
        self, workspace: Workspace, request: LintRequest, before: LintSnapshot | None = None
    ) -> None:
        self._disk_workspace = workspace
        self._request = request
        self._buffers: dict[str, bytes] = {}
        self._document_checks: dict[str, FileCheck] = {}
        self._secret_finders: dict[str, SecretFinder] = {}
        self._earlier: tuple[str, cross_file.EarlierFacts] | None = None
        self._linked: LinkedFiles | None = None
        self._knows_linked = False
        self._changes: set[DocumentChange] = set()
        self._version = lint_cache.cache_version(workspace), request.group
        self.workspace = Workspace(
            BufferedDisk(workspace.disk, self._buffers), workspace.layout, workspace.settings, writes=False
        )
        selection = LintSelection(workspace, request)
        known = before.saved if before is not None and before._version == self._version else None
        self.files: CheckedFiles = check_files(workspace, request, selection, known)
        self.links: dict[str, FileLinks] = self.files.links_by_path()
        self.files.cache = LintCache()
        self.saved: CheckedFiles = self.files.copy()
        """The results for the files without the documents in their place."""
        self._saved_links = dict(self.links)
        self.files.overrides = self._buffers

    def save_cache(self) -> None:
        """Save the results of the checks of each file for the next start; this may run in a thread."""
        if self._request.group is None and self.saved.needs_saving:
            checks = {**self.saved.checks, **self.saved.ignored_sources}
            lint_cache.save_cache(
                self._disk_workspace, self._request.key, checks, self._saved_links, faults=None, state=""
            )

    def find_linked(self, before: LintSnapshot | None = None) -> None:
        """Find which files link to others, anew for files that differ from those of an earlier snapshot.

        This may run in a thread; call `use_linked` after it.
        """
        if self._request.group is None:
            checker = LinkChecker(self._disk_workspace, self.saved, self._saved_links)
            self._linked = checker.find_linked(self._known_links(before) if before is not None else {})

    def _known_links(self, before: LintSnapshot) -> Mapping[str, tuple[str, ...]]:
        """What files whose links lead to the same files as in an earlier snapshot link to."""
        links, earlier = self._saved_links, before._saved_links
        changed = {path for path, data in links.items() if data is not earlier.get(path)}
        has_same_names = (
            before.files.listing.files.keys() == self.files.listing.files.keys()
            and links.keys() == earlier.keys()
            and all(links[path].note_names(path) == earlier[path].note_names(path) for path in changed)
        )
        found = before._linked.targets if before._linked is not None and has_same_names else {}
        return {path: targets for path, targets in found.items() if path not in changed}

    def use_linked(self) -> None:
        """Report notes without links from now on."""
        if self._linked is not None:
            self._link_checker.add_linked(self._linked)
            self._knows_linked = True

    @cached_property
    def _link_checker(self) -> LinkChecker:
        return LinkChecker(self.workspace, self.files, self.links)

    @cached_property
    def _cross_file_data(self) -> dict[str, CrossFileData]:
        """The data of each file that has any."""
        return {path: check.facts for path, check in self.files.checks.items() if check.record[1]}

    @cached_property
    def _unlisted(self) -> UnlistedFiles:
        return UnlistedFiles(self._disk_workspace, self.files)

    @cached_property
    def _listing_problems(self) -> dict[str, list[Problem]]:
        """The problems that the names of files have, whatever is in them."""
        problems: dict[str, list[Problem]] = {}
        for problem in (
            *placement.check_placement(self._disk_workspace, self.files),
            *copies.check_copies(self._disk_workspace, self.files),
        ):
            problems.setdefault(problem.path, []).append(problem)
        return problems

    def prepare(self) -> None:
        """Compute what the first document would wait for."""
        if self._request.group is None:
            _ = self._link_checker
        _ = self._listing_problems, self._cross_file_data

    def set_document(self, path: str, text: str) -> None:
        """Replace the content of a file by the text of a document."""
        content = encode(text)
        if self._buffers.get(path) == content:
            return
        finder = self._secret_finders.setdefault(path, SecretFinder())
        self._set_check(
            path, content, check_file(content, self._target(path), schemas.violations, finder.find)
        )

    def take_documents(self, before: LintSnapshot) -> None:
        """Replace files by the documents of an earlier snapshot, and take over their checks if they hold."""
        if before._version == self._version:
            self._secret_finders = before._secret_finders
            for path, checked in before._document_checks.items():
                self._set_check(path, before._buffers[path], checked)

    def _set_check(self, path: str, content: bytes, checked: FileCheck) -> None:
        self._buffers[path] = content
        self._document_checks[path] = checked
        self.files.add_check(path, FileStamp(len(content), 0, 0, 0, 0, etag_of(content)), checked)
        self._set_links(path, checked.links)
        self._set_cross_file_data(path)

    def close_document(self, path: str) -> None:
        """Return to the content of the file, as it was when the snapshot was loaded."""
        if self._buffers.pop(path, None) is None:
            return
        del self._document_checks[path], self._secret_finders[path]
        if path in self.saved.checks:
            self.files.checks[path] = self.saved.checks[path]
        else:
            self.files.checks.pop(path, None)
        self._set_links(path, self._saved_links.get(path))
        self._set_cross_file_data(path)

    def _set_cross_file_data(self, path: str) -> None:
        if self._earlier is not None and self._earlier[0] != path:
            self._earlier = None
        checked, check = self._document_checks.get(path), self.files.checks.get(path)
        before = self._cross_file_data.pop(path, None)
        if check is not None and check.record[1]:
            self._cross_file_data[path] = checked.cross_file if checked is not None else check.facts
        if self._cross_file_data.get(path) != before:
            self._changes.add("data")

    def _set_links(self, path: str, links: FileLinks | None) -> None:
        before = self.links.pop(path, None)
        if links is not None:
            self.links[path] = links
        if _targets_of(before) != _targets_of(links) or path == self._index_path:
            self._changes.add("links")
        if _names_of(before) != _names_of(links):
            self._changes.add("names")
        if "_link_checker" in self.__dict__:
            self._link_checker.refresh(path, before)

    def take_changes(self) -> frozenset[DocumentChange]:
        """What has changed in documents since the last call that the problems of other files depend on."""
        changes = frozenset(self._changes)
        self._changes.clear()
        return changes

    def depends_on(self, path: str, changes: frozenset[DocumentChange]) -> bool:
        """Whether the problems of a file may depend on changes in others."""
        located = self.workspace.layout.locate(path) if "links" in changes else None
        return (
            ("data" in changes and (path in self._cross_file_data or self._is_in_prompts(path)))
            or ("names" in changes and path in self.links and bool(self.links[path].references))
            or (located is not None and located.role == "note")
        )

    @cached_property
    def _index_path(self) -> str:
        """The path of the file that lists the notes; "" if the layout has none."""
        layout = self.workspace.layout
        return str(layout.path("workspace")) if "index_lines" in layout.limits else ""

    def _target(self, path: str) -> LintTarget:
        return self.files.subjects.resolve_or_plain(path)

    def is_checked(self, path: str) -> bool:
        """Whether lint checks this file: a text or memory, not ignored, and in the request's group."""
        is_memory = self.files.subjects.resolve(path) is not None or path in self.files.without_role
        selection = LintSelection(self._disk_workspace, self._request)
        return is_memory and selection.is_in_group(path) and not self.files.is_ignored(path)

    def problems(self, path: str) -> tuple[Problem, ...]:
        """The problems of a file or document, in order; those of a document have the edits that fix them."""
        from msgspec.structs import replace

        request = replace(self._request, paths=(path,))
        selection = LintSelection(self._disk_workspace, request)
        chosen = (
            problem
            for problem in self._all_problems(path, selection)
            if problem.path == path and selection.includes(path, problem.code)
        )
        problems = sorted({*drop_excused(self.files, chosen)})
        if request.baseline is None:
            return tuple(problems)
        return compare(problems, restrict(request.baseline, selection.includes)).new

    def _all_problems(self, path: str, selection: LintSelection) -> Iterator[Problem]:
        checked = self._document_checks.get(path)
        if checked is not None:
            yield from checked.problems
        elif path in self.files.checks:
            yield from self.files.checks[path].problems
        elif path in self.files.unread:
            yield unreadable_problem(path, self.files.unread[path])
        if path not in self.files.checks:
            return
        yield from self._listing_problems.get(path, ())
        if self._is_in_prompts(path):
            yield from prompt_limits.check_prompt_limits(
                self.workspace, self.files, self._request.group or None
            )
        if path in self._cross_file_data:
            yield from self._facts_before(path).problems(path, self._cross_file_data[path])
            yield from cross_file.compare_rest(self._cross_file_data, self.files.subjects)
        if self._request.group is None and path in self.links:
            faults = [*self._link_checker.faults_of(path)]
            if self._knows_linked:
                faults += self._link_checker.unlinked([path])
            yield from confirm_problems(self.workspace, self.files, selection, faults, self._unlisted)
        if path in self.files.without_role:
            yield from placement.check_without_role(self.workspace, self.files, selection)

    def _facts_before(self, path: str) -> cross_file.EarlierFacts:
        """The facts of the files before one in order of path, until one of these changes."""
        if self._earlier is None or self._earlier[0] != path:
            earlier = cross_file.EarlierFacts()
            for other in sorted(self._cross_file_data):
                if other < path:
                    earlier.add(other, self._cross_file_data[other])
            self._earlier = path, earlier
        return self._earlier[1]

    def _is_in_prompts(self, path: str) -> bool:
        located = self.workspace.layout.locate(path)
        return located is not None and located.place.inject == "always"


def _targets_of(links: FileLinks | None) -> frozenset[tuple[str, bool]]:
    return frozenset((link.target, link.is_wiki) for link in links.references) if links else frozenset()


def _names_of(links: FileLinks | None) -> tuple[object, ...]:
    """By what other files can link to a file."""
    return (
        (links.id, links.title, *links.aliases, links.headings, links.blocks, links.is_template)
        if links
        else ()
    )


def check_text(workspace: Workspace, request: LintRequest, path: str, text: str) -> tuple[Problem, ...]:
    """The problems that a text has whatever other files contain, in order: for use before a snapshot exists.

    Raises BadUsage for invalid settings.
    """
    from memtool.verbs.lint.subjects import SubjectResolver

    selection = LintSelection(workspace, request)
    checked = check_file(encode(text), SubjectResolver(workspace).resolve_or_plain(path), schemas.violations)
    return tuple(
        sorted(
            problem
            for problem in checked.problems
            if selection.includes(path, problem.code) and not checked.suppressions.covers(problem)
        )
    )


def fixed_text(workspace: Workspace, request: LintRequest, path: str, text: str) -> str:
    """The text with all problems fixed that `lint --fix` fixes in a text. Raises BadUsage."""

    def edits(current: str) -> Iterable[TextEdit]:
        problems = check_text(workspace, request, path, current)
        known = compare(problems, request.baseline).new if request.baseline else problems
        return [edit for problem in known for edit in problem.edits]

    return apply_fixes(text, edits)


def cut_agent(workspace: Workspace, problem: Problem) -> str:
    """The name of the agent that stops reading a file at a problem; "" where it is memtool, or nobody."""
    host = workspace.layout.host if problem.code in _CUT_BY_HOST else ""
    return _CUT_BY_AGENT.get(problem.code, host)


def severity_of(problem: Problem) -> str:
    """The severity of a problem: error, warning or info."""
    return CODES_BY_NAME[problem.code].severity


_MOST_CHECKED_CHARS = 1_000_000


def is_large(text: str) -> bool:
    """Whether a document is too large to be checked at each change; its file is checked by `lint`."""
    return len(text) > _MOST_CHECKED_CHARS


_LINK_CODES = frozenset({"M401", "M402", "M403", "M404", "M407"})
_SECRET_CODES = frozenset({"M501", "M502"})
_CHARACTER_CODES = frozenset({"M106", "M107", "M109", "M110"})


def problem_spans(text: str, problems: Iterable[Problem]) -> Iterator[tuple[int, int]]:
    """Yield the span of a text that each problem is about.

    It is that of a link, a secret or a character, else the rest of the line.
    """
    source = SourceText(text)
    links: dict[int, int] | None = None
    secrets: dict[int, int] | None = None
    for problem in problems:
        first = source.line_start(problem.line)
        start = min(first + problem.col - 1, len(text))
        end = max(start, first + len(source.line(problem.line)))
        if problem.code in _CHARACTER_CODES:
            end = min(start + 1, end)
        elif problem.code in _SECRET_CODES:
            if secrets is None:
                secrets = {secret.start: secret.end for secret in find_secrets(text)}
            end = secrets.get(start, end)
        elif problem.code in _LINK_CODES:
            opening = "![[" if text.startswith("!", start) else "[["
            if text.startswith(opening, start) and (closing := text.find("]]", start, end)) > 0:
                yield start, closing + 2
                continue
            if links is None:
                found = parse_links(text, len(split(text)[0]))
                links = {link.start: link.end for link in reversed(found)}
            if start - 1 in links and start not in links:
                start -= 1
            end = links.get(start, end)
        yield start, end
