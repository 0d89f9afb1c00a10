"""Statements that `undo` removed from memory: other files may still quote them, and prompts mark them there.

The private folder has digests of their sentences only, so that there is nothing to forget.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable

from memtool.core.context.statements import statements
from memtool.errors import MemtoolError
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_NAME = "undone.json"
"""The file in the private folder. Without it nothing is marked."""
_MOST = 2_000
"""The newest digests that are recorded."""


def record_undone(workspace: Workspace, removed: Iterable[str], restored: Iterable[str]) -> None:
    """Record which texts an undo removed from memory, and that those which it restored hold again.

    Where nothing can be recorded, nothing else happens.
    """
    if not workspace.writes:
        return
    before = undone_sentences(workspace)
    gone = dict.fromkeys(sorted(_digests(removed)))
    back = _digests(restored)
    left = [digest for digest in {**before, **gone} if digest not in back or digest in gone]
    if left != [*before]:
        with contextlib.suppress(MemtoolError):
            derived.write(workspace.root, _NAME, json.dumps({"sentences": left[-_MOST:]}).encode())


def undone_sentences(workspace: Workspace) -> dict[str, None]:
    """The digests of the sentences that undos removed, the oldest first."""
    try:
        sentences = json.loads(derived.read(workspace.root, _NAME) or b"{}").get("sentences")
    except (MemtoolError, ValueError, RecursionError, AttributeError):
        return {}
    rows = sentences if isinstance(sentences, list) else []
    return dict.fromkeys(digest for digest in rows if isinstance(digest, str))


def _digests(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(digest for text in texts for digest in statements(text))
