"""memories: Anthropic's memory tool on a folder of the workspace; every command gets a reply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import assert_never

from msgspec import Struct

from memtool.core.memories import memories as tool
from memtool.core.memories.memory_replies import Refused, Reply, refusal, say
from memtool.core.records.document import Document
from memtool.core.records.plan import Create, MoveTree, Plan, RemoveTree, Replace
from memtool.errors import MemtoolError, OutsideWorkspace, StaleWrite, Unreadable, Unwritable
from memtool.store.workspace import Workspace

ROLE = "memories"
_LEVELS = 2
"""Depth of a folder listing."""


class How(Struct, frozen=True):
    """Options of the memory tool: the style of replies (`sdk` or `docs`), and the group.

    `docs` follows the documentation also in what it hides and refuses; `verbatim` stores secrets unredacted.
    """

    style: str = "sdk"
    verbatim: bool = False
    group: str | None = None


class Answer(Struct, frozen=True):
    """The reply to a command, and the plan that was committed."""

    reply: Reply
    plan: Plan = ()


def answer(workspace: Workspace, record: object, how: How = How()) -> Answer:
    """Execute a command of the memory tool, given as its JSON object.

    Errors of the model, the tree or the disk are not raised, but returned as a reply with `is_error`.
    """
    try:
        command = tool.parse(record)
        return _Tool(workspace, how, _folder(workspace, how)).done(command)
    except Refused as refused:
        return Answer(refusal(how.style, refused))
    except MemtoolError as error:
        return Answer(Reply(str(error).replace(workspace.root + "/", ""), is_error=True))


def clear(workspace: Workspace, how: How = How()) -> Answer:
    """Remove all files of the tool at once. Raises the errors of locking and writing."""
    folder = _folder(workspace, how)
    with workspace.lock():
        plan = (RemoveTree(folder),) if workspace.disk.stands(folder) else ()
        workspace.commit(plan)
        if workspace.writes:
            workspace.disk.make_folder(folder)
    return Answer(Reply(say(how.style, "cleared")), plan)


def _folder(workspace: Workspace, how: How) -> PurePosixPath:
    """The real path of the tool's folder. Raises OutsideWorkspace for a link out of the workspace."""
    return workspace.disk.place(workspace.layout.folder(ROLE, group=how.group))


class _Tool(Struct, frozen=True):
    """The commands of the tool, on the folder that is shown as `/memories`."""

    workspace: Workspace
    how: How
    folder: PurePosixPath

    def done(self, command: tool.Command) -> Answer:
        """Execute a command. Raises Refused, and the errors of reading, locking and writing."""
        self._prepare()
        if isinstance(command, tool.View):
            return Answer(Reply(self._viewed(command)))
        note = ""
        if isinstance(command, tool.Create):  # redact a large text before taking the lock
            edited, note = self._redacted("", tool.Edited(command.file_text, 0, len(command.file_text)))
            command = tool.Create(command.path, edited.text)
        with self.workspace.lock():
            plan, message = self._planned(command)
            try:
                self.workspace.commit(plan)
            except StaleWrite as error:
                path = command.old_path if isinstance(command, tool.Rename) else command.path
                raise Refused("changed", path=path) from error
        return Answer(Reply(message + note), plan)

    def _prepare(self) -> None:
        """Create the tool's folder at the first command, as the SDK does; if not permitted, it is empty."""
        disk = self.workspace.disk
        if self.workspace.writes and disk.standing(self.folder) is None:
            try:
                disk.make_folder(self.folder)
            except Unwritable:
                return

    def _planned(self, command: tool.Command) -> tuple[Plan, str]:
        match command:
            case tool.View():
                return (), self._viewed(command)
            case tool.Create():
                return self._created(command)
            case tool.StrReplace(path):
                document = self._document(path, "replace")
                edited, note = self._redacted(document.text, tool.replaced(document.text, command))
                message = f"{self._say('replaced')}\n{tool.snippet(edited)}{note}"
                return (Replace(document.path, edited.text, document.etag),), message
            case tool.Insert(path):
                document = self._document(path, "insert")
                edited, note = self._redacted(document.text, tool.inserted(document.text, command))
                message = self._say("inserted", path=path) + note
                return (Replace(document.path, edited.text, document.etag),), message
            case tool.Delete():
                return self._deleted(command)
            case tool.Rename():
                return self._renamed(command)
            case _:
                assert_never(command)

    def _viewed(self, command: tool.View) -> str:
        path = command.path
        place = self._place(path)
        entry = self.workspace.disk.standing(place)
        if entry is None and place != self.folder:
            raise Refused("missing", path=path)
        if entry is None or entry.kind == "folder":
            rows = [self._say("folder", path=path), f"{tool.size(entry.size if entry else 0)}\t{path}"]
            return "\n".join([*rows, *self._listed(place, path, _LEVELS)])
        if entry.kind != "file":
            raise Refused("kind", path=path)
        numbered_lines = tool.numbered(tool.lines(self._text(place, path).text, path), command.view_range)
        return f"{self._say('file', path=path)}\n{numbered_lines}"

    def _listed(self, place: PurePosixPath, path: str, levels: int) -> Iterator[str]:
        """Yield the listing of a folder; the last lines name folders that could not be listed."""
        unread: list[str] = []
        for name, real_path, entry in self.workspace.disk.entries(place, self.folder):
            if "\n" in name or "\r" in name or (name == "node_modules" and self.how.style == "docs"):
                continue
            shown = f"{path}/{name}"
            if entry.kind == "folder":
                yield f"{tool.size(entry.size)}\t{shown}/"
                if levels > 1:
                    try:
                        yield from self._listed(real_path, shown, levels - 1)
                    except Unreadable:
                        unread.append(shown)
            elif entry.kind == "file":
                yield f"{tool.size(entry.size)}\t{shown}"
        yield from (self._say("unread", path=path_shown) for path_shown in unread)

    def _created(self, command: tool.Create) -> tuple[Plan, str]:
        path = command.path
        place = self._place(path)
        if self.workspace.disk.standing(place) is not None:
            raise Refused("exists", path=path)
        self._refuse_below_file(place, path)
        return (Create(place, command.file_text),), self._say("created", path=path)

    def _deleted(self, command: tool.Delete) -> tuple[Plan, str]:
        path = command.path
        place = self._place(path)
        if place == self.folder:
            raise Refused("delete all")
        entry = self.workspace.disk.standing(place)
        if entry is None or entry.kind == "other":
            raise Refused("missing to delete", path=path)
        return (RemoveTree(self._itself(path)),), self._say("deleted", path=path)

    def _renamed(self, command: tool.Rename) -> tuple[Plan, str]:
        old, new = command.old_path, command.new_path
        disk, source, target = self.workspace.disk, self._place(old), self._place(new)
        if source == self.folder:
            raise Refused("rename all")
        if disk.standing(target) is not None:
            raise Refused("destination", path=new)
        if disk.standing(source) is None:
            raise Refused("missing to rename", path=old)
        link_path = self._itself(old)
        if link_path in target.parents:
            raise Refused("into itself", path=old, new_path=new)
        self._refuse_below_file(target, new)
        return (MoveTree(link_path, target),), self._say("renamed", path=old, new_path=new)

    def _place(self, path: str) -> PurePosixPath:
        """Resolve a path. Raises Refused if it leads out of the folder."""
        steps = tool.steps(path, strict=self.how.style == "docs")
        try:
            return self.workspace.disk.within(self.folder, steps)
        except OutsideWorkspace as error:
            raise Refused("escapes", path=path) from error

    def _itself(self, path: str) -> PurePosixPath:
        """Resolve all of a path but its last name: a link itself, not its target."""
        *steps, name = tool.steps(path)
        if name == "..":
            return self._place(path)
        return self.workspace.disk.within(self.folder, steps) / name

    def _refuse_below_file(self, place: PurePosixPath, path: str) -> None:
        """Raise Refused if a parent of the path is a file."""
        for parent in place.parents:
            entry = self.workspace.disk.standing(parent)
            if entry is not None and entry.kind != "folder":
                raise Refused("not folder", path=path)
            if entry is not None or parent == self.folder:
                return

    def _document(self, path: str, verb: str) -> Document:
        """Read the file to be edited. Raises Refused."""
        place = self._place(path)
        entry = self.workspace.disk.standing(place)
        if entry is None:
            raise Refused(f"missing to {verb}", path=path)
        if entry.kind != "file":
            raise Refused(f"no file to {verb}", path=path)
        return self._text(place, path)

    def _text(self, place: PurePosixPath, path: str) -> Document:
        document = self.workspace.read(place)
        if document is None:
            raise Refused("changed", path=path)
        try:
            document.text.encode()
        except UnicodeEncodeError as error:
            raise Refused("not text", path=path) from error
        return document

    def _redacted(self, old: str, edited: tool.Edited) -> tuple[tool.Edited, str]:
        """Return the edit with secrets redacted, and the line of the reply that says so."""
        if self.how.verbatim:
            return edited, ""
        edited, kinds = tool.redacted(old, edited)
        return edited, "\n" + self._say("redacted", kinds=kinds) if kinds else ""

    def _say(self, name: str, **slots: object) -> str:
        return say(self.how.style, name, **slots)
