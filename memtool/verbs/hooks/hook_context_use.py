"""What the transcript of a running session says of its context: a warning, the window after an overflow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.core.compaction.context_use import ContextOverflow, newest_use, warning
from memtool.core.context.section import PromptSection, SectionShare
from memtool.errors import MemtoolError
from memtool.store.external import transcript_files
from memtool.verbs.compaction.context_window import calibrate, context_window
from memtool.verbs.hooks.hook_call import HookCall

_READ_BYTES = 1 << 18
"""Bytes at the end of a transcript that are read at each prompt."""
_SIGNS = (b'"usage"', b'"token_count"', b'"isApiErrorMessage"', b'"error"')
"""Texts of which one is in each line that says something of the context."""
_TITLE = "Context"
_FIRST = SectionShare("context", 5, -2, "beginning")


def context_warning(call: HookCall) -> list[PromptSection]:
    """The section that warns of a context nearly full; none where there is room, or nothing is known.

    An overflow that the provider reported is learnt.
    """
    use = newest_use(_records(call))
    if use is None:
        return []
    if isinstance(use, ContextOverflow):
        window, tokens = calibrate(call.workspace, use).tokens, use.tokens or use.window
    else:
        known = context_window(call.workspace)
        window, tokens = use.window or known.tokens, use.tokens
        if use.window is None and known.is_assumed and tokens > window:
            return []  # the model's window is larger than the assumed one
    text = warning(tokens / window, window)
    return [PromptSection(_TITLE, "context", text, share=_FIRST)] if text else []


def _records(call: HookCall) -> Iterator[dict[str, Any]]:
    """The lines at the end of the transcript that speak of the context, the newest first."""
    path = call.event.transcript
    if not path.startswith("/") or not transcript_files.path_exists(path):
        return
    try:
        source = transcript_files.open_transcript(path, max_bytes=_READ_BYTES)
        if not isinstance(source, transcript_files.TranscriptFile):
            return
        lines = [line for _, line in source.lines() if any(sign in line for sign in _SIGNS)]
    except MemtoolError:
        return  # the end of the turn reports a transcript that cannot be read
    for line in reversed(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record
