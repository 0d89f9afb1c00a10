"""told: what each conversation has heard of the memory in every prompt, kept where it may be lost."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from typing import Any

from memtool.core.context.context import Section
from memtool.core.context.told import Told, told
from memtool.errors import MemtoolError
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "told.json"
"""The file in the private folder. Without it everything is told once more."""
_SESSIONS = 64
"""Conversations that are remembered, the newest."""


class Hearing:
    """What one conversation has heard. One without a name has heard nothing, ever."""

    def __init__(self, workspace: Workspace, session: str, group: str | None) -> None:
        self._workspace = workspace
        name = f"{group or ''}\n{session}".encode("utf-8", "surrogatepass")
        self._name = blake2b(name, digest_size=12).hexdigest() if session else ""
        self.known: Mapping[str, Told] = _told(_load(workspace).get(self._name))

    @property
    def whole(self) -> frozenset[str]:
        """The paths of what was told whole."""
        return frozenset(path for path, one in self.known.items() if one.is_whole)

    def forget(self) -> None:
        """Begin anew: what was told before is not in the conversation any more."""
        self.known = {}

    def tell(self, sections: Iterable[Section], whole: Collection[str]) -> None:
        """Put down that these were told, and which of them whole, or had been before.

        Where that cannot be kept they are told again, and that is all.
        """
        known = self.whole.union(whole)
        rows = {one.path: told(one.text, is_whole=one.path in known) for one in sections}
        now = {**self.known, **rows}
        if not (self._name and self._workspace.writes) or now == self.known:
            return
        sessions = _load(self._workspace)
        sessions.pop(self._name, None)
        sessions[self._name] = {path: list(one) for path, one in now.items()}
        newest = dict([*sessions.items()][-_SESSIONS:])
        with contextlib.suppress(MemtoolError):
            derived.write(self._workspace.root, NAME, json.dumps({"sessions": newest}).encode())
        self.known = now


def _load(workspace: Workspace) -> dict[str, Any]:
    content = derived.read(workspace.root, NAME)
    try:
        sessions = json.loads(content or b"{}").get("sessions")
    except (ValueError, RecursionError, AttributeError):
        return {}
    return sessions if isinstance(sessions, dict) else {}


def _told(rows: Any) -> dict[str, Told]:
    found: dict[str, Told] = {}
    for path, row in rows.items() if isinstance(rows, dict) else ():
        match row:
            case [int(size), str(digest), bool(is_whole)] if size >= 0:
                found[path] = Told(size, digest, is_whole)
    return found
