"""A workspace: a tree with its layout and settings, and the function that commits a plan to it."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.core.records.document import Document, TreeListing
from memtool.core.records.plan import Plan, Remove, changed_paths
from memtool.errors import BadUsage, Locked, NoWorkspace, StaleWrite, UnreadableFile, Unwritable
from memtool.layouts.layout import Layout, LocatedFile
from memtool.layouts.load import load_layout, recognise_layout
from memtool.store import lock
from memtool.store.commit.journal import Journal
from memtool.store.config import sources
from memtool.store.config.settings import Settings
from memtool.store.files import derived, path_guard, pending_work, private, recorded_events
from memtool.store.files.disk import Disk
from memtool.store.files.posix import without_alarm
from memtool.store.files.staging import STAGING_FOLDER
from memtool.store.root import describe_likeness, marker_test

if TYPE_CHECKING:
    from memtool.core.history.commit_event import CommitEvent
    from memtool.core.history.journal import CommitStep
    from memtool.core.records.tree_snapshot import TreeSnapshot


class Workspace:
    """A memory tree: the place of each role's files, their contents, and the only way to change them.

    `writes` is False for a dry run and incognito: `commit` then changes nothing and no lock is taken.
    """

    def __init__(
        self,
        disk: Disk,
        layout: Layout,
        settings: Settings,
        *,
        writes: bool = True,
        journal: Journal | None = None,
        key: Callable[[], bytes | None] = lambda: None,
    ) -> None:
        self.disk = disk
        self.layout = layout
        self.settings = settings
        self.notices: tuple[str, ...] = settings.notices
        """What is worth knowing about the settings, and about what opening the workspace restored."""
        self.writes = writes
        self.say: Callable[[str], None] = lambda _: None
        """Called with a sentence for each failure that did not stop a commit."""
        days, most = settings["journal.days"], settings["journal.max_bytes"]
        self.journal = journal or Journal(disk, days, most, self.report)
        self.key = key
        """Returns the user's key, which signs the record of an unfinished commit; None if there is none."""
        self.deliver: Callable[[CommitEvent], None] | None = None
        """Called with each commit to run the user's write hooks, once the lock is released; None for none."""
        self._callbacks: list[Callable[[CommitEvent], None]] = []
        self._events: list[CommitEvent] = []
        self._publishing: set[int] = set()
        self.do_pending: Callable[[Workspace], None] | None = None
        """Called under the lock where hook events wait, or a merge is not finished; see `holding_lock`."""
        self._holds_lock = False
        self.with_next_commit: tuple[Remove, ...] = ()
        """Private files that the next commit also removes, of which the journal says nothing."""
        self.event_id = ""
        """The hook's event that the next commit records; `commit` raises AlreadyRecorded where one has."""
        self.program: Callable[[], str] = lambda: "memtool"
        """Returns how a command begins that is named to whoever reads about this workspace (`command_in`)."""

    def report(self, text: str) -> None:
        """Report a failure that did not stop a commit."""
        self.say(text)

    @property
    def root(self) -> str:
        """The real path of the root folder."""
        return self.disk.root

    def has(self, role: str) -> bool:
        """Whether this layout has a place for a role."""
        return self.layout.has_role(role)

    def limit(self, setting: str) -> float:
        """A setting's value; if it is the setting's default, the layout's limit of the same last name."""
        is_given = not self.settings.is_default(setting)
        return float(self.settings[setting]) if is_given else self.layout.limits[setting.rpartition(".")[2]]

    def read(self, path: PurePosixPath) -> Document | None:
        """The document at a path; None if there is none. Raises UnreadableFile, OutsideWorkspace."""
        return self.disk.read(path)

    def etag(self, path: str) -> str | None:
        """The etag of the document at a path; None when nothing is there. Raises as `read` does."""
        document = self.read(PurePosixPath(path))
        return None if document is None else document.etag

    def read_text(self, path: PurePosixPath) -> Document | None:
        """As `read`, for a document that will be edited as text.

        Also raises UnreadableFile for a binary file.
        """
        return None if (document := self.disk.read(path)) is None else _checked_text(document)

    def read_texts(self, paths: Iterable[PurePosixPath]) -> Iterator[Document]:
        """As `read_text`, the documents at these paths that exist; fast for hundreds of one folder."""
        for document in self.disk.read_documents(paths):
            if isinstance(document, UnreadableFile):
                raise document
            yield _checked_text(document)

    def role_of(self, path: str) -> LocatedFile | None:
        """The role of a path, with its place; None for a file without a role."""
        return self.layout.locate(path)

    def listing(self, paths: Iterable[str] | None = None) -> TreeListing:
        """A snapshot of all files in the layout's folders, or of the given paths only."""
        from memtool.store.files.listing import list_paths, list_tree  # `scan` and `append-daily` list none

        if paths is not None:
            return self.disk.visible_listing(list_paths(self.root, paths))
        listed = list_tree(self.root, self.layout.can_contain_roles, linked=self.disk.linked)
        return self.disk.visible_listing(listed)

    def document_snapshot(self) -> TreeSnapshot:
        """A snapshot of the folders with searchable documents, without histories; also what `disk` hides."""
        from memtool.store.files.listing import snapshot_tree

        return snapshot_tree(self.root, self.layout.can_contain_indexed, linked=self.disk.linked)

    def document_listing(self) -> TreeListing:
        """The files of `document_snapshot` that `disk` shows."""
        return self.disk.visible_listing(self.document_snapshot().listing())

    def memory_listing(self, full_stats: dict[str, os.stat_result]) -> TreeListing:
        """A snapshot of the root and all memory folders, including files without a role.

        `full_stats` is filled with the full stat result of each file and folder.
        """
        from memtool.store.files.listing import list_tree

        listed = list_tree(self.root, self.layout.is_memory_folder, full_stats, linked=self.disk.linked)
        return self.disk.visible_listing(listed)

    def unlisted_files(self, snapshot: TreeListing, max_folders: int) -> TreeListing | None:
        """A snapshot of the folders that a listing did not enter, except installed packages.

        None if there are more than `max_folders` folders, or a link to a folder, so that it would be
        incomplete.
        """
        from memtool.store.files.listing import list_excluded

        return list_excluded(self.root, snapshot, max_folders, self.disk.visible_listing)

    def refuse_unrecognised(self, named_layout: str | None) -> None:
        """Raise BadUsage if an unrecognised folder holds memory, or files of the default layout's roles."""
        if named_layout or self.settings["layout"] or recognise_layout(marker_test(self.root)):
            return
        if likeness := describe_likeness(self.root):
            raise BadUsage(
                f"{likeness}; to create a workspace in {self.root}, choose its layout with --layout"
            )
        from memtool.store.files.listing import list_tree

        for name in list_tree(self.root, lambda _: False).files:
            located = self.layout.locate(name)
            if located is not None and located.role in {"long-term", "session-state"}:
                why = "but matches no known layout; choose one with --layout"
                raise BadUsage(f"{self.root} already contains {name}, {why} (see memtool help layouts)")

    def with_current_settings(self, environment: Mapping[str, str]) -> Workspace:
        """The same workspace with settings reloaded for an environment."""
        return self._next_run(sources.load(self.disk, environment))

    def _next_run(self, settings: Settings) -> Workspace:
        other = self._copy(self.disk, settings, self.journal.new_run(), writes=self.writes)
        other.say, other._callbacks = self.say, self._callbacks
        return other

    def _copy(self, disk: Disk, settings: Settings, journal: Journal | None, *, writes: bool) -> Workspace:
        other = Workspace(disk, self.layout, settings, writes=writes, journal=journal, key=self.key)
        other.program = self.program
        return other

    def read_only(self) -> Workspace:
        """The same workspace read-only: nothing is written or locked."""
        return self._copy(self.disk, self.settings, None, writes=False)

    def holding_lock(self) -> Workspace:
        """The same workspace for work under the lock of this one: its own `lock` is held already."""
        other = self._next_run(self.settings)
        other._holds_lock, other.deliver, other._events = True, self.deliver, self._events
        return other

    def seen_by(self, owners: Collection[str]) -> Workspace:
        """The same workspace as users with these tags may read it; this one where none is named.

        Lines of other users are empty in it, and their files are not there. Nothing can be written with it.
        """
        if not owners:
            return self
        from memtool.store.files.scoped_disk import ScopedDisk

        disk = ScopedDisk(self.disk, self.layout, owners)
        return self._copy(disk, self.settings, self.journal, writes=False)

    @contextlib.contextmanager
    def lock(self, *, wait: float | None = None, does_pending: bool = True) -> Iterator[None]:
        """Hold the lock from reading to committing; `wait` is in seconds. Raises Locked, Unwritable.

        What a command that was killed left behind is taken back first, and, unless `does_pending` is false,
        what waits is done, see `do_pending`. Callbacks and write hooks get the commits after the lock.
        """
        if not self.writes or self._holds_lock:
            yield
            return
        events: list[CommitEvent] = []
        try:
            with lock.hold(self.root, self.settings["lock_timeout"] if wait is None else wait):
                self._recover()
                try:
                    if does_pending and self.do_pending is not None and self._has_pending():
                        self.do_pending(self)
                    yield
                finally:
                    events, self._events = self._events, []
        finally:
            if events:
                self._publish(events)

    def on_commit(self, callback: Callable[[CommitEvent], None]) -> None:
        """Call a function after each commit of this workspace, outside the lock, in the order of the commits.

        It receives which files changed how, and no content. What it raises is logged and fails nothing. It
        may commit; commits that it makes call no function and no write hook. Dry runs and incognito call
        none.
        """
        self._callbacks.append(callback)

    def _publish(self, events: Sequence[CommitEvent]) -> None:
        """Call the callbacks and the write hooks with commits; not with those that a callback makes."""
        import threading

        thread = threading.get_ident()
        if thread in self._publishing:
            return
        self._publishing.add(thread)
        try:
            for event in events:
                for callback in (*self._callbacks, *([self.deliver] if self.deliver else [])):
                    try:
                        callback(event)
                    except Exception:  # the commit is done, whatever a callback makes of it
                        import logging

                        logging.getLogger(__name__).exception("the commit succeeded, but a callback failed")
        finally:
            self._publishing.discard(thread)

    def recover(self) -> None:
        """Take back what a command that was killed has left, unless a writer is at work; reports failures."""
        if self.writes and self.disk.has_intent():
            with contextlib.suppress(Locked):
                try:
                    with lock.hold(self.root, 0.0):
                        self._recover()
                except Unwritable as error:
                    self.report(str(error))

    def _has_pending(self) -> bool:
        is_other_layout = self.settings.names_other_layout(self.layout.name)
        return not is_other_layout and pending_work.is_waiting(self.root, self.layout)

    def do_waiting(self) -> None:
        """Do what waits for the next command that writes, unless a writer is at work. Raises Unwritable."""
        if self.writes and self._has_pending():
            with contextlib.suppress(Locked), self.lock(wait=0.0):
                pass

    def _recover(self) -> None:
        if derived.unfinished(self.root):
            derived.sweep(self.root)
        if self.disk.temporaries() or self.journal.has_temporary():
            from memtool.store.commit.transaction import recover

            recover(self.disk, self.journal, self.key, self.report)

    def commit(
        self,
        plan: Plan,
        *,
        undoes: Sequence[str] = (),
        forget: Collection[str] | None = None,
        then: Callable[[], None] = lambda: None,
    ) -> tuple[PurePosixPath, ...]:
        """Apply a plan, all of it or nothing, and return the changed paths; call it under the lock.

        All etags are checked before the first write; the journal entry that can undo the plan is written
        before any change. `undoes` names the entries that this plan undoes. With `forget`, the journal keeps
        no earlier content of these paths and none of the texts. `then` is called as part of the commit.
        Raises StaleWrite, UnreadableFile, Unwritable, OutsideWorkspace, OtherLayout and AlreadyRecorded,
        after which the tree is as before; and UnfinishedCommit.
        """
        self.settings.check_layout(self.layout.name, plan)
        from memtool.store.commit.simulation import carry_appends_over, simulate

        recorded_events.check(self.root, self.event_id)
        if self.writes and self.disk.has_intent():  # an earlier commit under this lock was interrupted
            self._recover()
        try:
            steps, appends = simulate(self.disk, plan, self.journal.max_undo_bytes)
        except StaleWrite:
            plan = carry_appends_over(self.disk, plan)
            steps, appends = simulate(self.disk, plan, self.journal.max_undo_bytes)
        if self.writes and (plan or undoes or self.with_next_commit):
            from memtool.store.commit.transaction import Transaction

            if forget is not None:
                self.journal.forget(plan, steps, forget, undoes)
            recording = self.journal.recording(steps, undoes, with_contents=forget is None)
            transaction = Transaction(self.disk, self.journal, self.key(), self.report)
            with without_alarm():
                try:
                    transaction.apply((*plan, *self.with_next_commit), appends, recording, then)
                finally:
                    if transaction.is_done:
                        self.with_next_commit = ()
                        recorded_events.add(self.root, self.event_id, self.report)
                        self._events += self._commit_events(steps)
        return tuple(dict.fromkeys(path for change in plan for path in changed_paths(change)))

    def _commit_events(self, steps: Sequence[CommitStep]) -> list[CommitEvent]:
        if not steps or not (self._callbacks or self.deliver):
            return []
        from memtool.core.history.commit_event import commit_event

        def role_of(path: str) -> str | None:
            return located.role if (located := self.role_of(path)) else None

        return [commit_event(steps, self.journal.now(), self.journal.author(), self.root, role_of)]


def open_workspace(
    root: str,
    environment: Mapping[str, str],
    layout: str | None = None,
    *,
    writes: bool = True,
    fallback_layout: str | None = None,
    disk: Callable[[str], Disk] = Disk,
) -> Workspace:
    """Open the workspace at a root, and take back what a command that was killed has left half done.

    The layout is `layout`, else that of the settings, else the recognised one, else `fallback_layout`.
    Raises NoWorkspace if no layout fits, BadUsage for invalid settings.
    """
    tree = disk(root)
    workspace = _open(tree, environment, layout, fallback_layout, writes=writes)
    if not (writes and tree.has_intent()):
        return workspace
    notices: list[str] = []
    workspace.say = notices.append
    workspace.recover()
    if not tree.has_intent():  # what was taken back may be the settings, or what the layout was recognised by
        workspace = _open(tree, environment, layout, fallback_layout, writes=writes)
    workspace.say = lambda _: None
    workspace.notices += tuple(notices)
    return workspace


def _open(
    tree: Disk, environment: Mapping[str, str], layout: str | None, fallback: str | None, *, writes: bool
) -> Workspace:
    settings = sources.load(tree, environment)
    name = layout or settings["layout"] or recognise_layout(marker_test(tree.root)) or fallback
    if not name:
        raise NoWorkspace(
            f"{tree.root} is not a workspace: it has no memtool.toml and matches no known "
            f"layout; run memtool init {tree.root}, or choose a layout with --layout"
        )
    private.folder(tree.root)
    loaded_layout = load_layout(name) if layout else sources.load_named_layout(name, environment, settings)
    tree.isolated_folder = loaded_layout.groups
    tree.linked = path_guard.linked_folder(tree.root, loaded_layout.groups, settings["groups.folder"])
    tree.staging_folder = STAGING_FOLDER
    key = functools.cache(lambda: sources.integrity_key(environment, make=writes))
    return Workspace(tree, loaded_layout, settings, writes=writes, key=key)


def _checked_text(document: Document) -> Document:
    """The document. Raises UnreadableFile for a binary file."""
    if "\0" in document.text:
        fault = "is not a text file (it contains NUL bytes); nothing was written"
        raise UnreadableFile(f"{document.path} {fault}")
    return document
