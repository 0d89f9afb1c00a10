"""The size of the agent's context: as an overflow taught it, else as the settings say."""

from __future__ import annotations

import json

from msgspec import Struct

from memtool.core.compaction.context_use import ContextOverflow
from memtool.core.compaction.tokens import estimate_message_tokens
from memtool.formats import conversation as conversations
from memtool.store.files import derived
from memtool.store.workspace import Workspace
from memtool.verbs.compaction.token_counter import TokenCounter

_NAME = "context-window"
_DEFAULT = 200_000
"""The default of the setting: it says nothing of the model."""
_MAX_FACTOR = 4.0
"""The largest correction of an estimate, so that no odd error makes a context look full (OpenLegion)."""


class ContextWindow(Struct, frozen=True):
    """The tokens that the context holds, and the factor by which estimates are too low.

    `is_assumed` says that neither an overflow nor the settings name the tokens.
    """

    tokens: int
    factor: float = 1.0
    is_assumed: bool = False


def context_window(workspace: Workspace) -> ContextWindow:
    """The window that the last overflow taught, but no more than one that the settings name."""
    setting = max(1, workspace.settings["context.limit"])
    learnt = _load(workspace)
    if learnt is None:
        return ContextWindow(setting, is_assumed=setting == _DEFAULT)
    tokens = learnt.tokens if setting == _DEFAULT else min(setting, learnt.tokens)
    return ContextWindow(tokens, learnt.factor)


def calibrate(workspace: Workspace, overflow: ContextOverflow, estimated: int = 0) -> ContextWindow:
    """Learn the window from an overflow; and the factor, if the estimate of the same request is known.

    The factor only rises, as one request may be of unusual text. Loss of what is learnt costs an overflow.
    """
    before = _load(workspace)
    factor = before.factor if before is not None else 1.0
    if estimated > 0 and overflow.tokens is not None:
        factor = max(factor, min(overflow.tokens / estimated, _MAX_FACTOR))
    learnt = ContextWindow(overflow.window, factor)
    key = workspace.key() if workspace.writes else None
    if key is not None and learnt != before:
        content = json.dumps({"tokens": learnt.tokens, "factor": learnt.factor})
        derived.save(workspace.root, _NAME, content.encode(), key)
    return learnt


def calibrate_by_conversation(
    workspace: Workspace, overflow: ContextOverflow, text: str, count: TokenCounter
) -> ContextWindow:
    """Learn from an overflow of a request with this conversation; one that is none gives no factor."""
    try:
        items = conversations.parse(text).items
    except conversations.InvalidConversation:
        items = ()
    messages = (message for item in items for message in item.messages)
    return calibrate(workspace, overflow, estimate_message_tokens(messages, count))


def _load(workspace: Workspace) -> ContextWindow | None:
    key = workspace.key()
    content = derived.load(workspace.root, _NAME, key) if key is not None else None
    return ContextWindow(**json.loads(content)) if content is not None else None
