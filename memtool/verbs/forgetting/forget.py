"""forget: plan what goes, list it, and remove it from the tree and from everything derived from the tree."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.forgetting.phrases import words_of
from memtool.core.forgetting.selection import ForgetRequest, Selection
from memtool.core.forgetting.tombstones import Digester, ForgetReceipt, Tombstones, key_name
from memtool.core.history.journal import CommitAuthor, CommitRecord, line_digests, touched_paths
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.core.text.regex import regex
from memtool.errors import BadUsage, MemtoolError
from memtool.formats import forget_receipt
from memtool.layouts.layout_mapping import own_location
from memtool.store.commit.partly import after_steps
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files import leftovers, queue
from memtool.store.root import enclosing_work_tree
from memtool.store.workspace import Workspace
from memtool.verbs.changes.planned_tree import WAITING_FOLDER
from memtool.verbs.forgetting.authored import authored_lines
from memtool.verbs.forgetting.cut import FileCut, FileCutter, ForgottenLine, cut_changes
from memtool.verbs.forgetting.file_facts import NAMED_ROLES
from memtool.verbs.forgetting.owned_records import json_object, owned_records, stated_names
from memtool.verbs.forgetting.report import ForgetReport, queue_notices
from memtool.verbs.forgetting.traces import files_without_role, held_lines, without_contents
from memtool.verbs.indexing.location import DOCUMENTS, FACTS, TRANSCRIPTS
from memtool.verbs.indexing.reindex import discard_all
from memtool.verbs.memory_files.applied_receipts import record_receipt
from memtool.verbs.memory_files.digest_key import digest_key, stored_keys
from memtool.verbs.memory_files.editable_file import append_plan
from memtool.verbs.memory_files.forgotten import load_forgotten

_KEPT_ROLES = frozenset({"forgotten", "digest-keys", "head"})
"""Files without words of anybody."""
_MOST_PASSES = 6
_LEAST_TOMBSTONE_WORDS = 3
"""Words of the shortest text that is recognised as one that its user said; others say `yes, please`, too."""


@retry_when_stale
def forget(workspace: Workspace, request: ForgetRequest, now: datetime) -> ForgetReport:
    """Forget what a request selects, all or nothing; plan it only, where the workspace does not write.

    Raises BadUsage while a migration is unfinished, StaleWrite, Unwritable, Locked.
    """
    with workspace.lock():
        if workspace.disk.stat(WAITING_FOLDER) is not None:
            raise BadUsage(
                "a migration was interrupted, and some files are still in .memtool-moving; run "
                "memtool migrate first"
            )
        forgetting = Forgetting(workspace, request, now, None)
        forgetting.select()
        return forgetting.commit()


class Forgetting:
    """One request: the files as they were read, and the cuts so far."""

    def __init__(
        self, workspace: Workspace, request: ForgetRequest, now: datetime | None, selection: Selection | None
    ) -> None:
        """Without `selection` it is made of the request; without `now` there is no receipt."""
        self._workspace = workspace
        self._request = request
        self._now = now
        self._selection = selection or Selection(request, authored_lines(workspace, self._is_author))
        self._cuts: list[FileCut] = []
        self._left: list[tuple[str, str, ForgottenLine]] = []
        self._notices: list[str] = []
        self._is_unknown_user = False
        self._unread: dict[str, str] = {}
        """Why a file or folder could not be searched, by its path."""
        self._elsewhere: list[str] = []

    def _is_author(self, author: CommitAuthor) -> bool:
        request = self._request
        if request.caller and author.user != request.caller:
            return False
        return bool(request.user and author.user == request.user) or author.session in request.sessions

    def select(self) -> None:
        """Read the tree until no further record goes with those that were found."""
        listing = self._workspace.listing()
        for path, reason in listing.unreadable:
            name = path or "the workspace root"
            self._unread[name] = f"{name} cannot be listed: {reason}"
        paths = sorted(listing.files)
        self._notices += queue_notices(self._workspace.root)
        if self._request.user:
            self._find_owner(paths)
        self._add_session_digests()
        for _ in range(_MOST_PASSES):
            self._selection.has_grown = False
            self._cuts = [*self._cut_all(paths)]
            for cut in self._cuts:
                self._learn_names(cut.own)
            self._follow_evidence()
            if not self._selection.has_grown or self._request.before:
                break
        if self._request.user and not self._is_known_user():
            self._cuts, self._is_unknown_user = [], True
        elif self._selection.ambiguous_names:
            self._left = [*self._find_ambiguous(paths)]

    def _is_known_user(self) -> bool:
        """Whether anything is or was the user's: else the id may be any word, and its lines anybody's."""
        if any(line.reason == "owned" for cut in self._cuts for line in cut.lines):
            return True
        user = self._request.user
        if any(record.author.user == user for record in self._workspace.journal.newest_first()):
            return True
        forgotten = load_forgotten(self._workspace)
        return forgotten is not None and forgotten.has_user(Owner("user", user))

    def line_count(self) -> int:
        """How many lines `commit` removes."""
        return sum(len(cut.lines) for cut in self._cuts)

    def unread(self) -> tuple[str, ...]:
        """A sentence for each file or folder that could not be searched."""
        return tuple(
            f"{reason}; {path} was not searched and may still contain the text"
            for path, reason in self._unread.items()
        )

    def _find_ambiguous(self, paths: list[str]) -> Iterator[tuple[str, str, ForgottenLine]]:
        """The role, path and line of each line that stays and says an ambiguous name of the user."""
        names = self._selection.ambiguous_names
        cutter = FileCutter(self._workspace, self._selection)
        cuts = {str(cut.document.path): cut for cut in self._cuts}
        for path in paths:
            located = self._workspace.role_of(path)
            if located is None or located.role in {*_KEPT_ROLES, "quarantine-record"}:
                continue
            cut = cuts.get(path)
            try:
                document = cut.document if cut else self._workspace.read(PurePosixPath(path))
            except MemtoolError:
                continue
            if document is None or not names.are_in(document.text):
                continue
            gone = {line.number for line in cut.lines} if cut else set()
            located = own_location(path, located)[0]
            is_structure = cutter.structure_of(located)
            for number, line in enumerate(document.text.split("\n"), 1):
                if number not in gone and names.are_in(line) and not is_structure(line):
                    yield located.role, path, ForgottenLine(number, line, "ambiguous")

    def _cut_all(self, paths: list[str]) -> Iterator[FileCut]:
        cutter = FileCutter(self._workspace, self._selection)
        for path in paths:
            located = self._workspace.role_of(path)
            if located is None or located.role in _KEPT_ROLES or located.role == "quarantine-record":
                continue
            try:
                document = self._workspace.read(PurePosixPath(path))
            except MemtoolError as error:
                self._unread[path] = str(error)
                continue
            located, name = own_location(path, located)
            if document is not None and (cut := cutter.cut(document, located, name)) is not None:
                yield cut

    def _find_owner(self, paths: list[str]) -> None:
        """Learn the sessions that are the user's alone, and the names of users, from what belongs to them."""
        mine: set[str] = {f"of-{self._request.user}"}
        others: set[str] = set()
        tag = f"user:{self._request.user}"
        for path in paths:
            located = self._workspace.role_of(path)
            if located is None or located.role in _KEPT_ROLES:
                continue
            try:
                document = self._workspace.read(PurePosixPath(path))
            except MemtoolError:
                continue
            if document is None or "user" not in document.text:
                continue
            located, name = own_location(path, located)
            for owner, session, text in owned_records(document.text, name, located.slots):
                if owner == tag:
                    mine.add(session)
                elif owner.startswith("user:"):
                    others.add(session)
                    self._selection.add_other_name(owner.removeprefix("user:"))
                    for name in stated_names(text):
                        self._selection.add_other_name(name)
        self._selection.sessions |= mine - others - {""}

    def _add_session_digests(self) -> None:
        """The crisis log names sessions by their digests."""
        sessions = [*self._selection.sessions]
        for key in stored_keys(self._workspace):
            self._selection.sessions |= {*map(Digester(key).session, sessions)}

    def _learn_names(self, said: tuple[str, ...]) -> None:
        if self._request.user:
            for name in {name for text in said for name in stated_names(text)}:
                self._selection.add_name(name)

    def _follow_evidence(self) -> None:
        """A fact or rule whose whole evidence goes was derived from what goes."""
        path = self._workspace.layout.path("evidence")
        document = self._workspace.read(path)
        cut = next((cut for cut in self._cuts if cut.document.path == path), None)
        if document is None or cut is None:
            return
        gone = {line.number for line in cut.lines}
        left, lost = set[str](), set[str]()
        for number, line in enumerate(document.text.split("\n"), 1):
            value = json_object(line)
            (lost if number in gone else left).add(str(value.get("id", "")))
        if new := lost - left - self._selection.gone_ids - {""}:
            self._selection.gone_ids |= new
            self._selection.has_grown = True

    def commit(self) -> ForgetReport:
        """Commit the cuts as one plan, and clean what is derived from the tree."""
        workspace = self._workspace
        self._find_elsewhere()
        receipt = None
        plan: Plan = tuple(change for cut in self._cuts for change in cut_changes(workspace, cut))
        if self._cuts and self._now is not None:
            key, key_plan = digest_key(workspace)
            receipt = self._receipt(key, self._now)
            path, line = workspace.layout.path("forgotten"), forget_receipt.render_line(receipt)
            plan += (*key_plan, *append_plan(workspace, path, line))
        left = tuple((path, line) for _, path, line in self._left)
        report = ForgetReport(
            tuple(self._cuts),
            plan,
            receipt,
            left,
            elsewhere=tuple(self._elsewhere),
            notices=tuple(self._notices),
            unread=self.unread(),
            is_incomplete=bool(queue.waiting_events(workspace.root)),
            is_unknown_user=self._is_unknown_user,
            is_in_journal=bool(self._lines_in_journal(self._reaches)),
        )
        if not workspace.writes or self._is_unknown_user:
            return report
        names = [TRANSCRIPTS, DOCUMENTS, FACTS]
        discard_all(workspace, names)
        lines = {line.text for cut in self._cuts for line in cut.lines}
        texts = lines | self._lines_in_journal() if self._request.match else ()
        self._clean_journal()
        if plan:
            workspace.commit(plan, forget=texts, then=self._clean_journal)
        with after_steps(lambda: "the records were removed" if receipt else ""):
            emptied = (cut.document.path.parent for cut in self._cuts if cut.text is None)
            for folder in (*emptied, *self._named_folders()):
                workspace.disk.remove_empty_folders(folder)
            notices = (*report.notices, *self._clean_derived(names))
            if receipt is not None:
                record_receipt(workspace, forget_receipt.render_line(receipt))
        return replace(report, notices=notices)

    def _receipt(self, key: bytes, now: datetime) -> ForgetReceipt:
        counts, names = Counter[str](), Counter[str]()
        for cut in self._cuts:
            named = sum(line.reason == "names" for line in cut.lines)
            counts[cut.role] += len(cut.lines) - named
            names[cut.role] += named
        left = Counter(role for role, _, _ in self._left)
        counted, named_only, staying = (dict(sorted((+each).items())) for each in (counts, names, left))
        return ForgetReceipt(
            format_moment(now),
            self._request.by,
            key_name(key),
            counted,
            self._tombstones(Digester(key)),
            named_only,
            staying,
        )

    def _tombstones(self, digester: Digester) -> Tombstones:
        """The digests of what goes; sorted, so that their order says nothing."""
        request = self._request
        turns = {*request.turns, *(cut.turn for cut in self._cuts if cut.turn)}
        turn_digests = tuple(sorted(map(digester.turn, turns)))
        if request.before is not None:
            return Tombstones(turns=turn_digests)
        said = {
            text for cut in self._cuts for text in cut.said if len(words_of(text)) >= _LEAST_TOMBSTONE_WORDS
        }
        said_digests = tuple(sorted({digester.text(text) for text in said}))
        owner = digester.user(request.caller) if request.caller else ""
        if request.match:
            words = words_of(request.match)
            phrases = {len(words): (digester.phrase(words),)}
            return Tombstones(turns=turn_digests, texts=said_digests, phrases=phrases, owner=owner)
        if owner and not request.user:
            return Tombstones(turns=turn_digests, texts=said_digests, owner=owner)
        return Tombstones(
            users=(digester.user(request.user),) if request.user else (),
            sessions=tuple(sorted(map(digester.session, request.sessions))),
            turns=turn_digests,
            user_texts=said_digests,
        )

    def _clean_journal(self) -> None:
        """Remove from the journal the user's commits, and every content that holds what goes.

        Only for a phrase is it known of an earlier content of the files whether it holds what goes.
        """
        holds = self._holder()
        named = [cut for cut in self._cuts if cut.text is None and cut.role in NAMED_ROLES]
        telling = {str(cut.document.path) for cut in named}
        remaining = {str(cut.document.path): line_digests(cut.text or "") for cut in self._cuts}
        paths = () if self._request.match else remaining.keys()
        before = self._request.before

        def reaching(text: str) -> bool:
            return self._selection.has_phrase_in(text) or holds(text)

        def change(record: CommitRecord) -> CommitRecord | None:
            is_reached = self._reaches(record)
            if before is not None and is_reached and record.at.date() < before:
                return None
            if self._is_author(record.author):
                if record.author.command != "forget":
                    return None
                record = replace(record, author=CommitAuthor(record.author.command))
            steps = [
                step
                for step in record.steps
                if not any(path in telling or self._names_path(path) for path in touched_paths(step))
            ]
            kept = without_contents(steps, reaching if is_reached else holds, remaining, paths)
            return replace(record, steps=kept) if kept or not record.steps else None

        self._workspace.journal.rewrite(change)

    def _reaches(self, record: CommitRecord) -> bool:
        """Whether a commit is the caller's; each is, if nobody is named."""
        return not self._request.caller or record.author.user == self._request.caller

    def _lines_in_journal(self, reaches: Callable[[CommitRecord], bool] | None = None) -> set[str]:
        """The lines with the phrase that the journal stores, for all commits or some; none without one."""
        if not self._request.match:
            return set()
        records = filter(reaches, self._workspace.journal.newest_first())
        return held_lines(records, self._selection.has_phrase_in)

    def _names_path(self, path: str) -> bool:
        """Whether a path says a name of the user."""
        return bool(self._request.user) and self._selection.names.are_in(regex(r"[-_/.]").sub(" ", path))

    def _named_folders(self) -> Iterator[PurePosixPath]:
        """The folders of memory, deepest first, that are named after the user."""
        if self._request.user:
            stats: dict[str, os.stat_result] = {}
            folders = self._workspace.memory_listing(stats).files.keys() ^ stats.keys()
            yield from (
                PurePosixPath(path) for path in sorted(folders, reverse=True) if self._names_path(path)
            )

    def _holder(self) -> Callable[[str], bool]:
        """Whether a text holds a line that goes, or a name of the user or the phrase."""
        lines = {line.text.strip() for cut in self._cuts for line in cut.lines if len(line.text.strip()) > 3}
        selection = self._selection

        def holds(text: str) -> bool:
            return selection.is_said_in(text) or any(line.strip() in lines for line in text.split("\n"))

        return holds

    def _clean_derived(self, names: list[str]) -> Iterator[str]:
        workspace = self._workspace
        for folder in sorted(discard_all(workspace, names)):
            yield f"{folder} may still contain the forgotten text; rebuild the index with memtool reindex"
        yield from leftovers.remove_derived(workspace.root, self._holder())
        folders = {os.path.dirname(path) for path in workspace.listing().files}
        folders |= {str(cut.document.path.parent) for cut in self._cuts}
        yield from leftovers.remove_temporaries(workspace.root, folders)

    def _find_elsewhere(self) -> None:
        """Name the files without a role, and the git history, that hold what goes."""
        for path in files_without_role(self._workspace, self._holder()):
            self._elsewhere.append(f"{path} (not part of the layout)")
        if self._cuts and enclosing_work_tree(self._workspace.root) is not None:
            self._elsewhere.append("the git history of committed files (see git filter-repo)")
