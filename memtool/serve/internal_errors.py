"""Bugs in a server: logged in one sentence, and the server goes on."""

from __future__ import annotations

import logging

from memtool.errors import InternalError


def log_internal_error(log: logging.Logger, error: Exception) -> str:
    """Log an unexpected exception and return the sentence; the traceback is logged at level DEBUG alone."""
    sentence = str(InternalError(error))
    log.error("%s", sentence, exc_info=error if log.isEnabledFor(logging.DEBUG) else None)
    return sentence
