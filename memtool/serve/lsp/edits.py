"""Workspace edits: a plan of a verb as edits that the editor applies."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from lsprotocol import types

from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.core.text.edits import TextEdit
from memtool.errors import BadUsage
from memtool.serve.lsp.documents import protocol_edit
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.serve.lsp.text_buffer import TextBuffer

_BOM = "\ufeff"
DocumentChange = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile


def workspace_edit(
    state: LspWorkspace, capabilities: types.ClientCapabilities, plan: Plan
) -> types.WorkspaceEdit:
    """A plan as an edit of the editor. Raises BadUsage if the editor cannot apply it.

    Also for a file that is renamed and does not exist, because only the editor has it.
    """
    changes = list(_document_changes(state, plan))
    if any(not isinstance(change, types.TextDocumentEdit) for change in changes):
        check_resource_operations(capabilities)
    return protocol_workspace_edit(capabilities, changes)


def protocol_workspace_edit(
    capabilities: types.ClientCapabilities, changes: list[DocumentChange]
) -> types.WorkspaceEdit:
    """Changes in the form that the client understands."""
    edit = capabilities.workspace.workspace_edit if capabilities.workspace else None
    # Neovim 0.7 names its resource operations, which are document changes, and not document changes
    if edit is not None and (edit.document_changes or edit.resource_operations):
        return types.WorkspaceEdit(document_changes=changes)
    by_uri: dict[str, list[types.TextEdit]] = {}
    for change in changes:
        if isinstance(change, types.TextDocumentEdit):
            edits = [each for each in change.edits if isinstance(each, types.TextEdit)]
            by_uri.setdefault(change.text_document.uri, []).extend(edits)
    return types.WorkspaceEdit(changes=by_uri)


def check_resource_operations(capabilities: types.ClientCapabilities) -> None:
    """Raise BadUsage unless the editor can create, rename and delete files in an edit."""
    edit = capabilities.workspace.workspace_edit if capabilities.workspace else None
    operations = (edit.resource_operations or ()) if edit is not None else ()
    if not {"create", "rename", "delete"} <= set(operations):
        raise BadUsage(
            "this editor does not support edits that create, rename or delete files; "
            "use memtool note mv or memtool note new in a shell"
        )


def text_document_edit(
    state: LspWorkspace, path: str, buffer: TextBuffer, edits: list[TextEdit]
) -> types.TextDocumentEdit:
    """Edits of a file or of an open document, which must still have its present version."""
    document = state.documents.at(path)
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        state.documents.uri_of(path), document.version if document else None
    )
    return types.TextDocumentEdit(identifier, [protocol_edit(buffer, edit) for edit in edits])


def line_edits(before: str, after: str) -> list[TextEdit]:
    """The edits, line by line, that make one text of another; of a changed line, only what changed."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits: list[TextEdit] = []
    for kind, first, last, new_first, new_last in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if kind == "replace" and last - first == new_last - new_first:
            lines = range(first, last)
            edits += [_line_edit(starts[line], old[line], new[new_first + line - first]) for line in lines]
        elif kind != "equal":
            edits.append(TextEdit(starts[first], starts[last], "".join(new[new_first:new_last])))
    return edits


def _line_edit(start: int, old: str, new: str) -> TextEdit:
    """The edit of a line at an offset; it is that of the whole line where the line end changes."""
    old_body, new_body = old.rstrip("\r\n"), new.rstrip("\r\n")
    if old[len(old_body) :] != new[len(new_body) :]:
        return TextEdit(start, start + len(old), new)
    before = _common_length(old_body, new_body)
    after = _common_length(old_body[before:][::-1], new_body[before:][::-1])
    return TextEdit(start + before, start + len(old_body) - after, new_body[before : len(new_body) - after])


def _common_length(one: str, other: str) -> int:
    """The length of what two texts both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _document_changes(state: LspWorkspace, plan: Plan) -> Iterator[DocumentChange]:
    """The changes of a plan; a file that is created and whose old one is removed is renamed."""
    removed = [str(change.path) for change in plan if isinstance(change, Remove)]
    created = [change for change in plan if isinstance(change, Create)]
    renames: dict[str, str] = {}
    if len(removed) == len(created) == 1:
        renames[removed[0]] = str(created[0].path)
        yield from changed_text(state, removed[0], created[0].text)
    for change in plan:
        match change:
            case Replace(path, text):
                yield from changed_text(state, str(path), text)
            case Create(path, text) if str(path) not in renames.values():
                yield from created_file(state, str(path), text)
            case Create():
                pass
            case Move(path, target):
                renames[str(path)] = str(target)
            case Remove(path) if str(path) not in renames:
                yield types.DeleteFile(state.documents.uri_of(str(path)))
            case Remove():
                pass
            case _:
                raise BadUsage("an editor cannot apply this change; use memtool on the command line")
    options = types.RenameFileOptions(overwrite=False)
    for old, new in renames.items():
        if state.context().workspace.disk.stat(PurePosixPath(old)) is None:
            raise BadUsage(f"{old} has not been saved yet, or has been removed; save it and try again")
        new_uri = state.documents.uri_of(new)
        yield types.RenameFile(state.documents.uri_of(old), new_uri, options=options)


def created_file(state: LspWorkspace, path: str, text: str) -> Iterator[DocumentChange]:
    """A new file with a text."""
    uri = state.documents.uri_of(path)
    options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
    yield types.CreateFile(uri, options=options)
    start = types.Position(0, 0)
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, None)
    yield types.TextDocumentEdit(identifier, [types.TextEdit(types.Range(start, start), text)])


def changed_text(state: LspWorkspace, path: str, text: str) -> Iterator[types.TextDocumentEdit]:
    """The edits, line by line, that give a file or an open document another text. Raises BadUsage."""
    buffer = state.buffer_of(path)
    if buffer is None:
        raise BadUsage(
            f"{path} does not exist, cannot be read, or belongs to another group; nothing was changed"
        )
    state.check_plan_source(path)
    is_open = state.documents.at(path) is not None
    if text.startswith(_BOM) and not (is_open and buffer.text.startswith(_BOM)):
        # an editor that opens the file counts positions without it
        buffer, text = buffer.with_text(buffer.text.removeprefix(_BOM)), text.removeprefix(_BOM)
    if edits := line_edits(buffer.text, text):
        yield text_document_edit(state, path, buffer, edits)
