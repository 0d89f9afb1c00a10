"""The state of the server: the open documents, and snapshots of lint and of the link graph."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import BadUsage, MemtoolError
from memtool.serve.lsp.documents import OpenDocument, OpenDocuments
from memtool.serve.lsp.lsp_context import LspContext
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.store.files.buffered_disk import BufferedDisk
from memtool.store.files.posix import encode
from memtool.store.workspace import Workspace
from memtool.verbs.lint.document_lint import LintSnapshot, check_text, is_large
from memtool.verbs.notes.link_graph import NOTE_ROLE, DocumentNode, LinkGraph, load_link_graph, parse_node

_FIRST_DOCUMENT = "---\ntitle: a\ntags: [a, b]\n---\n# A\n\n[[a]] #a, the key is here ^a\n"
"""A text with what most documents have: frontmatter that takes a YAML parser, links, a sign of a secret."""


class LoadedFiles(Struct, frozen=True):
    """The snapshots of all files: of lint, and the link graph, which has the visible files of the scope."""

    lint: LintSnapshot
    graph: LinkGraph


class LspWorkspace:
    """A workspace with the editor's documents in place of files."""

    def __init__(self, context_factory: Callable[[], LspContext]) -> None:
        self.context = context_factory
        """Returns the context of one request."""
        self.workspace = context_factory().workspace
        """The workspace for its layout and settings, which are those of the last load."""
        self.documents = OpenDocuments(self.workspace.root)
        self._loaded: LoadedFiles | None = None
        self._graph: LinkGraph | None = None
        self._graph_versions: dict[str, int] = {}

    @property
    def lint(self) -> LintSnapshot | None:
        """The snapshot of lint; None until it is loaded."""
        return self._loaded.lint if self._loaded else None

    @property
    def facts_workspace(self) -> Workspace | None:
        """The workspace for facts and candidates, as the user may read it; open documents replace files.

        They do not if a user is named. None where the server is limited to a group: facts belong to none.
        """
        context = self.context()
        if context.acts_for_group:
            return None
        if context.owner_tags:
            return context.visible_workspace
        workspace = context.workspace
        buffers = {document.path: encode(document.buffer.text) for document in self.documents.all()}
        disk = BufferedDisk(workspace.disk, buffers)
        return Workspace(disk, workspace.layout, workspace.settings, writes=False)

    def warm_up(self) -> None:
        """Import what the first document needs, before it comes."""
        context = self.context()
        workspace = context.workspace
        path = f"{workspace.layout.folder(NOTE_ROLE)}/a.md" if workspace.has(NOTE_ROLE) else ""
        check_text(workspace, context.lint_request, path, _FIRST_DOCUMENT)

    def load(self) -> LoadedFiles:
        """Read the files anew; this may run in a thread. Raises MemtoolError."""
        context, before = self.context(), self._loaded
        lint = LintSnapshot(context.workspace, context.lint_request)
        lint.prepare()
        etags = {path: check.stamp.etag for path, check in lint.files.checks.items()}
        nodes = before.graph.nodes if before is not None else {}

        def unchanged(path: str) -> DocumentNode | None:
            node = nodes.get(path)
            return node if node is not None and node.etag == etags.get(path) else None

        graph = load_link_graph(context.visible_workspace, [], context.scope, known=unchanged)
        if before is not None:
            graph.reuse(before.graph)
        _ = graph.sources, graph.tags  # what the first request would wait for
        return LoadedFiles(lint, graph)

    def has_changed_files(self) -> bool:
        """Whether files were added, changed or removed since they were read; this may run in a thread."""
        if self._loaded is None:
            return True
        listing = self.context().workspace.memory_listing({})
        return listing.files != self._loaded.lint.files.listing.files

    def refresh(self) -> None:
        """Read the files anew if any has changed; a client need not report it. Raises MemtoolError."""
        if self.has_changed_files():
            self.adopt(self.load())

    def start_loading(
        self, when_done: Callable[[Future[LoadedFiles | None]], None], *, if_changed: bool = False
    ) -> None:
        """Read the files anew in a thread, which calls `when_done`.

        With `if_changed`, the result is None if no file has changed since. The thread is a daemon, because
        the process must be able to exit meanwhile.
        """
        loading = Future[LoadedFiles | None]()
        loading.add_done_callback(when_done)

        def work() -> None:
            try:
                loaded = None if if_changed and not self.has_changed_files() else self.load()
            except Exception as error:
                loading.set_exception(error)
            else:
                loading.set_result(loaded)

        threading.Thread(target=work, name="memtool-lsp-load", daemon=True).start()

    def adopt(self, loaded: LoadedFiles) -> None:
        """Use newly loaded files, with the open documents in their place."""
        self._loaded = loaded
        self.workspace = loaded.lint.workspace
        self._graph = None
        for document in self.documents.all():
            self.update_lint(document)

    def update_lint(self, document: OpenDocument) -> None:
        """Check a document anew, unless it is so large that only its file is checked."""
        if self._loaded is not None and not is_large(document.buffer.text):
            self._loaded.lint.set_document(document.path, document.buffer.text)

    def close(self, document: OpenDocument) -> None:
        """Return to the file of a closed document."""
        self._graph = None
        if self._loaded is not None:
            self._loaded.lint.close_document(document.path)

    @property
    def graph(self) -> LinkGraph:
        """The link graph with the open documents; loads the files if that has failed before."""
        if self._loaded is None:
            self.adopt(self.load())
        assert self._loaded is not None
        if self._graph is None:
            self._graph, self._graph_versions = self._loaded.graph, {}
        for document in self.documents.all():
            if self._graph_versions.get(document.path) != document.version:
                self._graph_versions[document.path] = document.version
                if (node := self._node(document)) is not None:
                    self._graph = self._graph.with_node(node)
        return self._graph

    def _node(self, document: OpenDocument) -> DocumentNode | None:
        assert self._loaded is not None
        context, path = self.context(), document.path
        located = context.workspace.role_of(path)
        if located is None or not context.scope.admits(located.group) or is_large(document.buffer.text):
            return None
        before = self._loaded.graph.nodes.get(path)
        if before is None and (path in self._loaded.graph.unread or path in self._loaded.graph.files):
            return None
        titled_by_heading = context.workspace.layout.notes.titled_by_heading
        etag = before.etag if before else ""
        return parse_node(path, located, document.buffer.text, etag, titled_by_heading=titled_by_heading)

    def node_of(self, uri: str) -> DocumentNode | None:
        """The node of a document; None for one that is no Markdown file of the workspace."""
        path = self.documents.path_of(uri)
        return self.graph.nodes.get(path) if path is not None else None

    def buffer_of(self, path: str) -> TextBuffer | None:
        """The text of a file: the open document, else what the snapshot has, else the file.

        None for one that cannot be read, or that the scope leaves out.
        """
        document = self.documents.at(path)
        if document is not None:
            return document.buffer
        node = self.graph.nodes.get(path)
        if node is not None:
            return TextBuffer(node.text, self.documents.encoding)
        context = self.context()
        if not is_in_scope(context, path):
            return None
        try:
            found = context.visible_workspace.read(PurePosixPath(path))
        except MemtoolError:
            return None
        return TextBuffer(found.text, self.documents.encoding) if found else None

    def check_plan_source(self, path: str) -> None:
        """Raise BadUsage if a plan was made from a file, and its open document has another text.

        Plans are made from the link graph, which has the text of open documents but for those that are no
        notes, such as canvases, and for very large ones.
        """
        document = self.documents.at(path)
        if document is None:
            return
        node = self.graph.nodes.get(path)
        if node is not None:
            is_other = _without_mark(node.text) != _without_mark(document.buffer.text)
        else:
            is_other = self.differs_from_file(document)
        if is_other:
            raise BadUsage(f"{path} has unsaved changes; save it and try again")

    def check_current(self, path: str) -> None:
        """Raise BadUsage unless a file of the link graph is open or still has the text that was read."""
        if self.documents.at(path) is None:
            found = self.context().visible_workspace.read(PurePosixPath(path))
            if found is None or _without_mark(found.text) != _without_mark(self.graph.nodes[path].text):
                raise BadUsage(f"{path} has changed; try again")

    def unsaved(self, path: str) -> bool:
        """Whether an open document was changed in the editor and differs from its file."""
        document = self.documents.at(path)
        return document is not None and document.is_changed and self.differs_from_file(document)

    def differs_from_file(self, document: OpenDocument) -> bool:
        """Whether an open document has another text than its file; True if there is no file to read."""
        try:
            found = self.context().workspace.read(PurePosixPath(document.path))
        except MemtoolError:
            return True
        return found is None or _without_mark(found.text) != _without_mark(document.buffer.text)


def is_in_scope(context: LspContext, path: str) -> bool:
    """Whether the group of the server, if it is limited to one, may read a file."""
    if context.scope.group is None:
        return True
    located = context.workspace.role_of(path)
    return located is not None and context.scope.admits(located.group)


def _without_mark(text: str) -> str:
    """A text without the byte order mark, which some editors leave out."""
    return text.removeprefix("\ufeff")
