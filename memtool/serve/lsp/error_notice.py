"""The message on an error that concerns all documents, such as invalid settings."""

from __future__ import annotations

import logging
from collections.abc import Callable

from lsprotocol import types

from memtool.errors import MemtoolError

LOG = logging.getLogger("memtool.serve.lsp")


class ErrorNotice:
    """Shows an error to the user once, although it recurs with each check, until it is cleared."""

    def __init__(self, show_message: Callable[[types.ShowMessageParams], None]) -> None:
        self._show_message = show_message
        self._shown = ""

    def show(self, error: MemtoolError) -> None:
        """Show and log an error unless it was the last one."""
        if str(error) != self._shown:
            self._shown = str(error)
            LOG.warning("%s", error)
            self._show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))

    def clear(self) -> None:
        """Show the next error, even if it is the same."""
        self._shown = ""
