"""A workspace: one tree with its layout and settings, and the one function that commits a plan to it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, assert_never

from memtool.core.records.document import Document, Listing
from memtool.core.records.plan import (
    Append,
    Change,
    Create,
    Move,
    MoveTree,
    Permit,
    Plan,
    Remove,
    RemoveTree,
    Replace,
    Secure,
)
from memtool.errors import BadUsage, MemtoolError, NoWorkspace, Unreadable
from memtool.layouts.layout import Layout, Located
from memtool.layouts.load import NAMES, load, recognise
from memtool.store import lock
from memtool.store.commit.journal import Journal
from memtool.store.config import config
from memtool.store.config.settings import Settings
from memtool.store.files import private
from memtool.store.files.disk import Disk
from memtool.store.files.listing import is_installed, listing, listing_of
from memtool.store.root import sees

if TYPE_CHECKING:
    from memtool.store.git.git import Git


class Workspace:
    """One memory tree: where each role's file is, what is in it, and the only way to change it.

    `writes` is False for a dry run and in incognito: then `commit` changes nothing and no lock is made.
    """

    def __init__(
        self,
        disk: Disk,
        layout: Layout,
        settings: Settings,
        *,
        writes: bool = True,
        journal: Journal | None = None,
        git: Git | None = None,
    ) -> None:
        self.disk = disk
        self.layout = layout
        self.settings = settings
        self.writes = writes
        self.say: Callable[[str], None] = lambda _: None
        """Told, a sentence each, of what went wrong beside a commit and did not stop it."""
        days, most = settings["journal.days"], settings["journal.max_bytes"]
        self.journal = journal or Journal(disk, days, most, self.tell)
        self.git = git

    def tell(self, text: str) -> None:
        """Say what went wrong beside a commit."""
        self.say(text)

    @property
    def root(self) -> str:
        """The real path of the root folder."""
        return self.disk.root

    def has(self, role: str) -> bool:
        """Whether this layout has a place for a role."""
        return self.layout.has(role)

    def limit(self, setting: str) -> float:
        """A limit: the setting's value, or, where it is 0, what the layout says under its last word."""
        value = float(self.settings[setting])
        return value or self.layout.limits[setting.rpartition(".")[2]]

    def read(self, path: PurePosixPath) -> Document | None:
        """The document at a path; None when nothing is there. Raises Unreadable, OutsideWorkspace."""
        return self.disk.read(path)

    def etag(self, path: str) -> str | None:
        """The etag of the document at a path; None when nothing is there. Raises as `read` does."""
        document = self.read(PurePosixPath(path))
        return None if document is None else document.etag

    def read_text(self, path: PurePosixPath) -> Document | None:
        """A document that is about to be edited as text. Raises Unreadable when it is not text at all."""
        document = self.disk.read(path)
        if document is not None and "\0" in document.text:
            raise Unreadable(f"{path} is not a text file (it contains NUL bytes); nothing was written")
        return document

    def located(self, path: str) -> Located | None:
        """The role of a path, or None for a file that has none."""
        return self.layout.role_of(path)

    def listing(self, paths: Iterable[str] | None = None) -> Listing:
        """Every file in the folders that this layout has places in, or only what is at these paths."""
        return listing(self.root, self.layout.enters) if paths is None else listing_of(self.root, paths)

    def documents(self) -> Listing:
        """Every file in the folders that hold documents to be searched; histories are not entered."""
        return listing(self.root, self.layout.enters_indexed)

    def everything(self, whole: dict[str, os.stat_result]) -> Listing:
        """Every file at the root and in the folders that hold memory, those without a place included.

        `whole` is filled with all that the system says of each.
        """
        return listing(self.root, self.layout.holds, whole)

    def outside(self, known: Listing, most: int) -> Listing | None:
        """Every file in the folders that a listing passed by, but for packages that a program installed.

        None where these are more than `most`, or a link leads to a folder, so that not all can be known.
        """
        within = [path for path in known.passed if not is_installed(path)]
        count = len(within)

        def enters(_: str) -> bool:
            nonlocal count
            count += 1
            return count <= most

        found = listing(self.root, enters, within=within)
        links = (path for path, _ in (*known.skipped, *found.skipped))
        if count > most or any(os.path.isdir(os.path.join(self.root, path)) for path in links):
            return None
        return found

    def refuse_strangers(self, asked: str | None) -> None:
        """Raise BadUsage when a folder that looks like no layout holds memory that ours would take over."""
        if asked or self.settings["layout"] or recognise(sees(self.root)):
            return
        for name in listing(self.root, lambda _: False).files:
            located = self.layout.role_of(name)
            if located is not None and located.role in {"long-term", "session-state"}:
                raise BadUsage(
                    f"{self.root} holds {name} already, but looks like no layout that memtool knows; "
                    "say whose memory it is with --layout (memtool help layouts)"
                )

    def at_present(self, environment: Mapping[str, str]) -> Workspace:
        """The same workspace with the settings that hold now, for somebody with this environment."""
        settings = config.load(self.disk, environment)
        journal = self.journal.for_another_run()
        other = Workspace(self.disk, self.layout, settings, writes=self.writes, journal=journal, git=self.git)
        other.say = self.say
        return other

    def looking(self) -> Workspace:
        """The same workspace for somebody who only looks: nothing is written, nothing is locked."""
        return Workspace(self.disk, self.layout, self.settings, writes=False)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Held from reading to committing. Raises Locked, Unwritable."""
        if not self.writes:
            yield
            return
        with lock.held(self.root, self.settings["lock_timeout"]):
            try:
                yield
            finally:
                if self.git is not None:
                    self.git.flush(self._leads_to)

    def close(self) -> None:
        """Commit to git what was changed and is not committed yet, where changes are."""
        if self.git is not None and self.git.is_pending:
            try:
                with lock.held(self.root, self.settings["lock_timeout"]):
                    self.git.flush(self._leads_to, last=True)
            except MemtoolError as error:
                self.tell(f"not all was committed to git: {error}")

    def _leads_to(self, path: str) -> str:
        return str(self.disk.place(path))

    def commit(
        self,
        plan: Plan,
        *,
        undoes: Sequence[str] = (),
        forget: Collection[str] | None = None,
        then: Callable[[], None] = lambda: None,
    ) -> tuple[PurePosixPath, ...]:
        """Apply a plan in order and return the paths it touched; call it under the lock.

        Every etag is checked before the first write, and the journal knows how to take the plan back before
        anything is done. `undoes` names the entries of the journal that it takes back; with `forget`, texts
        or none, the journal keeps nothing of what stood at its paths, or of these texts. What is to happen
        `then` belongs to it: before that it does not count as done. Raises StaleWrite, Unreadable, Unwritable
        and OutsideWorkspace.
        """
        from memtool.store.commit.foreseen import Foreseen

        foreseen = Foreseen(self.disk, self.journal.largest)
        steps = [step for change in plan for step in foreseen.steps(change)]
        if self.writes and (plan or undoes):
            with self.journal.recorded(steps, undoes, forget=forget):
                self._apply_all(plan)
                then()
            if self.git is not None:
                self.git.changed(steps, self.journal.author().command, self.journal.now())
                if forget is not None:
                    self.say("what is in git's history already stays there")
        return tuple(dict.fromkeys(path for change in plan for path in touched(change)))

    def _apply_all(self, plan: Plan) -> None:
        """Each change in order; where there are only moves, no folder is told twice to reach the disk."""
        moves = [change for change in plan if isinstance(change, Move)]
        if len(moves) < 2 or len(moves) < len(plan):
            for change in plan:
                self._apply(change)
            return
        for path, target, etag in ((one.path, one.target, one.etag) for one in moves):
            self.disk.move(path, target, etag, sync=False)
        self.disk.sync_folders([path for one in moves for path in (one.target, one.path)])

    def _apply(self, change: Change) -> None:
        match change:
            case Create(path, text, like):
                self.disk.create(path, text, like)
            case Append(path, text):
                self.disk.append(path, text)
            case Replace(path, text, etag):
                self.disk.replace(path, text, etag)
            case Move(path, target, etag):
                self.disk.move(path, target, etag)
            case Remove(path, etag):
                self.disk.remove(path, etag)
            case MoveTree(path, target):
                self.disk.move_tree(path, target)
            case RemoveTree(path):
                self.disk.remove_tree(path)
            case Secure(path):
                self.disk.secure(path)
            case Permit(path, mode, expect):
                self.disk.permit(path, mode, expect)
            case _:
                assert_never(change)


def described() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Every layout by name: what it is, and the role and path pattern of each of its places, in order."""
    layouts = [load(name) for name in sorted(NAMES)]
    return [(one.name, one.summary, [(p.role, p.template.pattern) for p in one.places]) for one in layouts]


def touched(change: Change) -> tuple[PurePosixPath, ...]:
    """The paths that a change writes."""
    return (change.path, change.target) if isinstance(change, Move | MoveTree) else (change.path,)


def open_workspace(
    root: str,
    environment: Mapping[str, str],
    layout: str | None = None,
    *,
    writes: bool = True,
    otherwise: str | None = None,
    disk: Callable[[str], Disk] = Disk,
) -> Workspace:
    """The workspace at a root, in the layout asked for, else the one it says or looks like, else `otherwise`.

    Raises NoWorkspace when no layout fits, BadUsage for bad settings.
    """
    door = disk(root)
    settings = config.load(door, environment)
    name = layout or settings["layout"] or recognise(sees(door.root)) or otherwise
    if not name:
        raise NoWorkspace(
            f"{root} is no workspace: it has no memtool.toml and looks like no known layout; "
            f"run memtool init {root}, or name a layout with --layout"
        )
    private.folder(door.root)
    found = load(name)
    door.walls = found.groups
    workspace = Workspace(door, found, settings, writes=writes)
    if settings["git"] and writes:
        from memtool.store.git.git import Git

        workspace.git = Git(door.root, environment, workspace.tell)
    return workspace
