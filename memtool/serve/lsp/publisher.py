"""When diagnostics are published: at once for changed documents, one by one for those that depend on them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from lsprotocol import types

from memtool.errors import MemtoolError
from memtool.serve.internal_errors import log_internal_error
from memtool.serve.lsp.diagnostics import document_diagnostics
from memtool.serve.lsp.documents import OpenDocument
from memtool.serve.lsp.lsp_workspace import LspWorkspace

LOG = logging.getLogger("memtool.serve.lsp")

_SECONDS_BEFORE_OTHERS = 0.3
"""How long after the last change of a document the others are checked."""
_SECONDS_BETWEEN_OTHERS = 0.005
"""Between the checks of two of them: requests that came meanwhile are answered first."""


class DiagnosticsPublisher:
    """Publishes the diagnostics of open documents whenever they may have changed."""

    def __init__(
        self,
        state: LspWorkspace,
        publish: Callable[[types.PublishDiagnosticsParams], None],
        report: Callable[[MemtoolError], None],
    ) -> None:
        self._state = state
        self._publish = publish
        self._report = report
        self._changed: dict[str, None] = {}
        """The documents that have changed since they were checked."""
        self._others: dict[str, None] = {}
        """The documents that wait for a check because others have changed."""
        self._timer: asyncio.TimerHandle | None = None
        self._published: dict[str, list[types.Diagnostic]] = {}
        """The last diagnostics of each open document."""

    def mark(self, document: OpenDocument) -> None:
        """Check a changed document at the next `publish_changed`."""
        self._changed[document.uri] = None

    def close(self, document: OpenDocument) -> None:
        """Clear the diagnostics of a document, and check the others later."""
        self._changed.pop(document.uri, None)
        self._published.pop(document.uri, None)
        self._publish(types.PublishDiagnosticsParams(document.uri, [], None))
        self._find_others()

    def publish_changed(self) -> None:
        """Publish the diagnostics of changed documents, and after a pause of those that depend on them."""
        changed, self._changed = [*self._changed], {}
        for uri in changed:
            self._others.pop(uri, None)
            if (document := self._state.documents.with_uri(uri)) is not None:
                self._check(document)
        if changed:
            self._find_others()

    def check_all(self) -> None:
        """Check all open documents one after another, beginning now: the files have been read anew."""
        self._others.update(dict.fromkeys(document.uri for document in self._state.documents.all()))
        self._schedule(0)

    def _find_others(self) -> None:
        """Check the documents that depend on what has changed, after a pause."""
        lint = self._state.lint
        if lint is not None and (changes := lint.take_changes()):
            for document in self._state.documents.all():
                if document.uri not in self._changed and lint.depends_on(document.path, changes):
                    self._others[document.uri] = None
        self._schedule(_SECONDS_BEFORE_OTHERS)

    def _schedule(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._check_next) if self._others else None

    def _check_next(self) -> None:
        """Check one of the other documents."""
        self._timer = None
        uri = next(iter(self._others), None)
        if uri is not None:
            del self._others[uri]
            document = self._state.documents.with_uri(uri)
            if document is not None and uri not in self._changed:
                self._check(document, if_other=True)
            self._schedule(_SECONDS_BETWEEN_OTHERS)

    def _check(self, document: OpenDocument, *, if_other: bool = False) -> None:
        """Publish the diagnostics of a document; with `if_other`, only if they differ from the last ones."""
        try:
            diagnostics = document_diagnostics(self._state, document)
        except MemtoolError as error:  # such as settings that are invalid at the moment
            self._report(error)
        except Exception as error:
            log_internal_error(LOG, error)
        else:
            if not if_other or diagnostics != self._published.get(document.uri):
                self._publish(types.PublishDiagnosticsParams(document.uri, diagnostics, document.version))
                self._published[document.uri] = diagnostics
