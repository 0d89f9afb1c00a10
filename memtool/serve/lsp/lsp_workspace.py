"""The state of the server: the open documents, and snapshots of lint and of the link graph."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import BadUsage, MemtoolError
from memtool.serve.lsp.documents import OpenDocument, OpenDocuments
from memtool.serve.lsp.lsp_context import LspContext
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.store.files.buffered_disk import BufferedDisk
from memtool.store.files.posix import encode
from memtool.store.files.scoped_disk import ScopedDisk
from memtool.store.workspace import Workspace
from memtool.verbs.editor.completion import complete
from memtool.verbs.lint.document_lint import LintSnapshot, check_text, is_large
from memtool.verbs.notes.document_node import NOTE_ROLE, DocumentNode, parse_node
from memtool.verbs.notes.link_graph import LinkGraph, list_link_graph, load_link_graph

_SECONDS_BEFORE_READING = 0.1
"""How long the first document is waited for before the files are read, which slows all else."""
_FIRST_DOCUMENT = "---\ntitle: a\ntags: [a, b]\n---\n# A\n\n[[a]] #a, the key is here ^a\n"
"""A text with what most documents have: frontmatter that takes a YAML parser, links, a sign of a secret."""


class LoadStage(IntEnum):
    """How much of the files is loaded: nothing, their paths, their texts, or also lint and the tables."""

    NOTHING = 0
    PATHS = 1
    TEXTS = 2
    ALL = 3


class LoadedFiles(Struct, frozen=True):
    """The link graph, which has the visible files of the scope, and the snapshot of lint once it is there."""

    stage: LoadStage
    graph: LinkGraph
    lint: LintSnapshot | None = None


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
        self._graph_versions: dict[str, tuple[OpenDocument, int]] = {}

    @property
    def lint(self) -> LintSnapshot | None:
        """The snapshot of lint; None until it is loaded."""
        return self._loaded.lint if self._loaded else None

    @property
    def stage(self) -> LoadStage:
        """How much of the files is loaded."""
        return self._loaded.stage if self._loaded else LoadStage.NOTHING

    @property
    def is_loading(self) -> bool:
        """Whether a part of the files is loaded, and what links and tags need is not."""
        return LoadStage.NOTHING < self.stage < LoadStage.ALL

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

    def load(self) -> Iterator[LoadedFiles]:
        """Read the files anew, and yield them when all is loaded.

        This may run in a thread. The first load of a server yields also what it has of them earlier: their
        paths, their texts, and when diagnostics can be computed. Raises MemtoolError.
        """
        context, before = self.context(), self._loaded
        if before is None or before.lint is None:
            yield from self._load_in_stages(context)
            return
        lint = LintSnapshot(context.workspace, context.lint_request, before.lint)
        lint.prepare()
        lint.find_linked(before.lint)
        etags = {path: check.stamp.etag for path, check in lint.saved.checks.items()}

        def unchanged(path: str) -> DocumentNode | None:
            node = before.graph.nodes.get(path)
            return node if node is not None and node.etag == etags.get(path) else None

        graph = load_link_graph(context.visible_workspace, [], context.scope, known=unchanged)
        if before.stage is LoadStage.ALL:
            graph.reuse(before.graph)
        graph.compute_tables()
        yield LoadedFiles(LoadStage.ALL, graph, lint)

    def _load_in_stages(self, context: LspContext) -> Iterator[LoadedFiles]:
        """The first load: first what completion needs."""
        workspace, scope = context.visible_workspace, context.scope
        if not context.owner_tags:  # whose a file is, its text tells
            yield LoadedFiles(LoadStage.PATHS, list_link_graph(workspace, scope))
        graph = load_link_graph(workspace, [], scope)
        yield LoadedFiles(LoadStage.TEXTS, graph)
        lint = LintSnapshot(context.workspace, context.lint_request)
        lint.prepare()
        yield LoadedFiles(LoadStage.TEXTS, graph, lint)
        lint.save_cache()
        lint.find_linked()
        graph.compute_tables()
        yield LoadedFiles(LoadStage.ALL, graph, lint)

    def has_changed_files(self) -> bool:
        """Whether files were added, changed or removed since they were read; this may run in a thread."""
        if self._loaded is None or self._loaded.lint is None:
            return True
        listing = self.context().workspace.memory_listing({})
        return listing.files != self._loaded.lint.files.listing.files

    def refresh(self) -> None:
        """Read the files anew if any has changed; a client need not report it. Raises MemtoolError."""
        if self.has_changed_files():
            self._load_at_once()

    def _load_at_once(self) -> LoadedFiles:
        for loaded in self.load():
            self.adopt(loaded)
        assert self._loaded is not None
        return self._loaded

    def start_loading(
        self, report: Callable[[LoadedFiles | Exception | None], None], *, if_changed: bool = False
    ) -> None:
        """Read the files anew in a thread, which reports what `load` yields, or its error.

        With `if_changed`, it reports None if no file has changed since. The thread is a daemon, because the
        process must be able to exit meanwhile.
        """

        def work() -> None:
            try:
                if if_changed and not self.has_changed_files():
                    report(None)
                else:
                    for loaded in self.load():
                        report(loaded)
                        if loaded.stage is LoadStage.PATHS:
                            complete(loaded.graph, "", "[[", 2, lambda: ())  # its expressions are compiled
                            time.sleep(_SECONDS_BEFORE_READING)
            except Exception as error:
                report(error)

        threading.Thread(target=work, name="memtool-lsp-load", daemon=True).start()

    def adopt(self, loaded: LoadedFiles) -> None:
        """Use newly loaded files, with the open documents in their place."""
        before, lint = self.lint, loaded.lint
        if lint is not None:
            if before is not None and before is not lint:
                lint.take_documents(before)
                lint.take_changes()  # all documents are checked after this
            if loaded.stage is LoadStage.ALL:
                lint.use_linked()
            self.workspace = lint.workspace
        self._loaded = loaded
        self._graph = None

    def update_lint(self, document: OpenDocument) -> None:
        """Check a document anew, unless it is so large that only its file is checked."""
        if self.lint is not None and not is_large(document.buffer.text):
            self.lint.set_document(document.path, document.buffer.text)

    def close(self, document: OpenDocument) -> None:
        """Return to the file of a closed document, or to what else the editor has of it."""
        self._graph = None
        if (other := self.documents.at(document.path)) is not None:  # the same file by another URI
            self.update_lint(other)
        elif self.lint is not None:
            self.lint.close_document(document.path)

    @property
    def graph(self) -> LinkGraph:
        """The link graph with the open documents; loads the files if that has failed before."""
        loaded = self._loaded_graph or self._load_at_once().graph
        if self._graph is None:
            self._graph, self._graph_versions = loaded, {}
        for document in self.documents.all():
            version = (document, document.version)
            if self._graph_versions.get(document.path) != version:
                self._graph_versions[document.path] = version
                if (node := self._node(document, loaded)) is not None:
                    self._graph = self._graph.with_node(node)
        return self._graph

    @property
    def _loaded_graph(self) -> LinkGraph | None:
        """The link graph of the files; None until their paths are loaded."""
        return self._loaded.graph if self._loaded is not None else None

    def _node(self, document: OpenDocument, loaded: LinkGraph | None) -> DocumentNode | None:
        """The node of an open document, with what the graph of the files says of its file."""
        context, path = self.context(), document.path
        located = context.workspace.role_of(path)
        if located is None or not context.scope.admits(located.group) or is_large(document.buffer.text):
            return None
        before = loaded.nodes.get(path) if loaded is not None else None
        if (
            before is None
            and loaded is not None
            and loaded.is_read
            and path in {*loaded.unread, *loaded.files}
        ):
            return None
        text = self.visible_text(path, document.buffer.text)
        if text is None:
            return None
        titled_by_heading = context.workspace.layout.notes.titled_by_heading
        etag = before.etag if before else ""
        return parse_node(path, located, text, etag, titled_by_heading=titled_by_heading)

    def visible_text(self, path: str, text: str) -> str | None:
        """A document's text as the user of this run may read it: lines of other users are empty.

        None for a document of another user.
        """
        context = self.context()
        if not context.owner_tags:
            return text
        disk = ScopedDisk(context.workspace.disk, context.workspace.layout, context.owner_tags)
        shown = disk.visible_bytes(path, encode(text))
        return None if shown is None else shown.decode("utf-8", "surrogateescape")

    def node_of(self, uri: str) -> DocumentNode | None:
        """The node of a document; None for one that is no Markdown file of the workspace."""
        path = self.documents.path_of(uri)
        return self.graph.nodes.get(path) if path is not None else None

    def own_node(self, path: str) -> DocumentNode | None:
        """The node of a file or, while files are being loaded, of an open document."""
        document = self.documents.at(path)
        if self._loaded_graph is None and document is not None:
            return self._node(document, None)
        return self.graph.nodes.get(path)

    def buffer_of(self, path: str) -> TextBuffer | None:
        """The visible text of a file: the open document, else what the snapshot has, else the file.

        None for one that cannot be read, or that the scope leaves out.
        """
        document = self.documents.at(path)
        if document is not None:
            text = document.buffer.text
            shown = self.visible_text(path, text)
            return document.buffer if shown == text else document.buffer.with_text(shown or "")
        node = self.graph.nodes.get(path) if self._loaded_graph is not None else None
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
            raise BadUsage(f"{path} {self.conflict(document)} and try again")

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

    def conflict(self, document: OpenDocument) -> str:
        """Why an open document has another text than its file, and what to do first."""
        found = self._file_of(document)
        if found is not None and not document.has_had(found):  # to save would overwrite it
            return "has changed on disk; reload it in the editor"
        return "has unsaved changes; save it"

    def open(self, document: OpenDocument) -> None:
        """Compare a document that was opened with its file: the editor may have restored unsaved changes."""
        found = self._file_of(document)
        document.is_changed = _is_other(found, document)
        if found is not None:
            document.add_text(found)

    def differs_from_file(self, document: OpenDocument) -> bool:
        """Whether an open document has another text than its file; True if there is no file to read."""
        return _is_other(self._file_of(document), document)

    def _file_of(self, document: OpenDocument) -> str | None:
        """The text of a document's file; None if there is no file, or it cannot be read."""
        try:
            found = self.context().workspace.read(PurePosixPath(document.path))
        except MemtoolError:
            return None
        return found.text if found is not None else None


def is_in_scope(context: LspContext, path: str) -> bool:
    """Whether the group of the server, if it is limited to one, may read a file."""
    if context.scope.group is None:
        return True
    located = context.workspace.role_of(path)
    return located is not None and context.scope.admits(located.group)


def _is_other(text: str | None, document: OpenDocument) -> bool:
    """Whether the text of a file, None if there is none, is another than that of its document."""
    return text is None or _without_mark(text) != _without_mark(document.buffer.text)


def _without_mark(text: str) -> str:
    """A text without the byte order mark, which some editors leave out."""
    return text.removeprefix("\ufeff")
