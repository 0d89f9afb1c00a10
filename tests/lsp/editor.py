"""An editor in this process: open documents and the functions of the language server, without a transport."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from memtool.cli.lsp_session import lsp_session_factory
from memtool.serve.lsp.code_actions import code_actions
from memtool.serve.lsp.commands import execute_command
from memtool.serve.lsp.completion import completion
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from tests.serve.mcp.talk import session

CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True,
            resource_operations=[
                types.ResourceOperationKind.Create,
                types.ResourceOperationKind.Rename,
                types.ResourceOperationKind.Delete,
            ],
        )
    )
)


class Editor:
    """The state of the server, and what an editor asks of it."""

    def __init__(self, root: Path, home: Path, **environment: str) -> None:
        self.root = root
        self.state = LspWorkspace(lsp_session_factory(session(root, home, **environment)))

    def uri(self, path: str) -> str:
        """The URI of a file of the workspace."""
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> str:
        """Open a document, by default with the text of its file; its URI."""
        text = (self.root / path).read_bytes().decode() if text is None else text
        self.state.documents.open(types.TextDocumentItem(self.uri(path), "markdown", 1, text))
        return self.uri(path)

    def type(self, path: str, text: str) -> None:
        """Give an open document another text, unsaved."""
        document = self.state.documents.at(path)
        assert document is not None
        change = types.TextDocumentContentChangeWholeDocument(text)
        document.change([change], document.version + 1)

    def actions(self, path: str, first: int, last: int | None = None) -> dict[str, types.CodeAction]:
        """The code actions of lines (from 0), by title."""
        where = types.Range(types.Position(first, 0), types.Position(first if last is None else last, 1000))
        document = types.TextDocumentIdentifier(self.uri(path))
        params = types.CodeActionParams(document, where, types.CodeActionContext([]))
        return {action.title: action for action in code_actions(self.state, CAPABILITIES, params) or ()}

    def action(self, path: str, line: int, start: str) -> types.CodeAction:
        """The code action of a line whose title begins so."""
        return next(action for title, action in self.actions(path, line).items() if title.startswith(start))

    def run(self, action: types.CodeAction) -> str:
        """Run the command of a code action; what it says."""
        assert action.command is not None
        return execute_command(
            self.state, action.command.command, action.command.arguments or (), client="test"
        )

    def completed(self, path: str, text: str) -> dict[str, str]:
        """Each completion at the `▮` of a text, by its label, as the line of the text after it."""
        before, _, after = text.partition("▮")
        self.open(path, before + after)
        line = before.count("\n")
        row = (before + after).split("\n")[line]
        at = types.Position(line, len(before.rpartition("\n")[2]))
        found = completion(
            self.state, types.CompletionParams(types.TextDocumentIdentifier(self.uri(path)), at)
        )
        lines: dict[str, str] = {}
        for item in found.items if found else ():
            edit = item.text_edit
            assert isinstance(edit, types.TextEdit)
            start, end = edit.range.start.character, edit.range.end.character
            lines[item.label] = row[:start] + edit.new_text + row[end:]
        return lines
