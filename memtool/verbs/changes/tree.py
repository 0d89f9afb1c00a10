"""A tree as it will be: the files of a workspace with changes that are planned and not yet made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from memtool.core.records.document import Document
from memtool.core.records.migration import Step
from memtool.core.records.plan import Append, Create, Move, Plan, Remove, Replace
from memtool.errors import MemtoolError
from memtool.store.files.listing import listing
from memtool.store.files.posix import encode
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace

ROOT = PurePosixPath(".")
WAITING = PurePosixPath(".memtool-moving")
"""Where files wait while a tree is moved to another layout."""


class Tree:
    """The workspace's files, read through what was applied; `unread` says what could not be looked at.

    What is planned on it can be committed change by change: an etag tells the text, not who wrote it.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.unread: list[str] = []
        self.passed: dict[str, str] = {}
        """What `files` came by that is no regular file, and what it is: a link, a pipe, …"""
        self._changed: dict[PurePosixPath, Document | PurePosixPath | None] = {}
        """What stands at a path that was changed: a text, or the file on disk that was moved here."""

    def copy(self) -> Tree:
        """The same tree, to be changed apart; what cannot be read is told in common."""
        other = Tree(self.workspace)
        other.unread = self.unread
        other._changed = {**self._changed}
        return other

    def read(self, path: PurePosixPath) -> Document | None:
        """The document at a path; None when nothing is there. Raises Unreadable, OutsideWorkspace."""
        if path not in self._changed:
            return self.workspace.read(path)
        there = self._changed[path]
        if isinstance(there, PurePosixPath):
            document = self.workspace.read(there)
            return Document(path, document.text, document.etag) if document else None
        return there

    def read_or_tell(self, path: PurePosixPath) -> Document | None:
        """The document at a path; None when nothing is there, or when it cannot be read, which is told."""
        try:
            return self.read(path)
        except MemtoolError as error:
            self.unread.append(str(error))
            return None

    def text(self, path: PurePosixPath) -> str | None:
        """The text at a path; None as `read_or_tell`."""
        document = self.read_or_tell(path)
        return document.text if document else None

    def stands(self, path: PurePosixPath) -> bool:
        """Whether something is at a path, a folder included; so it is taken where nobody may look."""
        if path in self._changed:
            return self._changed[path] is not None
        try:
            return self.workspace.disk.stat(path) is not None
        except MemtoolError:
            return True

    def names(self, folder: PurePosixPath) -> list[str]:
        """The regular files of one folder, links and hidden names passed by, sorted."""
        try:
            if folder == ROOT:
                found = {*listing(self.workspace.root, lambda _: False).files}
            else:
                listed = self.workspace.disk.folder(folder)
                found = {*listed.files} if listed else set()
        except MemtoolError as error:
            self.unread.append(str(error))
            found = set()
        for path, document in self._changed.items():
            if path.parent == folder:
                (found.add if document else found.discard)(path.name)
        return sorted(found)

    def folders(self, folder: PurePosixPath) -> list[str]:
        """The folders in one folder, sorted."""
        try:
            listed = self.workspace.disk.folder(folder)
        except MemtoolError as error:
            self.unread.append(str(error))
            return []
        return sorted(listed.folders) if listed else []

    def below(self, folder: PurePosixPath, depth: int = 4) -> list[PurePosixPath]:
        """The files of a folder and of those in it, sorted."""
        found = [folder / name for name in self.names(folder)]
        for name in self.folders(folder) if depth else ():
            found += self.below(folder / name, depth - 1)
        return found

    def files(self, enters: Callable[[str], bool]) -> list[str]:
        """Every file below the root, sorted; a folder is looked into where `enters` its path says so."""
        seen = listing(self.workspace.root, enters)
        self.unread += [f"{path or 'the root'} could not be listed: {why}" for path, why in seen.unreadable]
        self.passed = dict(seen.skipped)
        found = {*seen.files}
        for path, document in self._changed.items():
            if not any(step.startswith(".") for step in path.parts):
                (found.add if document else found.discard)(str(path))
        return sorted(found)

    def outcome(self) -> dict[PurePosixPath, str | None]:
        """Every path that was changed, with the etag of what stands there in the end; None for nothing."""
        found: dict[PurePosixPath, str | None] = {}
        for path in self._changed:
            document = self.read(path)
            found[path] = document.etag if document else None
        return found

    def with_steps(self, steps: Iterable[Step]) -> list[Step]:
        """Take each step as made before the next one is asked for; gives them all."""
        made = []
        for step in steps:
            self.apply(step.plan)
            made.append(step)
        return made

    def apply(self, plan: Plan) -> None:
        """Take changes for made."""
        for change in plan:
            match change:
                case Create(path, text) | Replace(path, text):
                    self._put(path, text)
                case Append(path, text):
                    document = self.read(path)
                    before = document.text if document else ""
                    self._put(path, before + ("\n" if before and not before.endswith("\n") else "") + text)
                case Move(path, target, etag):
                    there = self._changed.get(path, path)
                    if isinstance(there, Document):
                        there = Document(target, there.text, etag)
                    self._changed[target] = there
                    self._changed[path] = None
                case Remove(path):
                    self._changed[path] = None

    def _put(self, path: PurePosixPath, text: str) -> None:
        self._changed[path] = Document(path, text, etag_of(encode(text)))
