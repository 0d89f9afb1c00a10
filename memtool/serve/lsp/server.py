"""The language server: lifecycle, synchronisation of documents, and the table of features."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from memtool import __version__
from memtool.errors import MemtoolError
from memtool.serve.internal_errors import log_internal_error
from memtool.serve.lsp import commands
from memtool.serve.lsp.documents import file_path
from memtool.serve.lsp.error_notice import ErrorNotice
from memtool.serve.lsp.features import FEATURES, LspFeature
from memtool.serve.lsp.lsp_context import OpenWorkspace
from memtool.serve.lsp.lsp_workspace import LoadedFiles, LoadStage, LspWorkspace
from memtool.serve.lsp.publisher import DiagnosticsPublisher
from memtool.serve.lsp.text_buffer import PositionEncoding
from memtool.serve.lsp.transport import LspMessageWriter, run_loop

LOG = logging.getLogger("memtool.serve.lsp")

_NOT_INITIALIZED, _INVALID_REQUEST, _INVALID_PARAMS = -32002, -32600, -32602
_CANCELLED, _INTERNAL_ERROR, _REQUEST_FAILED = -32800, -32603, -32803
"""Codes of errors (LSP 3.17, Base Protocol)."""
_WATCHED = "**/*.{md,markdown,json,jsonl,toml,canvas}"
_PRIVATE = ".memtool/"
"""The folder of derived files, whose changes mean nothing."""
_MOST_NAME = 80
_SECONDS_BETWEEN_POLLS = 2.0
_PAUSE_AFTER_LOADING = 20
"""Seconds between two looks for changed files, at least so many times as long as the last one took."""
_MOST_DEFERRED = 1_000
_SWITCH_SECONDS = 0.001
"""How long the thread that loads files may keep the interpreter to itself."""


def serve(open_workspace: OpenWorkspace, source: int, sink: int) -> int:
    """Serve one client over two file descriptors until it disconnects; the exit code. Raises MemtoolError.

    `open_workspace` receives the folders that the client names. The code is 1 if the client ends the server
    without a request to shut down.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # it logs what documents contain
    server = _MemtoolServer(open_workspace)
    server.protocol.set_writer(LspMessageWriter(sink))
    try:
        run_loop(source, server.handle, server.publish_changed)
    except BrokenPipeError:
        LOG.info("the client has closed the connection")
    return server.exit_code


class _MemtoolProtocol(LanguageServerProtocol):
    """The protocol with memtool's own documents and commands in place of those of pygls."""

    _server: _MemtoolServer

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._server.did_open(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.did_change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.did_close(params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        return self._server.execute_command(params)


class _MemtoolServer(LanguageServer):
    """The server: it keeps the state, and gives each message to the function of its feature."""

    _state: LspWorkspace
    _publisher: DiagnosticsPublisher
    """Both are set when the client initializes the server; no other message is handled before."""

    def __init__(self, open_workspace: OpenWorkspace) -> None:
        super().__init__(
            "memtool", __version__, protocol_cls=_MemtoolProtocol, converter_factory=default_converter
        )
        self._open_workspace = open_workspace
        self._notice = ""
        """What the user is shown once the client has initialized the server."""
        self._is_loading = self._loads_again = False
        self._has_tried_to_load = False
        self._loading_seconds = 0.0
        self._deferred: list[dict[str, Any]] = []
        """The requests that came before what they need of the files was loaded."""
        self._client = ""
        self._notice_of_error = ErrorNotice(self.window_show_message)
        self._is_initialized = self._is_shut_down = False
        self.exit_code = 0
        self._register()

    def _register(self) -> None:
        own: dict[str, Callable[[Any], Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_SAVE: self._did_save,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._did_change_watched_files,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: lambda _: self._load(),
        }
        for method, function in own.items():
            self.feature(method)(self._guarded(function))
        for method, feature in FEATURES.items():
            self.feature(method, feature.options)(self._guarded(partial(self._answer, feature)))
        for command in commands.COMMANDS:  # for the list of capabilities
            self.command(command)(lambda: None)

    def _answer(self, feature: LspFeature, params: Any) -> Any:
        return feature.answer(self._state, self.client_capabilities, params)

    def _guarded(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A function of a feature whose errors are sentences: the client shows them to the user."""

        def guarded(params: Any) -> Any:
            try:
                return function(params)
            except MemtoolError as error:
                raise JsonRpcException(str(error), _REQUEST_FAILED) from None
            except Exception as error:
                raise JsonRpcException(log_internal_error(LOG, error), _INTERNAL_ERROR) from None

        return guarded

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error that no response reports, without the content of messages."""
        if isinstance(error, JsonRpcException) and error.code == _INTERNAL_ERROR:
            LOG.error("%s", error.message)

    def handle(self, message: dict[str, Any], is_cancelled: bool) -> bool:
        """Handle one message; False to end."""
        method, name = message.get("method"), message.get("id")
        is_request = isinstance(method, str) and isinstance(name, str | int)
        if method == types.EXIT:
            self.exit_code = 0 if self._is_shut_down else 1
            return False
        refusal: tuple[int, str] | None = None
        if is_cancelled:
            refusal = (_CANCELLED, "the request was cancelled")
        elif self._is_shut_down:
            refusal = (_INVALID_REQUEST, "the server has been shut down")
        elif not self._is_initialized and method != types.INITIALIZE:
            refusal = (_NOT_INITIALIZED, "the first request must be 'initialize'")
        elif self._is_initialized and method == types.INITIALIZE:
            refusal = (_INVALID_REQUEST, "the server is already initialized")
        if refusal is None:
            try:
                structured = self.protocol.structure_message({"jsonrpc": "2.0", **message})
            except Exception:  # whatever is wrong with it, its sender is told
                refusal = (_INVALID_PARAMS, "invalid parameters")
            else:
                if is_request and self._must_wait(str(method), structured.params):
                    self._deferred.append(message)
                    return True
                self._is_shut_down = method == types.SHUTDOWN
                self.protocol.handle_message(structured)
        if refusal is not None and is_request and name is not None:
            error = types.ResponseError(code=refusal[0], message=refusal[1])
            self.protocol._send_response(name, None, error)
        return True

    def _must_wait(self, method: str, params: Any) -> bool:
        """Whether a request needs more of the files, which are still being loaded."""
        if self._has_tried_to_load or len(self._deferred) >= _MOST_DEFERRED:
            return False
        feature = FEATURES.get(method)
        return feature is not None and feature.needs(self._state, params) > self._state.stage

    def _initialize(self, params: types.InitializeParams) -> None:
        """Open the workspace of the client's root. Raises MemtoolError."""
        uris = [params.root_uri or "", *(folder.uri for folder in params.workspace_folders or ())]
        folders = [folder for uri in uris if (folder := file_path(uri)) is not None]
        context_factory, self._notice = self._open_workspace(folders)
        self._state = LspWorkspace(context_factory)
        publish = self.text_document_publish_diagnostics
        self._publisher = DiagnosticsPublisher(self._state, publish, self._notice_of_error.show)
        documents = self._state.documents
        encoding = self.workspace.position_encoding
        known: dict[Any, PositionEncoding] = {
            types.PositionEncodingKind.Utf8: "utf-8",
            types.PositionEncodingKind.Utf32: "utf-32",
        }
        documents.encoding = known.get(encoding, "utf-16") if encoding else "utf-16"
        for folder in reversed(folders):  # the first is the most important
            documents.add_folder(folder)
        self._state.warm_up()
        if params.client_info is not None:
            self._client = "".join(filter(str.isprintable, params.client_info.name))[:_MOST_NAME]
        self._is_initialized = True

    def _initialized(self, _: types.InitializedParams) -> None:
        self._load()
        if self._notice:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, self._notice))
        workspace = self.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching is not None and watching.dynamic_registration:
            watcher = types.FileSystemWatcher(_WATCHED)
            options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
            registration = types.Registration(
                "memtool-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
            )
            self.client_register_capability(types.RegistrationParams([registration]), lambda _: None)
        else:
            asyncio.get_running_loop().call_later(_SECONDS_BETWEEN_POLLS, self._poll)

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Keep a document, and check it. Its text may have changes that the editor restored unsaved."""
        if (document := self._state.documents.open(params.text_document)) is not None:
            self._state.open(document)
            self._publisher.mark(document)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Change a document, and check it when no message waits."""
        document = self._state.documents.with_uri(params.text_document.uri)
        if document is not None:
            document.change(params.content_changes, params.text_document.version)
            self._publisher.mark(document)

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document, and clear its diagnostics."""
        document = self._state.documents.close(params.text_document.uri)
        if document is not None:
            self._state.close(document)
            self._publisher.close(document)

    def _did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        if (document := self._state.documents.with_uri(params.text_document.uri)) is not None:
            document.is_changed = False
        self._load(if_changed=True)

    def _did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [self._state.documents.path_of(change.uri) for change in params.changes]
        if any(path is not None and not path.startswith(_PRIVATE) for path in paths):
            self._load(if_changed=True)  # the settings of Obsidian, for example, change with each tab

    def execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Run a command and say what it did; an error is the response."""

        def run(_: object) -> str:
            done = commands.execute_command(self._state, params.command, params.arguments or (), self._client)
            self._load()
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, done))
            return done

        return self._guarded(run)(None)

    def publish_changed(self) -> None:
        """Publish the diagnostics of the documents that have changed since."""
        if self._is_initialized:
            self._publisher.publish_changed()

    def _load(self, *, if_changed: bool = False) -> None:
        """Read the files anew in a thread, with `if_changed` only if any has changed.

        Changes that come meanwhile are read after that.
        """
        if self._is_loading:
            self._loads_again = True
            return
        self._is_loading = True
        loop = asyncio.get_running_loop()
        start = loop.time()

        def report(loaded: LoadedFiles | Exception | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._loaded, loaded, start)

        self._state.start_loading(report, if_changed=if_changed)

    def _poll(self) -> None:
        """Look for changed files from time to time, for a client that does not report them."""
        if not self._is_loading:
            self._load(if_changed=True)
        delay = max(_SECONDS_BETWEEN_POLLS, _PAUSE_AFTER_LOADING * self._loading_seconds)
        asyncio.get_running_loop().call_later(delay, self._poll)

    def _loaded(self, loaded: LoadedFiles | Exception | None, start: float) -> None:
        """Use what the thread has loaded, which is followed by the rest unless it is all."""
        match loaded:
            case MemtoolError():
                self._notice_of_error.show(loaded)
            case Exception():
                log_internal_error(LOG, loaded)
            case LoadedFiles():
                self._notice_of_error.clear()
                self._state.adopt(loaded)
                if loaded.lint is not None:
                    self._publisher.check_all()
                if loaded.stage is not LoadStage.ALL:
                    self._answer_deferred()
                    return
        self._is_loading, self._has_tried_to_load = False, True
        self._loading_seconds = asyncio.get_running_loop().time() - start
        self._answer_deferred()
        if self._loads_again:
            self._loads_again = False
            self._load()

    def _answer_deferred(self) -> None:
        """Answer the requests for which enough is loaded now; the others wait on."""
        deferred, self._deferred = self._deferred, []
        for message in deferred:
            self.handle(message, is_cancelled=False)
