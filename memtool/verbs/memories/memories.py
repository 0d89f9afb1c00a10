"""memories: Anthropic's memory tool on a folder of the workspace; every command gets a reply."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.memories import memory_commands as tool
from memtool.core.memories.memory_replies import CommandRefused, CommandReply, refusal_reply, reply_text
from memtool.core.privacy.recalled import lines_for_model
from memtool.core.records.document import Document
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Create, MoveTree, Plan, RemoveTree, Replace
from memtool.errors import (
    Locked,
    MemtoolError,
    OutsideWorkspace,
    StaleWrite,
    UnfinishedCommit,
    UnreadableFile,
    Unwritable,
)
from memtool.formats.ownership import with_file_owner, without_file_owner
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files.reader import TreeReader
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import is_forgotten

ROLE = "memories"
_FAILURES = (Locked, Unwritable, UnfinishedCommit)
"""Errors that are no answer to the command: it may be given again when they have passed."""
_MOST_FILES = 100_000
_LISTING_DEPTH = 2
"""Depth of a folder listing."""


class MemoryToolOptions(Struct, frozen=True):
    """Options of the memory tool: the style of replies (`sdk` or `docs`), the group, and the owner.

    A user sees no files of other users, and what that user creates is his own: its frontmatter says so, which
    the tool neither shows nor changes. A file without an owner is everybody's, whoever edits it.
    `docs` follows the documentation also in what it hides and refuses; `verbatim` stores secrets unredacted.
    """

    style: str = "sdk"
    verbatim: bool = False
    group: str | None = None
    owner: Owner | None = None

    @property
    def user(self) -> str:
        """The tag of the user, "" for none."""
        return str(self.owner) if self.owner is not None and self.owner.kind == "user" else ""


class MemoryToolAnswer(Struct, frozen=True):
    """The reply to a command, the plan that was committed, and the error of the lock or the disk, if any."""

    reply: CommandReply
    plan: Plan = ()
    error: MemtoolError | None = None


def answer_command(
    workspace: Workspace, record: object, options: MemoryToolOptions = MemoryToolOptions()
) -> MemoryToolAnswer:
    """Execute a command of the memory tool, given as its JSON object.

    What the reply shows of files is cleaned as for every model, unless `verbatim` asks for exact text.
    Errors of the model, the tree or the disk are not raised, but returned as a reply with `is_error`.
    """
    try:
        command = tool.parse_command(record)
        seen = workspace.seen_by({options.user} - {""})
        answer = _MemoryTool(workspace, seen.disk, options, _folder(workspace, options)).execute(command)
        if options.verbatim:
            return answer
        return replace(answer, reply=replace(answer.reply, content=lines_for_model(answer.reply.content)))
    except CommandRefused as refused:
        return MemoryToolAnswer(refusal_reply(options.style, refused))
    except MemtoolError as error:
        reply = CommandReply(str(error).replace(workspace.root + "/", ""), is_error=True)
        return MemoryToolAnswer(reply, error=error if isinstance(error, _FAILURES) else None)


@retry_when_stale
def clear_memories(
    workspace: Workspace, options: MemoryToolOptions = MemoryToolOptions()
) -> MemoryToolAnswer:
    """Remove all files of the tool at once. Raises the errors of locking and writing."""
    folder = _folder(workspace, options)
    with workspace.lock():
        plan = (RemoveTree(folder),) if workspace.disk.path_exists(folder) else ()
        workspace.commit(plan)
        if workspace.writes:
            with contextlib.suppress(Unwritable):  # the next command creates it
                workspace.disk.make_folder(folder)
    return MemoryToolAnswer(CommandReply(reply_text(options.style, "cleared")), plan)


def _folder(workspace: Workspace, options: MemoryToolOptions) -> PurePosixPath:
    """The real path of the tool's folder. Raises OutsideWorkspace for a link out of the workspace."""
    return workspace.disk.resolve(workspace.layout.folder(ROLE, group=options.group))


def _owned(text: str, owner: str) -> str:
    return with_file_owner(text, owner) if owner else text


class _MemoryTool(Struct, frozen=True):
    """The commands of the tool, on the folder that is shown as `/memories`."""

    workspace: Workspace
    seen: TreeReader
    """The files as the user of the options sees them."""
    options: MemoryToolOptions
    folder: PurePosixPath

    def execute(self, command: tool.MemoryCommand) -> MemoryToolAnswer:
        """Execute a command. Raises CommandRefused, and the errors of reading, locking and writing."""
        if isinstance(command, tool.ViewCommand):
            content = self._view(command)
            self._make_root()
            return MemoryToolAnswer(CommandReply(content))
        self._make_root()
        note = ""
        if isinstance(command, tool.CreateCommand):  # redact a large text before taking the lock
            edited, note = self._redact("", tool.EditedMemory(command.file_text, 0, len(command.file_text)))
            command = tool.CreateCommand(command.path, edited.text)
        try:
            plan, message = self._commit(command)
        except StaleWrite as error:
            path = command.old_path if isinstance(command, tool.RenameCommand) else command.path
            raise CommandRefused("changed", path=path) from error
        return MemoryToolAnswer(CommandReply(message + note), plan)

    @retry_when_stale
    def _commit(self, command: tool.MemoryCommand) -> tuple[Plan, str]:
        with self.workspace.lock():
            plan, message = self._plan(command)
            self.workspace.commit(plan)
        return plan, message

    def _make_root(self) -> None:
        """Create the tool's folder at the first command, as the SDK does; if not permitted, it is empty.

        A refused view creates nothing.
        """
        disk = self.workspace.disk
        if self.workspace.writes and disk.entry_kind(self.folder) is None:
            try:
                disk.make_folder(self.folder)
            except Unwritable:
                return

    def _plan(self, command: tool.MemoryCommand) -> tuple[Plan, str]:
        match command:
            case tool.ViewCommand():
                return (), self._view(command)
            case tool.CreateCommand():
                return self._create(command)
            case tool.StrReplaceCommand(path):
                document, owner = self._read_for_edit(path, "replace")
                edited, note = self._redact(document.text, tool.replace_text(document.text, command))
                message = f"{self._message('replaced')}\n{tool.edit_snippet(edited)}{note}"
                return (Replace(document.path, _owned(edited.text, owner), document.etag),), message
            case tool.InsertCommand(path):
                document, owner = self._read_for_edit(path, "insert")
                edited, note = self._redact(document.text, tool.insert_lines(document.text, command))
                message = self._message("inserted", path=path) + note
                return (Replace(document.path, _owned(edited.text, owner), document.etag),), message
            case tool.DeleteCommand():
                return self._delete(command)
            case tool.RenameCommand():
                return self._rename(command)
            case _:
                assert_never(command)

    def _view(self, command: tool.ViewCommand) -> str:
        path = command.path
        place = self._resolve(path)
        entry = self.seen.entry_kind(place)
        if (entry is None or self._is_anothers_folder(place)) and place != self.folder:
            raise CommandRefused("missing", path=path)
        if entry is None or entry.kind == "folder":
            rows = [
                self._message("folder", path=path),
                f"{tool.display_size(entry.size if entry else 0)}\t{path}",
            ]
            return "\n".join([*rows, *self._list(place, path, _LISTING_DEPTH)])
        if entry.kind != "file":
            raise CommandRefused("kind", path=path)
        numbered_lines = tool.number_lines(
            tool.split_lines(self._read_text(place, path)[0].text, path), command.view_range
        )
        return f"{self._message('file', path=path)}\n{numbered_lines}"

    def _list(self, place: PurePosixPath, path: str, levels: int) -> Iterator[str]:
        """Yield the listing of a folder; the last lines name folders that could not be listed."""
        unread: list[str] = []
        for name, real_path, entry in self.seen.list_entries(place, self.folder):
            if "\n" in name or "\r" in name or (name == "node_modules" and self.options.style == "docs"):
                continue
            shown = f"{path}/{name}"
            if entry.kind == "folder" and not self._is_anothers_folder(real_path):
                yield f"{tool.display_size(entry.size)}\t{shown}/"
                if levels > 1:
                    try:
                        yield from self._list(real_path, shown, levels - 1)
                    except UnreadableFile:
                        unread.append(shown)
            elif entry.kind == "file":
                yield f"{tool.display_size(entry.size)}\t{shown}"
        yield from (self._message("unread", path=path_shown) for path_shown in unread)

    def _create(self, command: tool.CreateCommand) -> tuple[Plan, str]:
        path = command.path
        self._refuse_secret_name(path)
        place = self._resolve(path)
        self._refuse_taken(place, path, "exists")
        self._refuse_below_file(place, path)
        return (Create(place, _owned(command.file_text, self.options.user)),), self._message(
            "created", path=path
        )

    def _delete(self, command: tool.DeleteCommand) -> tuple[Plan, str]:
        path = command.path
        place = self._resolve(path)
        if place == self.folder:
            raise CommandRefused("delete all")
        entry = self.seen.entry_kind(place)
        if entry is None or entry.kind == "other" or self._holds_hidden(place):
            raise CommandRefused("missing to delete", path=path)
        return (RemoveTree(self._resolve_parent(path)),), self._message("deleted", path=path)

    def _rename(self, command: tool.RenameCommand) -> tuple[Plan, str]:
        old, new = command.old_path, command.new_path
        self._refuse_secret_name(new)
        source, target = self._resolve(old), self._resolve(new)
        if source == self.folder:
            raise CommandRefused("rename all")
        self._refuse_taken(target, new, "destination")
        if self.seen.entry_kind(source) is None or self._holds_hidden(source):
            raise CommandRefused("missing to rename", path=old)
        link_path = self._resolve_parent(old)
        if link_path in target.parents:
            raise CommandRefused("into itself", path=old, new_path=new)
        self._refuse_below_file(target, new)
        return (MoveTree(link_path, target),), self._message("renamed", path=old, new_path=new)

    def _resolve(self, path: str) -> PurePosixPath:
        """Resolve a path. Raises CommandRefused if it leads out of the folder."""
        steps = tool.path_components(path, strict=self.options.style == "docs")
        try:
            return self.workspace.disk.resolve_within(self.folder, steps)
        except OutsideWorkspace as error:
            raise CommandRefused("escapes", path=path) from error

    def _resolve_parent(self, path: str) -> PurePosixPath:
        """Resolve all of a path but its last name: a link itself, not its target."""
        *steps, name = tool.path_components(path)
        if name == "..":
            return self._resolve(path)
        return self.workspace.disk.resolve_within(self.folder, steps) / name

    def _refuse_secret_name(self, path: str) -> None:
        """Raise CommandRefused if a new path holds a secret."""
        if not self.options.verbatim:
            tool.refuse_secret_name(path)

    def _refuse_taken(self, place: PurePosixPath, path: str, reply: str) -> None:
        """Raise CommandRefused if something is at a place; another user's is not said to exist."""
        if self.workspace.disk.entry_kind(place) is not None:
            is_hidden = self.seen.entry_kind(place) is None or self._is_anothers_folder(place)
            raise CommandRefused("unavailable" if is_hidden else reply, path=path)

    def _refuse_below_file(self, place: PurePosixPath, path: str) -> None:
        """Raise CommandRefused if a parent of the path is a file."""
        for parent in place.parents:
            entry = self.workspace.disk.entry_kind(parent)
            if entry is not None and entry.kind != "folder":
                is_hidden = self.seen.entry_kind(parent) is None
                raise CommandRefused("unavailable" if is_hidden else "not folder", path=path)
            if entry is not None or parent == self.folder:
                return

    def _holds_hidden(self, place: PurePosixPath) -> bool:
        """Whether a folder holds files of other users, which no user deletes or renames with it."""
        return any(self._are_hidden(place))

    def _is_anothers_folder(self, place: PurePosixPath) -> bool:
        """Whether a folder has files of other users and nothing for this one."""
        are_hidden = self._are_hidden(place)
        return bool(are_hidden) and all(are_hidden)

    def _are_hidden(self, place: PurePosixPath) -> list[bool]:
        """Whether each file in a folder is another user's; empty where no user asks."""
        if not self.options.user or self.seen.folder_stat(place) is None:
            return []
        return [self.seen.is_hidden(path) for path, _ in self.seen.list_tree(place, _MOST_FILES)]

    def _read_for_edit(self, path: str, verb: str) -> tuple[Document, str]:
        """Read the file to be edited, as `_read_text` does. Raises CommandRefused."""
        place = self._resolve(path)
        entry = self.seen.entry_kind(place)
        if entry is None:
            raise CommandRefused(f"missing to {verb}", path=path)
        if entry.kind != "file":
            raise CommandRefused(f"no file to {verb}", path=path)
        return self._read_text(place, path)

    def _read_text(self, place: PurePosixPath, path: str) -> tuple[Document, str]:
        """The file without the owner in its frontmatter, and that owner, "" for none."""
        document = self.workspace.read(place)
        if document is None:
            raise CommandRefused("changed", path=path)
        try:
            document.text.encode()
        except UnicodeEncodeError as error:
            raise CommandRefused("not text", path=path) from error
        owner, text = without_file_owner(document.text)
        return Document(document.path, text, document.etag), owner

    def _redact(self, old: str, edited: tool.EditedMemory) -> tuple[tool.EditedMemory, str]:
        """Return the edit with secrets redacted, and the line of the reply that says so.

        Raises CommandRefused for new text that was forgotten: the model must know what a file holds.
        """
        if is_forgotten(self.workspace, edited.text[edited.start : edited.end], self.options.owner):
            raise CommandRefused("forgotten")
        if self.options.verbatim:
            return edited, ""
        edited, kinds = tool.redact_new_secrets(old, edited)
        return edited, "\n" + self._message("redacted", kinds=kinds) if kinds else ""

    def _message(self, name: str, **slots: object) -> str:
        return reply_text(self.options.style, name, **slots)
